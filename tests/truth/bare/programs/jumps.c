/* SPDX-License-Identifier: Apache-2.0 */
/* setjmp and longjmp: out of deep calls, past another setjmp, from a call on another
 * stack, and out of an interrupt. */
#include <setjmp.h>

#include "target/csr.h"

#include "contexts.h"
#include "work.h"

enum { WORDS = 512, ROUNDS = 20, STATUS_MIE = 8 };

static jmp_buf outer, inner, stopped;
static uint64_t spare_stack[WORDS] __attribute__((aligned(16)));
static volatile uint64_t noticed;
static volatile bool is_to_stop;

/* Traps stay disabled until the interrupted code enables them again. */
void on_interrupt(uint64_t cause)
{
	(void)cause;
	timer_set(0);
	noticed += work_tree(noticed, 2);
	if (!is_to_stop)
		return;
	is_to_stop = false;
	longjmp(stopped, 1);
}

static NOINLINE uint64_t descend(uint64_t seed, unsigned depth, jmp_buf to)
{
	if (depth > 0)
		return descend(seed + 1, depth - 1, to) + 1;
	noticed += work_loop(seed, 30);
	if (noticed != 1)
		longjmp(to, (int)(seed % 7) + 1);
	return seed;
}

static NOINLINE void jump_out(unsigned i)
{
	int volatile how = setjmp(outer);

	if (how == 0)
		descend(i, i, outer);
	noticed += work_loop(noticed, (unsigned)how);
}

static NOINLINE uint64_t try_inside(uint64_t seed, bool is_far)
{
	if (setjmp(inner) == 0)
		return descend(seed, 3, is_far ? outer : inner);
	return work_tree(seed, 3);
}

static NOINLINE void jump_over(unsigned i)
{
	if (setjmp(outer) == 0) {
		noticed += try_inside(i, false);
		noticed += try_inside(i, true);
	}
	noticed += work_mixed(noticed);
}

static NOINLINE uint64_t elsewhere(uint64_t seed)
{
	return descend(seed, (unsigned)(seed % 4), outer);
}

static NOINLINE void jump_across(unsigned i)
{
	if (setjmp(outer) == 0)
		(i % 2 ? call_on_stack : call_on_stack_by_t0)(elsewhere, i,
							      &spare_stack[WORDS]);
	noticed += work_tree(noticed, 3);
}

static NOINLINE void work_on(uint64_t seed)
{
	for (;;)
		seed = work_mixed(seed);
}

static NOINLINE void jump_from_interrupt(void)
{
	if (setjmp(stopped) == 0) {
		is_to_stop = true;
		work_on(noticed);
	}
	csr_set(mstatus, STATUS_MIE);
	noticed += work_tree(noticed, 3);
}

int main(void)
{
	timer_set(0);
	interrupts_begin();
	for (unsigned i = 0; i < ROUNDS; i++) {
		jump_out(i);
		jump_over(i);
		jump_across(i);
		jump_from_interrupt();
	}
	return 0;
}
