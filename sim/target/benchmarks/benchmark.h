/* SPDX-License-Identifier: Apache-2.0 */
/* What a benchmark is: three functions, called in this order by main.c.
 *
 * The window that is measured begins with the first instruction of benchmark and
 * ends with the first of benchmark_end, which does nothing. Those that run on the
 * supervisor are processes; those that need a device or machine mode run alone on
 * the machine, in M-mode, without interrupts.
 */
#ifndef BENCHMARK_H
#define BENCHMARK_H

#include <stdbool.h>

#include "../programs/user.h"

/* Makes the data, so that its pages are there, and runs the code once or more. */
void prepare(void);
/* What is measured. The result depends on all that it did. */
uint64_t benchmark(void);
/* Whether the result is right, found in another way than by running it again. */
bool right(uint64_t result);

void benchmark_end(void);

/* Entries of `order` become one cycle through all of 0 to count - 1 that is hard to
 * foresee: order[i] is what comes after i. */
void make_cycle(uint32_t *order, uint32_t count, uint32_t seed);

#endif
