/* SPDX-License-Identifier: Apache-2.0 */
/* A program and a kernel on the machine of unwind-machine.h, with sp reported: entries,
 * exits and switches of threads. */
#ifndef UNWIND_KERNEL_H
#define UNWIND_KERNEL_H

#include "unwind-machine.h"

#define USER_SP	     UINT64_C(0x3fff0000)
#define KERNEL_SP(n) (UINT64_C(0xffffffc000010000) + ((uint64_t)(n) << 16))

static inline void begin(void)
{
	machine_begin_sp(true);
	tell_sp(USER_SP);
	run_adding(-32, 0x1000, CALL);
	run_adding(-32, 0x1100, NOP);
}

#define BEGUN "prog;_start 2*\nprog;_start;main 2*\n"

/* Enters the kernel, which switches to the stack of thread N, and leaves it. */
static inline void enter_kernel(uint64_t cause, uint64_t epc, unsigned n)
{
	trap(cause, epc, S);
	write_sp(K, SWAP_SP, KERNEL_SP(n));
	run_adding(-256, K + 8, CALL);
}

static inline void leave_kernel(uint64_t sp)
{
	write_sp(K + 0x10, LOAD_SP, sp);
	run(K + 0x18, SRET);
	xret(U);
}

/* From schedule(), called by entry, to thread N and the sp at which it was suspended. */
static inline void to_thread_at(unsigned n, uint64_t sp)
{
	run_adding(-64, K + 0x200, CALL);
	write_sp(K + 0x300, LOAD_SP, sp);
	set_tp(T + 0x1000 * n);
	run(K + 0x308, RETURN);
}

#endif
