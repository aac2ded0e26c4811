/* SPDX-License-Identifier: Apache-2.0 */
#include "image/data_functions.h"

#include <stdlib.h>

#include "image/image_query_state.h"

enum { ORIGINS = 8 };

struct range {
	uint64_t low, high, die;
};

struct data_functions {
	struct tr_query *query;
	struct range *by_address, *by_die;
	size_t count;
	struct tr_map entries; /* number in the query's code; TR_MAP_NONE - 1: several */
};

static int compare_addresses(const void *left, const void *right)
{
	const struct range *a = left, *b = right;
	if (a->low != b->low)
		return a->low < b->low ? -1 : 1;
	return (a->die > b->die) - (a->die < b->die);
}

static int compare_dies(const void *left, const void *right)
{
	const struct range *a = left, *b = right;
	if (a->die != b->die)
		return a->die < b->die ? -1 : 1;
	return (a->low > b->low) - (a->low < b->low);
}

/* Adds the ranges of a function. Returns false when out of memory. */
static bool add_ranges(struct data_functions *f, uint64_t offset, size_t *room)
{
	struct tr_buffer list = {0};
	Dwarf_Die die = tr_query_die(f->query, offset);
	const size_t count = die ? tr_query_ranges(f->query, die, &list) : 0;
	const uint64_t *bounds = (const uint64_t *)(void *)list.data;
	bool good = !list.failed && tr_grow(&f->by_address, room, f->count + count + 1,
					    sizeof(*f->by_address));
	dwarf_dealloc_die(die);
	for (size_t i = 0; good && i < count; i++)
		f->by_address[f->count++] =
		    (struct range){bounds[2 * i], bounds[2 * i + 1], offset};
	tr_buffer_free(&list);
	return good;
}

static bool read_functions(struct data_functions *f)
{
	const struct query_code *code = (const void *)f->query->code.data;
	const size_t count = f->query->code.size / sizeof(*code);
	size_t room = 0, die_room = 0;
	for (size_t i = 0; i < count; i++) {
		const bool is_first =
		    tr_map_get(&f->entries, code[i].entry) == TR_MAP_NONE;
		if (!add_ranges(f, code[i].die, &room) ||
		    !tr_map_set(&f->entries, code[i].entry,
				is_first ? (uint32_t)i : TR_MAP_NONE - 1))
			return false;
	}
	if (!tr_grow(&f->by_die, &die_room, f->count + 1, sizeof(*f->by_die)))
		return false;
	for (size_t i = 0; i < f->count; i++)
		f->by_die[i] = f->by_address[i];
	if (f->count) {
		qsort(f->by_address, f->count, sizeof(*f->by_address), compare_addresses);
		qsort(f->by_die, f->count, sizeof(*f->by_die), compare_dies);
	}
	return true;
}

struct data_functions *tr_data_functions_new(struct tr_query *query)
{
	struct data_functions *f = calloc(1, sizeof(*f));
	if (!f)
		return NULL;
	f->query = query;
	if (read_functions(f))
		return f;
	tr_data_functions_free(f);
	return NULL;
}

void tr_data_functions_free(struct data_functions *f)
{
	if (!f)
		return;
	tr_map_free(&f->entries);
	free(f->by_address);
	free(f->by_die);
	free(f);
}

uint64_t tr_data_functions_at(const struct data_functions *f, uint64_t pc)
{
	size_t low = 0, high = f->count;
	while (low < high) {
		const size_t middle = low + (high - low) / 2;
		if (f->by_address[middle].low <= pc)
			low = middle + 1;
		else
			high = middle;
	}
	if (!low || pc >= f->by_address[low - 1].high)
		return 0;
	const struct range *at = &f->by_address[low - 1];
	const bool is_shared = low > 1 && at[-1].high > at->low;
	return is_shared ? 0 : at->die;
}

bool tr_data_functions_range(const struct data_functions *f, uint64_t die, size_t i,
			     uint64_t *low, uint64_t *high)
{
	size_t first = 0, end = f->count;
	while (first < end) {
		const size_t middle = first + (end - first) / 2;
		if (f->by_die[middle].die < die)
			first = middle + 1;
		else
			end = middle;
	}
	if (first + i >= f->count || f->by_die[first + i].die != die)
		return false;
	*low = f->by_die[first + i].low;
	*high = f->by_die[first + i].high;
	return true;
}

static const struct query_code *code_at(const struct data_functions *f, uint64_t address)
{
	const struct query_code *code = (const void *)f->query->code.data;
	const uint32_t i = tr_map_get(&f->entries, address);
	return i >= TR_MAP_NONE - 1 ? NULL : &code[i];
}

struct data_callee tr_data_functions_call(const struct data_functions *f,
					  uint64_t address)
{
	const struct query_code *code = code_at(f, address);
	struct data_callee callee = {.type = 0};
	if (!code)
		return callee;
	callee.type = tr_query_type_of(f->query, code->die);
	uint64_t offset = code->die;
	for (unsigned i = 0; i < ORIGINS && offset && !callee.is_noreturn; i++) {
		Dwarf_Die die = tr_query_die(f->query, offset);
		callee.is_noreturn = die && tr_query_flag(die, DW_AT_noreturn);
		dwarf_dealloc_die(die);
		offset = tr_query_origin(f->query, offset);
	}
	return callee;
}

bool tr_data_functions_is_entry(const struct data_functions *f, uint64_t address)
{
	return tr_map_get(&f->entries, address) != TR_MAP_NONE;
}
