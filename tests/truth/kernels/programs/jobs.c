/* SPDX-License-Identifier: Apache-2.0 */
/* What the tasks do: they work and sleep at many depths, also in functions that are so
 * short that they are often interrupted before their first instruction; one ends again
 * and again, and one is killed wherever it is, and another starts on its stack at once.
 */
#include "kernel.h"
#ifdef USER
#include "user.h"
#endif

#ifdef CALM
#define IS_CALM true /* no task is killed or replaced */
#else
#define IS_CALM false
#endif

enum { VICTIM = HARTS + 3, MORTAL = HARTS + 4, ROUNDS = 60 };

static volatile uint64_t results[TASK_COUNT];

NOINLINE void job_step(unsigned i);
NOINLINE void job_step(unsigned i)
{
	results[i]++;
}

static NOINLINE void job_steps(unsigned i, unsigned n)
{
	while (n--)
		job_step(i);
}

/* Changes floating-point registers, if there are any. */
static NOINLINE void weigh(unsigned n)
{
#ifdef FLOAT
	static volatile double weight;

	while (n--)
		weight = weight * 0.75 + n;
#else
	results[0] += work_loop(results[0], n);
#endif
}

static NOINLINE void mixes(void)
{
	for (unsigned i = 0;; i++) {
		results[0] += work_mixed(i);
		weigh(200);
		if (i % 2)
			port_software(true);
		if (i % 3 == 0)
			port_yield();
		if (i % 8 == 7)
			task_sleep(3);
	}
}

static NOINLINE void steps(void)
{
	for (;;) {
		job_steps(1, 1500);
		task_sleep(1);
	}
}

static NOINLINE uint64_t sleep_deep(uint64_t seed, unsigned depth)
{
	if (depth)
		return sleep_deep(seed * 3, depth - 1) + 1;
	results[2] += work_tree(seed, 4);
	task_sleep(2);
	return seed;
}

static NOINLINE void sleeps(void)
{
	for (unsigned i = 0;; i++)
		results[2] += sleep_deep(i, i % 6);
}

static NOINLINE void spins(void)
{
	for (;;)
		results[3]++;
}

static NOINLINE uint64_t step_deep(uint64_t seed, unsigned depth)
{
	volatile uint64_t room[8];

	room[depth % 8] = seed;
	if (depth)
		return step_deep(seed + 1, depth - 1) + room[depth % 8];
	while (seed != 1)
		job_steps(3, 100);
	return seed;
}

static NOINLINE void steps_deep(void)
{
	results[3] = step_deep(results[3], 5);
}

static NOINLINE void naps(void)
{
	for (;;) {
		results[3] += work_tree(results[3], 3);
		weigh(20);
		task_sleep(1);
	}
}

static NOINLINE void ends_early(void)
{
	results[4] += work_mixed(results[4]);
	task_finish();
}

static NOINLINE void ends_late(void)
{
	for (unsigned i = 0; i < 3; i++) {
		job_steps(4, 400);
		task_sleep(1);
	}
	task_finish();
}

static NOINLINE void controls(void)
{
	static void (*const victims[])(void) = {steps_deep, naps, spins};

	for (unsigned round = 0; round < ROUNDS; round++) {
		task_sleep(2 + round % 3);
		results[5] += work_tree(round, 3);
#ifdef SIGNALS
		task_signal(HARTS + round % 3);
#endif
		if (IS_CALM)
			continue;
		task_kill(VICTIM);
		task_create(VICTIM, victims[round % 3]);
		if (task_is_over(MORTAL))
			task_create(MORTAL, round % 2 ? ends_late : ends_early);
	}
	power_off();
}

void (*const jobs[JOBS])(void) = {mixes, steps, sleeps, spins, ends_early, controls};
