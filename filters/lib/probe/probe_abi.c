/* SPDX-License-Identifier: Apache-2.0 */
/* The calling convention of the RISC-V psABI: where parameters and results are.
 *
 * Integers take a register, those of twice its size two, of which the second may be on
 * the stack. With hard floating point, real numbers take a floating-point register, and
 * so do structures of one or two members of which one is real. Other structures up to
 * twice the size of a register are passed as integers of their size are, larger ones by
 * their address, as objects of C++ that cannot be copied as bytes are. */
#include "probe/probe_compile.h"

enum { ARGUMENTS = 8, A0 = 10, FLATTEN_DEEP = 8 };

struct state {
	struct compiler *compiler;
	unsigned x, f; /* registers taken */
	uint64_t stack;
};

struct leaf {
	bool is_float;
	uint64_t size, offset;
};
struct leaves {
	struct leaf leaf[2];
	unsigned count; /* 3: more than fit */
	bool unknown;
};

static void add_leaf(struct leaves *leaves, bool is_float, uint64_t size, uint64_t offset)
{
	if (leaves->count < 2)
		leaves->leaf[leaves->count] = (struct leaf){is_float, size, offset};
	if (leaves->count < 3)
		leaves->count++;
}

static void flatten_type(struct state *state, const struct tr_query_type *type,
			 uint64_t offset, struct leaves *leaves, unsigned deep);

static void flatten_members(struct state *state, const struct tr_query_type *type,
			    uint64_t offset, struct leaves *leaves, unsigned deep)
{
	struct tr_query *query = state->compiler->query;
	struct tr_query_member member;
	struct tr_query_type inner;
	for (unsigned i = 0; leaves->count < 3; i++) {
		if (!tr_query_member_at(query, type->die, i, &member))
			return;
		if (!tr_query_type(query, member.type, &inner)) {
			leaves->unknown = true;
			return;
		}
		if (member.bits)
			add_leaf(leaves, false, inner.size, offset + member.offset);
		else
			flatten_type(state, &inner, offset + member.offset, leaves,
				     deep + 1);
	}
}

/* Lists the members of a structure, also of the structures and arrays in it. */
static void flatten_type(struct state *state, const struct tr_query_type *type,
			 uint64_t offset, struct leaves *leaves, unsigned deep)
{
	struct tr_query_type element;
	switch (type->kind) {
	case TR_KIND_INTEGER:
	case TR_KIND_ENUM:
	case TR_KIND_POINTER:
	case TR_KIND_FLOAT:
		add_leaf(leaves, type->kind == TR_KIND_FLOAT, type->size, offset);
		return;
	case TR_KIND_STRUCT:
		if (type->is_union || deep >= FLATTEN_DEEP)
			leaves->count = 3;
		else
			flatten_members(state, type, offset, leaves, deep);
		return;
	case TR_KIND_ARRAY:
		if (!tr_query_element(type, &element))
			leaves->unknown = true;
		else if (type->count > 2)
			leaves->count = 3;
		else
			for (uint64_t i = 0; i < type->count; i++)
				flatten_type(state, &element, offset + i * element.size,
					     leaves, deep + 1);
		return;
	default:
		/* Numbers of 16 bytes are passed as integers. */
		if (type->is_wide)
			leaves->count = 3;
		else
			leaves->unknown = true;
	}
}

static struct abi_part on_stack(struct state *state, uint64_t size, uint64_t align)
{
	uint64_t word = tr_type_word(state->compiler);
	if (align > word)
		state->stack = (state->stack + align - 1) & ~(align - 1);
	struct abi_part part = {.kind = ABI_STACK, .offset = state->stack, .size = size};
	state->stack += (size + word - 1) / word * word;
	return part;
}

static struct abi_part in_register(struct state *state, uint64_t size, uint64_t align)
{
	if (state->x >= ARGUMENTS)
		return on_stack(state, size, align);
	return (struct abi_part){.kind = ABI_X, .reg = A0 + state->x++, .size = size};
}

/* The address of a value that the caller has in memory. */
static void place_address(struct state *state, struct abi_place *place)
{
	uint64_t word = tr_type_word(state->compiler);
	place->by_reference = true;
	place->count = 1;
	place->parts[0] = in_register(state, word, word);
}

/* As integers of that size. */
static void place_integer(struct state *state, uint64_t size, uint64_t align,
			  struct abi_place *place)
{
	uint64_t word = tr_type_word(state->compiler);
	place->count = 0;
	if (size == 0)
		return;
	if (size > 2 * word) {
		place_address(state, place);
		return;
	}
	if (size <= word || state->x >= ARGUMENTS) {
		place->parts[place->count++] = in_register(state, size, align);
		return;
	}
	place->parts[place->count++] = in_register(state, word, word);
	place->parts[place->count] = in_register(state, size - word, word);
	place->parts[place->count++].at = word;
}

/* In floating-point registers, if the rules allow it. */
static bool place_float(struct state *state, const struct leaves *leaves,
			struct abi_place *place)
{
	uint64_t word = tr_type_word(state->compiler);
	unsigned floats = 0, integers = 0, width;
	width = tr_query_float_bytes(state->compiler->query);
	if (width == 0 || leaves->count == 0 || leaves->count > 2)
		return false;
	for (unsigned i = 0; i < leaves->count; i++) {
		const struct leaf *leaf = &leaves->leaf[i];
		if (leaf->size > (leaf->is_float ? width : word))
			return false;
		floats += leaf->is_float;
		integers += !leaf->is_float;
	}
	if (floats == 0 || state->f + floats > ARGUMENTS ||
	    state->x + integers > ARGUMENTS)
		return false;
	for (unsigned i = 0; i < leaves->count; i++) {
		const struct leaf *leaf = &leaves->leaf[i];
		place->parts[i] = (struct abi_part){
		    .kind = leaf->is_float ? ABI_F : ABI_X,
		    .reg = A0 + (leaf->is_float ? state->f++ : state->x++),
		    .size = leaf->size,
		    .at = leaf->offset};
	}
	place->count = leaves->count;
	return true;
}

static bool place_value(struct state *state, uint64_t type_die, struct abi_place *place)
{
	struct tr_query_type type;
	struct leaves leaves = {0};
	*place = (struct abi_place){0};
	if (!tr_query_type(state->compiler->query, type_die, &type))
		return false;
	if (type.kind == TR_KIND_ARRAY || type.kind == TR_KIND_FUNCTION) {
		place_integer(state, tr_type_word(state->compiler),
			      tr_type_word(state->compiler), place);
		return true;
	}
	if (type.kind == TR_KIND_VOID || type.is_incomplete ||
	    (type.kind == TR_KIND_OTHER && !type.is_wide))
		return false;
	if (type.kind == TR_KIND_STRUCT &&
	    tr_query_is_passed_by_address(state->compiler->query, type.die)) {
		place_address(state, place);
		return true;
	}
	flatten_type(state, &type, 0, &leaves, 0);
	if (leaves.unknown && type.size <= 2 * (uint64_t)tr_type_word(state->compiler))
		return false;
	if (!place_float(state, &leaves, place))
		place_integer(state, type.size,
			      type.kind == TR_KIND_STRUCT ? tr_type_word(state->compiler)
							  : type.size,
			      place);
	return true;
}

static uint64_t result_type(struct compiler *compiler)
{
	return tr_query_type_of(compiler->query, compiler->function->origin);
}

bool tr_abi_result(struct compiler *compiler, struct abi_place *place)
{
	struct state state = {.compiler = compiler};
	uint64_t type = result_type(compiler);
	return type && place_value(&state, type, place);
}

bool tr_abi_parameter(struct compiler *compiler, unsigned i, struct abi_place *place)
{
	struct state state = {.compiler = compiler};
	struct abi_place result;
	uint64_t die, type;
	/* The caller passes the address of a large result first. */
	if (result_type(compiler)) {
		if (!tr_abi_result(compiler, &result))
			return false;
		state.x = result.by_reference;
	}
	for (unsigned n = 0; n <= i; n++)
		if (!tr_query_parameter(compiler->query, compiler->function, n, &die,
					&type) ||
		    !place_value(&state, type, place))
			return false;
	return true;
}
