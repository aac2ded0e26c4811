/* SPDX-License-Identifier: Apache-2.0 */
/* The counters of the hardware, which are the columns of its cover points. */
#ifndef RTL_COUNTERS_H
#define RTL_COUNTERS_H

#include "cover.h"
#include "run/machine.h"

struct counters;

/* Of the SoC that is there; NULL: out of memory. */
struct counters *counters_new(void);
void counters_free(struct counters *counters);

size_t counters_list(const struct counters *counters,
		     const struct machine_counter **list);

/* By their numbers in the list; false: out of memory. `chosen` gets what belongs to
 * `counters`. */
bool counters_choose(struct counters *counters, struct cover_chosen *chosen,
		     const size_t *numbers, size_t n);

#endif
