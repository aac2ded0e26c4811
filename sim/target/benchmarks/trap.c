/* SPDX-License-Identifier: Apache-2.0 */
/* Traps to a handler that only counts and returns. Runs bare-metal. */
#include "benchmark.h"

#include "../csr.h"

enum { CALLS = 30000 };

uint64_t trap_calls(uint64_t calls); /* returns the handler's count */
void trap_count(void);

void prepare(void)
{
	csr_write(mtvec, trap_count);
	trap_calls(1);
}

uint64_t benchmark(void)
{
	return trap_calls(CALLS);
}

bool right(uint64_t seen)
{
	return seen == CALLS;
}
