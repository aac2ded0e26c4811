/* SPDX-License-Identifier: Apache-2.0 */
/* C part of the port rtthread.S. */
#include "kernel.h"

#include "target/csr.h"

enum { FRAME_WORDS = 32, FRAME_RA = 1, FRAME_STATUS = 2 };
enum { STATUS_FIRST = 0x7880, UNSET = 0x5eadbeef };

extern char isr_stack[], isr_stack_top[];
void trap_entry(void);
void context_switch(uint64_t *from, uint64_t *to);
void context_switch_to(uint64_t *to) __attribute__((noreturn));
void interrupt_enter(void);
void interrupt_leave(void);
void handle_trap(uint64_t cause);
void switched(void);
void irq_switch(uint64_t *frame);
void context_switch_interrupt(uint64_t *frame, uint64_t *from, uint64_t *to);

volatile uint32_t switch_flag;
uint64_t *volatile switch_from, *volatile switch_to;
static volatile unsigned nesting[HARTS];
static struct task *volatile leaving[HARTS]; /* on several harts: not saved yet */

static void on_return(void)
{
	task_finish();
}

void port_prepare(struct task *task, uint64_t *top, void (*entry)(void))
{
	volatile uint64_t *frame = top - FRAME_WORDS;

	for (unsigned i = 0; i < FRAME_WORDS; i++)
		frame[i] = UNSET;
	frame[0] = (uint64_t)entry;
	frame[FRAME_RA] = (uint64_t)on_return;
	frame[FRAME_STATUS] = STATUS_FIRST;
	task->sp = (uint64_t)frame;
}

/* Chooses the next task, and returns the current one. */
static struct task *choose(void)
{
	unsigned hart = port_hart();
	struct task *from = currents[hart];

	leaving[hart] = from;
	from->saved = 0;
	core_choose();
	if (HARTS == 1 || currents[hart] == from)
		from->saved = 1;
	return from;
}

#if HARTS > 1
/* Runs on the next task's stack. */
NOINLINE void switched(void)
{
	if (leaving[port_hart()])
		leaving[port_hart()]->saved = 1;
}

static volatile bool is_due[HARTS];

static NOINLINE void switch_later(void)
{
	is_due[port_hart()] = true;
}

NOINLINE void irq_switch(uint64_t *frame)
{
	struct task *from;

	if (!is_due[port_hart()])
		return;
	is_due[port_hart()] = false;
	from = choose();
	if (currents[port_hart()] != from)
		context_switch_interrupt(frame, &from->sp, &currents[port_hart()]->sp);
}
#endif

NOINLINE void port_yield(void)
{
	bool was_enabled = port_disable();
	struct task *from = choose();

	if (currents[port_hart()] != from)
		context_switch(&from->sp, &currents[port_hart()]->sp);
	port_enable(was_enabled);
}

NOINLINE void interrupt_enter(void)
{
	nesting[port_hart()]++;
}

NOINLINE void interrupt_leave(void)
{
	nesting[port_hart()]--;
}

#if HARTS == 1
/* Switches when the trap ends. */
static NOINLINE void switch_later(void)
{
	struct task *from = choose();

	if (currents[0] == from)
		return;
	if (!switch_flag)
		switch_from = &from->sp;
	switch_to = &currents[0]->sp;
	switch_flag = 1;
}
#endif

NOINLINE void handle_trap(uint64_t cause)
{
	if (cause == CAUSE_MACHINE_TIMER) {
		port_timer();
		core_tick();
		switch_later();
	} else {
		port_software(false);
		core_software();
	}
}

void kernel_main(unsigned hart)
{
	if (hart == 0) {
		core_begin(true);
		core_boot_area(AREA_BOOT);
		core_area(isr_stack, isr_stack_top, 0, AREA_INTERRUPT);
		core_go();
	}
	core_wait();
	core_choose();
	csr_write(mscratch, isr_stack_top);
	csr_write(mtvec, trap_entry);
	csr_write(mie, IP_MTIP | IP_MSIP);
	port_timer();
	context_switch_to(&currents[hart]->sp);
}
