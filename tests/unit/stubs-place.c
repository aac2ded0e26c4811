/* SPDX-License-Identifier: Apache-2.0 */
/* Entries and stubs at their places: the instructions are executed here. */
#include "stubs-plan.h"

#include "base/little.h"

static const struct tr_stubs_places places = {
    .bias = 0x2aaa000000,
    .areas = {0x2aaa000000 + 0x5000, 0x2aaa000000 + 0x40001000},
    .counters = 0x2aaa000000 + 0x70000000,
};

/* Executes what a label has: auipc with addi or jalr, or jal. *reg is what it writes, 0
 * for a jump. Returns the value, or where it jumps to. */
static uint64_t run_label(const uint8_t *code, uint64_t pc, uint32_t *reg)
{
	uint32_t first = tr_load32(code);
	if ((first & 0xfff) == 0x6f) { /* jal zero */
		uint32_t d = (first >> 31 & 1) << 20 | (first >> 12 & 0xff) << 12 |
			     (first >> 20 & 1) << 11 | (first >> 21 & 0x3ff) << 1;
		*reg = 0;
		return pc + (uint64_t)((int64_t)((uint64_t)d << 43) >> 43);
	}
	uint32_t second = tr_load32(code + 4), temporary = first >> 7 & 31;
	CHECK_EQ(first & 0x7f, 0x17);
	CHECK_EQ(second >> 15 & 31, temporary);
	CHECK((second & 0x707f) == 0x13 ||
	      (second & 0x7fff) == (0x67 | (temporary << 15 & 0x7fff)));
	*reg = (second & 0x7f) == 0x67 ? temporary << 8 : second >> 7 & 31;
	if ((second & 0x7f) == 0x67)
		CHECK_EQ(second >> 7 & 31, 0);
	return pc + (uint64_t)(int64_t)(int32_t)(first & 0xfffff000) +
	       (uint64_t)(int64_t)((int32_t)second >> 20);
}

static uint64_t place_of(const struct tr_stubs *plan, uint32_t offset)
{
	return offset < plan->areas[1].offset
		   ? places.areas[0] + offset
		   : places.areas[1] + offset - plan->areas[1].offset;
}

static void check_labels(const struct tr_stubs *plan)
{
	uint8_t code[PLAN_CODE];
	bool written[PLAN_CODE] = {false};
	memcpy(code, plan_code, PLAN_CODE);
	CHECK_EQ(tr_stubs_place(plan, &places, code), TR_OK);
	for (uint32_t i = 0; i < PLAN_LABELS; i++) {
		const struct tr_stubs_label *label = &plan_labels[i];
		uint32_t reg;
		uint64_t value =
		    run_label(code + label->at, place_of(plan, label->at), &reg);
		CHECK_EQ(value, label->kind == TR_STUBS_COUNTER
				    ? places.counters + 8 * label->target
				    : places.bias + label->target);
		CHECK_EQ(reg,
			 label->kind == TR_STUBS_FAR_JUMP ? label->reg << 8 : label->reg);
		for (unsigned j = 0; j < (label->kind == TR_STUBS_JUMP ? 4 : 8); j++)
			written[label->at + j] = true;
	}
	for (size_t i = 0; i < PLAN_CODE; i++)
		CHECK(written[i] || code[i] == plan_code[i]);
}

static void check_entries(const struct tr_stubs *plan)
{
	for (uint32_t i = 0; i < PLAN_FUNCTIONS; i++) {
		const struct tr_stubs_function *f = &plan_functions[i];
		uint8_t entry[TR_STUBS_ENTRY_MAX];
		uint32_t reg;
		memset(entry, 0x55, sizeof(entry));
		CHECK_EQ(tr_stubs_entry(plan, &places, i, entry), TR_OK);
		CHECK_EQ(run_label(entry, places.bias + f->start, &reg),
			 place_of(plan, f->stub));
		CHECK_EQ(reg, f->kind == TR_STUBS_FAR ? 6 << 8 : 0);
		for (unsigned j = f->kind == TR_STUBS_FAR ? 8 : 4; j < f->size; j += 2)
			CHECK_EQ(tr_load16(entry + j), 1); /* c.nop */
		for (unsigned j = f->size; j < sizeof(entry); j++)
			CHECK_EQ(entry[j], 0x55);
	}
}

/* Returns whether function 0 and its stub reach each other, which are near, or those of
 * function 1, which are far, when the distance from the entry to the stub is `distance`.
 */
static bool does_reach(const struct tr_stubs *plan, uint32_t number, int64_t distance)
{
	struct tr_stubs_places at = places;
	uint8_t entry[TR_STUBS_ENTRY_MAX];
	at.areas[number] = at.bias + plan_functions[number].start + (uint64_t)distance;
	enum tr_status status = tr_stubs_entry(plan, &at, number, entry);
	CHECK(status == TR_OK || status == TR_E_ARGUMENT);
	if (status == TR_OK) {
		uint32_t reg;
		CHECK_EQ(run_label(entry, at.bias + plan_functions[number].start, &reg),
			 at.areas[number]);
	}
	return status == TR_OK;
}

static void check_reach(const struct tr_stubs *plan)
{
	CHECK(does_reach(plan, 0, 0xffffe));
	CHECK(!does_reach(plan, 0, 0x100000));
	CHECK(does_reach(plan, 0, -0x100000));
	CHECK(!does_reach(plan, 0, -0x100002));
	CHECK(!does_reach(plan, 0, 0x1001));
	CHECK(!does_reach(plan, 0, 1LL << 40));
	CHECK(does_reach(plan, 1, 0x7ffff7fe));
	CHECK(!does_reach(plan, 1, 0x7ffff800));
	CHECK(does_reach(plan, 1, -0x80000800LL));
	CHECK(!does_reach(plan, 1, -0x80000802LL));
	CHECK(!does_reach(plan, 1, -(1LL << 40)));
}

/* Labels that do not reach are told, each kind. */
static void check_unreached(const struct tr_stubs *plan)
{
	uint8_t code[PLAN_CODE] = {0};
	struct tr_stubs_places at = places;
	at.counters += 1ULL << 32;
	CHECK_EQ(tr_stubs_place(plan, &at, code), TR_E_ARGUMENT);
	at = places;
	at.areas[0] += 0x200000; /* the jump back of function 0 */
	CHECK_EQ(tr_stubs_place(plan, &at, code), TR_E_ARGUMENT);
	at = places;
	at.areas[1] = places.bias - 0x90000000; /* the address in function 1 */
	at.counters = at.areas[1];
	at.areas[0] = at.areas[1];
	CHECK_EQ(tr_stubs_place(plan, &at, code), TR_E_ARGUMENT);
}

int main(void)
{
	struct tr_stubs plan = plan_make();
	check_labels(&plan);
	check_entries(&plan);
	check_reach(&plan);
	check_unreached(&plan);
	return check_done();
}
