/* SPDX-License-Identifier: Apache-2.0 */
#include "image/data_variables.h"

#include <dwarf.h>
#include <stdlib.h>

#include "image/image_dwarf_die.h"
#include "image/image_query_state.h"

enum { DEPTH = 64 };

struct variable {
	uint64_t address, die;
};

struct data_variables {
	struct variable *list;
	size_t count, room;
	bool failed;
};

static void add_variable(struct data_variables *v, struct tr_query *query, uint64_t die)
{
	const uint64_t address = tr_query_address(query, die);
	if (!address)
		return;
	if (!tr_grow(&v->list, &v->room, v->count + 1, sizeof(*v->list))) {
		v->failed = true;
		return;
	}
	v->list[v->count++] = (struct variable){address, die};
}

static void take_inside(struct data_variables *v, struct tr_query *query,
			Dwarf_Die parent, unsigned depth)
{
	for (Dwarf_Die die = tr_query_child(parent); die && !v->failed;
	     die = tr_query_next(query, die)) {
		const Dwarf_Half tag = tr_query_tag(die);
		const bool is_scope = tag == DW_TAG_subprogram ||
				      tag == DW_TAG_lexical_block ||
				      tag == DW_TAG_namespace;
		if (tag == DW_TAG_variable)
			add_variable(v, query, tr_image_dwarf_offset(die));
		else if (is_scope && depth < DEPTH)
			take_inside(v, query, die, depth + 1);
	}
}

static void take_unit(struct tr_query *query, struct image_dwarf_unit *unit,
		      void *context)
{
	Dwarf_Error error = NULL;
	Dwarf_Die top = NULL;
	if (dwarf_siblingof_b(unit->dbg, NULL, 1, &top, &error) != DW_DLV_OK)
		return;
	take_inside(context, query, top, 0);
	dwarf_dealloc_die(top);
}

static int compare_variables(const void *left, const void *right)
{
	const struct variable *a = left, *b = right;
	if (a->address != b->address)
		return a->address < b->address ? -1 : 1;
	return (a->die > b->die) - (a->die < b->die);
}

struct data_variables *tr_data_variables_new(struct tr_query *query)
{
	struct data_variables *v = calloc(1, sizeof(*v));
	if (!v)
		return NULL;
	if (!tr_query_has_btf(query))
		tr_query_each_unit(query, take_unit, v);
	if (v->failed) {
		tr_data_variables_free(v);
		return NULL;
	}
	if (v->count)
		qsort(v->list, v->count, sizeof(*v->list), compare_variables);
	return v;
}

void tr_data_variables_free(struct data_variables *v)
{
	if (!v)
		return;
	free(v->list);
	free(v);
}

uint64_t tr_data_variables_at(const struct data_variables *v, uint64_t address, size_t i)
{
	size_t low = 0, high = v->count;
	while (low < high) {
		const size_t middle = low + (high - low) / 2;
		if (v->list[middle].address < address)
			low = middle + 1;
		else
			high = middle;
	}
	if (i >= v->count - low || v->list[low + i].address != address)
		return 0;
	return v->list[low + i].die;
}
