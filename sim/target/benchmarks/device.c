/* SPDX-License-Identifier: Apache-2.0 */
/* Repeated reads of a device: mtime of the CLINT. Runs bare-metal. */
#include "benchmark.h"

#include "soc.h"

enum { READS = 200000 };

static volatile uint64_t *const mtime =
    (volatile uint64_t *)(SOC_CLINT_BASE + SOC_CLINT_MTIME);

KEEP static uint64_t last_of(uint32_t reads)
{
	uint64_t last = 0;

	for (uint32_t i = 0; i < reads; i += 8)
#pragma GCC unroll 8
		for (int part = 0; part < 8; part++)
			last = *mtime;
	return last;
}

static uint64_t start;

void prepare(void)
{
	start = last_of(8);
}

uint64_t benchmark(void)
{
	return last_of(READS);
}

/* A read takes at least a cycle, and mtime advances every 3200 cycles. */
bool right(uint64_t last)
{
	return last - start >= READS / 3200 && last <= *mtime;
}
