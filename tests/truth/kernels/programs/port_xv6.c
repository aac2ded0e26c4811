/* SPDX-License-Identifier: Apache-2.0 */
/* C part of the port xv6.S, for tasks in the kernel. */
#include "xv6.h"

#include "target/csr.h"

enum { CAUSE_SUPERVISOR_SOFTWARE = 1 };
enum { CONTEXT_RA, CONTEXT_SP, CONTEXT_WORDS = 14 };

static uint64_t schedulers[HARTS][CONTEXT_WORDS];

void kernelvec(void);
void kerneltrap(void);
void swtch(uint64_t *save, const uint64_t *load);

void port_prepare(struct task *task, uint64_t *top, void (*entry)(void))
{
	volatile uint64_t *context = task->context;

	(void)entry;
	for (unsigned i = 0; i < CONTEXT_WORDS; i++)
		context[i] = 0;
	task->context[CONTEXT_RA] = (uint64_t)task_begin;
	task->context[CONTEXT_SP] = (uint64_t)top;
#ifdef SV39
	task->context[CONTEXT_SP] = (uint64_t)space_stack_top((unsigned)(task - tasks));
#endif
}

/* Leaves the current task for the scheduler. */
static NOINLINE void sched(void)
{
	struct task *self = currents[port_hart()];

	self->saved = 0;
	swtch(self->context, schedulers[port_hart()]);
}

NOINLINE void kernel_yield(void)
{
	bool was_enabled = port_disable();

	sched();
	port_enable(was_enabled);
}

bool on_interrupt(void)
{
	bool is_timer = csr_read(scause) == (CAUSE_INTERRUPT | CAUSE_SUPERVISOR_SOFTWARE);

	csr_clear(sip, IP_SSIP);
	if (is_timer)
		core_tick();
	return is_timer;
}

NOINLINE void kerneltrap(void)
{
	unsigned long pc = csr_read(sepc), status = csr_read(sstatus);

	if (on_interrupt() && currents[port_hart()])
		kernel_yield();
	csr_write(sepc, pc);
	csr_write(sstatus, status);
}

static NOINLINE void scheduler(unsigned hart)
{
	for (;;) {
		port_enable(true);
		port_disable();
		core_choose();
		if (!currents[hart])
			continue;
		swtch(schedulers[hart], currents[hart]->context);
		currents[hart]->saved = 1;
		core_leave();
	}
}

void kernel_main(unsigned hart)
{
	if (hart == 0) {
		core_begin(false);
		core_boot_area(AREA_BOOT);
		tasks_begin();
		core_go();
	}
	core_wait();
#ifdef SV39
	csr_write(satp, space_kernel());
	__asm__ volatile("sfence.vma" ::: "memory");
#endif
	csr_write(stvec, kernelvec);
	scheduler(hart);
}
