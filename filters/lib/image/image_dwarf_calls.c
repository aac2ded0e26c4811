/* SPDX-License-Identifier: Apache-2.0 */
/* Walks the blocks of functions for DW_TAG_inlined_subroutine. */
#include "image/image_dwarf_calls.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/little.h"
#include "image/image_dwarf_titles.h"

struct walk {
	struct image_dwarf_calls *calls;
	const struct image_dwarf_unit *unit;
	bool damaged;
};

/* Index of the function whose DIE is at `offset`. */
static uint32_t function_at(struct walk *walk, uint64_t offset)
{
	struct image_dwarf_calls *calls = walk->calls;
	uint32_t function = tr_map_get(&calls->by_die, offset);
	if (function != TR_MAP_NONE)
		return function;
	function = (uint32_t)calls->nfunctions;
	if (!tr_grow(&calls->functions, &calls->functions_room, calls->nfunctions + 1,
		     sizeof(*calls->functions)) ||
	    !tr_map_set(&calls->by_die, offset, function)) {
		calls->failed = true;
		return 0;
	}
	calls->functions[calls->nfunctions++] =
	    image_dwarf_name_at(walk->unit->dbg, offset);
	return function;
}

static void claim(struct walk *walk, uint32_t call, uint32_t depth)
{
	struct image_dwarf_calls *calls = walk->calls;
	for (size_t i = 0; i < calls->ranges.size; i += IMAGE_INDEX_RANGE_BYTES) {
		const uint8_t *range = calls->ranges.data + i;
		uint64_t low = tr_load64(range), high = tr_load64(range + 8);
		if (image_elf_is_code(calls->elf, low, high))
			image_places_claim(&calls->places,
					   &(struct image_claim){low, high, call, depth});
	}
}

/* Index + 1 of the inlined call that `die` is; `around` if it has no code. */
static uint32_t take(struct walk *walk, Dwarf_Die die, uint32_t around, uint32_t depth)
{
	struct image_dwarf_calls *calls = walk->calls;
	uint64_t first, origin = 0;
	uint32_t count;
	calls->ranges.size = 0;
	int result = image_dwarf_ranges(walk->unit, die, &calls->ranges, &count, &first);
	if (result == DW_DLV_OK)
		result = image_dwarf_reference(die, DW_AT_abstract_origin, &origin);
	walk->damaged |= result == DW_DLV_ERROR;
	if (result != DW_DLV_OK)
		return around;
	if (!tr_grow(&calls->calls, &calls->calls_room, calls->ncalls + 1,
		     sizeof(*calls->calls))) {
		calls->failed = true;
		return around;
	}
	calls->calls[calls->ncalls++] =
	    (struct image_dwarf_call){around, function_at(walk, origin)};
	claim(walk, (uint32_t)calls->ncalls, depth);
	return (uint32_t)calls->ncalls;
}

static void walk_block(struct walk *walk, Dwarf_Die block, uint32_t around,
		       uint32_t depth);

static void visit(struct walk *walk, Dwarf_Die die, uint32_t around, uint32_t depth)
{
	Dwarf_Error error = NULL;
	Dwarf_Half tag = 0;
	/* Deeper calls are charged to the one at the limit. */
	if (dwarf_tag(die, &tag, &error) != DW_DLV_OK || depth == IMAGE_CALLS_DEEP)
		return;
	if (tag == DW_TAG_inlined_subroutine)
		walk_block(walk, die, take(walk, die, around, depth), depth + 1);
	else if (tag == DW_TAG_lexical_block)
		walk_block(walk, die, around, depth + 1);
}

static void walk_block(struct walk *walk, Dwarf_Die block, uint32_t around,
		       uint32_t depth)
{
	Dwarf_Error error = NULL;
	Dwarf_Die child = NULL;
	uint64_t at = image_dwarf_offset(block);
	int result = dwarf_child(block, &child, &error);
	while (result == DW_DLV_OK && !walk->calls->failed) {
		uint64_t next = image_dwarf_offset(child);
		Dwarf_Die sibling = NULL;
		if (next > at) {
			visit(walk, child, around, depth);
			result = dwarf_siblingof_b(walk->unit->dbg, child, 1, &sibling,
						   &error);
		} else {
			result = DW_DLV_ERROR;
		}
		at = next;
		dwarf_dealloc_die(child);
		child = sibling;
	}
	walk->damaged |= result == DW_DLV_ERROR;
}

bool image_dwarf_calls_take(struct image_dwarf_calls *calls,
			    const struct image_dwarf_unit *unit, Dwarf_Die function)
{
	struct walk walk = {.calls = calls, .unit = unit};
	walk_block(&walk, function, 0, 0);
	return !walk.damaged;
}

/* Offset of a title, with the place when the name alone says too little. */
static uint32_t put_title(struct image_dwarf_calls *calls,
			  const struct image_dwarf_titles *titles, size_t title)
{
	const char *name = image_dwarf_title(titles, title);
	const char *place = image_dwarf_title_place(titles, title);
	char *text = NULL;
	if (!*place || !image_dwarf_title_differs(titles, title))
		return image_places_name(&calls->places, name);
	if (asprintf(&text, "%s (%s)", name, place) < 0) {
		calls->failed = true;
		return UINT32_MAX;
	}
	uint32_t offset = image_places_name(&calls->places, text);
	free(text);
	return offset;
}

/* Offsets of the functions' names; UINT32_MAX for those that have none. */
static uint32_t *name_functions(struct image_dwarf_calls *calls, Dwarf_Debug dbg,
				const struct image_scopes *scopes)
{
	const struct image_mangled none = {0};
	struct image_dwarf_titles titles = {
	    .dbg = dbg, .scopes = scopes, .mangled = &none};
	uint32_t *names = calloc(calls->nfunctions + 1, sizeof(*names));
	size_t title = 0;
	for (size_t i = 0; !titles.failed && i < calls->nfunctions; i++)
		if (calls->functions[i].name[0])
			image_dwarf_titles_add(&titles, &calls->functions[i], UINT64_MAX);
	image_dwarf_titles_settle(&titles);
	for (size_t i = 0; names && !titles.failed && i < calls->nfunctions; i++)
		names[i] = calls->functions[i].name[0]
			       ? put_title(calls, &titles, title++)
			       : UINT32_MAX;
	calls->failed |= !names || titles.failed;
	image_dwarf_titles_release(&titles);
	return names;
}

/* Calls of the same function in the same one are one item; a call of what has no
 * name belongs to the one around it. */
void image_dwarf_calls_finish(struct image_dwarf_calls *calls, Dwarf_Debug dbg,
			      const struct image_scopes *scopes)
{
	uint32_t *names = name_functions(calls, dbg, scopes);
	uint32_t *items = calloc(calls->ncalls + 1, sizeof(*items));
	calls->failed |= !names || !items;
	for (size_t i = 0; !calls->failed && i < calls->ncalls; i++) {
		const struct image_dwarf_call *call = &calls->calls[i];
		uint32_t name = names[call->function], around = items[call->around];
		items[i + 1] = name == UINT32_MAX
				   ? around
				   : image_places_item(&calls->places, name, around);
	}
	for (size_t i = 0; !calls->failed && i < calls->places.nclaims; i++) {
		struct image_claim *claim = &calls->places.claims[i];
		claim->item = items[claim->item];
	}
	image_places_settle(&calls->places);
	calls->failed |= calls->places.failed;
	free(names);
	free(items);
}

void image_dwarf_calls_release(struct image_dwarf_calls *calls)
{
	free(calls->calls);
	free(calls->functions);
	tr_map_free(&calls->by_die);
	tr_buffer_free(&calls->ranges);
}
