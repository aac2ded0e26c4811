/* SPDX-License-Identifier: Apache-2.0 */
/* C part of the port threadx.S. */
#include "kernel.h"

#include "target/csr.h"

enum { FRAME_WORDS = 32, FRAME_PC = 30 };
enum { STATUS_MACHINE = 0x1880, STATUS_MIE = 8 }; /* MPP, MPIE */

extern char stack_top[];
void trap_entry(void);
void system_return(void);
void trap_handler(uint64_t cause);

struct task *volatile running;	/* NULL: the scheduler runs */
volatile uint64_t system_state; /* traps being handled */
volatile uint64_t preempt_disable;
char *const system_stack = stack_top;

void port_prepare(struct task *task, uint64_t *top, void (*entry)(void))
{
	volatile uint64_t *frame = top - FRAME_WORDS;

	for (unsigned i = 0; i < FRAME_WORDS; i++)
		frame[i] = 0;
	frame[0] = 1;
	frame[FRAME_PC] = (uint64_t)entry;
	task->sp = (uint64_t)frame;
}

NOINLINE void port_yield(void)
{
	bool was_enabled = port_disable();

	core_choose();
	if (currents[0] != running)
		system_return();
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
	if (system_state == 1 && ticks % 3 == 0) {
		csr_set(mstatus, STATUS_MIE);
		port_software(true);
		core_software();
		csr_clear(mstatus, STATUS_MIE);
	}
	if (system_state == 1)
		core_choose();
}

NOINLINE void trap_handler(uint64_t cause)
{
	if (cause == CAUSE_MACHINE_TIMER)
		on_timer();
	else
		on_software();
}

void kernel_main(unsigned hart)
{
	(void)hart;
	core_begin(false);
	core_boot_area(AREA_INTERRUPT);
	core_choose();
	csr_write(mtvec, trap_entry);
	csr_write(mie, IP_MTIP | IP_MSIP);
	port_timer();
}
