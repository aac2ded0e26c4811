/* SPDX-License-Identifier: Apache-2.0 */
/* Random numbers: a counter through the finaliser of SplitMix64. */
#include "rng.h"

static uint64_t scramble(uint64_t z)
{
	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return z ^ z >> 31;
}

struct rng rng_make(uint64_t seed, uint64_t stream)
{
	return (struct rng){
	    scramble(scramble(seed + 1) ^ (stream + 1) * UINT64_C(0x9e37))};
}

uint64_t rng_next(struct rng *rng)
{
	rng->state += UINT64_C(0x9e3779b97f4a7c15);
	return scramble(rng->state);
}

unsigned rng_below(struct rng *rng, unsigned n)
{
	return (unsigned)((rng_next(rng) >> 32) * n >> 32);
}

unsigned rng_range(struct rng *rng, unsigned low, unsigned high)
{
	return low + rng_below(rng, high - low + 1);
}

bool rng_chance(struct rng *rng, unsigned percent)
{
	return rng_below(rng, 100) < percent;
}

uint64_t rng_edge(struct rng *rng)
{
	static const uint64_t edges[] = {0,
					 1,
					 UINT64_MAX,
					 INT64_MAX,
					 UINT64_C(1) << 63,
					 0x7fffffff,
					 0x80000000,
					 0xffffffff,
					 0x100000000,
					 0xffffffff80000000,
					 0x7fff,
					 0xffff,
					 0xffffffffffff8000,
					 0x5555555555555555};
	uint64_t bit = UINT64_C(1) << rng_below(rng, 64);

	switch (rng_below(rng, 8)) {
	case 0:
		return (uint64_t)rng_below(rng, 33) - 16;
	case 1:
		return bit;
	case 2:
		return bit - 1;
	case 3:
		return 0 - bit;
	case 4:
	case 5:
		return RNG_PICK(rng, edges);
	case 6:
		return (uint64_t)((int64_t)rng_next(rng) >> rng_below(rng, 64));
	default:
		return rng_next(rng);
	}
}

unsigned rng_bit(struct rng *rng, uint32_t mask)
{
	unsigned skip = rng_below(rng, (unsigned)__builtin_popcount(mask));

	while (skip--)
		mask &= mask - 1;
	return (unsigned)__builtin_ctz(mask);
}
