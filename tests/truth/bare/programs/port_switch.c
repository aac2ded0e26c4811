/* SPDX-License-Identifier: Apache-2.0 */
/* C part of the port switch.S. */
#include "target/csr.h"
#include "target/frame.h"

#include "tasks.h"

enum { STATUS_MACHINE = 0x1880, STATUS_MIE = 8, SAVED_RA = 0, SAVED_TP = 13 };

unsigned nesting;
static volatile uint64_t noticed;

void trap_entry(void);
void task_start(void);
void switch_tasks(struct task *to, struct task *from);
void trap_handler(uint64_t cause);
void port_reschedule(void);

void port_prepare(struct task *task, uint64_t *top, void (*entry)(void), uint64_t tp)
{
	struct frame *frame = (struct frame *)(void *)top - 1;

	for (volatile uint64_t *word = frame->x; word != top; word++)
		*word = 0;
	frame->pc = (uint64_t)entry;
	frame->status = STATUS_MACHINE;
	frame->x[4] = tp;
	task->sp = (uint64_t)frame;
	task->saved[SAVED_RA] = (uint64_t)task_start;
	task->saved[SAVED_TP] = tp;
}

NOINLINE void port_reschedule(void)
{
	struct task *from = current;

	task_choose();
	if (current != from)
		switch_tasks(current, from);
}

void port_yield(void)
{
	csr_clear(mstatus, STATUS_MIE);
	port_reschedule();
	csr_set(mstatus, STATUS_MIE);
}

static NOINLINE void on_software(void)
{
	software_set(false);
	noticed += work_loop(noticed, 20);
}

static NOINLINE void on_timer(void)
{
	timer_set(0);
	ticks++;
	if (nesting > 2)
		return;
	csr_set(mstatus, STATUS_MIE);
	software_set(true);
	noticed += work_tree(noticed, 3);
	csr_clear(mstatus, STATUS_MIE);
}

void trap_handler(uint64_t cause)
{
	if (cause == (CAUSE_INTERRUPT | 3))
		on_software();
	else
		on_timer();
}

void port_start(void)
{
	static struct task boot;

	csr_write(mtvec, trap_entry);
	csr_write(mie, IP_MTIP | 8);
	switch_tasks(current, &boot);
}
