/* SPDX-License-Identifier: Apache-2.0 */
/* C part of the ports that save a task in a trap frame. */
#include "target/csr.h"
#include "target/frame.h"

#include "tasks.h"

enum { STATUS_MACHINE = 0x1880, STATUS_MIE = 8 }; /* MPP, MPIE */

void port_prepare(struct task *task, uint64_t *top, void (*entry)(void), uint64_t tp)
{
	struct frame *frame = (struct frame *)(void *)top - 1;

	for (volatile uint64_t *word = frame->x; word != top; word++)
		*word = 0;
	frame->pc = (uint64_t)entry;
	frame->status = STATUS_MACHINE;
	frame->x[4] = tp;
	task->sp = (uint64_t)frame;
}

void port_yield(void)
{
	__asm__ volatile("ecall" ::: "memory");
}

static volatile uint64_t noticed;

static NOINLINE void on_software(void)
{
	software_set(false);
	noticed += work_loop(noticed, 20);
}

#ifdef NESTED
static unsigned depth;

void trap_entry(void);
void load_first(uint64_t sp) __attribute__((noreturn));

/* Interrupts stay enabled: the software interrupt arrives at once, a timer's a bit
 * later. */
static NOINLINE void take_time(void)
{
	csr_set(mstatus, STATUS_MIE);
	software_set(true);
	noticed += work_tree(noticed, 3);
	csr_clear(mstatus, STATUS_MIE);
}

uint64_t trap_handler(uint64_t cause, uint64_t pc, uint64_t sp);
uint64_t trap_handler(uint64_t cause, uint64_t pc, uint64_t sp)
{
	(void)pc;
	if (depth == 0)
		current->sp = sp;
	depth++;
	if (cause == (CAUSE_INTERRUPT | 3)) {
		on_software();
	} else if (cause == CAUSE_MACHINE_TIMER) {
		timer_set(0);
		ticks++;
		if (depth < 3)
			take_time();
	}
	if (--depth > 0)
		return sp;
	task_choose();
	return current->sp;
}

void port_start(void)
{
	csr_write(mtvec, trap_entry);
	csr_write(mie, IP_MTIP | 8);
	load_first(current->sp);
}
#else
void trap_handler(uint64_t cause);
void trap_handler(uint64_t cause)
{
	if (cause == (CAUSE_INTERRUPT | 3))
		on_software();
	else if (cause == CAUSE_MACHINE_TIMER)
		task_tick();
	else
		task_choose();
}
#endif
