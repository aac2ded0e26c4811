/* SPDX-License-Identifier: Apache-2.0 */
/* Gives stubs their places. Addresses are signed here: below a position-independent
 * program, which begins at 0, they are negative. */
#include <stdlib.h>
#include <string.h>

#include "extract.h"
#include "stub_padding.h"

enum {
	PAGE = TR_STUBS_PAGE,
	SLACK = 16 * PAGE, /* among which an area has its place, at least if it can */
	MARGIN = 256,	   /* a stub, and what its entry replaces */
	NEAR_REACH = (1 << 20) - MARGIN,
	LOWEST_ADDRESS = PAGE, /* vm.mmap_min_addr */
	STUB_PADDING = 2,      /* before a stub, on average at most */
	BELOW = 0,
	ABOVE = 1,
};
#define FAR_REACH (INT64_C(1) << 31)
#define CODE_MAX  (UINT32_C(1) << 30) /* bytes of stubs */

/* A stub and its place in an area. */
struct placed_stub {
	struct prof_stub stub;
	uint32_t offset;
	uint8_t area;
};

struct placement {
	struct prof_planner *planner;
	int64_t bottom, top; /* of the program, whole pages */
	bool *below;	     /* of each function: its stub goes below */
	struct placed_stub *placed;
	uint32_t used[TR_STUBS_AREAS], room[TR_STUBS_AREAS]; /* bytes */
};

static bool blame_planner(struct prof_planner *planner, const char *reason)
{
	*planner->trouble = (struct prof_trouble){reason, PROF_NO_BYTE};
	return false;
}

static int64_t round_to(int64_t value, int64_t unit)
{
	return (value + unit - 1) & -unit;
}

/* Returns the bytes of stubs for which there is room below. */
static int64_t measure_room(const struct placement *p)
{
	const int64_t reach = NEAR_REACH - SLACK;
	if (p->planner->elf->movable)
		return reach;
	return p->bottom - LOWEST_ADDRESS < reach ? p->bottom - LOWEST_ADDRESS : reach;
}

static bool is_near_above(const struct placement *p, const struct prof_planned *f,
			  uint32_t offset)
{
	return p->top + SLACK + offset - (int64_t)f->listed->start <= NEAR_REACH;
}

/* Returns whether the function can have an entry to the area above. */
static bool has_choice(const struct placement *p, const struct prof_planned *f)
{
	struct prof_stub stub;
	return is_near_above(p, f, 0) ||
	       prof_build_planned(p->planner, f, TR_STUBS_FAR, p->top, p->top + SLACK,
				  &stub) == PROF_COUNTED;
}

/* Chooses functions for the area below: pass 0 takes those that have no other choice.
 * Returns the bytes of their stubs. */
static int64_t choose_below(struct placement *p)
{
	const struct prof_plan *plan = p->planner->plan;
	const int64_t room = measure_room(p);
	int64_t used = 0;
	for (int pass = 0; pass < 2; pass++) {
		for (size_t i = 0; i < plan->count; i++) {
			const struct prof_planned *f = &plan->functions[i];
			const int64_t size = f->near_size + STUB_PADDING;
			const int64_t from_bottom = (int64_t)f->listed->start - p->bottom;
			if (!f->near_is_possible || p->below[i] ||
			    from_bottom + SLACK + PAGE > NEAR_REACH ||
			    used + size > room || (pass == 0 && has_choice(p, f)))
				continue;
			p->below[i] = true;
			used += size;
		}
	}
	return used;
}

static bool is_in_reach(const struct prof_planned *f, int64_t lowest, int64_t highest)
{
	const int64_t start = (int64_t)f->listed->start;
	return start - lowest <= NEAR_REACH && highest - start <= NEAR_REACH;
}

/* Tries to put a stub at the end of an area that begins between two addresses. */
static bool put_stub(struct placement *p, size_t number, enum tr_stubs_kind kind,
		     unsigned area, int64_t lowest, int64_t highest)
{
	struct prof_planned *f = &p->planner->plan->functions[number];
	struct placed_stub *placed = &p->placed[number];
	const uint64_t start = f->listed->start;
	const struct prof_jump_places jumps = prof_find_jumps(
	    prof_code_bytes(p->planner->elf, start), f->size, start, kind);
	uint32_t offset = p->used[area], padding = 0;
	do {
		offset += padding;
		if (kind == TR_STUBS_NEAR &&
		    !is_in_reach(f, lowest + offset, highest + offset)) {
			f->near_obstacles[area] =
			    (struct prof_obstacle){.place = (uint64_t)(highest + offset)};
			return false;
		}
		f->kind = kind;
		f->refusal = prof_build_planned(p->planner, f, kind, lowest + offset,
						highest + offset, &placed->stub);
		f->obstacle = placed->stub.obstacle;
		if (kind == TR_STUBS_NEAR)
			f->near_obstacles[area] = f->obstacle;
		if (f->refusal != PROF_COUNTED)
			return false;
		/* Places are known modulo a page. */
		padding = prof_pad_stub(&placed->stub, offset, &jumps);
	} while (padding);
	const uint32_t end = offset + placed->stub.size;
	if (end > p->room[area]) {
		f->refusal = PROF_REFUSED_REACH;
		return false;
	}
	placed->area = (uint8_t)area;
	placed->offset = offset;
	p->used[area] = end;
	return true;
}

/* Puts the chosen functions below, and the others above. */
static void put_stubs(struct placement *p, int64_t below_size)
{
	const struct prof_plan *plan = p->planner->plan;
	const int64_t highest = p->bottom - below_size;
	int64_t lowest = highest - SLACK;
	if (!p->planner->elf->movable && lowest < LOWEST_ADDRESS)
		lowest = LOWEST_ADDRESS;
	p->room[BELOW] = (uint32_t)below_size;
	p->room[ABOVE] = CODE_MAX - p->room[BELOW];
	for (size_t i = 0; i < plan->count; i++)
		if (p->below[i] && !put_stub(p, i, TR_STUBS_NEAR, BELOW, lowest, highest))
			p->below[i] = false;
	for (size_t i = 0; i < plan->count; i++)
		if (plan->functions[i].near_is_possible && !p->below[i] &&
		    !put_stub(p, i, TR_STUBS_NEAR, ABOVE, p->top, p->top + SLACK))
			put_stub(p, i, TR_STUBS_FAR, ABOVE, p->top, p->top + SLACK);
}

/* Adds the function with its labels to the plan, and its stub to the code. */
static void append_function(struct placement *p, size_t number)
{
	struct prof_planner *planner = p->planner;
	struct prof_planned *planned = &planner->plan->functions[number];
	const struct placed_stub *placed = &p->placed[number];
	const struct prof_stub *stub = &placed->stub;
	struct tr_stubs *stubs = &planner->plan->stubs;
	const uint32_t at = stubs->areas[placed->area].offset + placed->offset;
	struct tr_stubs_function *f = &planner->functions[stubs->function_count];
	*f = (struct tr_stubs_function){.start = planned->listed->start,
					.resume = stub->resume,
					.index = stubs->function_count,
					.stub = at,
					.stub_size = stub->size,
					.first_label = stubs->label_count,
					.size = stub->entry_size,
					.kind = (uint8_t)planned->kind,
					.loops = planned->loops || stub->loops,
					.area = placed->area,
					.tail = stub->tail};
	memcpy(f->moved, stub->moved, sizeof(f->moved));
	memcpy(f->original, prof_code_bytes(planner->elf, f->start), f->size);
	memcpy(planner->plan->code + at, stub->code, stub->size);
	for (uint32_t i = 0; i < stub->label_count; i++) {
		struct tr_stubs_label *label = &planner->labels[stubs->label_count++];
		*label = stub->labels[i];
		label->at += at;
		if (label->kind == TR_STUBS_COUNTER)
			label->target = f->index;
	}
	planned->loops = f->loops;
	planned->number = stubs->function_count;
	planner->plan->names[stubs->function_count++] = planned->listed->name;
}

/* Makes the arrays of the plan from what has a place. */
static bool assemble_plan(struct placement *p)
{
	struct prof_planner *planner = p->planner;
	struct prof_plan *plan = planner->plan;
	struct tr_stubs *stubs = &plan->stubs;
	size_t labels = 0;
	for (unsigned i = 0; i < TR_STUBS_AREAS; i++) {
		stubs->areas[i].offset = stubs->code_size;
		stubs->areas[i].size = (uint32_t)round_to(p->used[i], PAGE);
		stubs->code_size += stubs->areas[i].size;
	}
	for (size_t i = 0; i < plan->count; i++)
		if (plan->functions[i].refusal == PROF_COUNTED)
			labels += p->placed[i].stub.label_count;
	plan->code = calloc(1, (size_t)stubs->code_size + 1);
	plan->names = calloc(plan->count, sizeof(*plan->names));
	planner->functions = calloc(plan->count, sizeof(*planner->functions));
	planner->labels = calloc(labels + 1, sizeof(*planner->labels));
	stubs->functions = planner->functions;
	stubs->labels = planner->labels;
	if (!plan->code || !plan->names || !planner->functions || !planner->labels)
		return blame_planner(planner, "out of memory");
	for (size_t i = 0; i < plan->count; i++)
		if (plan->functions[i].refusal == PROF_COUNTED)
			append_function(p, i);
	stubs->counters = stubs->function_count;
	return true;
}

/* The places at which an area may begin. */
struct interval {
	int64_t low, high;
};

/* Restricts an interval to the places from which what is `offset` bytes behind them
 * reaches `target` by distances from `least` to `most`. */
static void restrict_reach(struct interval *interval, uint32_t offset, uint64_t target,
			   int64_t least, int64_t most)
{
	const int64_t low = (int64_t)target - most - offset;
	const int64_t high = (int64_t)target - least - offset;
	if (interval->low < low)
		interval->low = low;
	if (interval->high > high)
		interval->high = high;
}

/* jal reaches from -2^20 to 2^20 - 2; auipc with a part of 12 bits, which is signed, from
 * -2^31 - 2^11 to 2^31 - 2^11 - 1. */
static void restrict_label(struct interval *interval, uint32_t offset,
			   const struct tr_stubs_label *label)
{
	if (label->kind == TR_STUBS_JUMP)
		restrict_reach(interval, offset, label->target, -(1 << 20),
			       (1 << 20) - 2);
	else if (label->kind != TR_STUBS_COUNTER)
		restrict_reach(interval, offset, label->target, -FAR_REACH - 2048,
			       FAR_REACH - 2049);
}

/* The entry jumps to the stub: the distances are the negative ones. */
static void restrict_entry(struct interval *interval, uint32_t offset,
			   const struct tr_stubs_function *f)
{
	if (f->kind == TR_STUBS_NEAR)
		restrict_reach(interval, offset, f->start, 2 - (1 << 20), 1 << 20);
	else
		restrict_reach(interval, offset, f->start, 2049 - FAR_REACH,
			       FAR_REACH + 2048);
}

/* Finds where an area may begin: all jumps reach, and it is apart from the program. */
static bool find_interval(struct placement *p, unsigned number)
{
	struct tr_stubs *stubs = &p->planner->plan->stubs;
	struct tr_stubs_area *area = &stubs->areas[number];
	struct interval interval = {p->top, INT64_MAX / 2};
	if (number == BELOW)
		interval = (struct interval){p->planner->elf->movable ? -INT64_MAX / 2
								      : LOWEST_ADDRESS,
					     p->bottom - area->size};
	for (uint32_t i = 0; i < stubs->function_count; i++) {
		const struct tr_stubs_function *f = &stubs->functions[i];
		const uint32_t end = i + 1 < stubs->function_count
					 ? stubs->functions[i + 1].first_label
					 : stubs->label_count;
		if (f->area != number)
			continue;
		restrict_entry(&interval, f->stub - area->offset, f);
		for (uint32_t k = f->first_label; k < end; k++)
			restrict_label(&interval, stubs->labels[k].at - area->offset,
				       &stubs->labels[k]);
	}
	interval.low = round_to(interval.low, PAGE);
	interval.high &= -PAGE;
	/* Unsigned, as in the file, the places are in order only on one side of 0. */
	if (interval.low < 0 && interval.high >= 0)
		interval.high = -PAGE;
	if (area->size && interval.low > interval.high)
		return blame_planner(p->planner, "its stubs have no place");
	if (area->size) {
		area->lowest = (uint64_t)interval.low;
		area->highest = (uint64_t)interval.high;
	}
	return true;
}

static void measure_program(struct placement *p)
{
	const struct prof_elf *elf = p->planner->elf;
	const struct prof_segment *last = &elf->segments[elf->segment_count - 1];
	p->bottom = (int64_t)elf->segments[0].address & -PAGE;
	p->top = round_to((int64_t)(last->address + last->size), PAGE);
}

/* Counters are above all else. */
static void place_counters(struct placement *p)
{
	struct tr_stubs *stubs = &p->planner->plan->stubs;
	const struct tr_stubs_area *above = &stubs->areas[ABOVE];
	stubs->image.counters =
	    above->size ? above->lowest + above->size : (uint64_t)p->top;
}

bool prof_place_stubs(struct prof_planner *planner)
{
	struct placement p = {.planner = planner};
	const size_t count = planner->plan->count;
	measure_program(&p);
	p.below = calloc(count, sizeof(*p.below));
	p.placed = calloc(count, sizeof(*p.placed));
	bool good = p.below && p.placed;
	if (good) {
		put_stubs(&p, round_to(choose_below(&p), PAGE));
		good = assemble_plan(&p) && find_interval(&p, BELOW) &&
		       find_interval(&p, ABOVE);
		place_counters(&p);
	} else {
		blame_planner(planner, "out of memory");
	}
	free(p.below);
	free(p.placed);
	return good;
}
