/* SPDX-License-Identifier: Apache-2.0 */
/* WFIs, each ended by a timer. Runs bare-metal, with interrupts not taken. */
#include "benchmark.h"

#include "../csr.h"
#include "soc.h"

enum { SLEEPS = 12, STEPS = 20 };

static volatile uint64_t *const mtime =
    (volatile uint64_t *)(SOC_CLINT_BASE + SOC_CLINT_MTIME);
static volatile uint64_t *const mtimecmp =
    (volatile uint64_t *)(SOC_CLINT_BASE + SOC_CLINT_MTIMECMP);

/* Returns the steps of mtime that it took. */
KEEP static uint64_t sleep_steps(uint64_t steps)
{
	uint64_t start = *mtime;

	*mtimecmp = start + steps;
	while (!(csr_read(mip) & IP_MTIP))
		__asm__ volatile("wfi");
	return *mtime - start;
}

void prepare(void)
{
	csr_write(mie, IP_MTIP);
	sleep_steps(1);
}

uint64_t benchmark(void)
{
	uint64_t steps = 0;

	for (int i = 0; i < SLEEPS; i++)
		steps += sleep_steps(STEPS);
	return steps;
}

bool right(uint64_t steps)
{
	return steps == SLEEPS * STEPS;
}
