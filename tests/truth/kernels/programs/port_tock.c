/* SPDX-License-Identifier: Apache-2.0 */
/* C part of the port tock.S: the kernel's loop. */
#include <stddef.h>

#include "kernel.h"

#include "target/csr.h"

enum { REG_SP = 2, REG_A0 = 10, REG_A1 = 11, REG_A7 = 17, STATUS_MIE = 8, PMP_ALL = 31 };

struct process {
	uint64_t x[32]; /* x[0] is the pc */
};

static struct process processes[TASK_COUNT];
uint64_t user_stacks[TASK_COUNT][TASK_WORDS] __attribute__((aligned(16)));

void trap_entry(void);
uint64_t switch_to_process(struct process *process);
void on_interrupt(uint64_t cause);

void port_prepare(struct task *task, uint64_t *top, void (*entry)(void))
{
	volatile uint64_t *x = processes[task - tasks].x;

	(void)top;
	for (unsigned i = 0; i < 32; i++)
		x[i] = 0;
	x[0] = (uint64_t)entry;
	x[REG_SP] = (uint64_t)(user_stacks[task - tasks] + TASK_WORDS);
}

/* The kernel's loop chooses as soon as the call has been handled. */
void port_yield(void)
{
}

NOINLINE void on_interrupt(uint64_t cause)
{
	if (cause == CAUSE_MACHINE_TIMER) {
		port_timer();
		core_tick();
	} else {
		port_software(false);
		core_software();
	}
}

static NOINLINE void on_call(struct task *task, struct process *process)
{
	process->x[0] += 4;
	if (process->x[REG_A7] == USER_FINISH)
		task->is_doomed = true;
	else
		user_call(process->x[REG_A7], process->x[REG_A0], process->x[REG_A1]);
}

static NOINLINE void run(struct task *task)
{
	struct process *process = &processes[task - tasks];
	uint64_t cause = switch_to_process(process);

	if (cause == CAUSE_USER_ECALL)
		on_call(task, process);
	else
		on_interrupt(cause);
}

/* Waits for an interrupt, which is handled in the kernel. */
static NOINLINE void wait(void)
{
	csr_set(mstatus, STATUS_MIE);
	core_software();
	csr_clear(mstatus, STATUS_MIE);
}

void kernel_main(unsigned hart)
{
	(void)hart;
	core_begin(false);
	core_boot_area(AREA_BOOT);
	csr_write(pmpaddr0, -1);
	csr_write(pmpcfg0, PMP_ALL);
	csr_write(mscratch, 0);
	csr_write(mtvec, trap_entry);
	csr_write(mie, IP_MTIP | IP_MSIP);
	port_timer();
	for (;;) {
		core_choose();
		if (currents[0])
			run(currents[0]);
		else
			wait();
	}
}
