/* SPDX-License-Identifier: Apache-2.0 */
/* C part of the port freertos.S. */
#include "kernel.h"

#include "target/csr.h"

#ifdef FLOAT
#define STATUS_CLEAN 0x4000 /* FS */
#else
#define STATUS_CLEAN 0
#endif
enum { FRAME_WORDS = 31, STATUS_FIRST = 0x1880 | STATUS_CLEAN }; /* MPP, MPIE */

extern char isr_stack[], isr_stack_top[];
void trap_entry(void);
void start_first(void) __attribute__((noreturn));
bool on_timer(void);
void on_software(void);

#ifdef ON_MAIN_STACK
/* Traps use the stack of kernel_main(), which does not continue. */
extern char stack_top[];
char *const isr_stack_at = stack_top;
#define BOOT_AREA AREA_INTERRUPT
#else
char *const isr_stack_at = isr_stack_top;
#define BOOT_AREA AREA_BOOT
#endif
volatile uint64_t nesting;
volatile uint64_t *const nesting_at = &nesting;

void port_prepare(struct task *task, uint64_t *top, void (*entry)(void))
{
	volatile uint64_t *frame = top - FRAME_WORDS;

	for (unsigned i = 0; i < FRAME_WORDS; i++)
		frame[i] = 0;
	frame[0] = (uint64_t)entry;
	frame[1] = STATUS_FIRST;
	task->sp = (uint64_t)frame;
}

void port_yield(void)
{
	__asm__ volatile("ecall" ::: "memory");
}

/* Returns whether another task may have its turn. */
NOINLINE bool on_timer(void)
{
	port_timer();
	core_tick();
	return ticks % 4 != 0;
}

NOINLINE void on_software(void)
{
	port_software(false);
	core_software();
	if (ticks % 2)
		core_choose();
}

void kernel_main(unsigned hart)
{
	(void)hart;
	core_begin(true);
	core_boot_area(BOOT_AREA);
	core_area(isr_stack, isr_stack_top, 0, AREA_INTERRUPT);
	core_choose();
	csr_write(mtvec, trap_entry);
	csr_write(mie, IP_MTIP | IP_MSIP);
	port_timer();
	start_first();
}
