/* SPDX-License-Identifier: Apache-2.0 */
/* Interrupts and the hart's number, for kernels in M-mode. */
#include "kernel.h"

#include "target/csr.h"

enum { STATUS_MIE = 8 };

bool port_disable(void)
{
	unsigned long status;

	__asm__ volatile("csrrci %0, mstatus, 8" : "=r"(status) : : "memory");
	return status & STATUS_MIE;
}

void port_enable(bool on)
{
	if (on)
		csr_set(mstatus, STATUS_MIE);
}

unsigned port_hart(void)
{
	return HARTS > 1 ? (unsigned)csr_read(mhartid) : 0;
}

void port_timer(void)
{
	volatile uint64_t *mtime =
	    (volatile uint64_t *)(SOC_CLINT_BASE + SOC_CLINT_MTIME);
	volatile uint64_t *compare =
	    (volatile uint64_t *)(SOC_CLINT_BASE + SOC_CLINT_MTIMECMP);

	compare[port_hart()] = *mtime + 1;
}

void port_software(bool on)
{
	volatile uint32_t *msip = (volatile uint32_t *)(SOC_CLINT_BASE + SOC_CLINT_MSIP);

	msip[port_hart()] = on;
}
