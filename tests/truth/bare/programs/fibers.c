/* SPDX-License-Identifier: Apache-2.0 */
/* Fibers whose functions call others on the first stack, which enter further fibers, with
 * timer interrupts in between. */
#include "contexts.h"
#include "work.h"

enum { FIBERS = 3, WORDS = 512, ROUNDS = 24 };

static uint64_t stacks[FIBERS][WORDS] __attribute__((aligned(16)));
static volatile uint64_t noticed;

uint64_t enter(uint64_t (*function)(uint64_t), uint64_t argument, uint64_t *top);
uint64_t call_first(uint64_t (*function)(uint64_t), uint64_t argument);

void on_interrupt(uint64_t cause)
{
	(void)cause;
	timer_set(0);
	noticed += work_tree(noticed, 2);
}

static NOINLINE uint64_t on_first(uint64_t seed)
{
	return work_tree(seed, 4) + 1;
}

/* Calls deep on a fiber, and from there on the first stack. */
static NOINLINE uint64_t descend(uint64_t seed, unsigned depth)
{
	if (depth > 0)
		return descend(seed + 1, depth - 1) + 1;
	seed += call_first(on_first, seed);
	return work_loop(seed, 40);
}

static NOINLINE uint64_t run_inner(uint64_t seed)
{
	seed += descend(seed, 2);
	return call_first(work_mixed, seed);
}

/* On the first stack: enters another fiber. */
static NOINLINE uint64_t enter_inner(uint64_t seed)
{
	return work_loop(seed, 10) + enter(run_inner, seed, &stacks[1 + seed % 2][WORDS]);
}

static NOINLINE uint64_t run_outer(uint64_t seed)
{
	seed += descend(seed, (unsigned)(seed % 4));
	seed += call_first(enter_inner, seed) + work_tree(seed, 3);
	return descend(seed, 1);
}

int main(void)
{
	timer_set(0);
	interrupts_begin();
	for (uint64_t i = 0; i < ROUNDS; i++)
		noticed += enter(run_outer, i, &stacks[0][WORDS]) + work_mixed(i);
	return 0;
}
