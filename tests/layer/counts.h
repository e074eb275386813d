/* How often each entry point was called. Threads: any. */
#pragma once

#include "fault.h"

/* One more call of @id; returns its number, from 1. */
uint64_t counts_call (enum fault_id id);

/* One of them got a result of the layer's. */
void counts_failed (enum fault_id id);

/* A device was declared lost. */
void counts_lost (void);

/* Writes all as JSON to the file that $VKC_FAULT_COUNTS names ("%p" in it
 * stands for the process' id); does nothing without it. */
void counts_write (void);
