/* SPDX-License-Identifier: Apache-2.0 */
/* The kinds of work of CoreMark, which Debian does not have: lists, matrices, a state
 * machine, and CRC. Their sources are those of the benchmarks.
 *
 *     kernels [ROUNDS]
 */
#include <stdlib.h>

#include "kernels.h"

enum { ROUNDS = 30 };

static const struct kernel {
	const char *name;
	void (*prepare)(void);
	uint64_t (*run)(void);
	bool (*check)(uint64_t result);
} kernels[] = {
    {"list", prepare_list, run_list, check_list},
    {"matrix", prepare_matrix, run_matrix, check_matrix},
    {"states", prepare_states, run_states, check_states},
    {"crc", prepare_crc, run_crc, check_crc},
};
enum { KERNELS = sizeof(kernels) / sizeof(kernels[0]) };

/* Sattolo's algorithm, as in the benchmarks' main program. */
void make_cycle(uint32_t *order, uint32_t count, uint32_t seed)
{
	for (uint32_t i = 0; i < count; i++)
		order[i] = i;
	for (uint32_t i = count - 1; i > 0; i--) {
		uint32_t other = random_next(&seed) % i, value = order[i];
		order[i] = order[other];
		order[other] = value;
	}
}

static uint64_t run_kernel(const struct kernel *kernel)
{
	uint64_t result;

	kernel->prepare();
	result = kernel->run();
	if (!kernel->check(result)) {
		printf("kernels: %s is wrong\n", kernel->name);
		exit(1);
	}
	return result;
}

int main(int argc, char **argv)
{
	unsigned rounds = argc > 1 ? (unsigned)atoi(argv[1]) : ROUNDS;
	uint64_t sum = 0;

	for (unsigned i = 0; i < rounds; i++)
		for (unsigned k = 0; k < KERNELS; k++)
			sum = sum * 31 + run_kernel(&kernels[k]);
	printf("kernels: %u rounds, %016llx\n", rounds, (unsigned long long)sum);
	return 0;
}
