/* SPDX-License-Identifier: Apache-2.0 */
/* C part of the port call.S. */
#include "tasks.h"

enum { SAVED_WORDS = 14, SAVED_TP = 13 };

void switch_tasks(uint64_t *from, uint64_t to);

void port_prepare(struct task *task, uint64_t *top, void (*entry)(void), uint64_t tp)
{
	volatile uint64_t *saved = top - SAVED_WORDS;

	for (unsigned i = 0; i < SAVED_WORDS; i++)
		saved[i] = 0;
	saved[0] = (uint64_t)entry;
	saved[SAVED_TP] = tp;
	task->sp = (uint64_t)saved;
}

NOINLINE void port_yield(void)
{
	struct task *from = current;

	task_choose();
	if (current != from)
		switch_tasks(&from->sp, current->sp);
}

void port_start(void)
{
	static uint64_t unused;

	switch_tasks(&unused, current->sp);
}
