/* SPDX-License-Identifier: Apache-2.0 */
/* Tasks: created, chosen in turn, put to sleep and killed. */
#include <stddef.h>

#include "kernel.h"

_Static_assert(offsetof(struct task, saved) == TASK_SAVED, "task layout");

#ifdef SHELL
#define IS_SHELL true
#else
#define IS_SHELL false
#endif

struct task tasks[TASK_COUNT];
static uint64_t stacks[TASK_COUNT][TASK_WORDS] __attribute__((aligned(4096)));
struct task *volatile currents[HARTS];
struct truth_area truth_areas[AREAS];
volatile uint64_t ticks;
static unsigned nareas;
static uint32_t ncreated = BOOT_TASKS;
static volatile uint64_t noticed;

enum { BOOT_STACKS = 4096 }; /* for two harts */

static volatile int locked;
extern char __heap_end[]; /* below the boot's stacks */

static bool lock(void)
{
	bool was_enabled = port_disable();

	while (__atomic_exchange_n(&locked, 1, __ATOMIC_ACQUIRE))
		continue;
	return was_enabled;
}

static void unlock(bool was_enabled)
{
	__atomic_store_n(&locked, 0, __ATOMIC_RELEASE);
	port_enable(was_enabled);
}

uint64_t *task_stack_top(const struct task *task)
{
	return &stacks[task - tasks][TASK_WORDS];
}

void core_area(const void *begin, const void *end, uint32_t task, enum area_kind kind)
{
	truth_areas[nareas++] =
	    (struct truth_area){(uint64_t)begin, (uint64_t)end, task, kind};
}

void core_boot_area(enum area_kind kind)
{
	const char *top = __heap_end + BOOT_STACKS;

	for (unsigned i = 0; i < HARTS; i++, top -= 1 << BOOT_STACK_SHIFT)
		core_area(top - (1 << BOOT_STACK_SHIFT), top, i, kind);
}

/* With SHELL, all tasks begin here. */
static NOINLINE void shell(void)
{
	task_self()->entry();
	task_finish();
}

void task_create(unsigned i, void (*entry)(void))
{
	struct task *task = &tasks[i];

	task->entry = entry;
	port_prepare(task, &stacks[i][TASK_WORDS], IS_SHELL ? shell : entry);
	truth_areas[i].task = ncreated;
#ifdef USER
	truth_areas[TASK_COUNT + i].task = ncreated;
#endif
	ncreated++;
	task->wake = 0;
	task->is_doomed = false;
	task->saved = 1;
	__atomic_store_n(&task->state, i < HARTS ? TASK_RUNNING : TASK_READY,
			 __ATOMIC_RELEASE);
}

static NOINLINE void idle(void)
{
	for (;;)
		noticed++;
}

void core_begin(bool idles)
{
	for (unsigned i = 0; i < TASK_COUNT; i++)
		core_area(&stacks[i], &stacks[i][TASK_WORDS], 0, AREA_TASK);
#ifdef USER
	for (unsigned i = 0; i < TASK_COUNT; i++)
		core_area(&user_stacks[i], &user_stacks[i][TASK_WORDS], 0, AREA_TASK);
#endif
	for (unsigned i = idles ? 0 : HARTS; i < TASK_COUNT; i++)
		task_create(i, i < HARTS ? idle : jobs[i - HARTS]);
}

static volatile bool goes;

void core_go(void)
{
	__atomic_store_n(&goes, true, __ATOMIC_RELEASE);
}

void core_wait(void)
{
	while (!__atomic_load_n(&goes, __ATOMIC_ACQUIRE))
		continue;
}

/* The current task stops running, unless it idles. */
static void leave(struct task *task)
{
	if (!task || task - tasks < HARTS || task->state != TASK_RUNNING)
		return;
	task->state = task->is_doomed ? TASK_OVER : TASK_READY;
}

void core_leave(void)
{
	unsigned hart = port_hart();
	bool was_enabled = lock();

	leave(currents[hart]);
	currents[hart] = NULL;
	unlock(was_enabled);
}

static bool is_ready(const struct task *task, const struct task *current)
{
	return task->state == TASK_READY && task->wake <= ticks &&
	       (task->saved || task == current);
}

NOINLINE void core_choose(void)
{
	static unsigned last = HARTS - 1;
	unsigned hart = port_hart();
	struct task *next = tasks[hart].state == TASK_RUNNING ? &tasks[hart] : NULL;
	bool was_enabled = lock();

	leave(currents[hart]);
	for (unsigned n = 0; n < JOBS; n++) {
		unsigned i = last + 1 < TASK_COUNT ? last + 1 : HARTS;
		last = i;
		if (is_ready(&tasks[i], currents[hart])) {
			next = &tasks[i];
			next->state = TASK_RUNNING;
			break;
		}
	}
	currents[hart] = next;
	unlock(was_enabled);
}

NOINLINE void core_tick(void)
{
	if (port_hart() == 0)
		ticks++;
	noticed += work_loop(ticks, 10);
}

NOINLINE void core_software(void)
{
	noticed += work_tree(noticed, 2);
}

void task_kill(unsigned i)
{
	bool was_enabled = lock();

	if (tasks[i].state == TASK_READY)
		tasks[i].state = TASK_OVER;
	tasks[i].is_doomed = true;
	unlock(was_enabled);
	while (!task_is_over(i))
		port_yield();
}

#ifdef SIGNALS
void task_signal(unsigned i)
{
	bool was_enabled = lock();

	if (tasks[i].state == TASK_READY) {
		tasks[i].wake = 0;
		port_signal(i);
	}
	unlock(was_enabled);
}
#endif

bool task_is_over(unsigned i)
{
	return tasks[i].state == TASK_OVER && tasks[i].saved;
}

struct task *task_self(void)
{
	bool was_enabled = port_disable();
	struct task *self = currents[port_hart()];

	port_enable(was_enabled);
	return self;
}

void task_sleep(uint64_t n)
{
	task_self()->wake = ticks + n;
	port_yield();
}

void task_finish(void)
{
	task_self()->is_doomed = true;
	for (;;)
		port_yield();
}

#ifdef USER
NOINLINE void user_call(uint64_t number, uint64_t first, uint64_t second)
{
	switch (number) {
	case USER_YIELD:
		port_yield();
		break;
	case USER_SLEEP:
		task_sleep(first);
		break;
	case USER_KILL:
		task_kill((unsigned)first);
		break;
	case USER_CREATE:
		task_create((unsigned)first, (void (*)(void))second);
		break;
	default:
		task_finish();
	}
}
#endif
