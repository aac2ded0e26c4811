/* SPDX-License-Identifier: Apache-2.0 */
/* Threads: one per process, and init. Scheduling is round robin in the order of the
 * table; the supervisor itself is not preempted. */
#include "supervisor.h"

#include <string.h>

#include "../csr.h"

struct thread thread_table[THREAD_COUNT];
extern uint8_t stacks[THREAD_COUNT][KERNEL_STACK_SIZE];
static uint32_t last_pid;

static struct thread *thread_take(const char *name)
{
	for (unsigned i = 0; i < THREAD_COUNT; i++) {
		struct thread *thread = &thread_table[i];
		if (thread->state != THREAD_FREE)
			continue;
		memset(thread, 0, sizeof(*thread));
		thread->pid = ++last_pid;
		thread->tp = (uint64_t)thread;
		strncpy(thread->name, name, THREAD_NAME_SIZE - 1);
		return thread;
	}
	return NULL;
}

void thread_init(void)
{
	struct thread *thread = thread_take("init");

	thread->satp = csr_read(satp);
	thread->state = THREAD_READY;
}

long thread_spawn(char *command)
{
	char *words[COMMAND_WORDS];
	unsigned count = split_words(command, words, COMMAND_WORDS);
	const struct program *program = count ? program_find(words[0]) : NULL;
	struct thread *thread = program ? thread_take(program->name) : NULL;
	struct frame *frame;
	uint32_t slot;

	if (!thread)
		return -1;
	slot = (uint32_t)(thread - thread_table);
	thread->program = program;
	thread->parent = current->pid;
	thread->satp = space_create(&thread->root, slot);
	frame = (struct frame *)(stacks[slot] + KERNEL_STACK_SIZE) - 1;
	memset(frame, 0, sizeof(*frame));
	frame->pc = program_entry(program);
	frame->status = STATUS_SPIE;
	frame->x[REG_SP] = program_arguments(thread, words, count);
	thread->context[0] = (uint64_t)thread_start;
	thread->context[1] = (uint64_t)frame;
	thread->state = THREAD_READY;
	return thread->pid;
}

long thread_wait(void)
{
	for (;;) {
		bool any = false;
		for (unsigned i = 0; i < THREAD_COUNT; i++) {
			struct thread *thread = &thread_table[i];
			if (thread->state == THREAD_FREE ||
			    thread->parent != current->pid)
				continue;
			any = true;
			if (thread->state == THREAD_ZOMBIE) {
				thread->state = THREAD_FREE;
				return (long)thread->pid << 8 | thread->status;
			}
		}
		if (!any)
			return -1;
		current->state = THREAD_WAITING;
		schedule();
	}
}

/* Orphans become children of init. */
static void leave_family(void)
{
	for (unsigned i = 0; i < THREAD_COUNT; i++) {
		struct thread *thread = &thread_table[i];
		if (thread->parent == current->pid)
			thread->parent = thread_table[0].pid;
		if (thread->pid == current->parent && thread->state == THREAD_WAITING)
			thread->state = THREAD_READY;
	}
	if (thread_table[0].state == THREAD_WAITING)
		thread_table[0].state = THREAD_READY;
}

void thread_exit(int status)
{
	current->satp = thread_table[0].satp;
	csr_write(satp, current->satp);
	space_free(current->root);
	current->root = NULL;
	current->status = status & 0xff;
	leave_family();
	current->state = THREAD_ZOMBIE;
	schedule();
	panic("a thread ran on after its end");
}

static struct thread *next_ready(void)
{
	size_t at = (size_t)(current - thread_table);

	for (unsigned i = 1; i <= THREAD_COUNT; i++) {
		struct thread *thread = &thread_table[(at + i) % THREAD_COUNT];
		if (thread->state == THREAD_READY)
			return thread;
	}
	panic("nothing can run");
}

void schedule(void)
{
	struct thread *prev = current;
	struct thread *next = next_ready();

	if (next == prev)
		return;
	if (next->satp != prev->satp)
		csr_write(satp, next->satp);
	switch_to(prev, next);
}
