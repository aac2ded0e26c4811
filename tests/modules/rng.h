// SPDX-License-Identifier: Apache-2.0
// Random numbers, the same in each run.
#ifndef RNG_H
#define RNG_H

#include <cstdint>

// splitmix64
struct rng {
	uint64_t state;

	uint64_t next()
	{
		uint64_t z = state += UINT64_C(0x9e3779b97f4a7c15);

		z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
		z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
		return z ^ z >> 31;
	}
	// Returns a number less than `n`.
	unsigned below(unsigned n)
	{
		return static_cast<unsigned>(next() % n);
	}
	// Returns true once in `n` times.
	bool once_in(unsigned n)
	{
		return below(n) == 0;
	}
};

#endif
