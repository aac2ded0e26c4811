/* SPDX-License-Identifier: Apache-2.0 */
/* check-stubs: runs the functions of PROGRAM with and without the stubs that prof-extract
 * has planned in FOLDER, and compares registers, memory, the instructions executed and
 * the counts; then moves each into its stub and out of it at every instruction. SYMBOLS
 * is a file with an address and a name on each line. Prints the numbers of entries and
 * labels of each kind. */
#include <inttypes.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "plan.h"

enum { COMPLAINTS = 20, NAME = 64, SEEDS = 4, T0_AND_T1 = 1 << 5 | 1 << 6 };

struct check {
	struct plan plan;
	struct bench *plain, *profiled;
	uint64_t *expected; /* calls of each function of the plan */
	unsigned failures;
	uint64_t runs, moves_in, moves_out;
	const char *name; /* of the function now, and what is done with it */
	const char *what;
	uint64_t at;
	/* In these steps of the run with stubs, this function has none. */
	uint32_t restored;
	unsigned restored_first, restored_end;
};

/* Returns the address for which step `i`, or what it has trapped at, stands. */
static uint64_t find_origin(const struct check *c, unsigned i, uint64_t pc)
{
	bool restored = i >= c->restored_first && i < c->restored_end;

	return plan_origin(&c->plan, pc, restored ? c->restored : UINT32_MAX);
}

__attribute__((format(printf, 2, 3))) static void
report_difference(struct check *c, const char *format, ...)
{
	va_list arguments;

	if (c->failures++ >= COMPLAINTS)
		return;
	fprintf(stderr, "check-stubs: %s: %s 0x%" PRIx64 ": ", c->name, c->what, c->at);
	va_start(arguments, format);
	vfprintf(stderr, format, arguments);
	va_end(arguments);
	putc('\n', stderr);
}

/* Returns the registers that have values of stubs at the end of the run: such as were
 * dead when a stub wrote them, and have not been written since. */
static uint32_t find_overwritten(const struct plan *plan, const struct bench *plain)
{
	uint32_t overwritten = 0;

	for (unsigned i = 0; i < plain->step_count; i++) {
		const struct bench_step *step = &plain->steps[i];
		uint32_t number = plan_replaced(plan, step->pc);

		if (plan_find(plan, step->pc) != UINT32_MAX)
			overwritten |= T0_AND_T1;
		overwritten &= ~(UINT32_C(1) << step->rd);
		if (number != UINT32_MAX)
			overwritten |= plan->clobbers[number];
	}
	return overwritten & ~UINT32_C(1);
}

static void compare_ends(struct check *c)
{
	const struct bench_end *a = &c->plain->end, *b = &c->profiled->end;
	uint32_t skipped = find_overwritten(&c->plan, c->plain);

	for (unsigned i = 1; i < 32; i++)
		if (a->x[i] != b->x[i] && !(skipped >> i & 1))
			report_difference(c, "x%u is 0x%" PRIx64 " for 0x%" PRIx64, i,
					  b->x[i], a->x[i]);
	for (unsigned i = 0; i < 32; i++)
		if (a->f[i] != b->f[i])
			report_difference(c, "f%u is 0x%" PRIx64 " for 0x%" PRIx64, i,
					  b->f[i], a->f[i]);
	if (a->fcsr != b->fcsr)
		report_difference(c, "fcsr is 0x%" PRIx64 " for 0x%" PRIx64, b->fcsr,
				  a->fcsr);
	uint64_t epc = find_origin(c, c->profiled->step_count, b->epc);
	if (a->cause != b->cause || a->epc != epc || a->tval != b->tval)
		report_difference(c,
				  "ends by trap %" PRIu64 " at 0x%" PRIx64 " (0x%" PRIx64
				  ") for %" PRIu64 " at 0x%" PRIx64 " (0x%" PRIx64 ")",
				  b->cause, epc, b->tval, a->cause, a->epc, a->tval);
	if (memcmp(a->window, b->window, sizeof(a->window)))
		report_difference(c, "memory differs");
}

/* The instructions of a stub stand for those of the program: without repetitions, the run
 * is the same. */
static void compare_steps(struct check *c)
{
	const struct bench *a = c->plain, *b = c->profiled;
	unsigned i = 0;
	uint64_t before = 0;

	for (unsigned k = 0; k < b->step_count; k++) {
		uint64_t pc = find_origin(c, k, b->steps[k].pc);

		if (k && pc == before)
			continue;
		before = pc;
		uint64_t expected = i < a->step_count ? a->steps[i].pc : 0;
		if (pc != expected) {
			report_difference(c, "step %u is at 0x%" PRIx64 " for 0x%" PRIx64,
					  i, pc, expected);
			return;
		}
		i++;
	}
	if (i != a->step_count)
		report_difference(c, "%u steps for %u", i, a->step_count);
}

static uint64_t count_steps(const struct bench *bench, uint64_t pc)
{
	uint64_t count = 0;

	for (unsigned i = 0; i < bench->step_count; i++)
		count += bench->steps[i].pc == pc;
	return count;
}

/* Adds to the expected calls those of the last run without stubs, but of function
 * `number`, if it is one, `calls`. */
static void expect_calls(struct check *c, uint32_t number, uint64_t calls)
{
	for (unsigned i = 0; i < c->plain->step_count; i++) {
		uint32_t n = plan_find(&c->plan, c->plain->steps[i].pc);
		if (n != UINT32_MAX && n != number)
			c->expected[n]++;
	}
	if (number != UINT32_MAX)
		c->expected[number] += calls;
}

/* Calls the function without its entry up to an instruction that is replaced, writes the
 * entry, and goes on. */
static void enter_stub(struct check *c, uint32_t number, uint64_t pc, uint64_t seed)
{
	uint64_t start = plan_entry(&c->plan, number);
	uint64_t end = start + c->plan.stubs.functions[number].size;
	struct bench *b = c->profiled;

	c->what = "moved in at";
	c->at = pc;
	plan_restore(&c->plan, b, number);
	bench_start(b, start, seed);
	b->stop = pc == start ? 0 : pc;
	bool reached = pc == start || bench_execute(b);
	plan_patch(&c->plan, b, number);
	c->restored = number;
	c->restored_first = 0;
	c->restored_end = reached ? b->step_count : UINT_MAX;
	if (!reached) { /* no call of it was counted */
		expect_calls(c, number, 0);
		compare_ends(c);
		return;
	}
	c->moves_in++;
	uint64_t before = count_steps(b, start);
	struct tr_stubs_move move =
	    tr_stubs_move_in(&c->plan.stubs, &c->plan.places, bench_pc(b));
	bool inside = pc > start && pc < end;
	if (move.moves != inside || (inside && move.function != number))
		report_difference(c, "moves: %d, function %u for %u", move.moves,
				  move.function, number);
	if (move.counts)
		plan_add(&c->plan, b, number, 1);
	if (move.moves)
		bench_set_pc(b, move.pc);
	b->stop = 0;
	bench_execute(b);
	compare_ends(c);
	compare_steps(c);
	expect_calls(c, number, count_steps(c->plain, start) - before);
}

/* Calls the function with its entry up to an instruction of its stub, takes the entry
 * out, and goes on. */
static void leave_stub(struct check *c, uint32_t number, uint64_t pc, uint64_t seed)
{
	uint64_t start = plan_entry(&c->plan, number);
	struct bench *b = c->profiled;

	c->what = "moved out at";
	c->at = pc;
	bench_start(b, start, seed);
	b->stop = pc;
	if (!bench_execute(b)) {
		report_difference(c, "is not reached");
		return;
	}
	c->moves_out++;
	uint64_t calls = count_steps(b, start);
	struct tr_stubs_move move =
	    tr_stubs_move_out(&c->plan.stubs, &c->plan.places, bench_pc(b));
	if (!move.moves || move.function != number)
		report_difference(c, "moves: %d, function %u for %u", move.moves,
				  move.function, number);
	plan_restore(&c->plan, b, number);
	c->restored = number;
	c->restored_first = b->step_count;
	c->restored_end = UINT_MAX;
	if (move.counts)
		plan_add(&c->plan, b, number, 1);
	bench_set_pc(b, move.pc);
	b->stop = 0;
	bench_execute(b);
	plan_patch(&c->plan, b, number);
	compare_ends(c);
	compare_steps(c);
	expect_calls(c, number, calls);
}

/* Returns whether a place is in the stub of a function, or between the two instructions
 * of its far entry. */
static bool is_of_stub(const struct plan *plan, uint32_t number, uint64_t pc)
{
	const struct tr_stubs_function *f = &plan->stubs.functions[number];

	return pc - plan_stub(plan, number) < f->stub_size ||
	       (f->kind == TR_STUBS_FAR && pc == plan_entry(plan, number) + 4);
}

static void move_everywhere(struct check *c, uint32_t number, uint64_t seed)
{
	const struct tr_stubs_function *f = &c->plan.stubs.functions[number];
	uint64_t places[64];
	unsigned count = 0;

	for (unsigned i = 0; i < c->profiled->step_count && count < 64; i++) {
		uint64_t pc = c->profiled->steps[i].pc;
		bool known = !is_of_stub(&c->plan, number, pc);
		for (unsigned k = 0; k < count; k++)
			known |= places[k] == pc;
		if (!known)
			places[count++] = pc;
	}
	for (unsigned i = 0; i < count; i++)
		leave_stub(c, number, places[i], seed);
	for (unsigned i = 0; i < f->size / 2U; i++)
		if (i == 0 || f->moved[i])
			enter_stub(c, number, plan_entry(&c->plan, number) + 2 * i, seed);
	if (f->resume)
		enter_stub(c, number, f->resume + c->plan.places.bias, seed);
}

static void try_function(struct check *c, uint64_t address)
{
	uint32_t number = plan_find(&c->plan, address);

	for (uint64_t seed = 0; seed < SEEDS; seed++) {
		c->what = "called at";
		c->at = address;
		c->restored_first = c->restored_end = 0;
		bench_start(c->plain, address, seed);
		bench_execute(c->plain);
		bench_start(c->profiled, address, seed);
		bench_execute(c->profiled);
		compare_ends(c);
		compare_steps(c);
		expect_calls(c, UINT32_MAX, 0);
		c->runs++;
		if (number != UINT32_MAX && seed == 0)
			move_everywhere(c, number, seed);
	}
}

static void compare_calls(struct check *c)
{
	uint64_t sum = 0;

	c->name = "counts";
	c->what = "of the function at";
	for (uint32_t i = 0; i < c->plan.stubs.function_count; i++) {
		uint64_t calls = plan_count(&c->plan, c->profiled, i);
		c->at = plan_entry(&c->plan, i);
		sum += calls;
		if (calls != c->expected[i])
			report_difference(c, "%" PRIu64 " for %" PRIu64, calls,
					  c->expected[i]);
	}
	uint64_t all = plan_sum(&c->plan, c->profiled);
	if (all != sum) /* in datag.bin there are counters of other programs */
		report_difference(c, "%" PRIu64 " in all for %" PRIu64, all, sum);
}

static void print_kinds(const struct tr_stubs *stubs)
{
	static const char *const kinds[] = {"near", "far"};
	static const char *const areas[] = {"below", "above"};
	static const char *const labels[] = {"", "counter", "jump", "far-jump",
					     "address"};
	unsigned entries[2][2] = {{0}}, count[5][2][2] = {{{0}}};

	for (uint32_t i = 0; i < stubs->function_count; i++) {
		const struct tr_stubs_function *f = &stubs->functions[i];
		uint32_t end =
		    i + 1 < stubs->function_count ? f[1].first_label : stubs->label_count;
		entries[f->kind][f->area]++;
		for (uint32_t l = f->first_label; l < end; l++)
			count[stubs->labels[l].kind][f->kind][f->area]++;
	}
	for (unsigned i = 0; i < 4; i++)
		printf("entry %s %s %u\n", kinds[i / 2], areas[i % 2],
		       entries[i / 2][i % 2]);
	for (unsigned i = 4; i < 20; i++)
		printf("label %s %s %s %u\n", labels[i / 4], kinds[i / 2 % 2],
		       areas[i % 2], count[i / 4][i / 2 % 2][i % 2]);
}

int main(int argc, char **argv)
{
	static struct check c;
	char name[NAME];
	uint64_t address;

	FILE *symbols = argc == 5 ? fopen(argv[3], "r") : NULL;
	if (!symbols) {
		fputs("usage: check-stubs PROGRAM FOLDER SYMBOLS PLACE\n", stderr);
		return 2;
	}
	plan_read(&c.plan, argv[2], (enum plan_place)atoi(argv[4]));
	c.plain = bench_new(argv[1]);
	c.profiled = bench_new(argv[1]);
	c.expected = calloc(c.plan.stubs.function_count + 1, sizeof(*c.expected));
	if (!c.expected)
		return 2;
	plan_try_reach(&c.plan);
	plan_install(&c.plan, c.profiled);
	c.name = name;
	while (fscanf(symbols, "%" SCNx64 " %63s", &address, name) == 2)
		try_function(&c, address);
	compare_calls(&c);
	print_kinds(&c.plan.stubs);
	printf("runs %" PRIu64 "\nmoves in %" PRIu64 "\nmoves out %" PRIu64 "\n", c.runs,
	       c.moves_in, c.moves_out);
	if (c.failures > COMPLAINTS)
		fprintf(stderr, "check-stubs: %u differences\n", c.failures);
	bool fine = c.failures == 0 && c.runs > 0;
	bench_free(c.plain);
	bench_free(c.profiled);
	plan_free(&c.plan);
	free(c.expected);
	fclose(symbols);
	return fclose(stdout) ? 2 : !fine;
}
