/* SPDX-License-Identifier: Apache-2.0 */
#include "image/data_values.h"

enum { FACTOR_BITS = 32 };

static const struct data_value unknown = {.kind = DATA_VALUE_NONE};

bool tr_data_is_changed_by_call(unsigned reg)
{
	return reg == 1 || (reg >= 5 && reg <= 7) || (reg >= 10 && reg <= 17) ||
	       reg >= 28;
}

static bool is_multiple(const struct data_layouts *l, const struct data_value *a,
			const struct data_value *b)
{
	const int64_t size = (int64_t)tr_data_layout_size(l, a->layout);
	return size > 0 && (a->offset - b->offset) % size == 0;
}

void tr_data_value_add(struct data_layouts *l, struct data_value *to,
		       const struct data_value *more)
{
	if (to->kind == DATA_VALUE_CONFLICT)
		return;
	if (to->kind != DATA_VALUE_POINTER || more->kind == DATA_VALUE_CONFLICT) {
		*to = *more;
		return;
	}
	const int64_t inside = to->offset - more->offset;
	if (to->layout == more->layout && !inside)
		return;
	if (inside >= 0 &&
	    tr_data_layout_contains(l, to->layout, (uint64_t)inside, more->layout))
		return;
	if (inside <= 0 &&
	    tr_data_layout_contains(l, more->layout, (uint64_t)-inside, to->layout))
		*to = *more;
	else
		to->kind = DATA_VALUE_CONFLICT;
}

bool tr_data_value_join(const struct data_layouts *l, struct data_value *to,
			const struct data_value *more, bool is_back)
{
	struct data_value joined = unknown;
	if (to->kind == DATA_VALUE_NONE)
		return false;
	if (more->kind == to->kind && more->layout == to->layout) {
		const bool is_array = to->is_array || more->is_array,
			   is_pointer = to->kind == DATA_VALUE_POINTER;
		if (to->offset == more->offset ||
		    (is_pointer && (is_back || is_array) && is_multiple(l, to, more))) {
			joined = *to;
			joined.is_array = is_array || to->offset != more->offset;
		}
	}
	const bool is_changed =
	    joined.kind != to->kind || joined.is_array != to->is_array;
	*to = joined;
	return is_changed;
}

void tr_data_state_overlay(const struct data_layouts *l, struct data_state *state,
			   const struct data_state *facts)
{
	for (unsigned r = 1; r < DATA_REGISTERS; r++) {
		const struct data_value *fact = &facts->x[r];
		struct data_value *to = &state->x[r];
		if (fact->kind == DATA_VALUE_NONE)
			continue;
		const bool is_array = to->kind == DATA_VALUE_POINTER && to->is_array &&
				      to->layout == fact->layout &&
				      is_multiple(l, to, fact);
		*to = fact->kind == DATA_VALUE_POINTER ? *fact : unknown;
		to->is_array = is_array;
	}
}

/* ------------------------------------------------------------ multiples */

/* Returns a factor of a value, or what is not known if the factor is large. */
static struct data_value scaled(uint32_t origin, int64_t factor)
{
	const bool is_small =
	    factor < INT64_C(1) << FACTOR_BITS && factor > -(INT64_C(1) << FACTOR_BITS);
	return is_small ? (struct data_value){.kind = DATA_VALUE_SCALED,
					      .layout = origin,
					      .offset = factor}
			: unknown;
}

/* Names a register's value after an instruction, which has named another one before if it
 * is in a loop. */
static struct data_value name_value(struct data_state *state, unsigned reg,
				    uint32_t number)
{
	for (unsigned r = 1; r < DATA_REGISTERS; r++)
		if (state->x[r].kind == DATA_VALUE_SCALED && state->x[r].layout == number)
			state->x[r] = unknown;
	return state->x[reg] = scaled(number, 1);
}

/* Returns a register's value, which gets a name if it has none. */
static struct data_value value_of(struct data_state *state, unsigned reg, uint32_t number)
{
	if (!reg)
		return scaled(0, 0);
	return state->x[reg].kind == DATA_VALUE_NONE ? name_value(state, reg, number)
						     : state->x[reg];
}

static struct data_value multiply(struct data_value a, struct data_value b)
{
	if (a.kind != DATA_VALUE_SCALED || b.kind != DATA_VALUE_SCALED ||
	    (a.layout && b.layout))
		return unknown;
	return scaled(a.layout | b.layout, a.offset * b.offset);
}

/* Returns a pointer to another element of an array. A structure that ends in an array
 * without a size is no element. */
static struct data_value index_array(const struct data_layouts *l, struct data_value base,
				     struct data_value more)
{
	const int64_t size = (int64_t)tr_data_layout_size(l, base.layout);
	if (!more.layout)
		base.offset += more.offset;
	else if ((more.offset == size || more.offset == -size) &&
		 !tr_data_layout_is_open(l, base.layout))
		base.is_array = true;
	else
		return unknown;
	return base;
}

static struct data_value add_values(const struct data_layouts *l, struct data_value a,
				    struct data_value b)
{
	if (a.kind == DATA_VALUE_SCALED && b.kind == DATA_VALUE_SCALED)
		return a.layout == b.layout ? scaled(a.layout, a.offset + b.offset)
					    : unknown;
	if (a.kind == DATA_VALUE_POINTER && b.kind == DATA_VALUE_SCALED)
		return index_array(l, a, b);
	if (b.kind == DATA_VALUE_POINTER && a.kind == DATA_VALUE_SCALED)
		return index_array(l, b, a);
	return unknown;
}

static struct data_value step_arithmetic(const struct data_layouts *l,
					 struct data_state *state,
					 const struct data_insn *insn)
{
	const struct data_step *step = &insn->step;
	/* Two values cannot have the name of one instruction. */
	const bool is_shift = step->kind == DATA_STEP_SHIFT;
	struct data_value a = is_shift	  ? value_of(state, step->rs1, insn->number)
			      : step->rs1 ? state->x[step->rs1]
					  : scaled(0, 0);
	struct data_value b = step->rs2 ? state->x[step->rs2] : scaled(0, 0);
	const struct data_value power = scaled(0, INT64_C(1) << (step->imm & 31));
	switch (step->kind) {
	case DATA_STEP_SHIFT:
		return multiply(a, power);
	case DATA_STEP_SUM:
		if (step->imm)
			a = multiply(value_of(state, step->rs1, insn->number), power);
		return add_values(l, a, b);
	case DATA_STEP_DIFFERENCE:
		return add_values(l, a, multiply(b, scaled(0, -1)));
	default:
		if (b.kind == DATA_VALUE_SCALED && !b.layout)
			a = value_of(state, step->rs1, insn->number);
		else if (a.kind == DATA_VALUE_SCALED && !a.layout)
			b = value_of(state, step->rs2, insn->number);
		return multiply(a, b);
	}
}

/* ------------------------------------------------------------ steps */

static struct data_value load_value(struct data_layouts *l, const struct data_insn *insn,
				    const struct data_value *base)
{
	struct data_value value = unknown;
	if (insn->loaded.kind == DATA_VALUE_POINTER)
		return insn->loaded;
	if (base->kind != DATA_VALUE_POINTER || insn->step.size != 8)
		return value;
	int64_t offset = base->offset + insn->step.imm;
	const int64_t size = (int64_t)tr_data_layout_size(l, base->layout);
	if (base->is_array)
		offset = (offset % size + size) % size;
	if (offset < 0 || offset >= size)
		return value;
	value.layout = tr_data_layout_pointer(l, base->layout, (uint64_t)offset);
	if (value.layout != TR_LAYOUT_NONE)
		value.kind = DATA_VALUE_POINTER;
	return value.kind ? value : unknown;
}

/* The value must be that of the variable that the register gets, if there is one. */
static void set_value(struct data_layouts *l, struct data_state *state, unsigned reg,
		      const struct data_insn *insn, struct data_value value)
{
	if (insn->defined.kind != DATA_VALUE_NONE)
		tr_data_value_add(l, &value, &insn->defined);
	state->x[reg] = value.kind == DATA_VALUE_CONFLICT ? unknown : value;
}

static void step_call(struct data_layouts *l, struct data_state *state,
		      const struct data_insn *insn)
{
	for (unsigned r = 1; r < DATA_REGISTERS; r++)
		if (tr_data_is_changed_by_call(r))
			state->x[r] = unknown;
	struct data_value value = {.kind = DATA_VALUE_POINTER, .layout = insn->returned};
	if (insn->step.kind == DATA_STEP_CALL)
		set_value(l, state, DATA_A0, insn,
			  insn->returned == TR_LAYOUT_NONE ? unknown : value);
}

/* Returns rs1 + imm. A copy may be what a multiple is added to. */
static struct data_value step_add(struct data_state *state, const struct data_insn *insn)
{
	const struct data_step *step = &insn->step;
	struct data_value value = step->rs1 && step->imm
				      ? state->x[step->rs1]
				      : value_of(state, step->rs1, insn->number);
	if (value.kind == DATA_VALUE_SCALED && value.layout && step->imm)
		return unknown;
	value.offset += step->imm;
	return value.kind == DATA_VALUE_NONE ? unknown : value;
}

void tr_data_state_step(struct data_layouts *l, struct data_state *state,
			const struct data_insn *insn)
{
	const struct data_step *step = &insn->step;
	struct data_value value = unknown;
	switch (step->kind) {
	case DATA_STEP_ADD:
		value = step_add(state, insn);
		break;
	case DATA_STEP_SHIFT:
	case DATA_STEP_SUM:
	case DATA_STEP_DIFFERENCE:
	case DATA_STEP_PRODUCT:
		value = step_arithmetic(l, state, insn);
		break;
	case DATA_STEP_LOAD:
		value = load_value(l, insn, &state->x[step->rs1]);
		break;
	case DATA_STEP_CALL:
	case DATA_STEP_TRAP:
		step_call(l, state, insn);
		return;
	case DATA_STEP_UNKNOWN:
		*state = (struct data_state){0};
		return;
	default:
		break;
	}
	if (step->rd)
		set_value(l, state, step->rd, insn, value);
}
