/* SPDX-License-Identifier: Apache-2.0 */
#include "memory/typed.h"

#include <stdlib.h>

#include "base/buffer.h"
#include "base/map.h"
#include "stream/mode.h"

struct insn {
	uint64_t pc, address; /* executed, and in the file */
	uint32_t space, binary;
	uint8_t size, kind; /* of the access */
	const char *name;
	enum tr_data_evidence evidence;
};

struct tr_typed {
	const struct tr_places *places;
	struct insn *insns;
	size_t count, room;
	struct tr_map ids;	      /* by pc, space and access, probing key + 1, ... */
	struct tr_data_types **types; /* by binary */
	uint32_t ntypes;
};

struct tr_typed *tr_typed_new(const struct tr_places *places)
{
	struct tr_typed *t = calloc(1, sizeof(*t));
	if (t)
		t->places = places;
	return t;
}

void tr_typed_free(struct tr_typed *t)
{
	if (!t)
		return;
	for (uint32_t i = 0; i < t->ntypes; i++)
		tr_data_types_close(t->types[i]);
	tr_map_free(&t->ids);
	free(t->types);
	free(t->insns);
	free(t);
}

uint32_t tr_typed_insn(struct tr_typed *t, const struct tr_context *context, uint64_t pc,
		       const struct tr_access *access)
{
	struct insn insn = {.pc = pc,
			    .space = tr_note_space(context),
			    .size = access->size,
			    .kind = access->kind & (TR_ACCESS_LOAD | TR_ACCESS_STORE)};
	uint64_t key = tr_mix(pc) ^ ((uint64_t)insn.space << 16) ^
		       ((uint64_t)insn.kind << 8) ^ insn.size;
	uint32_t id;
	for (; (id = tr_map_get(&t->ids, key)) != TR_MAP_NONE; key++) {
		const struct insn *known = &t->insns[id];
		if (known->pc == pc && known->space == insn.space &&
		    known->size == insn.size && known->kind == insn.kind)
			return id;
	}
	if (!tr_places_code(t->places, context, pc, &insn.binary, &insn.address))
		return UINT32_MAX;
	id = (uint32_t)t->count;
	if (id >= TR_TYPED_NOMEM - 1 ||
	    !tr_grow(&t->insns, &t->room, t->count + 1, sizeof(insn)) ||
	    !tr_map_set(&t->ids, key, id))
		return TR_TYPED_NOMEM;
	t->insns[t->count++] = insn;
	return id;
}

static int compare_insns(const void *left, const void *right)
{
	const struct insn *a = *(const struct insn *const *)left,
			  *b = *(const struct insn *const *)right;
	if (a->binary != b->binary)
		return a->binary < b->binary ? -1 : 1;
	if (a->address != b->address)
		return a->address < b->address ? -1 : 1;
	return (a > b) - (a < b);
}

/* Looks up instructions of one binary. */
static int find_in_binary(struct tr_typed *t, struct insn **order, size_t count)
{
	const uint32_t binary = order[0]->binary;
	const struct tr_image *image = tr_places_image(t->places, binary);
	struct tr_data_question *questions = calloc(count, sizeof(*questions));
	if (!questions)
		return TR_E_NOMEM;
	for (size_t i = 0; i < count; i++)
		questions[i] = (struct tr_data_question){
		    .address = order[i]->address,
		    .is_load = order[i]->kind & TR_ACCESS_LOAD,
		    .is_store = order[i]->kind & TR_ACCESS_STORE,
		    .size = order[i]->size};
	int status = TR_OK;
	if (image)
		status = tr_data_types_open(&t->types[binary], image, questions, count);
	for (size_t i = 0; image && i < count && !status; i++)
		order[i]->name =
		    tr_data_types_get(t->types[binary], i, &order[i]->evidence);
	free(questions);
	return status;
}

int tr_typed_find(struct tr_typed *t)
{
	struct insn **order = calloc(t->count + 1, sizeof(*order));
	t->ntypes = tr_places_binaries(t->places);
	t->types = calloc(t->ntypes + 1UL, sizeof(struct tr_data_types *));
	int status = order && t->types ? TR_OK : TR_E_NOMEM;
	if (!t->types)
		t->ntypes = 0;
	for (size_t i = 0; i < t->count && !status; i++)
		order[i] = &t->insns[i];
	if (!status)
		qsort(order, t->count, sizeof(struct insn *), compare_insns);
	for (size_t first = 0, end; first < t->count && !status; first = end) {
		for (end = first + 1;
		     end < t->count && order[end]->binary == order[first]->binary; end++)
			;
		status = find_in_binary(t, order + first, end - first);
	}
	free(order);
	return status;
}

const char *tr_typed_get(const struct tr_typed *t, uint32_t insn, uint32_t *binary,
			 enum tr_data_evidence *evidence)
{
	*binary = t->insns[insn].binary;
	*evidence = t->insns[insn].evidence;
	return t->insns[insn].name;
}

const char *tr_typed_message(const struct tr_typed *t, uint32_t binary)
{
	const struct tr_data_types *types = binary < t->ntypes ? t->types[binary] : NULL;
	return types && *tr_data_types_message(types) ? tr_data_types_message(types)
						      : NULL;
}
