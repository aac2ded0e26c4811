/* SPDX-License-Identifier: Apache-2.0 */
/* A runtime with stacks of its own, which calls C on the first stack of the thread: from
 * within C's calls of it, from two fibers in turn, and with exceptions that leave C. */
#include <setjmp.h>

#include "target/csr.h"

#include "contexts.h"
#include "work.h"

enum { WORDS = 1024, ROUNDS = 12, SAVED_WORDS = 14, CALL_BYTES = 16, STATUS_MIE = 8 };

typedef uint64_t function(uint64_t seed);

static uint64_t own_stack[WORDS] __attribute__((aligned(16)));
static uint64_t fiber_stack[WORDS] __attribute__((aligned(16)));
/* Where C and the runtime are called. */
static uint64_t *c_sp, *own_sp = &own_stack[WORDS];
static uint64_t main_sp, fiber_sp;
static jmp_buf handler;
static volatile uint64_t noticed;

void on_interrupt(uint64_t cause)
{
	(void)cause;
	timer_set(0);
	noticed += work_tree(noticed, 2);
}

/* Returns sp in a call from the calling function, or a bit lower. */
static inline __attribute__((always_inline)) uint64_t *next_sp(uint64_t seed)
{
	uint64_t sp;

	__asm__ volatile("mv %0, sp" : "=r"(sp));
	return (uint64_t *)(sp - CALL_BYTES - seed % 3 * 32);
}

static NOINLINE uint64_t call_runtime(function *called, uint64_t seed)
{
	uint64_t *before = c_sp, result;

	c_sp = next_sp(seed);
	result = call_on_stack(called, seed, own_sp);
	c_sp = before;
	return result + 1;
}

static NOINLINE uint64_t call_c(function *called, uint64_t seed)
{
	uint64_t *before = own_sp, result;

	own_sp = next_sp(seed);
	result = call_on_stack(called, seed, c_sp);
	own_sp = before;
	return result + 1;
}

static NOINLINE uint64_t evaluate(uint64_t seed);

static NOINLINE uint64_t c_deep(uint64_t seed)
{
	if (seed % 4)
		return c_deep(seed - 1) + work_loop(seed, 20);
	noticed += work_tree(noticed, 3);
	return seed > 8 ? call_runtime(evaluate, seed / 2) + 1 : seed;
}

static NOINLINE uint64_t evaluate(uint64_t seed)
{
	if (seed % 3)
		return evaluate(seed - 1) + work_loop(seed, 10);
	return call_c(c_deep, seed) + call_c(work_mixed, seed);
}

static NOINLINE uint64_t c_raise(uint64_t seed)
{
	noticed += work_loop(noticed, 30);
	if (seed % 4)
		return c_raise(seed - 1) + 1;
	if (seed > 8)
		return call_runtime(c_raise, seed - 5) + 1;
	longjmp(handler, 1);
}

static NOINLINE uint64_t catch_it(uint64_t seed)
{
	uint64_t *own_before = own_sp, *c_before = c_sp;

	if (setjmp(handler) == 0)
		return call_c(c_raise, seed);
	own_sp = own_before;
	c_sp = c_before;
	return work_tree(seed, 3) + call_c(work_mixed, seed);
}

/* The comparison cannot tell whose an interrupt is that comes after the write of sp. */
static NOINLINE void switch_fibers(uint64_t *from, uint64_t to)
{
	csr_clear(mstatus, STATUS_MIE);
	coroutine_switch(from, to);
	csr_set(mstatus, STATUS_MIE);
}

static NOINLINE void be_fiber(void)
{
	csr_set(mstatus, STATUS_MIE);
	for (uint64_t i = 0;; i++) {
		noticed += call_c(work_mixed, i);
		switch_fibers(&fiber_sp, main_sp);
	}
}

static NOINLINE uint64_t take_turns(uint64_t seed)
{
	for (unsigned i = 0; i < 4; i++) {
		switch_fibers(&main_sp, fiber_sp);
		noticed += call_c(work_mixed, seed) + work_tree(seed, 2);
	}
	return seed;
}

int main(void)
{
	volatile uint64_t *saved = &fiber_stack[WORDS - SAVED_WORDS];

	for (unsigned i = 0; i < SAVED_WORDS; i++)
		saved[i] = 0;
	saved[0] = (uint64_t)be_fiber;
	fiber_sp = (uint64_t)saved;
	timer_set(0);
	interrupts_begin();
	for (uint64_t i = 0; i < ROUNDS; i++) {
		noticed += call_runtime(evaluate, 2 * i + 1);
		noticed += call_runtime(catch_it, i + 6);
		noticed += call_runtime(take_turns, i);
	}
	return 0;
}
