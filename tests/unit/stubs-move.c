/* SPDX-License-Identifier: Apache-2.0 */
/* Where a process continues when entries are replaced or restored, and what each
 * instruction of a stub stands for. */
#include "stubs-plan.h"

static const struct tr_stubs_places places = {
    .bias = 0x4000000,
    .areas = {0x4005000, 0x4100000},
    .counters = 0x6000000,
};

/* An instruction of a stub: what it stands for, and where a process that is there
 * continues without the stub. */
struct instruction {
	uint32_t rel;
	uint64_t origin, out;
	bool counts;
};

/* Function 0: the instruction itself, and the jump back. */
static const struct instruction near_stub[] = {
    {0, 0x10000, 0x10000, true},   {4, 0x10000, 0x10000, true},
    {8, 0x10000, 0x10000, true},   {10, 0x10000, 0x10000, true},
    {14, 0x10000, 0x10000, false}, {18, 0x10004, 0x10004, false},
};
/* Function 1: auipc becomes two instructions, the branch three. */
static const struct instruction far_stub[] = {
    {0, 0x10010, 0x10010, true},   {10, 0x10010, 0x10010, true},
    {14, 0x10010, 0x10010, false}, {16, 0x10012, 0x10012, false},
    {20, 0x10012, 0x10012, false}, {24, 0x10016, 0x10016, false},
    {26, 0x10018, 0x10018, false}, {28, 0x10018, 0x10100, false},
    {32, 0x10018, 0x10100, false}, {36, 0x1001a, 0x1001a, false},
    {40, 0x1001a, 0x1001a, false},
};
/* Function 2: its second instruction jumps, here as in the stub. */
static const struct instruction endless_stub[] = {
    {0, 0x10020, 0x10020, true},
    {14, 0x10020, 0x10020, false},
    {16, 0x10022, 0x10022, false},
};

static uint64_t stub_place(const struct tr_stubs *plan, uint32_t number)
{
	const struct tr_stubs_function *f = &plan->functions[number];
	return places.areas[f->area] + f->stub - plan->areas[f->area].offset;
}

static void check_stub(const struct tr_stubs *plan, uint32_t number,
		       const struct instruction *list, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		uint64_t address = 0;
		uint32_t function = UINT32_MAX;
		CHECK(tr_stubs_origin(plan, plan->functions[number].stub + list[i].rel,
				      &address, &function));
		CHECK_EQ(address, list[i].origin);
		CHECK_EQ(function, number);
		struct tr_stubs_move move = tr_stubs_move_out(
		    plan, &places, stub_place(plan, number) + list[i].rel);
		CHECK(move.moves);
		CHECK_EQ(move.pc, places.bias + list[i].out);
		CHECK_EQ(move.counts, list[i].counts);
		CHECK_EQ(move.function, number);
	}
}

static void check_outside(const struct tr_stubs *plan)
{
	uint64_t address;
	uint32_t function;
	CHECK(!tr_stubs_origin(plan, 44, &address, &function));
	CHECK(!tr_stubs_origin(plan, 4095, &address, &function));
	CHECK(!tr_stubs_origin(plan, 4096 + 44, &address, &function));
	CHECK(!tr_stubs_origin(plan, UINT32_MAX, &address, &function));
	CHECK(!tr_stubs_move_out(plan, &places, places.areas[0] + 44).moves);
	CHECK(!tr_stubs_move_out(plan, &places, places.areas[0] - 2).moves);
	CHECK(!tr_stubs_move_out(plan, &places, places.areas[1] + 4096).moves);
}

/* Entries: a far one has two instructions. */
static void check_entries(const struct tr_stubs *plan)
{
	struct tr_stubs_move move =
	    tr_stubs_move_out(plan, &places, places.bias + 0x10014);
	CHECK(move.moves && move.counts);
	CHECK_EQ(move.pc, places.bias + 0x10010);
	CHECK_EQ(move.function, 1);
	CHECK(!tr_stubs_move_out(plan, &places, places.bias + 0x10010).moves);
	CHECK(!tr_stubs_move_out(plan, &places, places.bias + 0x10000).moves);
	CHECK(!tr_stubs_move_out(plan, &places, places.bias + 0x10024).moves);
	CHECK(!tr_stubs_move_out(plan, &places, places.bias + 0x1001a).moves);
}

static void check_in(const struct tr_stubs *plan)
{
	static const struct {
		uint64_t address;
		uint32_t number, rel;
	} list[] = {
	    {0x10012, 1, 16}, {0x10016, 1, 24}, {0x10018, 1, 26}, {0x10022, 2, 16}};
	for (size_t i = 0; i < sizeof(list) / sizeof(list[0]); i++) {
		struct tr_stubs_move move =
		    tr_stubs_move_in(plan, &places, places.bias + list[i].address);
		CHECK(move.moves && !move.counts);
		CHECK_EQ(move.function, list[i].number);
		CHECK_EQ(move.pc, stub_place(plan, list[i].number) + list[i].rel);
	}
	static const uint64_t stay[] = {0,	 0xfffe,  0x10000, 0x10004,   0x10010,
					0x1001a, 0x10020, 0x10026, UINT64_MAX};
	for (size_t i = 0; i < sizeof(stay) / sizeof(stay[0]); i++)
		CHECK(!tr_stubs_move_in(plan, &places, places.bias + stay[i]).moves);
}

static void check_function_at(const struct tr_stubs *plan)
{
	CHECK_EQ(tr_stubs_function_at(plan, 0xffff), UINT32_MAX);
	CHECK_EQ(tr_stubs_function_at(plan, 0x10000), 0);
	CHECK_EQ(tr_stubs_function_at(plan, 0x10003), 0);
	CHECK_EQ(tr_stubs_function_at(plan, 0x10004), UINT32_MAX);
	CHECK_EQ(tr_stubs_function_at(plan, 0x10019), 1);
	CHECK_EQ(tr_stubs_function_at(plan, 0x1001a), UINT32_MAX);
	CHECK_EQ(tr_stubs_function_at(plan, 0x10025), 2);
	CHECK_EQ(tr_stubs_function_at(plan, 0x10026), UINT32_MAX);
}

static void check_plan(const struct tr_stubs *plan)
{
	check_stub(plan, 0, near_stub, sizeof(near_stub) / sizeof(near_stub[0]));
	check_stub(plan, 1, far_stub, sizeof(far_stub) / sizeof(far_stub[0]));
	check_stub(plan, 2, endless_stub, sizeof(endless_stub) / sizeof(endless_stub[0]));
	check_outside(plan);
	check_entries(plan);
	check_in(plan);
	check_function_at(plan);
}

int main(void)
{
	struct tr_stubs plan = plan_make(), read;
	uint64_t at;
	size_t size;
	check_plan(&plan);
	/* A plan that was read finds its stubs by their order. */
	uint8_t *bytes = tr_stubs_encode(&plan, &size);
	CHECK_EQ(tr_stubs_decode(bytes, size, &read, &at), TR_OK);
	CHECK(read.by_stub != NULL);
	check_plan(&read);
	tr_stubs_free(&read);
	free(bytes);
	return check_done();
}
