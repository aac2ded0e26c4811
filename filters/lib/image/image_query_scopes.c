/* SPDX-License-Identifier: Apache-2.0 */
/* Parameters, local variables and lines of a function. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "image/image_dwarf_die.h"
#include "image/image_query_state.h"

enum { BLOCKS_DEEP = 64, PARAMETERS_MAX = 64 };

/* Returns the DIE of parameter `i` among the children of `function`, 0 if there is none.
 */
static uint64_t parameter_at(struct tr_query *query, uint64_t function, unsigned i)
{
	Dwarf_Die parent = tr_query_die(query, function);
	uint64_t found = 0;
	for (Dwarf_Die die = parent ? tr_query_child(parent) : NULL; die && !found;
	     die = tr_query_next(query, die))
		if (tr_query_tag(die) == DW_TAG_formal_parameter && i-- == 0)
			found = tr_image_dwarf_offset(die);
	dwarf_dealloc_die(parent);
	return found;
}

/* Returns the parameter in the code whose origin is `origin`, 0 if it has none. */
static uint64_t parameter_of(struct tr_query *query, uint64_t function, uint64_t origin)
{
	uint64_t die = 0;
	for (unsigned i = 0; i < PARAMETERS_MAX; i++) {
		die = parameter_at(query, function, i);
		if (!die || tr_query_origin(query, die) == origin)
			return die;
	}
	return 0;
}

bool tr_query_parameter(struct tr_query *query, const struct tr_query_function *function,
			unsigned i, uint64_t *die, uint64_t *type)
{
	uint64_t origin = parameter_at(query, function->origin, i);
	if (!origin)
		return false;
	*type = tr_query_type_of(query, origin);
	*die = origin;
	if (function->die && function->die != function->origin) {
		uint64_t own = parameter_of(query, function->die, origin);
		if (own)
			*die = own;
	}
	return true;
}

bool tr_query_parameter_named(struct tr_query *query,
			      const struct tr_query_function *function, const char *name,
			      struct tr_near *near, unsigned *i)
{
	for (*i = 0; *i < PARAMETERS_MAX; ++*i) {
		uint64_t die = parameter_at(query, function->origin, *i);
		const char *own = die ? tr_query_name(query, die) : NULL;
		if (!die)
			return false;
		if (own && near)
			tr_near_offer(near, own);
		if (own && strcmp(own, name) == 0)
			return true;
	}
	return false;
}

static bool is_block(Dwarf_Half tag)
{
	return tag == DW_TAG_lexical_block || tag == DW_TAG_inlined_subroutine ||
	       tag == DW_TAG_try_block || tag == DW_TAG_catch_block;
}

struct search {
	struct tr_query *query;
	uint64_t pc;
	const char *name;
	struct tr_near *near;
	uint64_t found;
};

/* Looks in the block around `pc` first, so that the innermost variable is found. */
static void find_local(struct search *search, Dwarf_Die parent, unsigned deep)
{
	uint64_t own = 0;
	for (Dwarf_Die die = tr_query_child(parent); die;
	     die = tr_query_next(search->query, die)) {
		Dwarf_Half tag = tr_query_tag(die);
		if (is_block(tag) && deep < BLOCKS_DEEP && !search->found &&
		    tr_query_covers(search->query, die, search->pc))
			find_local(search, die, deep + 1);
		if (tag != DW_TAG_variable && tag != DW_TAG_formal_parameter)
			continue;
		uint64_t at = tr_image_dwarf_offset(die);
		const char *name = tr_query_name(search->query, at);
		if (name && search->near)
			tr_near_offer(search->near, name);
		if (name && strcmp(name, search->name) == 0)
			own = at;
	}
	if (!search->found)
		search->found = own;
}

bool tr_query_local(struct tr_query *query, uint64_t function, uint64_t pc,
		    const char *name, struct tr_near *near, uint64_t *found)
{
	struct search search = {.query = query, .pc = pc, .name = name, .near = near};
	Dwarf_Die die = tr_query_die(query, function);
	if (die)
		find_local(&search, die, 0);
	dwarf_dealloc_die(die);
	*found = search.found;
	return search.found != 0;
}

bool tr_query_has_code(struct tr_query *query, uint64_t function, uint64_t pc)
{
	Dwarf_Die die = tr_query_die(query, function);
	bool has = die && tr_query_covers(query, die, pc);
	dwarf_dealloc_die(die);
	return has;
}

/* --- lines */

/* Where a line begins, and in which inlined call. */
struct start {
	uint64_t scope, address;
};

struct lines {
	struct tr_query *query;
	Dwarf_Die function;
	const char *file;
	uint32_t line, below, above;
	struct tr_buffer starts; /* struct start */
};

/* Returns the innermost inlined call at `pc`, or the function. */
static uint64_t scope_at(struct tr_query *query, Dwarf_Die parent, uint64_t scope,
			 uint64_t pc, unsigned deep)
{
	for (Dwarf_Die die = tr_query_child(parent); die;
	     die = tr_query_next(query, die)) {
		Dwarf_Half tag = tr_query_tag(die);
		if (!is_block(tag) || deep >= BLOCKS_DEEP ||
		    !tr_query_covers(query, die, pc))
			continue;
		uint64_t inner =
		    tag == DW_TAG_inlined_subroutine ? tr_image_dwarf_offset(die) : scope;
		scope = scope_at(query, die, inner, pc, deep + 1);
		dwarf_dealloc_die(die);
		return scope;
	}
	return scope;
}

static void note_scope_start(struct lines *lines, uint64_t address)
{
	struct start *list = (struct start *)(void *)lines->starts.data;
	struct start start = {.address = address};
	start.scope = scope_at(lines->query, lines->function,
			       tr_image_dwarf_offset(lines->function), address, 0);
	for (size_t i = 0; i < lines->starts.size / sizeof(start); i++)
		if (list[i].scope == start.scope) {
			if (address < list[i].address)
				list[i].address = address;
			return;
		}
	tr_buffer_add(&lines->starts, &start, sizeof(start));
}

/* "core.c" and "sched/core.c" are ends of the path "kernel/sched/core.c". */
static bool is_end_of(const char *end, const char *path)
{
	size_t length = strlen(end), whole = strlen(path);
	return whole >= length && strcmp(path + whole - length, end) == 0 &&
	       (whole == length || path[whole - length - 1] == '/');
}

/* Returns true if file number `file` of a line table is the one that is wanted. Folder 0
 * is that of the compilation, and not in the table before DWARF 5. */
static bool is_file(const struct lines *lines, Dwarf_Line_Context context,
		    Dwarf_Unsigned file)
{
	Dwarf_Error error = NULL;
	Dwarf_Unsigned folder = 0, time, size;
	Dwarf_Form_Data16 *sum = NULL;
	const char *name = NULL, *path = NULL;
	char whole[4096];
	if (dwarf_srclines_files_data_b(context, (Dwarf_Signed)file, &name, &folder,
					&time, &size, &sum, &error) != DW_DLV_OK ||
	    !name)
		return false;
	if (*name == '/' ||
	    dwarf_srclines_include_dir_data(context, (Dwarf_Signed)folder, &path,
					    &error) != DW_DLV_OK ||
	    !path)
		path = "";
	snprintf(whole, sizeof(whole), "%s%s%s", path, *path ? "/" : "", name);
	return is_end_of(lines->file, whole);
}

static void take_statement_row(struct lines *lines, Dwarf_Line_Context context,
			       Dwarf_Line row)
{
	Dwarf_Error error = NULL;
	Dwarf_Addr address = 0;
	Dwarf_Unsigned line = 0, file = 0;
	Dwarf_Bool is_end = 0, is_statement = 0;
	if (dwarf_lineaddr(row, &address, &error) != DW_DLV_OK ||
	    dwarf_lineno(row, &line, &error) != DW_DLV_OK ||
	    dwarf_lineendsequence(row, &is_end, &error) != DW_DLV_OK ||
	    dwarf_linebeginstatement(row, &is_statement, &error) != DW_DLV_OK || is_end ||
	    !is_statement || line == 0 || line > UINT32_MAX ||
	    !tr_query_covers(lines->query, lines->function, address) ||
	    dwarf_line_srcfileno(row, &file, &error) != DW_DLV_OK)
		return;
	/* Rows that name no file are of file 1, for which libdwarf returns 0. */
	if (!is_file(lines, context, file) && (file || !is_file(lines, context, 1)))
		return;
	if (line == lines->line)
		note_scope_start(lines, address);
	else if (line < lines->line && line > lines->below)
		lines->below = (uint32_t)line;
	else if (line > lines->line && (!lines->above || line < lines->above))
		lines->above = (uint32_t)line;
}

static void take_unit_lines(struct lines *lines, uint64_t unit)
{
	Dwarf_Error error = NULL;
	Dwarf_Unsigned version = 0;
	Dwarf_Small count = 0;
	Dwarf_Line_Context context = NULL;
	Dwarf_Line *rows = NULL;
	Dwarf_Signed nrows = 0;
	Dwarf_Die top = tr_query_die(lines->query, unit);
	if (!top ||
	    dwarf_srclines_b(top, &version, &count, &context, &error) != DW_DLV_OK)
		return;
	if (dwarf_srclines_from_linecontext(context, &rows, &nrows, &error) == DW_DLV_OK)
		for (Dwarf_Signed i = 0; i < nrows; i++)
			take_statement_row(lines, context, rows[i]);
	dwarf_srclines_dealloc_b(context);
	dwarf_dealloc_die(top);
}

static int compare_start_addresses(const void *a, const void *b)
{
	const uint64_t *left = a, *right = b;
	return (*left > *right) - (*left < *right);
}

size_t tr_query_line(struct tr_query *query, uint64_t function, const char *file,
		     uint32_t line, struct tr_buffer *addresses, uint32_t *below,
		     uint32_t *above)
{
	struct lines lines = {.query = query, .file = file, .line = line};
	lines.function = tr_query_die(query, function);
	addresses->size = 0;
	if (lines.function)
		take_unit_lines(&lines, tr_query_unit(query, function));
	dwarf_dealloc_die(lines.function);
	const struct start *list = (const struct start *)(void *)lines.starts.data;
	size_t count = lines.starts.size / sizeof(*list);
	for (size_t i = 0; i < count; i++)
		tr_buffer_add(addresses, &list[i].address, sizeof(uint64_t));
	query->failed |= lines.starts.failed || addresses->failed;
	tr_buffer_free(&lines.starts);
	*below = lines.below;
	*above = lines.above;
	if (query->failed)
		return 0;
	if (count)
		qsort(addresses->data, count, sizeof(uint64_t), compare_start_addresses);
	return count;
}
