/* SPDX-License-Identifier: Apache-2.0 */
/* Tasks that take turns: some work, one sleeps now and then, one ends and another starts
 * on its stack, and one idles. */
#include "tasks.h"

enum { ROUNDS = 24, TASK_TLS = 64 };

static struct task tasks[TASK_COUNT];
static uint64_t stacks[TASK_COUNT][TASK_WORDS] __attribute__((aligned(16)));
struct task *volatile current;
volatile uint64_t ticks;
static volatile uint64_t results[TASK_COUNT];
static volatile unsigned finished, idled;

#ifdef TASK_TP
static uint64_t thread_data[TASK_COUNT][TASK_TLS];
#define TP_OF(i) ((uint64_t)&thread_data[i])
#else
#define TP_OF(i) ((uint64_t)0)
#endif

static void create(unsigned i, void (*entry)(void))
{
	port_prepare(&tasks[i], &stacks[i][TASK_WORDS], entry, TP_OF(i));
	tasks[i].wake = 0;
	__atomic_store_n(&tasks[i].is_over, false, __ATOMIC_RELEASE);
}

static void finish(void)
{
	__atomic_fetch_add(&finished, 1, __ATOMIC_RELAXED);
	current->is_over = true;
	for (;;)
		port_yield();
}

static NOINLINE void sleep_for(uint64_t n)
{
	current->wake = ticks + n;
	port_yield();
}

static NOINLINE void loops(void)
{
	for (unsigned i = 0; i < ROUNDS; i++) {
		results[1] += work_loop(i, 200);
		if (i % 4 == 0)
			port_yield();
	}
	finish();
}

static NOINLINE void trees(void)
{
	for (unsigned i = 0; i < ROUNDS; i++)
		results[2] += work_tree(i, 5);
	port_yield();
	finish();
}

static NOINLINE uint64_t sleep_deep(uint64_t seed, unsigned depth)
{
	if (depth)
		return sleep_deep(seed * 3, depth - 1) + 1;
	sleep_for(2);
	return seed;
}

static NOINLINE void sleeps(void)
{
	for (unsigned i = 0; i < 6; i++)
		results[3] += sleep_deep(work_mixed(i), i);
	finish();
}

static NOINLINE void second_life(void)
{
	for (unsigned i = 0; i < ROUNDS / 2; i++) {
		results[4] += work_mixed(i);
		port_yield();
	}
	finish();
}

static NOINLINE void first_life(void)
{
	for (unsigned i = 0; i < 4; i++) {
		results[4] += work_tree(i, 4);
		port_yield();
	}
	finish();
}

/* Waits for the others, and replaces tasks that have ended. */
static NOINLINE void minds(void)
{
	bool is_second = false;

	while (finished < 5) {
		results[5] += work_mixed(finished);
		if (!is_second && tasks[4].is_over) {
			is_second = true;
			create(4, second_life);
		}
		sleep_for(1 + finished);
	}
	power_off();
}

static NOINLINE void idles(void)
{
	for (;;) {
		idled++;
#ifdef COOPERATIVE
		port_yield();
#else
		__asm__ volatile("wfi" ::: "memory");
#endif
	}
}

static bool is_ready(const struct task *task)
{
	return !task->is_over && task->wake <= ticks;
}

/* Round robin; the idle task is the first, and runs when no other is ready. */
NOINLINE void task_choose(void)
{
	unsigned i = (unsigned)(current - tasks);

#ifdef COOPERATIVE
	ticks++;
#endif
	for (unsigned n = 0; n < TASK_COUNT; n++) {
		i = i % TASK_COUNT + 1;
		if (i < TASK_COUNT && is_ready(&tasks[i])) {
			current = &tasks[i];
			return;
		}
	}
	current = &tasks[0];
}

void task_tick(void)
{
	ticks++;
	timer_set(0);
	task_choose();
}

void tasks_run(void)
{
	static void (*const entries[TASK_COUNT])(void) = {idles,  loops,      trees,
							  sleeps, first_life, minds};

	for (unsigned i = 0; i < TASK_COUNT; i++)
		create(i, entries[i]);
	current = &tasks[1];
	timer_set(0);
	port_start();
}

int main(void)
{
	tasks_run();
	return 1;
}
