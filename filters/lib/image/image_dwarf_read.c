/* SPDX-License-Identifier: Apache-2.0 */
/* Reads functions, inlined calls and lines of all compilation units through libdwarf. */
#include "image/image_dwarf.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "image/image_dwarf_calls.h"
#include "image/image_dwarf_die.h"
#include "image/image_dwarf_lines.h"
#include "image/image_places.h"
#include "image/image_scopes.h"
#include "image/image_unzstd.h"

enum { SCOPES_DEEP = 64 };

/* A function whose full name is built once all scopes are known. */
struct pending {
	struct image_dwarf_name name;
	uint64_t entry;
	uint32_t nranges;
};

struct walk {
	const struct image_dwarf_job *job;
	struct image_dwarf_unit unit;
	struct image_scopes scopes;
	size_t unit_scope;		 /* first scope of the current unit */
	struct tr_arena scope_names;	 /* generated names */
	struct image_index_writer index; /* index of functions */
	struct image_dwarf_calls calls, inlined;
	struct image_places lines, spots, paths;
	struct pending *pending;
	size_t npending, capacity;
	char damage[160];  /* the first damage, or what else was not read */
	char split[96];	   /* name of the first .dwo file with the rest of a unit */
	uint32_t nsplit;   /* number of these units */
	bool unit_damaged; /* in the current unit */
	bool has_scopes;   /* its language has namespaces or classes */
	bool failed;	   /* out of memory */
};

/* Records damage. Keeps only the name of the error from libdwarf's text, which repeats
 * itself. */
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

static void index_function_die(struct walk *walk, Dwarf_Die die)
{
	struct pending function = {0};
	int result = tr_image_dwarf_ranges(&walk->unit, die, &walk->index.extents,
					   &function.nranges, &function.entry);
	if (result == DW_DLV_ERROR)
		note_damage(walk, tr_image_dwarf_offset(die), "DW_AT_ranges");
	if (result != DW_DLV_OK)
		return;
	function.name = tr_image_dwarf_name(walk->unit.dbg, die);
	if (walk->job->wanted[IMAGE_INDEX_CALLS] &&
	    !tr_image_dwarf_calls_take(&walk->calls, &walk->unit, die))
		note_damage(walk, tr_image_dwarf_offset(die),
			    "DW_TAG_inlined_subroutine");
	if (walk->job->wanted[IMAGE_INDEX_SCOPES] &&
	    !tr_image_dwarf_scopes_take(&walk->inlined, &walk->unit, die))
		note_damage(walk, tr_image_dwarf_offset(die),
			    "DW_TAG_inlined_subroutine");
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

/* Returns a generated name for an anonymous class. Each lambda is one, so a function may
 * have several. Returns NULL if there is no line or no memory. */
static char *anonymous_name(struct walk *walk, Dwarf_Die die)
{
	static const char form[] = "(anonymous at line %" PRIu32 ")";
	uint32_t line = tr_image_dwarf_name(walk->unit.dbg, die).line;
	char *name = line ? tr_arena_take(&walk->scope_names, sizeof(form) + 16) : NULL;
	if (!name)
		return "(anonymous)";
	snprintf(name, sizeof(form) + 16, form, line);
	return name;
}

static uint32_t enter_scope(struct walk *walk, Dwarf_Die die, Dwarf_Half tag,
			    uint32_t parent, unsigned deep)
{
	if (deep >= SCOPES_DEEP)
		return 0;
	char *name = tr_image_dwarf_text(die, DW_AT_name);
	if (!name)
		name = tag == DW_TAG_namespace ? "(anonymous namespace)"
					       : anonymous_name(walk, die);
	uint32_t scope = tr_image_scopes_begin(&walk->scopes, parent,
					       tr_image_dwarf_offset(die), name);
	if (scope)
		walk_children(walk, die, scope, deep + 1);
	else
		walk->failed = true;
	return scope;
}

/* Visits one DIE among its siblings. Returns the scope that it opened, 0 if none. */
static uint32_t visit_die(struct walk *walk, Dwarf_Die die, uint32_t scope, unsigned deep)
{
	Dwarf_Error error = NULL;
	Dwarf_Half tag = 0;
	if (dwarf_tag(die, &tag, &error) != DW_DLV_OK)
		return 0;
	if (tag == DW_TAG_subprogram)
		index_function_die(walk, die);
	else if (walk->has_scopes && is_scope(tag))
		return enter_scope(walk, die, tag, scope, deep);
	return 0;
}

static void walk_children(struct walk *walk, Dwarf_Die die, uint32_t scope, unsigned deep)
{
	Dwarf_Error error = NULL;
	Dwarf_Die child = NULL;
	uint64_t at = tr_image_dwarf_offset(die);
	uint32_t inner = 0;
	int result = dwarf_child(die, &child, &error);
	while (result == DW_DLV_OK) {
		uint64_t next = tr_image_dwarf_offset(child);
		if (inner)
			tr_image_scopes_end(&walk->scopes, inner, next);
		if (next <= at) {
			dwarf_dealloc_die(child);
			note_damage(walk, at, "DW_AT_sibling");
			return;
		}
		at = next;
		inner = visit_die(walk, child, scope, deep);
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

/* Notes a unit whose functions are in another file (-gsplit-dwarf). */
static void note_split(struct walk *walk, Dwarf_Die unit)
{
	const char *name = tr_image_dwarf_text(unit, DW_AT_GNU_dwo_name);
	if (!name)
		name = tr_image_dwarf_text(unit, DW_AT_dwo_name);
	if (!name)
		return;
	if (walk->nsplit++ == 0)
		snprintf(walk->split, sizeof(walk->split), "%s", name);
}

/* Says what was not read because it is in other files. */
static void tell_split(struct walk *walk)
{
	char more[32] = "";
	if (walk->nsplit == 0 || walk->damage[0])
		return;
	if (walk->nsplit > 1)
		snprintf(more, sizeof(more), " and %" PRIu32 " more", walk->nsplit - 1);
	snprintf(walk->damage, sizeof(walk->damage),
		 "the DWARF is split: %s%s %s not read",
		 walk->split[0] ? walk->split : "the .dwo files", more,
		 *more || !walk->split[0] ? "were" : "was");
}

static void walk_unit(struct walk *walk, uint64_t header)
{
	Dwarf_Error error = NULL;
	Dwarf_Die unit = NULL;
	walk->unit.base = 0;
	int result = dwarf_siblingof_b(walk->unit.dbg, NULL, 1, &unit, &error);
	/* The last scope of the previous unit has no sibling that would end it. */
	if (walk->unit_scope < walk->scopes.count)
		tr_image_scopes_end(&walk->scopes, (uint32_t)walk->unit_scope + 1,
				    header);
	walk->unit_scope = walk->scopes.count;
	if (result == DW_DLV_ERROR)
		note_damage(walk, header, dwarf_errmsg(error));
	if (result != DW_DLV_OK)
		return;
	if (dwarf_lowpc(unit, &walk->unit.base, &error) != DW_DLV_OK)
		walk->unit.base = 0;
	note_split(walk, unit);
	walk->has_scopes = language_has_scopes(unit);
	if (walk->job->wanted[IMAGE_INDEX_FUNCTIONS] ||
	    walk->job->wanted[IMAGE_INDEX_CALLS] || walk->job->wanted[IMAGE_INDEX_SCOPES])
		walk_children(walk, unit, 0, 0);
	if (walk->job->wanted[IMAGE_INDEX_LINES] &&
	    !tr_image_dwarf_lines_take(&walk->lines, walk->job->elf, unit))
		note_damage(walk, header, "DW_AT_stmt_list");
	if (walk->job->wanted[IMAGE_INDEX_SPOTS] &&
	    !tr_image_dwarf_spots_take(&walk->spots, walk->job->elf, unit))
		note_damage(walk, header, "DW_AT_stmt_list");
	if (walk->job->wanted[IMAGE_INDEX_PATHS] &&
	    !tr_image_dwarf_paths_take(&walk->paths, walk->job->elf, walk->unit.dbg,
				       unit))
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
		/* libdwarf refuses split units of versions 2 and 3, which GCC makes */
		if (result == DW_DLV_ERROR &&
		    dwarf_errno(error) == DW_DLE_IMPROPER_DWO_ID)
			walk->nsplit++;
		else if (result == DW_DLV_ERROR)
			note_damage(walk, header, dwarf_errmsg(error));
		else
			walk_unit(walk, header);
		header = next;
	}
}

/* Adds the title of each function that has a name. */
static void make_titles(const struct walk *walk, struct image_dwarf_titles *titles)
{
	for (size_t i = 0; i < walk->npending && !titles->failed; i++) {
		const struct pending *function = &walk->pending[i];
		if (function->name.name[0])
			tr_image_dwarf_titles_add(titles, &function->name,
						  function->entry);
	}
	tr_image_dwarf_titles_settle(titles);
}

/* Writes the functions to the index; nameless ones are left to the symbols. */
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
		tr_image_index_function(&walk->index,
					tr_image_dwarf_title(&titles, title),
					tr_image_dwarf_title_place(&titles, title),
					function->nranges, function->entry);
		title++;
	}
	walk->failed |= titles.failed || ranges.failed;
	tr_image_dwarf_titles_release(&titles);
	tr_buffer_free(&ranges);
}

static bool open_dwarf(struct walk *walk)
{
	const struct image_elf *elf = walk->job->elf;
	Dwarf_Error error = NULL;
	Elf *whole = tr_image_elf_memory(walk->job->map, elf->size);
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
		tr_image_index_finish(index, kind, &walk->job->key, walk->damage, out);
}

void tr_image_dwarf_read(void *context, struct tr_buffer *out)
{
	struct walk walk = {.job = context};
	walk.calls.elf = walk.inlined.elf = walk.job->elf;
	if (open_dwarf(&walk)) {
		walk_units(&walk);
		put_functions(&walk);
		tr_image_dwarf_calls_finish(&walk.calls, walk.unit.dbg, &walk.scopes);
		tr_image_dwarf_scopes_finish(&walk.inlined, walk.unit.dbg);
		tr_image_places_settle(&walk.lines);
		tr_image_places_settle(&walk.spots);
		tr_image_places_settle(&walk.paths);
	}
	tell_split(&walk);
	put_index(&walk, IMAGE_INDEX_FUNCTIONS, &walk.index, out);
	put_index(&walk, IMAGE_INDEX_CALLS, &walk.calls.places.index, out);
	put_index(&walk, IMAGE_INDEX_LINES, &walk.lines.index, out);
	put_index(&walk, IMAGE_INDEX_SCOPES, &walk.inlined.places.index, out);
	put_index(&walk, IMAGE_INDEX_SPOTS, &walk.spots.index, out);
	put_index(&walk, IMAGE_INDEX_PATHS, &walk.paths.index, out);
	out->failed |= walk.failed || walk.calls.failed || walk.lines.failed ||
		       walk.inlined.failed || walk.spots.failed || walk.paths.failed;
	tr_image_dwarf_calls_release(&walk.calls);
	tr_image_dwarf_calls_release(&walk.inlined);
	tr_image_scopes_release(&walk.scopes);
	tr_arena_reset(&walk.scope_names);
	free(walk.pending);
}
