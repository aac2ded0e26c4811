/* SPDX-License-Identifier: Apache-2.0 */
/* The distances that labels and entries reach: at their ends the instructions have to be
 * right, behind them the call has to fail. jal: -2^20 to 2^20 - 2; auipc with a signed
 * part of 12 bits: -2^31 - 2^11 to 2^31 - 2^11 - 1 (unprivileged specification). */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plan.h"

enum {
	STEP = 97, /* of the functions that are tried */
	AREA_OFFSET = 0x1000,
};
#define JAL_LEAST   (-INT64_C(0x100000))
#define JAL_MOST    INT64_C(0xffffe)
#define AUIPC_LEAST (-INT64_C(0x80000800))
#define AUIPC_MOST  INT64_C(0x7ffff7ff)

static const int64_t jal_distances[] = {
    JAL_LEAST, JAL_LEAST - 2, JAL_MOST,		JAL_MOST + 2,	    3, -2, 0x7fe, 0x800,
    -0x800,    0xaaaaa,	      INT64_C(1) << 32, -(INT64_C(1) << 32)};
static const int64_t pair_distances[] = {
    AUIPC_LEAST, AUIPC_LEAST - 2, AUIPC_MOST,  AUIPC_MOST + 1,	 0x7ff,	       0x800,
    -0x800,	 0x12345678,	  -0x5a5a5a5a, INT64_C(1) << 32, INT64_MIN / 2};

static void end_trial(const char *what, int64_t distance)
{
	fprintf(stderr, "check-stubs: %s with a distance of %" PRId64 "\n", what,
		distance);
	exit(1);
}

static uint32_t read_word(const uint8_t *p)
{
	return p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

/* The distance of a jal zero. */
static int64_t read_jal(const uint8_t *p)
{
	uint32_t insn = read_word(p);
	int64_t distance = (int64_t)((insn >> 21 & 0x3ff) << 1 | (insn >> 20 & 1) << 11 |
				     (insn >> 12 & 0xff) << 12);

	if ((insn & 0xfff) != 0x6f)
		end_trial("no jal zero", 0);
	return insn >> 31 ? distance - (1 << 20) : distance;
}

/* The sum of auipc reg and the instruction behind it: addi reg, reg or jalr zero, (reg).
 */
static int64_t read_pair(const uint8_t *p, uint32_t reg, bool jumps)
{
	uint32_t first = read_word(p), second = read_word(p + 4);

	if ((first & 0xfff) != (reg << 7 | 0x17) ||
	    (second & 0xfffff) != (reg << 15 | (jumps ? 0x67 : reg << 7 | 0x13)))
		end_trial("other instructions", 0);
	return (int64_t)(int32_t)(first & 0xfffff000) + ((int32_t)second >> 20);
}

static bool is_jal_reached(int64_t distance)
{
	return distance >= JAL_LEAST && distance <= JAL_MOST && distance % 2 == 0;
}

static bool is_pair_reached(int64_t distance)
{
	return distance >= AUIPC_LEAST && distance <= AUIPC_MOST;
}

/* Places the stub of a function so that its entry has a distance. */
static void try_entry(const struct plan *plan, uint32_t number, int64_t distance)
{
	const struct tr_stubs_function *f = &plan->stubs.functions[number];
	struct tr_stubs_places places = plan->places;
	uint8_t entry[TR_STUBS_ENTRY_MAX] = {0};
	bool far = f->kind == TR_STUBS_FAR;
	bool reached = far ? is_pair_reached(distance) : is_jal_reached(distance);

	places.areas[f->area] +=
	    (uint64_t)distance - (plan_stub(plan, number) - plan_entry(plan, number));
	if ((tr_stubs_entry(&plan->stubs, &places, number, entry) == TR_OK) != reached)
		end_trial("entry", distance);
	if (reached && (far ? read_pair(entry, 6, true) : read_jal(entry)) != distance)
		end_trial("entry: another distance", distance);
	for (unsigned i = far ? 8 : 4; i < f->size; i += 2)
		if (entry[i] != 1 || entry[i + 1] != 0)
			end_trial("entry: no c.nop behind it", distance);
}

/* Places a stub with this label alone so that it has a distance. */
static void try_label(const struct plan *plan, uint32_t number, uint32_t index,
		      int64_t distance)
{
	struct tr_stubs_label label = plan->stubs.labels[index];
	struct tr_stubs_function f = plan->stubs.functions[number];
	struct tr_stubs stubs = plan->stubs;
	struct tr_stubs_places places = plan->places;
	static uint8_t code[AREA_OFFSET + 256];
	bool jal = label.kind == TR_STUBS_JUMP;
	bool reached = jal ? is_jal_reached(distance) : is_pair_reached(distance);
	uint64_t target = label.target + places.bias;

	if (label.kind == TR_STUBS_COUNTER)
		target = places.counters + 8 * label.target;
	/* The stub is the first of its area. */
	label.at = AREA_OFFSET + (label.at - f.stub);
	f.stub = AREA_OFFSET;
	f.first_label = 0;
	stubs.areas[f.area].offset = AREA_OFFSET;
	stubs.functions = &f;
	stubs.labels = &label;
	stubs.function_count = stubs.label_count = 1;
	uint64_t behind = label.at - f.stub;
	places.areas[f.area] = target - (uint64_t)distance - behind;
	places.areas[!f.area] = 0;
	if ((tr_stubs_place(&stubs, &places, code) == TR_OK) != reached)
		end_trial("label", distance);
	const uint8_t *p = code + label.at;
	if (reached &&
	    (jal ? read_jal(p)
		 : read_pair(p, label.reg, label.kind == TR_STUBS_FAR_JUMP)) != distance)
		end_trial("label: another distance", distance);
}

/* Of a stub that is the only one of its area, the bytes before and behind it are of none.
 */
static void try_origin(const struct plan *plan, uint32_t number)
{
	struct tr_stubs_function f = plan->stubs.functions[number];
	const uint32_t by_stub = 0;
	struct tr_stubs stubs = plan->stubs;
	uint64_t address;
	uint32_t found;

	f.stub = AREA_OFFSET;
	stubs.functions = &f;
	stubs.by_stub = &by_stub;
	stubs.function_count = 1;
	if (tr_stubs_origin(&stubs, AREA_OFFSET - 2, &address, &found) ||
	    tr_stubs_origin(&stubs, AREA_OFFSET + f.stub_size, &address, &found))
		end_trial("origin outside of the stub", 0);
	if (!tr_stubs_origin(&stubs, AREA_OFFSET, &address, &found) ||
	    address != f.start || found != 0)
		end_trial("origin of the stub", 0);
}

static void try_labels(const struct plan *plan, uint32_t number)
{
	const struct tr_stubs *stubs = &plan->stubs;
	uint32_t end = number + 1 < stubs->function_count
			   ? stubs->functions[number + 1].first_label
			   : stubs->label_count;

	for (uint32_t l = stubs->functions[number].first_label; l < end; l++) {
		bool jal = stubs->labels[l].kind == TR_STUBS_JUMP;
		const int64_t *distances = jal ? jal_distances : pair_distances;
		size_t count = jal ? sizeof(jal_distances) / sizeof(*jal_distances)
				   : sizeof(pair_distances) / sizeof(*pair_distances);
		for (size_t i = 0; i < count; i++)
			try_label(plan, number, l, distances[i]);
	}
}

void plan_try_reach(const struct plan *plan)
{
	for (uint32_t n = 0; n < plan->stubs.function_count; n += STEP) {
		if (plan->stubs.functions[n].kind == TR_STUBS_NEAR)
			for (size_t i = 0;
			     i < sizeof(jal_distances) / sizeof(*jal_distances); i++)
				try_entry(plan, n, jal_distances[i]);
		else
			for (size_t i = 0;
			     i < sizeof(pair_distances) / sizeof(*pair_distances); i++)
				try_entry(plan, n, pair_distances[i]);
		try_labels(plan, n);
		try_origin(plan, n);
	}
}
