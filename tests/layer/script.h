/* $VKC_FAULT: which calls get which result. */
#pragma once

#include "fault.h"

/* Reads @text: "entry:nth[+]:result[:call]", any number of them with ";"
 * between; NULL and "" say nothing. Returns what is wrong with it, for a
 * message, or NULL. Once, before any call of script_judge(). */
const char *script_read (const char *text);

/* The verdict on the @nth call (from 1) of @id. Threads: any. */
struct verdict script_judge (enum fault_id id, uint64_t nth);
