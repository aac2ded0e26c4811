/* SPDX-License-Identifier: Apache-2.0 */
/* Reads names and declarations along abstract origins and specifications, and ranges. */
#include "image/image_dwarf_die.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "image/image_demangle.h"

enum { ORIGINS_DEEP = 8, TYPES_DEEP = 4 };

uint64_t tr_image_dwarf_offset(Dwarf_Die die)
{
	Dwarf_Error error = NULL;
	Dwarf_Off offset = 0;
	return dwarf_dieoffset(die, &offset, &error) == DW_DLV_OK ? offset : 0;
}

int tr_image_dwarf_reference(Dwarf_Die die, Dwarf_Half kind, uint64_t *offset)
{
	Dwarf_Error error = NULL;
	Dwarf_Attribute attribute = NULL;
	Dwarf_Off found = 0;
	int result = dwarf_attr(die, kind, &attribute, &error);
	if (result != DW_DLV_OK)
		return result;
	result = dwarf_global_formref(attribute, &found, &error);
	dwarf_dealloc_attribute(attribute);
	*offset = found;
	return result;
}

static int follow_die_reference(Dwarf_Debug dbg, Dwarf_Die die, Dwarf_Half kind,
				Dwarf_Die *to)
{
	Dwarf_Error error = NULL;
	uint64_t offset = 0;
	int result = tr_image_dwarf_reference(die, kind, &offset);
	return result == DW_DLV_OK ? dwarf_offdie_b(dbg, offset, 1, to, &error) : result;
}

uint32_t tr_image_dwarf_number(Dwarf_Die die, Dwarf_Half kind)
{
	Dwarf_Error error = NULL;
	Dwarf_Attribute attribute = NULL;
	Dwarf_Unsigned number = 0;
	Dwarf_Signed constant = 0;
	if (dwarf_attr(die, kind, &attribute, &error) != DW_DLV_OK)
		return 0;
	/* DW_FORM_implicit_const is signed. */
	if (dwarf_formsdata(attribute, &constant, &error) == DW_DLV_OK && constant > 0)
		number = (Dwarf_Unsigned)constant;
	else if (dwarf_formudata(attribute, &number, &error) != DW_DLV_OK)
		number = 0;
	if (number > UINT32_MAX)
		number = 0;
	dwarf_dealloc_attribute(attribute);
	return (uint32_t)number;
}

static void take_declaration_place(Dwarf_Die die, struct image_dwarf_name *found)
{
	Dwarf_Error error = NULL;
	Dwarf_Off unit = 0;
	found->line = tr_image_dwarf_number(die, DW_AT_decl_line);
	if (!found->line)
		return;
	found->file = tr_image_dwarf_number(die, DW_AT_decl_file);
	if (dwarf_CU_dieoffset_given_die(die, &unit, &error) != DW_DLV_OK)
		found->line = 0;
	found->unit = unit;
}

/* A lambda has no declaration of its own; its closure class, reached through the object
 * pointer's type, has one. */
static void take_place_of_class(Dwarf_Debug dbg, Dwarf_Die die,
				struct image_dwarf_name *found)
{
	Dwarf_Die owned = NULL;
	int result = follow_die_reference(dbg, die, DW_AT_object_pointer, &owned);
	for (unsigned i = 0; i < TYPES_DEEP && result == DW_DLV_OK; i++) {
		Dwarf_Die next = NULL;
		result = follow_die_reference(dbg, owned, DW_AT_type, &next);
		if (result != DW_DLV_OK)
			break;
		dwarf_dealloc_die(owned);
		owned = next;
		take_declaration_place(owned, found);
	}
	if (owned)
		dwarf_dealloc_die(owned);
}

char *tr_image_dwarf_text(Dwarf_Die die, Dwarf_Half attribute)
{
	static const char elsewhere[] = "<DW_FORM_";
	Dwarf_Error error = NULL;
	char *text = NULL;
	if (dwarf_die_text(die, attribute, &text, &error) != DW_DLV_OK ||
	    strncmp(text, elsewhere, sizeof(elsewhere) - 1) == 0)
		return NULL;
	return text;
}

/* Takes from a DIE what is still missing in `found`. */
static void take_missing_names(Dwarf_Die die, struct image_dwarf_name *found)
{
	const char *text = NULL;
	if (!found->name[0] && (text = tr_image_dwarf_text(die, DW_AT_name))) {
		found->name = text;
		found->die = tr_image_dwarf_offset(die);
	}
	if (!found->mangled[0] &&
	    ((text = tr_image_dwarf_text(die, DW_AT_linkage_name)) ||
	     (text = tr_image_dwarf_text(die, DW_AT_MIPS_linkage_name))))
		found->mangled = text;
	if (!found->line)
		take_declaration_place(die, found);
}

struct image_dwarf_name tr_image_dwarf_name(Dwarf_Debug dbg, Dwarf_Die die)
{
	struct image_dwarf_name found = {.name = "", .mangled = ""};
	Dwarf_Die owned = NULL;
	for (unsigned i = 0; i < ORIGINS_DEEP; i++) {
		Dwarf_Die next = NULL;
		take_missing_names(die, &found);
		if (!found.line)
			take_place_of_class(dbg, die, &found);
		if (follow_die_reference(dbg, die, DW_AT_abstract_origin, &next) !=
			DW_DLV_OK &&
		    follow_die_reference(dbg, die, DW_AT_specification, &next) !=
			DW_DLV_OK)
			break;
		if (owned)
			dwarf_dealloc_die(owned);
		die = owned = next;
	}
	if (owned)
		dwarf_dealloc_die(owned);
	return found;
}

struct image_dwarf_name tr_image_dwarf_name_at(Dwarf_Debug dbg, uint64_t offset)
{
	struct image_dwarf_name found = {.name = "", .mangled = ""};
	Dwarf_Error error = NULL;
	Dwarf_Die die = NULL;
	if (dwarf_offdie_b(dbg, offset, 1, &die, &error) != DW_DLV_OK)
		return found;
	found = tr_image_dwarf_name(dbg, die);
	dwarf_dealloc_die(die);
	return found;
}

/* Reads DW_AT_low_pc, DW_AT_high_pc and DW_AT_ranges through libdwarf. */

struct adding {
	struct tr_buffer *ranges;
	uint32_t count;
	uint64_t first;
};

static void add_die_range(struct adding *adding, uint64_t low, uint64_t high)
{
	if (low >= high)
		return;
	if (adding->count++ == 0)
		adding->first = low;
	tr_image_index_range(adding->ranges, low, high);
}

static int add_low_high(Dwarf_Die die, uint64_t low, struct adding *adding)
{
	Dwarf_Error error = NULL;
	Dwarf_Addr high = 0;
	Dwarf_Half form = 0;
	enum Dwarf_Form_Class form_class = DW_FORM_CLASS_UNKNOWN;
	int result = dwarf_highpc_b(die, &high, &form, &form_class, &error);
	if (result != DW_DLV_OK)
		return result;
	add_die_range(adding, low,
		      form_class == DW_FORM_CLASS_ADDRESS ? high : low + high);
	return DW_DLV_OK;
}

/* Adds ranges from .debug_ranges (DWARF 3 and 4). Returns a libdwarf status. */
static int add_old_ranges(const struct image_dwarf_unit *unit, Dwarf_Die die,
			  Dwarf_Off offset, struct adding *adding)
{
	Dwarf_Error error = NULL;
	Dwarf_Ranges *list = NULL;
	Dwarf_Signed n = 0;
	Dwarf_Addr base = unit->base;
	int result =
	    dwarf_get_ranges_b(unit->dbg, offset, die, NULL, &list, &n, NULL, &error);
	if (result != DW_DLV_OK)
		return result;
	for (Dwarf_Signed i = 0; i < n && list[i].dwr_type != DW_RANGES_END; i++) {
		if (list[i].dwr_type == DW_RANGES_ADDRESS_SELECTION)
			base = list[i].dwr_addr2;
		else
			add_die_range(adding, base + list[i].dwr_addr1,
				      base + list[i].dwr_addr2);
	}
	dwarf_ranges_dealloc(unit->dbg, list, n);
	return DW_DLV_OK;
}

static int add_rnglist_entry(Dwarf_Rnglists_Head head, Dwarf_Unsigned i,
			     struct adding *adding)
{
	Dwarf_Error error = NULL;
	Dwarf_Unsigned raw1 = 0, raw2 = 0, low = 0, high = 0;
	Dwarf_Bool no_address = 0;
	unsigned length = 0, kind = 0;
	int result = dwarf_get_rnglists_entry_fields_a(
	    head, i, &length, &kind, &raw1, &raw2, &no_address, &low, &high, &error);
	if (result != DW_DLV_OK)
		return result;
	bool is_range = kind == DW_RLE_startx_endx || kind == DW_RLE_startx_length ||
			kind == DW_RLE_offset_pair || kind == DW_RLE_start_end ||
			kind == DW_RLE_start_length;
	if (is_range && !no_address)
		add_die_range(adding, low, high);
	return DW_DLV_OK;
}

/* Adds ranges from .debug_rnglists (DWARF 5). Returns a libdwarf status. */
static int add_rnglist(Dwarf_Attribute attribute, Dwarf_Half form, Dwarf_Unsigned value,
		       struct adding *adding)
{
	Dwarf_Error error = NULL;
	Dwarf_Rnglists_Head head = NULL;
	Dwarf_Unsigned n = 0, offset = 0;
	int result = dwarf_rnglists_get_rle_head(attribute, form, value, &head, &n,
						 &offset, &error);
	if (result != DW_DLV_OK)
		return result;
	for (Dwarf_Unsigned i = 0; i < n && result == DW_DLV_OK; i++)
		result = add_rnglist_entry(head, i, adding);
	dwarf_dealloc_rnglists_head(head);
	return result;
}

static int add_ranges(const struct image_dwarf_unit *unit, Dwarf_Die die,
		      struct adding *adding)
{
	Dwarf_Error error = NULL;
	Dwarf_Attribute attribute = NULL;
	Dwarf_Half form = 0;
	Dwarf_Unsigned value = 0;
	int result = dwarf_attr(die, DW_AT_ranges, &attribute, &error);
	if (result != DW_DLV_OK)
		return result;
	result = dwarf_whatform(attribute, &form, &error);
	if (result == DW_DLV_OK)
		result = form == DW_FORM_sec_offset
			     ? dwarf_global_formref(attribute, &value, &error)
			     : dwarf_formudata(attribute, &value, &error);
	if (result == DW_DLV_OK)
		result = unit->version >= 5 ? add_rnglist(attribute, form, value, adding)
					    : add_old_ranges(unit, die, value, adding);
	dwarf_dealloc_attribute(attribute);
	return result;
}

int tr_image_dwarf_ranges(const struct image_dwarf_unit *unit, Dwarf_Die die,
			  struct tr_buffer *ranges, uint32_t *count, uint64_t *first)
{
	Dwarf_Error error = NULL;
	Dwarf_Addr low = 0;
	struct adding adding = {.ranges = ranges};
	size_t before = ranges->size;
	int result = dwarf_lowpc(die, &low, &error);
	if (result == DW_DLV_OK)
		result = add_low_high(die, low, &adding);
	else if (result == DW_DLV_NO_ENTRY)
		result = add_ranges(unit, die, &adding);
	if (result != DW_DLV_OK)
		ranges->size = before;
	else if (adding.count == 0)
		result = DW_DLV_NO_ENTRY;
	*count = result == DW_DLV_OK ? adding.count : 0;
	*first = adding.first;
	return result;
}

/* Full names and places of functions. */

static const char *text_at(const struct image_dwarf_titles *titles, uint32_t offset)
{
	return (const char *)titles->text.data + offset;
}

static bool put_demangled(struct image_dwarf_titles *titles,
			  const struct image_dwarf_name *name, uint64_t entry)
{
	const struct image_mangled *mangled = titles->mangled;
	if (tr_image_demangle(name->mangled, &titles->text))
		return true;
	uint32_t offset = tr_map_get(&mangled->offsets, entry);
	return offset != TR_MAP_NONE &&
	       tr_image_demangle((const char *)mangled->names.data + offset,
				 &titles->text);
}

void tr_image_dwarf_titles_add(struct image_dwarf_titles *titles,
			       const struct image_dwarf_name *name, uint64_t entry)
{
	struct tr_buffer *text = &titles->text;
	if (text->size == 0)
		tr_buffer_add(text, "", 1);
	uint64_t at = text->size;
	if (!put_demangled(titles, name, entry)) {
		tr_image_scopes_prefix(titles->scopes, name->die, text);
		tr_buffer_add(text, name->name, strlen(name->name));
	}
	tr_buffer_add(text, "", 1);
	titles->failed |= text->failed || at > INT32_MAX ||
			  !tr_grow(&titles->list, &titles->capacity, titles->count + 1,
				   sizeof(*titles->list));
	if (titles->failed)
		return;
	uint64_t hash = XXH3_64bits(text->data + at, text->size - at);
	uint32_t first = tr_map_get(&titles->by_name, hash);
	if (first == TR_MAP_NONE) {
		first = (uint32_t)titles->count;
		titles->failed |= !tr_map_set(&titles->by_name, hash, first);
	} else {
		titles->list[first].has_namesake = true;
	}
	titles->list[titles->count++] = (struct image_title){.unit = name->unit,
							     .file = name->file,
							     .line = name->line,
							     .name = (uint32_t)at,
							     .first = first};
}

static void drop_files(struct image_dwarf_titles *titles)
{
	for (Dwarf_Signed i = 0; i < titles->nfiles; i++)
		dwarf_dealloc(titles->dbg, titles->files[i], DW_DLA_STRING);
	if (titles->files)
		dwarf_dealloc(titles->dbg, titles->files, DW_DLA_LIST);
	titles->files = NULL;
	titles->nfiles = 0;
}

static void take_files(struct image_dwarf_titles *titles, uint64_t unit)
{
	Dwarf_Error error = NULL;
	Dwarf_Die die = NULL;
	Dwarf_Half offset_size = 0;
	drop_files(titles);
	titles->unit = unit;
	if (dwarf_offdie_b(titles->dbg, unit, 1, &die, &error) != DW_DLV_OK)
		return;
	if (dwarf_get_version_of_die(die, &titles->version, &offset_size) != DW_DLV_OK ||
	    dwarf_srcfiles(die, &titles->files, &titles->nfiles, &error) != DW_DLV_OK) {
		titles->files = NULL;
		titles->nfiles = 0;
	}
	dwarf_dealloc_die(die);
}

/* Returns a file's name. File numbers start at 1 before DWARF 5, at 0 since. */
const char *tr_image_dwarf_file(struct image_dwarf_titles *titles, uint64_t unit,
				uint32_t file)
{
	if (titles->unit != unit)
		take_files(titles, unit);
	uint32_t first = titles->version >= 5 ? 0 : 1;
	if (file < first || file - first >= titles->nfiles)
		return NULL;
	const char *path = titles->files[file - first], *slash = strrchr(path, '/');
	return slash ? slash + 1 : path;
}

static void find_title_place(struct image_dwarf_titles *titles, struct image_title *title)
{
	char line[16];
	const char *file =
	    title->line ? tr_image_dwarf_file(titles, title->unit, title->file) : NULL;
	if (title->place || !file)
		return;
	title->place = (uint32_t)titles->text.size;
	snprintf(line, sizeof(line), ":%" PRIu32, title->line);
	tr_buffer_add(&titles->text, file, strlen(file));
	tr_buffer_add(&titles->text, line, strlen(line) + 1);
	titles->failed |= titles->text.failed || titles->text.size > INT32_MAX;
}

/* Returns true if two functions of one name have known and different places. */
static bool are_apart(const struct image_dwarf_titles *titles,
		      const struct image_title *a, const struct image_title *b)
{
	return !titles->failed && a->place && b->place &&
	       strcmp(text_at(titles, a->place), text_at(titles, b->place)) != 0;
}

/* The first title of a name precedes the others. */
void tr_image_dwarf_titles_settle(struct image_dwarf_titles *titles)
{
	titles->unit = UINT64_MAX;
	for (size_t i = 0; i < titles->count && !titles->failed; i++) {
		struct image_title *title = &titles->list[i];
		struct image_title *first = &titles->list[title->first];
		if (!first->has_namesake)
			continue;
		find_title_place(titles, title);
		first->differs |= are_apart(titles, title, first);
	}
	drop_files(titles);
}

const char *tr_image_dwarf_title(const struct image_dwarf_titles *titles, size_t i)
{
	return text_at(titles, titles->list[i].name);
}

const char *tr_image_dwarf_title_place(const struct image_dwarf_titles *titles, size_t i)
{
	return text_at(titles, titles->list[i].place);
}

bool tr_image_dwarf_title_differs(const struct image_dwarf_titles *titles, size_t i)
{
	return titles->list[titles->list[i].first].differs;
}

void tr_image_dwarf_titles_release(struct image_dwarf_titles *titles)
{
	free(titles->list);
	tr_map_free(&titles->by_name);
	tr_buffer_free(&titles->text);
}
