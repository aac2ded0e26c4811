/* SPDX-License-Identifier: Apache-2.0 */
/* Random numbers that do not depend on the host. */
#ifndef RANDOM_RNG_H
#define RANDOM_RNG_H

#include <stdbool.h>
#include <stdint.h>

struct rng {
	uint64_t state;
};

/* Streams of one seed are independent. */
struct rng rng_make(uint64_t seed, uint64_t stream);
uint64_t rng_next(struct rng *rng);
unsigned rng_below(struct rng *rng, unsigned n); /* 0 to n - 1; n is not 0 */
unsigned rng_range(struct rng *rng, unsigned low, unsigned high); /* both included */
bool rng_chance(struct rng *rng, unsigned percent);
/* Returns a 64-bit value, mostly near a boundary of the arithmetic. */
uint64_t rng_edge(struct rng *rng);
/* Returns the number of a random bit of the mask, which is not 0. */
unsigned rng_bit(struct rng *rng, uint32_t mask);

#define RNG_PICK(rng, array) ((array)[rng_below(rng, sizeof(array) / sizeof(*(array)))])

#endif
