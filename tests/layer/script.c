/* Reads and applies the script. */
#include "script.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_RULES 64

struct rule
{
  enum fault_id id;
  uint64_t first, last;
  VkResult result;
  bool also_call;
};

static struct rule rules[MAX_RULES];
static unsigned n_rules;
static char problem[256];

static const char *
wrong (const char *what, const char *where)
{
  snprintf (problem, sizeof problem, "%s: \"%s\"", what, where);
  return problem;
}

static bool
read_result (const char *text, VkResult *result)
{
  char *end;
  const long number = strtol (text, &end, 10);

  for (unsigned i = 0; i < FAULT_N_RESULTS; i++)
    if (strcmp (fault_results[i].name, text) == 0) {
      *result = fault_results[i].value;
      return true;
    }
  *result = (VkResult) number;
  return *text && !*end;
}

static bool
read_calls (const char *text, struct rule *rule)
{
  char *end;

  rule->first = rule->last = strtoull (text, &end, 10);
  if (*end == '+') {
    rule->last = UINT64_MAX;
    end++;
  }
  return rule->first > 0 && !*end;
}

/* @text is cut up. */
static const char *
read_rule (char *text, struct rule *rule)
{
  char *rest = text;
  const char *entry = strsep (&rest, ":");
  const char *calls = strsep (&rest, ":");
  const char *result = strsep (&rest, ":");
  const struct fault_name *name = fault_find (entry);

  if (!name)
    return wrong ("not a Vulkan entry point that this layer knows", entry);
  rule->id = name->id;
  if (!fault_entries[rule->id].has_result)
    return wrong ("the entry point returns no VkResult", entry);
  if (!calls || !read_calls (calls, rule))
    return wrong ("not the number of a call, as in 3 or 3+",
                  calls ? calls : "");
  if (!result || !read_result (result, &rule->result))
    return wrong ("not a VkResult, as in -4 or VK_ERROR_DEVICE_LOST",
                  result ? result : "");
  rule->also_call = rest != NULL;
  if (rest && strcmp (rest, "call") != 0)
    return wrong ("only \"call\" may follow the result", rest);
  return NULL;
}

const char *
script_read (const char *text)
{
  char *copy = strdup (text ? text : "");
  char *rest = copy, *one;
  const char *why = NULL;

  n_rules = 0;
  while (!why && (one = strsep (&rest, ";")))
    if (*one && n_rules == MAX_RULES)
      why = wrong ("too many rules", one);
    else if (*one)
      why = read_rule (one, &rules[n_rules++]);
  free (copy);
  return why;
}

struct verdict
script_judge (enum fault_id id, uint64_t nth)
{
  for (unsigned i = 0; i < n_rules; i++)
    if (rules[i].id == id && nth >= rules[i].first && nth <= rules[i].last)
      return (struct verdict){ .call = rules[i].also_call,
                               .replace = true,
                               .result = rules[i].result };
  return (struct verdict){ .call = true };
}
