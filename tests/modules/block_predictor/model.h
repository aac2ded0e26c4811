// SPDX-License-Identifier: Apache-2.0
// A model of the predictor of blocks, which counts the cases that it meets.
#ifndef BLOCK_PREDICTOR_MODEL_H
#define BLOCK_PREDICTOR_MODEL_H

#include <cstdint>

#include "../covered.h"
#include "tables.h"

// The default size; the makefile also tests others.
#ifndef BTBSETS
#define BTBSETS	 256
#define COUNTERS 4096
#define BRANCHES 1024
#define TARGETS	 128
#define RAS	 8
#endif

enum { BLOCK = 16, WAYS = 2, HISTORY_BITS = 7, PATHS = 1 << HISTORY_BITS };
enum kind { NONE, BRANCH, JUMP, RETURN }; // soc_pkg::kind_e

// An executed instruction; pc is the address of its last halfword.
struct outcome {
	uint64_t pc;
	enum kind kind;
	bool taken;
	uint64_t target;
	bool push, is_long, indirect = false;
};

// ooo_pkg::snapshot_t
struct snapshot {
	unsigned history, ras;
	uint64_t top;
};

struct entry {
	bool valid;
	uint64_t tag;
	unsigned last;
	enum kind kind;
	bool push, indirect;
	uint64_t target;
};

struct model {
	struct entry btb[BTBSETS][WAYS];
	unsigned victim[BTBSETS];
	directions<COUNTERS, BRANCHES> ways;
	targets<TARGETS> indirect;
	uint64_t path[PATHS]; // by number
	bool has_path[PATHS];
	uint64_t ras[RAS];
	bool known[RAS]; // pushed since power-on
	unsigned history, top;
};

struct prediction {
	bool taken;
	const struct entry *entry;
	uint64_t target; // but of a return
};

// Cases of the random run.
enum {
	WAY0_FIRST,
	WAY1_FIRST,
	SECOND_TAKEN,
	ENTERED_BEHIND,
	RETURNS,
	INDIRECT,
	PATH_RESTORED,
	REDIRECTED_ADVANCE,
	CALL_REDIRECTED,
	RETURN_REDIRECTED,
	REPLACED0,
	REPLACED1,
	OTHER_HALF_REPLACED,
	TWO_TO_ONE,
	OTHER_HALF_REMOVED,
	JUMP_TO_BRANCH,
	NO_JUMP,
	CASES
};
static struct covered_case covered[CASES] = {
    {"of two that are taken, way 0 is the first", 0},
    {"of two that are taken, way 1 is the first", 0},
    {"the first of two is not taken", 0},
    {"the block is entered behind a jump", 0},
    {"a return is predicted", 0},
    {"an indirect jump goes by its path", 0},
    {"a redirect to another path", 0},
    {"a redirect during an advance", 0},
    {"a call redirects", 0},
    {"a return redirects", 0},
    {"an entry of way 0 is replaced", 0},
    {"an entry of way 1 is replaced", 0},
    {"the entry of the first halfword is replaced", 0},
    {"an instruction has two entries", 0},
    {"the entry of the first halfword is removed", 0},
    {"a jump becomes a branch that is not taken", 0},
    {"a jump becomes no jump", 0},
};

static void cover(unsigned which, bool occurred)
{
	covered[which].count += occurred;
}

static uint64_t block_of(uint64_t pc)
{
	return pc & ~UINT64_C(15);
}

static unsigned halfword_of(uint64_t pc)
{
	return static_cast<unsigned>(pc / 2 % 8);
}

static uint64_t tag_of(uint64_t pc)
{
	return (pc & 0xffffffffff) / BLOCK / BTBSETS;
}

static struct entry *set_of(struct model *m, uint64_t pc)
{
	return m->btb[pc / BLOCK % BTBSETS];
}

// Targets and links are stored as their lower 40 bits and sign-extended.
static uint64_t extended(uint64_t target)
{
	return target & UINT64_C(1) << 39 ? target | ~UINT64_C(0) << 40
					  : target & ((UINT64_C(1) << 40) - 1);
}

static void set_path(struct model *m, unsigned history, uint64_t path)
{
	m->history = history;
	m->path[history] = path;
	m->has_path[history] = true;
}

static void model_reset(struct model *m)
{
	for (unsigned i = 0; i < BTBSETS; i++) {
		m->victim[i] = 0;
		m->btb[i][0].valid = m->btb[i][1].valid = false;
	}
	m->ways.reset();
	m->indirect.reset();
	m->top = 0;
	set_path(m, 0, 0);
}

// Returns whether the entry is of the block, and not before the place of entry.
static bool is_ahead(const struct entry *e, uint64_t pc)
{
	return e->valid && e->tag == tag_of(pc) && e->last >= halfword_of(pc);
}

static bool is_taken(struct model *m, const struct entry *e, uint64_t pc)
{
	uint64_t at = block_of(pc) + 2 * e->last;

	return is_ahead(e, pc) &&
	       (e->kind != BRANCH || m->ways.predict(place_of(at), m->path[m->history]));
}

static uint64_t target_of(struct model *m, const struct entry *e, uint64_t pc)
{
	uint64_t at = block_of(pc) + 2 * e->last;
	const target_entry *known;

	if (e->kind != JUMP || !e->indirect)
		return e->target;
	known = m->indirect.predict(place_of(at), m->path[m->history]);
	cover(INDIRECT, known);
	return known ? extended(known->target << 1) : e->target;
}

static struct prediction predict(struct model *m, uint64_t pc)
{
	const struct entry *set = set_of(m, pc);
	bool second = set[1].last < set[0].last; // the way of the first jump
	const struct entry *first = &set[second], *last = &set[!second];
	bool both = is_taken(m, first, pc) && is_taken(m, last, pc);

	cover(WAY0_FIRST, both && !second);
	cover(WAY1_FIRST, both && second);
	cover(SECOND_TAKEN,
	      is_ahead(first, pc) && !is_taken(m, first, pc) && is_taken(m, last, pc));
	cover(ENTERED_BEHIND,
	      first->valid && first->tag == tag_of(pc) && !is_ahead(first, pc));
	if (is_taken(m, first, pc))
		return {true, first, target_of(m, first, pc)};
	return {is_taken(m, last, pc), last, target_of(m, last, pc)};
}

static void set_top(struct model *m, uint64_t link)
{
	m->ras[m->top] = extended(link);
	m->known[m->top] = true;
}

static void restore(struct model *m, const struct snapshot *from)
{
	cover(PATH_RESTORED, m->history != from->history);
	m->history = from->history;
	m->top = from->ras;
	set_top(m, from->top);
}

// The state moves past an instruction.
static void move(struct model *m, const struct outcome *o)
{
	if (!o->taken)
		return;
	set_path(m, (m->history + 1) % PATHS,
		 m->path[m->history] * 2 ^ o->pc / 2 % 256 ^ o->target / 2 % 512);
	if (o->kind == RETURN)
		m->top = (m->top + RAS - 1) % RAS;
	if (!o->push)
		return;
	m->top = (m->top + 1) % RAS;
	set_top(m, o->pc + 2);
}

static bool covers(const struct outcome *o, const struct entry *e)
{
	if (!e->valid || e->tag != tag_of(o->pc))
		return false;
	return e->last == halfword_of(o->pc) ||
	       (o->is_long && e->last + 1 == halfword_of(o->pc));
}

static unsigned way_for(struct model *m, const struct outcome *o)
{
	const struct entry *set = set_of(m, o->pc);

	for (unsigned way = 0; way < WAYS; way++)
		if (covers(o, &set[way]))
			return way;
	for (unsigned way = 0; way < WAYS; way++)
		if (!set[way].valid)
			return way;
	return m->victim[o->pc / BLOCK % BTBSETS];
}

static void learn_place(struct model *m, const struct outcome *o)
{
	struct entry *set = set_of(m, o->pc);
	unsigned way = way_for(m, o);
	bool known = covers(o, &set[way]);

	if (o->taken) {
		cover(REPLACED0, way == 0 && !known && set[way].valid);
		cover(REPLACED1, way == 1 && !known && set[way].valid);
		cover(OTHER_HALF_REPLACED, known && set[way].last != halfword_of(o->pc));
		cover(TWO_TO_ONE, covers(o, &set[0]) && covers(o, &set[1]));
	}
	for (unsigned i = 0; i < WAYS; i++) {
		struct entry *e = &set[i];
		bool here = covers(o, e) && e->last == halfword_of(o->pc);

		if (!covers(o, e) || (!o->taken && here && e->kind == o->kind))
			continue;
		cover(OTHER_HALF_REMOVED, !o->taken && !here);
		cover(JUMP_TO_BRANCH, o->kind == BRANCH && !o->taken && here);
		cover(NO_JUMP, o->kind == NONE && here);
		e->valid = false;
	}
	if (!o->taken)
		return;
	set[way] = {true,    tag_of(o->pc), halfword_of(o->pc), o->kind,
		    o->push, o->indirect,   extended(o->target)};
	m->victim[o->pc / BLOCK % BTBSETS] = 1 - way;
}

// Where the BTB says that a jump goes: of an entry that is replaced, 0.
static uint64_t last_target(struct model *m, const struct outcome *o)
{
	for (const struct entry &e : m->btb[o->pc / BLOCK % BTBSETS])
		if (covers(o, &e) && e.last == halfword_of(o->pc))
			return set_of(m, o->pc)[way_for(m, o)].target;
	return 0;
}

static uint64_t stored(uint64_t target)
{
	return target >> 1 & ((UINT64_C(1) << 39) - 1);
}

static void learn(struct model *m, const struct outcome *o, unsigned history)
{
	uint64_t last = last_target(m, o);

	learn_place(m, o);
	if (o->kind == BRANCH)
		m->ways.learn(place_of(o->pc), m->path[history], o->taken);
	if (o->kind == JUMP && o->indirect)
		m->indirect.learn(place_of(o->pc), m->path[history], stored(last),
				  stored(o->target));
}

#endif
