/* SPDX-License-Identifier: Apache-2.0 */
/* A plan in a machine. */
#include "plan.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plan_file.h"

static void stop_here(const char *folder, const char *what)
{
	fprintf(stderr, "check-stubs: %s: %s\n", folder, what);
	exit(2);
}

static uint8_t *need_plan_file(const char *folder, const char *name, size_t *size)
{
	uint8_t *bytes = read_plan_file(folder, name, size);

	if (!bytes)
		stop_here(name, "cannot be read");
	return bytes;
}

/* An area that is only for far entries may begin anywhere: here, where the machine has
 * memory. */
static uint64_t place_area(const struct tr_stubs_area *area, enum plan_place place)
{
	uint64_t low = area->lowest, high = area->highest;

	if (!area->size)
		return 0;
	if (low < BENCH_CODE)
		low = BENCH_CODE;
	if (high > BENCH_CODE_END - area->size)
		high = BENCH_CODE_END - area->size;
	low = (low + TR_STUBS_PAGE - 1) / TR_STUBS_PAGE * TR_STUBS_PAGE;
	high = high / TR_STUBS_PAGE * TR_STUBS_PAGE;
	if (low > high)
		stop_here("data.bin", "an area has no place");
	switch (place) {
	case PLAN_LOWEST:
		return low;
	case PLAN_HIGHEST:
		return high;
	default:
		return low + (high - low) / TR_STUBS_PAGE / 3 * TR_STUBS_PAGE;
	}
}

static void find_clobbers(struct plan *plan)
{
	const struct tr_stubs *stubs = &plan->stubs;

	plan->clobbers = calloc(stubs->function_count + 1, sizeof(*plan->clobbers));
	if (!plan->clobbers)
		stop_here("data.bin", "out of memory");
	for (uint32_t i = 0; i < stubs->function_count; i++) {
		uint32_t end = i + 1 < stubs->function_count
				   ? stubs->functions[i + 1].first_label
				   : stubs->label_count;
		for (uint32_t l = stubs->functions[i].first_label; l < end; l++)
			if (stubs->labels[l].kind == TR_STUBS_FAR_JUMP)
				plan->clobbers[i] |= 1U << stubs->labels[l].reg;
	}
}

/* Gives the program a bias, as if it were position-independent: its addresses become
 * smaller, its places stay. */
static void shift_addresses(struct plan *plan, uint64_t bias)
{
	/* What tr_stubs_decode() has allocated. */
	struct tr_stubs_function *functions =
	    (struct tr_stubs_function *)plan->stubs.functions;
	struct tr_stubs_label *labels = (struct tr_stubs_label *)plan->stubs.labels;

	for (uint32_t i = 0; i < plan->stubs.function_count; i++) {
		functions[i].start -= bias;
		functions[i].resume -= functions[i].resume ? bias : 0;
	}
	for (uint32_t i = 0; i < plan->stubs.label_count; i++)
		labels[i].target -= labels[i].kind == TR_STUBS_COUNTER ? 0 : bias;
	plan->places.bias = bias;
}

/* In the file, the instructions with labels are those that are placed, but for operands.
 */
static void compare_code(const struct plan *plan, const uint8_t *code)
{
	const struct tr_stubs *stubs = &plan->stubs;
	uint8_t *copy = malloc((size_t)stubs->code_size + 1);

	if (!copy)
		stop_here("injected.o", "out of memory");
	memcpy(copy, plan->code, stubs->code_size);
	for (uint32_t i = 0; i < stubs->label_count; i++) {
		uint8_t *p = copy + stubs->labels[i].at;
		bool pair = stubs->labels[i].kind != TR_STUBS_JUMP;
		p[1] &= 0x0f; /* the upper 20 bits of jal and auipc */
		p[2] = p[3] = 0;
		if (pair) { /* the upper 12 of addi and jalr */
			p[6] &= 0x0f;
			p[7] = 0;
		}
	}
	if (memcmp(copy, code, stubs->code_size))
		stop_here("injected.o", "other instructions than those that are placed");
	free(copy);
}

static void place_plan(struct plan *plan, const char *folder, enum plan_place place)
{
	const enum plan_place beside[TR_STUBS_AREAS] = {PLAN_HIGHEST, PLAN_LOWEST};

	for (unsigned i = 0; i < TR_STUBS_AREAS; i++)
		plan->places.areas[i] = place_area(
		    &plan->stubs.areas[i], place == PLAN_BESIDE ? beside[i] : place);
	plan->places.counters = BENCH_COUNTERS;
	plan->places.bias = 0;
	if (place == PLAN_BETWEEN)
		shift_addresses(plan, PLAN_BIAS);
	if (tr_stubs_place(&plan->stubs, &plan->places, plan->code))
		stop_here(folder, "the stubs do not reach");
}

void plan_read(struct plan *plan, const char *folder, enum plan_place place)
{
	size_t size;
	uint64_t at = 0;
	/* The counters of both are somewhere else. */
	const char *name = place == PLAN_LOWEST ? "data.bin" : "datag.bin";
	uint8_t *data = need_plan_file(folder, name, &size);

	if (tr_stubs_decode(data, size, &plan->stubs, &at))
		stop_here(name, "not accepted");
	free(data);
	uint8_t *object = need_plan_file(folder, "injected.o", &size);
	const uint8_t *code = tr_stubs_code(&plan->stubs, object, size, &at);
	if (!code)
		stop_here(folder, "injected.o is not accepted");
	plan->code = malloc(plan->stubs.code_size);
	if (!plan->code)
		stop_here(folder, "out of memory");
	memcpy(plan->code, code, plan->stubs.code_size);
	place_plan(plan, folder, place);
	compare_code(plan, code);
	free(object);
	find_clobbers(plan);
}

void plan_free(struct plan *plan)
{
	free(plan->code);
	free(plan->clobbers);
	tr_stubs_free(&plan->stubs);
}

void plan_install(const struct plan *plan, struct bench *bench)
{
	for (unsigned i = 0; i < TR_STUBS_AREAS; i++) {
		const struct tr_stubs_area *area = &plan->stubs.areas[i];
		if (area->size)
			bench_write(bench, plan->places.areas[i],
				    plan->code + area->offset, area->size);
	}
	for (uint32_t i = 0; i < plan->stubs.function_count; i++)
		plan_patch(plan, bench, i);
}

void plan_patch(const struct plan *plan, struct bench *bench, uint32_t number)
{
	const struct tr_stubs_function *f = &plan->stubs.functions[number];
	uint8_t entry[TR_STUBS_ENTRY_MAX];
	uint8_t present[TR_STUBS_ENTRY_MAX];

	bench_read(bench, plan_entry(plan, number), present, f->size);
	if (memcmp(present, f->original, f->size))
		stop_here("data.bin", "the original bytes differ from the program's");
	if (tr_stubs_entry(&plan->stubs, &plan->places, number, entry))
		stop_here("data.bin", "an entry does not reach");
	bench_write(bench, plan_entry(plan, number), entry, f->size);
}

void plan_restore(const struct plan *plan, struct bench *bench, uint32_t number)
{
	const struct tr_stubs_function *f = &plan->stubs.functions[number];

	bench_write(bench, plan_entry(plan, number), f->original, f->size);
}

uint64_t plan_entry(const struct plan *plan, uint32_t number)
{
	return plan->stubs.functions[number].start + plan->places.bias;
}

uint32_t plan_replaced(const struct plan *plan, uint64_t pc)
{
	return tr_stubs_function_at(&plan->stubs, pc - plan->places.bias);
}

uint64_t plan_stub(const struct plan *plan, uint32_t number)
{
	const struct tr_stubs_function *f = &plan->stubs.functions[number];

	return plan->places.areas[f->area] - plan->stubs.areas[f->area].offset + f->stub;
}

uint64_t plan_origin(const struct plan *plan, uint64_t pc, uint32_t restored)
{
	uint64_t address;
	uint32_t number;

	for (unsigned i = 0; i < TR_STUBS_AREAS; i++) {
		uint64_t behind = pc - plan->places.areas[i];
		if (behind < plan->stubs.areas[i].size &&
		    tr_stubs_origin(&plan->stubs,
				    plan->stubs.areas[i].offset + (uint32_t)behind,
				    &address, &number))
			return address + plan->places.bias;
	}
	number = plan_replaced(plan, pc);
	return number == UINT32_MAX || number == restored ? pc : plan_entry(plan, number);
}

uint32_t plan_find(const struct plan *plan, uint64_t address)
{
	uint32_t number = plan_replaced(plan, address);

	if (number == UINT32_MAX || plan_entry(plan, number) != address)
		return UINT32_MAX;
	return number;
}

uint64_t plan_count(const struct plan *plan, const struct bench *bench, uint32_t number)
{
	uint64_t calls = 0;

	bench_read(bench,
		   BENCH_COUNTERS + 8 * (uint64_t)plan->stubs.functions[number].index,
		   &calls, sizeof(calls));
	return calls;
}

uint64_t plan_sum(const struct plan *plan, const struct bench *bench)
{
	uint64_t sum = 0, calls = 0;

	for (uint64_t i = 0; i < plan->stubs.counters; i++) {
		bench_read(bench, BENCH_COUNTERS + 8 * i, &calls, sizeof(calls));
		sum += calls;
	}
	return sum;
}

void plan_add(const struct plan *plan, struct bench *bench, uint32_t number,
	      uint64_t calls)
{
	calls += plan_count(plan, bench, number);
	bench_write(bench,
		    BENCH_COUNTERS + 8 * (uint64_t)plan->stubs.functions[number].index,
		    &calls, sizeof(calls));
}
