/* SPDX-License-Identifier: Apache-2.0 */
/* The benchmarks list, matrix, states and crc in turns, as in CoreMark. sampled.mk
 * compiles each with its functions named after it. */
#include "../benchmarks/benchmark.h"

enum { TURNS = 110 };

#define KERNEL(name)                                                                     \
	void name##_prepare(void);                                                       \
	uint64_t name##_benchmark(void);                                                 \
	bool name##_right(uint64_t result);
KERNEL(list)
KERNEL(matrix)
KERNEL(states)
KERNEL(crc)

static const struct {
	void (*prepare)(void);
	uint64_t (*benchmark)(void);
	bool (*right)(uint64_t result);
} kernels[] = {{list_prepare, list_benchmark, list_right},
	       {matrix_prepare, matrix_benchmark, matrix_right},
	       {states_prepare, states_benchmark, states_right},
	       {crc_prepare, crc_benchmark, crc_right}};
enum { KERNELS = sizeof(kernels) / sizeof(*kernels) };

static uint64_t first[KERNELS];

void prepare(void)
{
	for (unsigned i = 0; i < KERNELS; i++)
		kernels[i].prepare();
}

/* A benchmark is repeated with the same data; states adds its counts to those before. */
uint64_t benchmark(void)
{
	uint64_t good = 0;

	for (unsigned turn = 0; turn < TURNS; turn++)
		for (unsigned i = 0; i < KERNELS; i++) {
			const bool adds = kernels[i].benchmark == states_benchmark;
			const uint64_t result = kernels[i].benchmark();

			if (turn == 0 && kernels[i].right(result))
				first[i] = result;
			good += result == first[i] * (adds ? turn + 1 : 1);
		}
	return good;
}

bool right(uint64_t good)
{
	return good == TURNS * KERNELS;
}
