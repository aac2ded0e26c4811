/* SPDX-License-Identifier: Apache-2.0 */
/* C part of the port zephyr.S. */
#include <stddef.h>

#include "kernel.h"

#include "target/csr.h"

enum { FRAME_WORDS = 20, FRAME_STATUS = 1, CONTEXT_RA = 0, CONTEXT_TP = 13 };
enum { STATUS_MACHINE = 0x1880, STATUS_MIE = 8, ISR_WORDS = 256, DATA_WORDS = 8 };

struct cpu {
	uint32_t nested;
	char *isr_stack;
};

static struct cpu cpus[HARTS];
static uint64_t isr_stacks[HARTS][ISR_WORDS] __attribute__((aligned(16)));
static uint64_t thread_data[TASK_COUNT][DATA_WORDS];

void isr_wrapper(void);
void thread_start(void);
void task_switch(struct task *to, struct task *from);
struct task *task_current(void);
struct task *task_next(void);

void port_prepare(struct task *task, uint64_t *top, void (*entry)(void))
{
	volatile uint64_t *frame = top - FRAME_WORDS;

	for (unsigned i = 0; i < FRAME_WORDS; i++)
		frame[i] = 0;
	frame[0] = (uint64_t)entry;
	frame[FRAME_STATUS] = STATUS_MACHINE;
	task->sp = (uint64_t)frame;
	task->context[CONTEXT_RA] = (uint64_t)thread_start;
	task->context[CONTEXT_TP] = (uint64_t)&thread_data[task - tasks];
}

NOINLINE struct task *task_current(void)
{
	return currents[port_hart()];
}

/* Returns the task to switch to, or NULL. */
NOINLINE struct task *task_next(void)
{
	struct task *from = task_current();

	from->saved = 0;
	core_choose();
	if (task_current() != from)
		return task_current();
	from->saved = 1;
	return NULL;
}

#ifdef BY_ECALL
static NOINLINE void switch_to(struct task *to, struct task *from)
{
	register struct task *a0 __asm__("a0") = to;
	register struct task *a1 __asm__("a1") = from;

	__asm__ volatile("ecall" : : "r"(a0), "r"(a1) : "memory");
}
#else
#define switch_to task_switch
#endif

NOINLINE void port_yield(void)
{
	bool was_enabled = port_disable();
	struct task *from = task_current(), *to = task_next();

	if (to)
		switch_to(to, from);
	port_enable(was_enabled);
}

static NOINLINE void on_software(void)
{
	port_software(false);
	core_software();
}

/* Now and then further interrupts are handled in between. */
static NOINLINE void on_timer(void)
{
	port_timer();
	core_tick();
	if (cpus[port_hart()].nested == 1 && ticks % 3 == 0) {
		csr_set(mstatus, STATUS_MIE);
		port_software(true);
		core_software();
		csr_clear(mstatus, STATUS_MIE);
	}
}

void (*const handlers[16])(void) = {[3] = on_software, [7] = on_timer};

void kernel_main(unsigned hart)
{
	static struct task boots[HARTS];

	if (hart == 0) {
		core_begin(true);
		core_boot_area(AREA_BOOT);
		core_area(isr_stacks, isr_stacks + HARTS, 0, AREA_INTERRUPT);
		core_go();
	}
	core_wait();
	cpus[hart].isr_stack = (char *)isr_stacks[hart + 1];
	core_choose();
	csr_write(mscratch, &cpus[hart]);
	csr_write(mtvec, isr_wrapper);
	csr_write(mie, IP_MTIP | IP_MSIP);
	port_timer();
	task_switch(currents[hart], &boots[hart]);
}
