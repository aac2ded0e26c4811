/* SPDX-License-Identifier: Apache-2.0 */
/* Reads all compilation units through libdwarf. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "image/image_dwarf.h"
#include "image/image_dwarf_calls.h"
#include "image/image_dwarf_lines.h"
#include "image/image_dwarf_names.h"
#include "image/image_dwarf_ranges.h"
#include "image/image_dwarf_titles.h"
#include "image/image_scopes.h"

enum { SCOPES_DEEP = 64 };

/* A function whose name is put together when all scopes are known. */
struct pending {
	struct image_dwarf_name name;
	uint64_t entry;
	uint32_t nranges;
};

struct walk {
	const struct image_dwarf_job *job;
	struct image_dwarf_unit unit;
	struct image_scopes scopes;
	size_t unit_scope;		 /* the first of the present unit */
	struct tr_arena scope_names;	 /* those that are made up */
	struct image_index_writer index; /* of the functions */
	struct image_dwarf_calls calls;
	struct image_places lines;
	struct pending *pending;
	size_t npending, capacity;
	char damage[160];  /* the first */
	bool unit_damaged; /* the present unit */
	bool has_scopes;   /* its language has namespaces or classes */
	bool failed;	   /* out of memory */
};

/* Of libdwarf's texts only the name of the error: the rest repeats it. */
static void note_damage(struct walk *walk, uint64_t die, const char *what)
{
	if (!walk->unit_damaged)
		walk->index.damaged++;
	walk->unit_damaged = true;
	size_t skip = strspn(what, " "), length = strcspn(what + skip, " :(");
	if (!walk->damage[0])
		snprintf(walk->damage, sizeof(walk->damage),
			 "first at byte %" PRIu64 " of .debug_info: %.*s", die,
			 (int)length, what + skip);
}

static void take_function(struct walk *walk, Dwarf_Die die)
{
	struct pending function = {0};
	int result = image_dwarf_ranges(&walk->unit, die, &walk->index.extents,
					&function.nranges, &function.entry);
	if (result == DW_DLV_ERROR)
		note_damage(walk, image_dwarf_offset(die), "DW_AT_ranges");
	if (result != DW_DLV_OK)
		return;
	function.name = image_dwarf_name(walk->unit.dbg, die);
	if (walk->job->wanted[IMAGE_INDEX_CALLS] &&
	    !image_dwarf_calls_take(&walk->calls, &walk->unit, die))
		note_damage(walk, image_dwarf_offset(die), "DW_TAG_inlined_subroutine");
	if (!tr_grow(&walk->pending, &walk->capacity, walk->npending + 1,
		     sizeof(*walk->pending))) {
		walk->failed = true;
		return;
	}
	walk->pending[walk->npending++] = function;
}

static bool is_scope(Dwarf_Half tag)
{
	return tag == DW_TAG_namespace || tag == DW_TAG_module ||
	       tag == DW_TAG_class_type || tag == DW_TAG_structure_type ||
	       tag == DW_TAG_union_type || tag == DW_TAG_interface_type ||
	       tag == DW_TAG_enumeration_type;
}

static void walk_children(struct walk *walk, Dwarf_Die die, uint32_t scope,
			  unsigned deep);

/* Lambdas are such classes, several in a function. */
static char *anonymous_name(struct walk *walk, Dwarf_Die die)
{
	static const char form[] = "(anonymous at line %" PRIu32 ")";
	uint32_t line = image_dwarf_name(walk->unit.dbg, die).line;
	char *name = line ? tr_arena_take(&walk->scope_names, sizeof(form) + 16) : NULL;
	if (!name)
		return "(anonymous)";
	snprintf(name, sizeof(form) + 16, form, line);
	return name;
}

static uint32_t enter_scope(struct walk *walk, Dwarf_Die die, Dwarf_Half tag,
			    uint32_t parent, unsigned deep)
{
	Dwarf_Error error = NULL;
	char *name = NULL;
	if (deep >= SCOPES_DEEP)
		return 0;
	if (dwarf_diename(die, &name, &error) != DW_DLV_OK)
		name = tag == DW_TAG_namespace ? "(anonymous namespace)"
					       : anonymous_name(walk, die);
	uint32_t scope =
	    image_scopes_begin(&walk->scopes, parent, image_dwarf_offset(die), name);
	if (scope)
		walk_children(walk, die, scope, deep + 1);
	else
		walk->failed = true;
	return scope;
}

/* One DIE among siblings; returns the scope that it opened, 0 if none. */
static uint32_t visit(struct walk *walk, Dwarf_Die die, uint32_t scope, unsigned deep)
{
	Dwarf_Error error = NULL;
	Dwarf_Half tag = 0;
	if (dwarf_tag(die, &tag, &error) != DW_DLV_OK)
		return 0;
	if (tag == DW_TAG_subprogram)
		take_function(walk, die);
	else if (walk->has_scopes && is_scope(tag))
		return enter_scope(walk, die, tag, scope, deep);
	return 0;
}

static void walk_children(struct walk *walk, Dwarf_Die die, uint32_t scope, unsigned deep)
{
	Dwarf_Error error = NULL;
	Dwarf_Die child = NULL;
	uint64_t at = image_dwarf_offset(die);
	uint32_t inner = 0;
	int result = dwarf_child(die, &child, &error);
	while (result == DW_DLV_OK) {
		uint64_t next = image_dwarf_offset(child);
		if (inner)
			image_scopes_end(&walk->scopes, inner, next);
		if (next <= at) {
			dwarf_dealloc_die(child);
			note_damage(walk, at, "DW_AT_sibling");
			return;
		}
		at = next;
		inner = visit(walk, child, scope, deep);
		Dwarf_Die sibling = NULL;
		result = dwarf_siblingof_b(walk->unit.dbg, child, 1, &sibling, &error);
		dwarf_dealloc_die(child);
		child = sibling;
	}
	if (result == DW_DLV_ERROR)
		note_damage(walk, at, dwarf_errmsg(error));
}

static bool language_has_scopes(Dwarf_Die unit)
{
	Dwarf_Error error = NULL;
	Dwarf_Unsigned language = 0;
	if (dwarf_srclang(unit, &language, &error) != DW_DLV_OK)
		return true;
	return language != DW_LANG_C89 && language != DW_LANG_C &&
	       language != DW_LANG_C99 && language != DW_LANG_C11 &&
	       language != DW_LANG_Go && language != DW_LANG_Mips_Assembler;
}

static void walk_unit(struct walk *walk, uint64_t header)
{
	Dwarf_Error error = NULL;
	Dwarf_Die unit = NULL;
	walk->unit.base = 0;
	int result = dwarf_siblingof_b(walk->unit.dbg, NULL, 1, &unit, &error);
	/* The last scope of the unit before has no sibling to end it. */
	if (walk->unit_scope < walk->scopes.count)
		image_scopes_end(&walk->scopes, (uint32_t)walk->unit_scope + 1, header);
	walk->unit_scope = walk->scopes.count;
	if (result == DW_DLV_ERROR)
		note_damage(walk, header, dwarf_errmsg(error));
	if (result != DW_DLV_OK)
		return;
	if (dwarf_lowpc(unit, &walk->unit.base, &error) != DW_DLV_OK)
		walk->unit.base = 0;
	walk->has_scopes = language_has_scopes(unit);
	if (walk->job->wanted[IMAGE_INDEX_FUNCTIONS] ||
	    walk->job->wanted[IMAGE_INDEX_CALLS])
		walk_children(walk, unit, 0, 0);
	if (walk->job->wanted[IMAGE_INDEX_LINES] &&
	    !image_dwarf_lines_take(&walk->lines, walk->job->elf, unit))
		note_damage(walk, header, "DW_AT_stmt_list");
	dwarf_dealloc_die(unit);
}

static void walk_units(struct walk *walk)
{
	Dwarf_Error error = NULL;
	Dwarf_Unsigned length, type, header = 0, next = 0;
	Dwarf_Half address_size, length_size, extension_size, kind;
	Dwarf_Off abbreviations;
	Dwarf_Sig8 signature;
	int result = DW_DLV_OK;
	while (result == DW_DLV_OK && !walk->failed) {
		walk->unit_damaged = false;
		result = dwarf_next_cu_header_d(
		    walk->unit.dbg, 1, &length, &walk->unit.version, &abbreviations,
		    &address_size, &length_size, &extension_size, &signature, &type,
		    &next, &kind, &error);
		if (result == DW_DLV_NO_ENTRY)
			break;
		walk->index.units++;
		if (result == DW_DLV_ERROR)
			note_damage(walk, header, dwarf_errmsg(error));
		else
			walk_unit(walk, header);
		header = next;
	}
}

/* The title of each function that has a name. */
static void make_titles(const struct walk *walk, struct image_dwarf_titles *titles)
{
	for (size_t i = 0; i < walk->npending && !titles->failed; i++) {
		const struct pending *function = &walk->pending[i];
		if (function->name.name[0])
			image_dwarf_titles_add(titles, &function->name, function->entry);
	}
	image_dwarf_titles_settle(titles);
}

/* Functions without a name are left to the symbols. */
static void put_functions(struct walk *walk)
{
	struct image_dwarf_titles titles = {.dbg = walk->unit.dbg,
					    .scopes = &walk->scopes,
					    .mangled = walk->job->mangled};
	struct tr_buffer ranges = walk->index.extents;
	size_t range = 0, title = 0;
	walk->index.extents = (struct tr_buffer){0};
	make_titles(walk, &titles);
	for (size_t i = 0; i < walk->npending && !titles.failed; i++) {
		const struct pending *function = &walk->pending[i];
		size_t bytes = (size_t)function->nranges * IMAGE_INDEX_RANGE_BYTES;
		const uint8_t *from = ranges.data + range;
		range += bytes;
		if (!function->name.name[0])
			continue;
		tr_buffer_add(&walk->index.extents, from, bytes);
		image_index_function(&walk->index, image_dwarf_title(&titles, title),
				     image_dwarf_title_place(&titles, title),
				     function->nranges, function->entry);
		title++;
	}
	walk->failed |= titles.failed || ranges.failed;
	image_dwarf_titles_release(&titles);
	tr_buffer_free(&ranges);
}

static bool open_dwarf(struct walk *walk)
{
	const struct image_elf *elf = walk->job->elf;
	Dwarf_Error error = NULL;
	Elf *whole = elf_memory(walk->job->map, elf->size);
	dwarf_set_de_alloc_flag(0);
	dwarf_set_reloc_application(0);
	int result = dwarf_elf_init_b(whole, DW_DLC_READ, DW_GROUPNUMBER_ANY, NULL, NULL,
				      &walk->unit.dbg, &error);
	if (result == DW_DLV_ERROR) {
		note_damage(walk, 0, dwarf_errmsg(error));
		walk->index.units = 1;
	}
	return result == DW_DLV_OK;
}

static void put_index(struct walk *walk, enum image_index_kind kind,
		      struct image_index_writer *index, struct tr_buffer *out)
{
	index->units = walk->index.units;
	index->damaged = walk->index.damaged;
	if (walk->job->wanted[kind])
		image_index_finish(index, kind, &walk->job->key, walk->damage, out);
}

void image_dwarf_read(void *context, struct tr_buffer *out)
{
	struct walk walk = {.job = context};
	walk.calls.elf = walk.job->elf;
	if (open_dwarf(&walk)) {
		walk_units(&walk);
		put_functions(&walk);
		image_dwarf_calls_finish(&walk.calls, walk.unit.dbg, &walk.scopes);
		image_places_settle(&walk.lines);
	}
	put_index(&walk, IMAGE_INDEX_FUNCTIONS, &walk.index, out);
	put_index(&walk, IMAGE_INDEX_CALLS, &walk.calls.places.index, out);
	put_index(&walk, IMAGE_INDEX_LINES, &walk.lines.index, out);
	out->failed |= walk.failed || walk.calls.failed || walk.lines.failed;
	image_dwarf_calls_release(&walk.calls);
	image_scopes_release(&walk.scopes);
	tr_arena_reset(&walk.scope_names);
	free(walk.pending);
}
