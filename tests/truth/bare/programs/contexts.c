/* SPDX-License-Identifier: Apache-2.0 */
/* Generators that use each other, contexts that form a ring and end, and calls on other
 * stacks, with timer interrupts. */
#include "contexts.h"
#include "work.h"

enum { WORDS = 512, RING = 3, ROUNDS = 12, SAVED_WORDS = 14 };

struct generator {
	uint64_t sp, caller; /* of the waiting side */
	uint64_t value;
	uint64_t stack[WORDS] __attribute__((aligned(16)));
};

static struct generator leaves_generator, sums_generator;
static struct context ring[RING], after;
static uint64_t ring_stacks[RING][WORDS] __attribute__((aligned(16)));
static uint64_t spare_stack[WORDS] __attribute__((aligned(16)));
static volatile uint64_t noticed;

void on_interrupt(uint64_t cause)
{
	(void)cause;
	timer_set(0);
	noticed += work_tree(noticed, 2);
}

static void generator_begin(struct generator *g, void (*entry)(void))
{
	volatile uint64_t *saved = &g->stack[WORDS - SAVED_WORDS];

	for (unsigned i = 0; i < SAVED_WORDS; i++)
		saved[i] = 0;
	saved[0] = (uint64_t)entry;
	g->sp = (uint64_t)saved;
}

static NOINLINE uint64_t generator_next(struct generator *g)
{
	coroutine_switch(&g->caller, g->sp);
	return g->value;
}

static NOINLINE void generator_yield(struct generator *g, uint64_t value)
{
	g->value = value;
	coroutine_switch(&g->sp, g->caller);
}

static NOINLINE uint64_t walk_leaves(uint64_t seed, unsigned depth)
{
	if (depth == 0) {
		generator_yield(&leaves_generator, work_loop(seed, 30));
		return seed;
	}
	seed = walk_leaves(seed + 1, depth - 1);
	return walk_leaves(seed + 3, depth - 1) + 1;
}

static NOINLINE void give_leaves(void)
{
	for (uint64_t seed = 0;; seed++)
		noticed += walk_leaves(seed, 4);
}

static NOINLINE void give_sums(void)
{
	for (;;) {
		uint64_t sum = 0;
		for (unsigned i = 0; i < 5; i++)
			sum += generator_next(&leaves_generator);
		generator_yield(&sums_generator, work_mixed(sum));
	}
}

static NOINLINE void use_generators(void)
{
	generator_begin(&leaves_generator, give_leaves);
	generator_begin(&sums_generator, give_sums);
	for (unsigned i = 0; i < ROUNDS; i++) {
		noticed += generator_next(&sums_generator);
		noticed += generator_next(&leaves_generator);
	}
}

static NOINLINE void go_round(uint64_t i)
{
	for (unsigned n = 0; n < ROUNDS; n++) {
		noticed += work_tree(i, (unsigned)i + 2);
		context_swap(&ring[i], &ring[(i + 1) % RING]);
	}
}

static void context_make(struct context *c, uint64_t *top, uint64_t argument,
			 const struct context *link)
{
	c->x[0] = (uint64_t)context_start;
	c->x[1] = 0;
	c->x[2] = (uint64_t)top;
	c->x[9] = (uint64_t)go_round;
	c->x[18] = argument;
	c->x[19] = (uint64_t)link;
}

/* The last context of the ring continues here when it ends; the others end into the next
 * one. */
static NOINLINE void use_contexts(void)
{
	for (unsigned i = 0; i < RING; i++)
		context_make(&ring[i], &ring_stacks[i][WORDS], i,
			     i + 1 < RING ? &ring[i + 1] : &after);
	context_swap(&after, &ring[0]);
	noticed += work_mixed(noticed);
}

static NOINLINE uint64_t elsewhere(uint64_t seed)
{
	return work_tree(seed, 4) + generator_next(&leaves_generator);
}

static NOINLINE void use_calls(void)
{
	for (unsigned i = 0; i < ROUNDS; i++)
		noticed += call_on_stack(elsewhere, i, &spare_stack[WORDS]);
}

int main(void)
{
	timer_set(0);
	interrupts_begin();
	use_generators();
	use_contexts();
	use_calls();
	return 0;
}
