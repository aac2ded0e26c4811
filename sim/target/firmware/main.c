/* SPDX-License-Identifier: Apache-2.0 */
/* Firmware: the M-mode software below the supervisor.
 *
 * start.S handles the reset, calls firmware_main and enters the next stage at 0x80200000
 * in S-mode, with a0 = hart and a1 = its value at reset: the address of a device tree, if
 * there is one. Harts other than 0 wait until the supervisor starts them (harts.c). Traps
 * that an operating system handles itself are delegated. The firmware handles its calls
 * (sbi.c), the timer, which is forwarded, and misaligned loads and stores, which are
 * emulated (misaligned.c). */
#include "firmware.h"
#include "soc.h"

#define NEXT_STAGE 0x80200000UL

void firmware_main(void)
{
	if (this_hart() == 0)
		uart_init();
	csr_write(pmpaddr0, -1UL);
	csr_write(pmpcfg0, 0x1f); /* NAPOT, read, write, execute */
	csr_write(medeleg, 1 << CAUSE_FETCH_MISALIGNED | 1 << CAUSE_FETCH_ACCESS |
			       1 << CAUSE_ILLEGAL | 1 << CAUSE_BREAKPOINT |
			       1 << CAUSE_LOAD_ACCESS | 1 << CAUSE_STORE_ACCESS |
			       1 << CAUSE_USER_ECALL | 1 << CAUSE_FETCH_PAGE |
			       1 << CAUSE_LOAD_PAGE | 1 << CAUSE_STORE_PAGE);
	csr_write(mideleg, IP_SSIP | IP_STIP | IP_SEIP);
	csr_write(mip, 0);
	csr_write(mcounteren, -1); /* cycle, time, instret, and events */
	csr_write(scounteren, -1);
	csr_write(satp, 0);
	csr_write(sie, 0);
	csr_write(mstatus, STATUS_MPP_S);
	csr_write(mepc, NEXT_STAGE);
#if HARTS > 1
	harts_enter();
#endif
}

void firmware_trap(struct frame *frame)
{
	switch (frame->cause) {
	case CAUSE_SUPERVISOR_ECALL:
		frame->pc += 4;
		sbi_call(frame);
		break;
	case CAUSE_MACHINE_TIMER:
		csr_clear(mie, IP_MTIP);
		csr_set(mip, IP_STIP);
		break;
#if HARTS > 1
	case CAUSE_MACHINE_SOFTWARE:
		harts_interrupt();
		break;
#endif
	case CAUSE_LOAD_MISALIGNED:
	case CAUSE_STORE_MISALIGNED:
		misaligned(frame);
		break;
	default:
		redirect(frame, frame->cause, frame->tval);
	}
}

void redirect(struct frame *frame, uint64_t cause, uint64_t tval)
{
	uint64_t status = frame->status;

	csr_write(sepc, frame->pc);
	csr_write(scause, cause);
	csr_write(stval, tval);
	frame->pc = csr_read(stvec) & ~3UL;
	frame->status = status & ~(uint64_t)(STATUS_SPP | STATUS_SPIE | STATUS_SIE);
	if (status & STATUS_MPP_S)
		frame->status |= STATUS_SPP;
	if (status & STATUS_SIE)
		frame->status |= STATUS_SPIE;
	frame->status |= STATUS_MPP_S;
}

static void print(const char *text)
{
	while (*text)
		uart_put(*text++);
}

static void print_hex(uint64_t value)
{
	for (int shift = 60; shift >= 0; shift -= 4)
		uart_put("0123456789abcdef"[value >> shift & 15]);
}

void firmware_panic(void)
{
	print("firmware: trap in machine mode, cause 0x");
	print_hex(csr_read(mcause));
	print(", pc 0x");
	print_hex(csr_read(mepc));
	print(", tval 0x");
	print_hex(csr_read(mtval));
	print("\n");
	power(SOC_POWER_FAIL | 255 << 16);
}
