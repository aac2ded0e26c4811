/* SPDX-License-Identifier: Apache-2.0 */
/* Interrupts and the hart's number, for kernels in S-mode, which is told of the timer by
 * software interrupts only. */
#include "kernel.h"

#include "target/csr.h"

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
