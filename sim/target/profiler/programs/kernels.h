/* SPDX-License-Identifier: Apache-2.0 */
/* Benchmarks as parts of one program: each has three functions of its own name, as in
 * benchmark.h, and the compiler inlines what it likes. */
#ifndef KERNELS_H
#define KERNELS_H

#include "benchmarks/benchmark.h"

#undef KEEP
#define KEEP

#define KERNEL(name)                                                                     \
	void prepare_##name(void);                                                       \
	uint64_t run_##name(void);                                                       \
	bool check_##name(uint64_t result);
KERNEL(list)
KERNEL(matrix)
KERNEL(states)
KERNEL(crc)

#endif
