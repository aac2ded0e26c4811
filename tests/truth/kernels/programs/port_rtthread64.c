/* SPDX-License-Identifier: Apache-2.0 */
/* C part of the port rtthread64.S. */
#include "kernel.h"

#include "target/csr.h"

enum { ENTRY_WORDS = 4, SWITCH_WORDS = 16, SWITCH_RA = 13 };
enum { STATUS_FIRST = STATUS_SPP | STATUS_SPIE };

void trap_entry(void);
void task_entry(void);
void context_switch(uint64_t *from, uint64_t *to);
void context_switch_to(uint64_t *to) __attribute__((noreturn));
void handle_trap(void);

volatile uint32_t switch_flag;
uint64_t *volatile switch_from, *volatile switch_to;

void port_prepare(struct task *task, uint64_t *top, void (*entry)(void))
{
	volatile uint64_t *frame = top - ENTRY_WORDS - SWITCH_WORDS;

	for (unsigned i = 0; i < SWITCH_WORDS + ENTRY_WORDS; i++)
		frame[i] = 0;
	frame[0] = STATUS_FIRST;
	frame[SWITCH_RA] = (uint64_t)task_entry;
	frame[SWITCH_WORDS + 1] = (uint64_t)task_finish;
	frame[SWITCH_WORDS + 3] = (uint64_t)entry;
	task->sp = (uint64_t)frame;
}

NOINLINE void port_yield(void)
{
	bool was_enabled = port_disable();
	struct task *from = currents[0];

	core_choose();
	if (currents[0] != from)
		context_switch(&from->sp, &currents[0]->sp);
	port_enable(was_enabled);
}

/* Switches when the trap ends. */
static NOINLINE void switch_later(void)
{
	struct task *from = currents[0];

	core_choose();
	if (currents[0] == from)
		return;
	if (!switch_flag)
		switch_from = &from->sp;
	switch_to = &currents[0]->sp;
	switch_flag = 1;
}

NOINLINE void handle_trap(void)
{
	csr_clear(sip, IP_SSIP);
	core_tick();
	switch_later();
}

void kernel_main(unsigned hart)
{
	(void)hart;
	core_begin(true);
	core_boot_area(AREA_BOOT);
	core_choose();
	csr_write(sscratch, 0);
	csr_write(stvec, trap_entry);
	context_switch_to(&currents[0]->sp);
}
