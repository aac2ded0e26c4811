/* SPDX-License-Identifier: Apache-2.0 */
/* A benchmark consists of three functions, called in this order by main.c.
 *
 * The measured window begins with the first instruction of benchmark() and ends with the
 * first of benchmark_end(), which does nothing. Benchmarks on the supervisor are
 * processes; those that need a device or machine mode run bare-metal, in M-mode, without
 * interrupts. */
#ifndef BENCHMARK_H
#define BENCHMARK_H

#include <stdbool.h>

#include "../programs/user.h"

/* Prepares the data, so that its pages are mapped, and runs the code at least once. */
void prepare(void);
/* The measured function. Its result depends on all its work. */
uint64_t benchmark(void);
/* Returns whether the result is right, by another method than running it again. */
bool right(uint64_t result);

void benchmark_end(void);

/* Makes `order` a single cycle through 0 to count - 1 in an unpredictable order: order[i]
 * is the successor of i. */
void make_cycle(uint32_t *order, uint32_t count, uint32_t seed);

#endif
