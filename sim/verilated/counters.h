/* SPDX-License-Identifier: Apache-2.0 */
/* The counters of the hardware: the columns of its cover points. Those of a hart that is
 * one of several begin with its number: hart0.load. */
#ifndef VERILATED_COUNTERS_H
#define VERILATED_COUNTERS_H

#include "cover.h"
#include "run/machine.h"

struct counters;

/* Returns the counters of the existing SoC, or NULL if memory runs out. */
struct counters *counters_new(void);
void counters_free(struct counters *counters);

size_t counters_list(const struct counters *counters,
		     const struct machine_counter **list);

/* Selects counters by their indices in the list, in place of those of `chosen`, whose
 * counts the caller frees. Returns false if memory runs out. */
bool counters_choose(const struct counters *counters, struct cover_chosen *chosen,
		     const size_t *numbers, size_t n);

/* Starts or stops counting, for machine_ops.count(). */
void counters_count(struct cover_chosen *chosen, enum machine_count how);
/* Gets the counts: now, or at the last mark. */
void counters_values(const struct cover_chosen *chosen, bool marked, uint64_t *values);

#endif
