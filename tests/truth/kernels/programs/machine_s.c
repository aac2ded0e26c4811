/* SPDX-License-Identifier: Apache-2.0 */
/* Interrupts and the hart's number, for kernels in S-mode, which is told of the timer by
 * software interrupts only. */
#include "kernel.h"

#include "target/csr.h"

enum { TIMER_WORDS = 5 };

uint64_t *timer_begin(uint64_t hart);

bool port_disable(void)
{
	unsigned long status;

	__asm__ volatile("csrrci %0, sstatus, 2" : "=r"(status) : : "memory");
	return status & STATUS_SIE;
}

void port_enable(bool on)
{
	if (on)
		csr_set(sstatus, STATUS_SIE);
}

unsigned port_hart(void)
{
	unsigned long hart;

	__asm__ volatile("mv %0, tp" : "=r"(hart));
	return (unsigned)hart;
}

void port_software(bool on)
{
	(void)on;
}

/* Returns the memory of timervec. */
uint64_t *timer_begin(uint64_t hart)
{
	static uint64_t memory[HARTS][TIMER_WORDS];
	volatile uint64_t *compare =
	    (volatile uint64_t *)(SOC_CLINT_BASE + SOC_CLINT_MTIMECMP) + hart;

	memory[hart][3] = (uint64_t)compare;
	memory[hart][4] = 1;
	*compare = *(volatile uint64_t *)(SOC_CLINT_BASE + SOC_CLINT_MTIME) + 1;
	return memory[hart];
}
