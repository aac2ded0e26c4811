/* SPDX-License-Identifier: Apache-2.0 */
#include "image/image_dwarf_calls.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/little.h"
#include "image/image_demangle.h"

struct image_dwarf_call {
	uint32_t around;   /* index + 1 of the enclosing call; 0: the function */
	uint32_t function; /* index of the called function */
	uint32_t line, discriminator; /* of the call; 0: unknown */
};

struct call_walk {
	struct image_dwarf_calls *calls;
	const struct image_dwarf_unit *unit;
	bool damaged;
};

/* Returns the index of the function whose DIE is at `offset`. */
static uint32_t function_at(struct call_walk *walk, uint64_t offset)
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
	    tr_image_dwarf_name_at(walk->unit->dbg, offset);
	return function;
}

static void claim_call_ranges(struct call_walk *walk, uint32_t call, uint32_t depth)
{
	struct image_dwarf_calls *calls = walk->calls;
	for (size_t i = 0; i < calls->ranges.size; i += IMAGE_INDEX_RANGE_BYTES) {
		const uint8_t *range = calls->ranges.data + i;
		uint64_t low = tr_load64(range), high = tr_load64(range + 8);
		if (tr_image_elf_is_code(calls->elf, low, high))
			tr_image_places_claim(
			    &calls->places,
			    &(struct image_claim){low, high, call, depth});
	}
}

/* Adds the inlined call `die`. Returns its index + 1, or `around` if it has no code. */
static uint32_t take_inlined_call(struct call_walk *walk, Dwarf_Die die, uint32_t around,
				  uint32_t depth)
{
	struct image_dwarf_calls *calls = walk->calls;
	uint64_t first, origin = 0;
	uint32_t count;
	calls->ranges.size = 0;
	int result =
	    tr_image_dwarf_ranges(walk->unit, die, &calls->ranges, &count, &first);
	if (result == DW_DLV_OK)
		result = tr_image_dwarf_reference(die, DW_AT_abstract_origin, &origin);
	walk->damaged |= result == DW_DLV_ERROR;
	if (result != DW_DLV_OK)
		return around;
	if (!tr_grow(&calls->calls, &calls->calls_room, calls->ncalls + 1,
		     sizeof(*calls->calls))) {
		calls->failed = true;
		return around;
	}
	calls->calls[calls->ncalls++] = (struct image_dwarf_call){
	    around, function_at(walk, origin),
	    tr_image_dwarf_number(die, DW_AT_call_line),
	    tr_image_dwarf_number(die, DW_AT_GNU_discriminator)};
	claim_call_ranges(walk, (uint32_t)calls->ncalls, depth);
	return (uint32_t)calls->ncalls;
}

static void walk_block(struct call_walk *walk, Dwarf_Die block, uint32_t around,
		       uint32_t depth);

static void visit_call(struct call_walk *walk, Dwarf_Die die, uint32_t around,
		       uint32_t depth)
{
	Dwarf_Error error = NULL;
	Dwarf_Half tag = 0;
	/* Deeper calls are attributed to the one at the limit. */
	if (dwarf_tag(die, &tag, &error) != DW_DLV_OK || depth == IMAGE_CALLS_DEEP)
		return;
	if (tag == DW_TAG_inlined_subroutine)
		walk_block(walk, die, take_inlined_call(walk, die, around, depth),
			   depth + 1);
	else if (tag == DW_TAG_lexical_block)
		walk_block(walk, die, around, depth + 1);
}

static void walk_block(struct call_walk *walk, Dwarf_Die block, uint32_t around,
		       uint32_t depth)
{
	Dwarf_Error error = NULL;
	Dwarf_Die child = NULL;
	uint64_t at = tr_image_dwarf_offset(block);
	int result = dwarf_child(block, &child, &error);
	while (result == DW_DLV_OK && !walk->calls->failed) {
		uint64_t next = tr_image_dwarf_offset(child);
		Dwarf_Die sibling = NULL;
		if (next > at) {
			visit_call(walk, child, around, depth);
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

bool tr_image_dwarf_calls_take(struct image_dwarf_calls *calls,
			       const struct image_dwarf_unit *unit, Dwarf_Die function)
{
	struct call_walk walk = {.calls = calls, .unit = unit};
	walk_block(&walk, function, 0, 0);
	return !walk.damaged;
}

bool tr_image_dwarf_scopes_take(struct image_dwarf_calls *calls,
				const struct image_dwarf_unit *unit, Dwarf_Die function)
{
	struct call_walk walk = {.calls = calls, .unit = unit};
	uint64_t first;
	uint32_t count;
	calls->ranges.size = 0;
	if (tr_image_dwarf_ranges(unit, function, &calls->ranges, &count, &first) !=
		DW_DLV_OK ||
	    !tr_grow(&calls->calls, &calls->calls_room, calls->ncalls + 1,
		     sizeof(*calls->calls)))
		return false;
	calls->calls[calls->ncalls++] = (struct image_dwarf_call){
	    .function = function_at(&walk, tr_image_dwarf_offset(function))};
	claim_call_ranges(&walk, (uint32_t)calls->ncalls, 0);
	walk_block(&walk, function, (uint32_t)calls->ncalls, 1);
	return !walk.damaged;
}

/* Appends the names of all functions, each terminated by 0, and sets their offsets: with
 * classes and parameters if the linkage name tells them. */
static void add_scope_names(struct image_dwarf_calls *calls, struct tr_buffer *text,
			    uint32_t *offsets)
{
	for (size_t i = 0; !calls->failed && i < calls->nfunctions; i++) {
		const struct image_dwarf_name *name = &calls->functions[i];
		const char *plain = name->name[0] ? name->name : name->mangled;
		offsets[i] = (uint32_t)text->size;
		if (!tr_image_demangle(name->mangled, text))
			tr_buffer_add(text, plain, strlen(plain));
		tr_buffer_add(text, "", 1);
		calls->failed |= text->failed || text->size > INT32_MAX;
	}
}

/* Stores the description of a scope with this name. Returns its offset, UINT32_MAX if the
 * function has none. */
static uint32_t store_scope_text(struct image_dwarf_calls *calls,
				 struct image_dwarf_titles *titles,
				 const struct image_dwarf_call *call, const char *full)
{
	const struct image_dwarf_name *name = &calls->functions[call->function];
	const char *file =
	    name->line ? tr_image_dwarf_file(titles, name->unit, name->file) : NULL;
	char *text = NULL;
	if (!*full)
		return UINT32_MAX;
	if (asprintf(&text, "%s\n%s\n%s\n%" PRIu32 "\n%" PRIu32 "\n%" PRIu32, full,
		     name->mangled, file ? file : "", name->line, call->line,
		     call->discriminator) < 0) {
		calls->failed = true;
		return UINT32_MAX;
	}
	uint32_t offset = tr_image_places_name(&calls->places, text);
	free(text);
	return offset;
}

/* Replaces the calls of the claims by items, of which call 0 has none. */
static void settle_items(struct image_dwarf_calls *calls, const uint32_t *items)
{
	for (size_t i = 0; !calls->failed && i < calls->places.nclaims; i++) {
		struct image_claim *claim = &calls->places.claims[i];
		claim->item = items[claim->item];
	}
	tr_image_places_settle(&calls->places);
	calls->failed |= calls->places.failed;
}

void tr_image_dwarf_scopes_finish(struct image_dwarf_calls *calls, Dwarf_Debug dbg)
{
	struct image_dwarf_titles files = {.dbg = dbg, .unit = UINT64_MAX};
	struct tr_buffer names = {0};
	uint32_t *items = calloc(calls->ncalls + 1, sizeof(*items));
	uint32_t *offsets = calloc(calls->nfunctions + 1, sizeof(*offsets));
	calls->failed |= !items || !offsets;
	if (offsets)
		add_scope_names(calls, &names, offsets);
	for (size_t i = 0; !calls->failed && i < calls->ncalls; i++) {
		const struct image_dwarf_call *call = &calls->calls[i];
		const char *name = (const char *)names.data + offsets[call->function];
		uint32_t text = store_scope_text(calls, &files, call, name);
		uint32_t around = items[call->around];
		items[i + 1] = text == UINT32_MAX
				   ? around
				   : tr_image_places_item(&calls->places, text, around);
	}
	settle_items(calls, items);
	tr_image_dwarf_titles_release(&files);
	tr_buffer_free(&names);
	free(offsets);
	free(items);
}

/* Stores a title, with its place if the name is ambiguous. Returns its offset. */
static uint32_t store_call_title(struct image_dwarf_calls *calls,
				 const struct image_dwarf_titles *titles, size_t title)
{
	const char *name = tr_image_dwarf_title(titles, title);
	const char *place = tr_image_dwarf_title_place(titles, title);
	char *text = NULL;
	if (!*place || !tr_image_dwarf_title_differs(titles, title))
		return tr_image_places_name(&calls->places, name);
	if (asprintf(&text, "%s (%s)", name, place) < 0) {
		calls->failed = true;
		return UINT32_MAX;
	}
	uint32_t offset = tr_image_places_name(&calls->places, text);
	free(text);
	return offset;
}

/* Returns the offsets of the functions' names, UINT32_MAX for those without one; NULL
 * when out of memory. The caller frees them. */
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
			tr_image_dwarf_titles_add(&titles, &calls->functions[i],
						  UINT64_MAX);
	tr_image_dwarf_titles_settle(&titles);
	for (size_t i = 0; names && !titles.failed && i < calls->nfunctions; i++)
		names[i] = calls->functions[i].name[0]
			       ? store_call_title(calls, &titles, title++)
			       : UINT32_MAX;
	calls->failed |= !names || titles.failed;
	tr_image_dwarf_titles_release(&titles);
	return names;
}

/* Calls of the same function within the same function are one item; a call of a nameless
 * function belongs to the enclosing call. */
void tr_image_dwarf_calls_finish(struct image_dwarf_calls *calls, Dwarf_Debug dbg,
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
				   : tr_image_places_item(&calls->places, name, around);
	}
	settle_items(calls, items);
	free(names);
	free(items);
}

void tr_image_dwarf_calls_release(struct image_dwarf_calls *calls)
{
	free(calls->calls);
	free(calls->functions);
	tr_map_free(&calls->by_die);
	tr_buffer_free(&calls->ranges);
}
