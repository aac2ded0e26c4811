/* SPDX-License-Identifier: Apache-2.0 */
#include "image/data_flow.h"

#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "image/data_functions.h"
#include "image/data_scopes.h"
#include "image/data_values.h"

enum { INSNS_MAX = 20000, PASSES_MAX = 64 };

struct insn {
	uint64_t pc;
	struct data_insn data;
	uint32_t target; /* of a branch or jump; UINT32_MAX: none, or elsewhere */
	bool is_leader, is_entry; /* paths meet here; one of them is not known */
	bool has_fall_through, is_reached;
};

struct data_flow {
	struct tr_query *query;
	struct data_layouts *layouts;
	const struct tr_image *image;
	struct data_functions *functions;
	uint64_t function; /* the one that is kept; 0: none */
	struct insn *insns;
	size_t ninsns, insn_room;
	struct data_state *facts; /* variables, by instruction */
	struct data_state *in;	  /* before it: of leaders while following, then of all */
	size_t fact_room, in_room;
	struct data_scopes scopes;
	bool is_followed, failed, is_changed;
};

struct data_flow *tr_data_flow_new(struct tr_query *query, struct data_layouts *layouts,
				   const struct tr_image *image)
{
	struct data_flow *f = calloc(1, sizeof(*f));
	if (!f)
		return NULL;
	f->query = query;
	f->layouts = layouts;
	f->image = image;
	f->functions = tr_data_functions_new(query);
	if (f->functions)
		return f;
	free(f);
	return NULL;
}

void tr_data_flow_free(struct data_flow *f)
{
	if (!f)
		return;
	tr_data_functions_free(f->functions);
	tr_data_scopes_release(&f->scopes);
	free(f->insns);
	free(f->facts);
	free(f->in);
	free(f);
}

bool tr_data_flow_failed(const struct data_flow *f)
{
	return f->failed;
}

/* ------------------------------------------------------------ instructions */

/* Returns the first instruction at or behind an address. */
static size_t first_insn_from(const struct data_flow *f, uint64_t pc)
{
	size_t low = 0, high = f->ninsns;
	while (low < high) {
		const size_t middle = low + (high - low) / 2;
		if (f->insns[middle].pc < pc)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Returns the instruction at an address, or UINT32_MAX. */
static uint32_t insn_at(const struct data_flow *f, uint64_t pc)
{
	const size_t i = first_insn_from(f, pc);
	return i < f->ninsns && f->insns[i].pc == pc ? (uint32_t)i : UINT32_MAX;
}

/* Returns what a call returns a pointer to. */
static uint32_t returned_layout(const struct data_flow *f, const struct data_step *step,
				uint64_t pc)
{
	if (step->kind != DATA_STEP_CALL || step->rs1)
		return TR_LAYOUT_NONE;
	const uint64_t type =
	    tr_data_functions_call(f->functions, pc + (uint64_t)step->imm).type;
	return type ? tr_data_layout_pointed(f->layouts, type) : TR_LAYOUT_NONE;
}

static bool falls_through(const struct data_flow *f, const struct data_step *step,
			  uint64_t pc)
{
	if (step->kind == DATA_STEP_CALL && !step->rs1)
		return !tr_data_functions_call(f->functions, pc + (uint64_t)step->imm)
			    .is_noreturn;
	return step->kind != DATA_STEP_JUMP && step->kind != DATA_STEP_RETURN &&
	       step->kind != DATA_STEP_INDIRECT;
}

/* Returns false if code is missing, or not understood, or there is too much. */
static bool read_range(struct data_flow *f, uint64_t low, uint64_t high)
{
	const uint8_t *code = tr_image_bytes(f->image, low, high - low);
	if (!code)
		return false;
	for (uint64_t pc = low; pc < high;) {
		struct insn insn = {.pc = pc, .target = UINT32_MAX};
		if (f->ninsns == INSNS_MAX ||
		    !tr_data_step(code + (pc - low), high - pc, &insn.data.step) ||
		    !tr_grow(&f->insns, &f->insn_room, f->ninsns + 1, sizeof(insn)))
			return false;
		insn.is_leader = insn.is_entry = pc == low;
		insn.data.number = (uint32_t)f->ninsns + 1;
		insn.data.returned = returned_layout(f, &insn.data.step, pc);
		insn.has_fall_through = falls_through(f, &insn.data.step, pc);
		f->insns[f->ninsns++] = insn;
		pc += insn.data.step.length;
	}
	return true;
}

/* Returns true if a jump to an unknown place leaves the function. */
static bool is_tail_call(const struct data_flow *f, const struct insn *insn)
{
	const struct data_call *calls = (const void *)f->scopes.calls.data;
	for (size_t i = 0; i < f->scopes.calls.size / sizeof(*calls); i++)
		if (calls[i].back == insn->pc + insn->data.step.length)
			return calls[i].is_tail;
	return false;
}

/* Finds where paths meet. An instruction that none of them leads to is reached from
 * elsewhere, as from a table or by an exception. */
static void find_leaders(struct data_flow *f)
{
	f->is_followed = true;
	for (size_t i = 0; i < f->ninsns; i++) {
		struct insn *insn = &f->insns[i];
		const uint8_t kind = insn->data.step.kind;
		if (i && (!f->insns[i - 1].has_fall_through || insn->is_entry))
			insn->is_leader = insn->is_entry = true;
		if (kind == DATA_STEP_INDIRECT && !is_tail_call(f, insn))
			f->is_followed = false;
		if (kind == DATA_STEP_BRANCH || kind == DATA_STEP_JUMP)
			insn->target =
			    insn_at(f, insn->pc + (uint64_t)insn->data.step.imm);
	}
	for (size_t i = 0; i < f->ninsns; i++) {
		const uint32_t target = f->insns[i].target;
		if (target == UINT32_MAX)
			continue;
		f->insns[target].is_leader = true;
		if (!tr_data_functions_is_entry(f->functions, f->insns[target].pc))
			f->insns[target].is_entry = false;
	}
}

/* ------------------------------------------------------------ variables */

/* Returns true if a load is from the frame; sets its offset there. */
static bool frame_offset(struct data_flow *f, const struct insn *insn, int64_t *offset)
{
	unsigned reg = (unsigned)f->scopes.frame_register;
	int64_t cfa = 0;
	if (f->scopes.frame_register < 0 &&
	    !tr_query_frame(f->query, insn->pc, &reg, &cfa))
		return false;
	*offset = insn->data.step.imm - cfa;
	return insn->data.step.rs1 == reg;
}

/* Returns the pointer that a home has at an offset of the frame. */
static struct data_value value_in_frame(struct data_flow *f, const struct data_home *home,
					int64_t offset)
{
	struct data_value value = {.kind = DATA_VALUE_CONFLICT, .layout = home->layout};
	const int64_t inside = offset - home->offset;
	if (home->kind == DATA_HOME_POINTER && inside)
		return value;
	if (home->kind == DATA_HOME_INSIDE)
		value.layout =
		    tr_data_layout_pointer(f->layouts, home->layout, (uint64_t)inside);
	if (value.layout != TR_LAYOUT_NONE)
		value.kind = DATA_VALUE_POINTER;
	return value;
}

static void load_from_frame(struct data_flow *f, struct insn *insn)
{
	const struct data_home *homes = (const void *)f->scopes.homes.data;
	int64_t offset;
	if (!f->scopes.has_frame || insn->data.step.kind != DATA_STEP_LOAD ||
	    !insn->data.step.rd || insn->data.step.size != 8 ||
	    !frame_offset(f, insn, &offset))
		return;
	for (size_t i = 0; i < f->scopes.homes.size / sizeof(*homes); i++) {
		const struct data_home *home = &homes[i];
		if (home->kind == DATA_HOME_REGISTER || home->kind == DATA_HOME_LATER ||
		    insn->pc < home->low || insn->pc >= home->high ||
		    offset < home->offset ||
		    (uint64_t)(offset - home->offset) >= home->size)
			continue;
		/* A spilled variable may have its place only later. */
		if (home->kind == DATA_HOME_POINTER && f->scopes.has_lists &&
		    home->is_later) {
			insn->data.loaded.kind = DATA_VALUE_CONFLICT;
			continue;
		}
		const struct data_value value = value_in_frame(f, home, offset);
		if (value.kind == DATA_VALUE_POINTER)
			tr_data_value_add(f->layouts, &insn->data.loaded, &value);
		else
			insn->data.loaded.kind = DATA_VALUE_CONFLICT;
	}
}

static bool is_written(const struct data_step *step, unsigned reg)
{
	if (step->kind == DATA_STEP_CALL || step->kind == DATA_STEP_TRAP)
		return tr_data_is_changed_by_call(reg);
	return step->kind == DATA_STEP_UNKNOWN || step->rd == reg;
}

/* Returns true if paths meet or part between two instructions, or at the second one. */
static bool has_paths(const struct data_flow *f, size_t first, size_t last)
{
	for (size_t i = first; i < last; i++) {
		const struct insn *insn = &f->insns[i];
		if (f->insns[i + 1].is_leader || insn->target != UINT32_MAX ||
		    !insn->has_fall_through || insn->data.step.kind == DATA_STEP_BRANCH)
			return true;
	}
	return false;
}

/* A variable that gets its value later, and keeps its register from then on, has it from
 * the last instruction that writes the register in its block, if no paths meet or part
 * between these instructions. `count` homes are of one variable. */
static void define_variable(struct data_flow *f, const struct data_home *homes,
			    size_t count)
{
	const struct data_value value = {
	    .kind = DATA_VALUE_POINTER, .layout = homes->layout, .offset = homes->offset};
	size_t first = SIZE_MAX, last = 0;
	for (size_t i = 0; i < count; i++)
		for (size_t at = first_insn_from(f, homes[i].low);
		     at < f->ninsns && f->insns[at].pc < homes[i].high; at++)
			if (is_written(&f->insns[at].data.step, homes->reg)) {
				first = at < first ? at : first;
				last = at > last ? at : last;
			}
	if (first == SIZE_MAX || has_paths(f, first, last))
		return;
	struct insn *insn = &f->insns[last];
	if (insn->data.step.rd == homes->reg ||
	    (insn->data.step.kind == DATA_STEP_CALL && homes->reg == DATA_A0))
		tr_data_value_add(f->layouts, &insn->data.defined, &value);
}

static void define_variables(struct data_flow *f)
{
	const struct data_home *homes = (const void *)f->scopes.homes.data;
	const size_t count = f->scopes.homes.size / sizeof(*homes);
	for (size_t i = 0, end; i < count; i = end) {
		for (end = i + 1; end < count && homes[end].variable == homes[i].variable;
		     end++)
			;
		if (homes[i].kind == DATA_HOME_LATER && homes[i].reg)
			define_variable(f, homes + i, end - i);
	}
}

static void apply_homes(struct data_flow *f)
{
	const struct data_home *homes = (const void *)f->scopes.homes.data;
	bool has_frame = false;
	for (size_t i = 0; i < f->scopes.homes.size / sizeof(*homes); i++) {
		const struct data_home *home = &homes[i];
		const struct data_value value = {.kind = DATA_VALUE_POINTER,
						 .layout = home->layout,
						 .offset = home->offset};
		has_frame |=
		    home->kind == DATA_HOME_POINTER || home->kind == DATA_HOME_INSIDE;
		if (home->kind != DATA_HOME_REGISTER || !home->reg)
			continue;
		for (size_t at = first_insn_from(f, home->low);
		     at < f->ninsns && f->insns[at].pc < home->high; at++)
			tr_data_value_add(f->layouts, &f->facts[at].x[home->reg], &value);
	}
	for (size_t i = 0; has_frame && i < f->ninsns; i++)
		load_from_frame(f, &f->insns[i]);
}

/* ------------------------------------------------------------ following */

static void join_state(struct data_flow *f, uint32_t target,
		       const struct data_state *state, bool is_back)
{
	struct insn *insn = &f->insns[target];
	if (!insn->is_reached) {
		insn->is_reached = f->is_changed = true;
		f->in[target] = *state;
		return;
	}
	for (unsigned r = 1; r < DATA_REGISTERS; r++)
		f->is_changed |= tr_data_value_join(f->layouts, &f->in[target].x[r],
						    &state->x[r], is_back);
}

/* Passes over all instructions once, in the order of their addresses. */
static void pass_insns(struct data_flow *f)
{
	struct data_state state;
	bool is_live = false;
	for (uint32_t i = 0; i < f->ninsns; i++) {
		struct insn *insn = &f->insns[i];
		if (insn->is_leader) {
			if (is_live)
				join_state(f, i, &state, false);
			is_live = insn->is_reached;
			state = f->in[i];
		}
		if (!is_live)
			continue;
		if (!insn->is_leader) {
			insn->is_reached = true;
			f->in[i] = state;
		}
		tr_data_state_overlay(f->layouts, &state, &f->facts[i]);
		tr_data_state_step(f->layouts, &state, &insn->data);
		if (insn->target != UINT32_MAX)
			join_state(f, insn->target, &state, insn->target <= i);
		is_live = insn->has_fall_through;
	}
}

static void follow(struct data_flow *f)
{
	for (size_t i = 0; i < f->ninsns; i++) {
		f->in[i] = (struct data_state){0};
		f->insns[i].is_reached = f->insns[i].is_entry;
	}
	f->is_changed = f->is_followed;
	for (unsigned i = 0; f->is_changed; i++) {
		f->is_changed = false;
		pass_insns(f);
		if (i == PASSES_MAX) {
			f->is_followed = false;
			break;
		}
	}
}

/* ------------------------------------------------------------ functions */

static bool make_room(struct data_flow *f)
{
	if (!tr_grow(&f->facts, &f->fact_room, f->ninsns, sizeof(*f->facts)) ||
	    !tr_grow(&f->in, &f->in_room, f->ninsns, sizeof(*f->in))) {
		f->failed = true;
		return false;
	}
	memset(f->facts, 0, f->ninsns * sizeof(*f->facts));
	return true;
}

/* Reads the function of an address, unless it is the one that is kept. Without one that
 * can be read there are no instructions. */
static void need_function(struct data_flow *f, uint64_t pc)
{
	const uint64_t die = tr_data_functions_at(f->functions, pc);
	if (die == f->function)
		return;
	f->function = die;
	f->ninsns = 0;
	tr_data_scopes_release(&f->scopes);
	f->scopes = (struct data_scopes){.has_frame = false};
	bool good = die != 0;
	uint64_t low, high;
	for (size_t i = 0;
	     good && tr_data_functions_range(f->functions, die, i, &low, &high); i++)
		good = read_range(f, low, high);
	if (!good || !f->ninsns || !make_room(f)) {
		f->ninsns = 0;
		return;
	}
	tr_data_scopes_read(&f->scopes, f->query, f->layouts, die);
	f->failed |= f->scopes.homes.failed || f->scopes.calls.failed;
	if (f->failed) {
		f->ninsns = 0;
		return;
	}
	find_leaders(f);
	apply_homes(f);
	define_variables(f);
	follow(f);
}

bool tr_data_flow_at(struct data_flow *f, uint64_t pc, struct data_base *base)
{
	need_function(f, pc);
	const uint32_t i = insn_at(f, pc);
	if (i == UINT32_MAX)
		return false;
	const struct data_step *step = &f->insns[i].data.step;
	struct data_state state = {0};
	if (f->is_followed && f->insns[i].is_reached)
		state = f->in[i];
	tr_data_state_overlay(f->layouts, &state, &f->facts[i]);
	const struct data_value *value = &state.x[step->rs1];
	if ((step->kind != DATA_STEP_LOAD && step->kind != DATA_STEP_STORE &&
	     step->kind != DATA_STEP_ATOMIC) ||
	    value->kind != DATA_VALUE_POINTER)
		return false;
	*base = (struct data_base){.layout = value->layout,
				   .offset = value->offset + step->imm,
				   .is_array = value->is_array,
				   .is_variable = f->facts[i].x[step->rs1].kind ==
						  DATA_VALUE_POINTER,
				   .is_store = step->kind == DATA_STEP_STORE,
				   .is_atomic = step->kind == DATA_STEP_ATOMIC,
				   .size = step->size};
	return true;
}
