/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the subprograms of all compilation units through libdwarf. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "image_dwarf.h"
#include "image_dwarf_ranges.h"
#include "image_scopes.h"

enum { SCOPES_DEEP = 64, ORIGINS_DEEP = 8 };

/* A function whose name is put together when all scopes are known. */
struct pending {
	const char *name; /* in a section, "" if there is none */
	uint64_t die;	  /* where the name was found */
	uint64_t entry;
	uint32_t nranges;
};

struct walk {
	struct image_dwarf_unit unit;
	struct image_scopes scopes;
	struct image_index_writer index;
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

static uint64_t offset_of(Dwarf_Die die)
{
	Dwarf_Error error = NULL;
	Dwarf_Off offset = 0;
	return dwarf_dieoffset(die, &offset, &error) == DW_DLV_OK ? offset : 0;
}

/* The DIE that attribute `kind` of `die` refers to. */
static int follow(const struct walk *walk, Dwarf_Die die, Dwarf_Half kind, Dwarf_Die *to)
{
	Dwarf_Error error = NULL;
	Dwarf_Attribute attribute = NULL;
	Dwarf_Off offset = 0;
	int result = dwarf_attr(die, kind, &attribute, &error);
	if (result != DW_DLV_OK)
		return result;
	result = dwarf_global_formref(attribute, &offset, &error);
	dwarf_dealloc_attribute(attribute);
	if (result != DW_DLV_OK)
		return result;
	return dwarf_offdie_b(walk->unit.dbg, offset, 1, to, &error);
}

/* A function's name is its own, or that of what it was made from: the inline
 * function of an out-of-line copy, the declaration in a class. */
static void find_name(const struct walk *walk, Dwarf_Die die, struct pending *function)
{
	Dwarf_Error error = NULL;
	Dwarf_Die owned = NULL;
	char *name = NULL;
	function->name = "";
	for (unsigned i = 0; i < ORIGINS_DEEP; i++) {
		Dwarf_Die next = NULL;
		if (dwarf_diename(die, &name, &error) == DW_DLV_OK) {
			function->name = name;
			function->die = offset_of(die);
			break;
		}
		if (follow(walk, die, DW_AT_abstract_origin, &next) != DW_DLV_OK &&
		    follow(walk, die, DW_AT_specification, &next) != DW_DLV_OK)
			break;
		if (owned)
			dwarf_dealloc_die(owned);
		die = owned = next;
	}
	if (owned)
		dwarf_dealloc_die(owned);
}

static void take_function(struct walk *walk, Dwarf_Die die)
{
	struct pending function = {0};
	int result = image_dwarf_ranges(&walk->unit, die, &walk->index, &function.nranges,
					&function.entry);
	if (result == DW_DLV_ERROR)
		note_damage(walk, offset_of(die), "DW_AT_ranges");
	if (result != DW_DLV_OK)
		return;
	find_name(walk, die, &function);
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

static uint32_t enter_scope(struct walk *walk, Dwarf_Die die, Dwarf_Half tag,
			    uint32_t parent, unsigned deep)
{
	Dwarf_Error error = NULL;
	char *name = NULL;
	if (deep >= SCOPES_DEEP)
		return 0;
	if (dwarf_diename(die, &name, &error) != DW_DLV_OK)
		name = tag == DW_TAG_namespace ? "(anonymous namespace)" : "(anonymous)";
	uint32_t scope = image_scopes_begin(&walk->scopes, parent, offset_of(die), name);
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
	uint64_t at = offset_of(die);
	uint32_t inner = 0;
	int result = dwarf_child(die, &child, &error);
	while (result == DW_DLV_OK) {
		uint64_t next = offset_of(child);
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
	if (result == DW_DLV_ERROR)
		note_damage(walk, header, dwarf_errmsg(error));
	if (result != DW_DLV_OK)
		return;
	if (dwarf_lowpc(unit, &walk->unit.base, &error) != DW_DLV_OK)
		walk->unit.base = 0;
	walk->has_scopes = language_has_scopes(unit);
	walk_children(walk, unit, 0, 0);
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

/* Functions without a name are left to the symbols. */
static void put_functions(struct walk *walk)
{
	struct tr_buffer name = {0}, ranges = walk->index.ranges;
	size_t range = 0;
	walk->index.ranges = (struct tr_buffer){0};
	for (size_t i = 0; i < walk->npending; i++) {
		const struct pending *function = &walk->pending[i];
		size_t bytes = (size_t)function->nranges * IMAGE_INDEX_RANGE_BYTES;
		const uint8_t *from = ranges.data + range;
		range += bytes;
		if (!function->name[0])
			continue;
		name.size = 0;
		image_scopes_prefix(&walk->scopes, function->die, &name);
		tr_buffer_add(&name, function->name, strlen(function->name) + 1);
		tr_buffer_add(&walk->index.ranges, from, bytes);
		if (!name.failed)
			image_index_function(&walk->index, (const char *)name.data,
					     function->nranges, function->entry);
	}
	walk->failed |= name.failed || ranges.failed;
	tr_buffer_free(&name);
	tr_buffer_free(&ranges);
}

void image_dwarf_read(void *context, struct tr_buffer *out)
{
	const struct image_dwarf_job *job = context;
	struct walk walk = {0};
	Dwarf_Error error = NULL;
	dwarf_set_de_alloc_flag(0);
	dwarf_set_reloc_application(0);
	int result = dwarf_elf_init_b(job->elf->elf, DW_DLC_READ, DW_GROUPNUMBER_ANY,
				      NULL, NULL, &walk.unit.dbg, &error);
	if (result == DW_DLV_OK) {
		walk_units(&walk);
		put_functions(&walk);
	} else if (result == DW_DLV_ERROR) {
		note_damage(&walk, 0, dwarf_errmsg(error));
		walk.index.units = 1;
	}
	image_index_finish(&walk.index, &job->key, walk.damage, out);
	out->failed |= walk.failed;
	image_scopes_release(&walk.scopes);
	free(walk.pending);
}
