/* SPDX-License-Identifier: Apache-2.0 */
/* Collects the functions of a program. */
#include "functions.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "called_functions.h"
#include "unwind_tables.h"

enum {
	NAME_SIZE = 20,
	RANK_NAMELESS = 9,
	SECTION_ABSOLUTE = 0xff00,
	OVERLAP_MAX = 2,
	NAME_BYTES_MAX = 1 << 28
};

/* A list that grows, and what it is read from. */
struct collection {
	const struct prof_elf *elf;
	struct prof_list *list;
	size_t capacity;
	struct prof_trouble *trouble;
	uint64_t name_bytes; /* of all functions so far */
};

static bool blame_symbol(struct collection *c, uint64_t at, const char *reason)
{
	*c->trouble = (struct prof_trouble){reason, at};
	return false;
}

static bool append_function(struct collection *c, const struct prof_listed *function)
{
	struct prof_list *list = c->list;
	if (list->count == c->capacity) {
		c->capacity = c->capacity ? 2 * c->capacity : 1024;
		struct prof_listed *more =
		    realloc(list->functions, c->capacity * sizeof(*more));
		if (!more)
			return blame_symbol(c, PROF_NO_BYTE, "out of memory");
		list->functions = more;
	}
	list->functions[list->count++] = *function;
	return true;
}

/* Returns whether a symbol that is no function ends the function before it if that has no
 * size: not the local labels of assembly, nor the marks $x and $d. */
static bool is_boundary(const struct prof_symbol *symbol)
{
	return symbol->bind != PROF_BIND_LOCAL;
}

static bool has_control_characters(const char *name)
{
	for (; *name; name++)
		if ((unsigned char)*name < ' ' || *name == 0x7f)
			return true;
	return false;
}

/* Adds a symbol of code: functions, and, without a name, what ends a function. */
static bool take_symbol(struct collection *c, const struct prof_symbol *symbol)
{
	const bool function =
	    symbol->type == PROF_SYMBOL_FUNCTION || symbol->type == PROF_SYMBOL_RESOLVER;
	if (symbol->section == 0 || symbol->section >= SECTION_ABSOLUTE ||
	    (!function && !is_boundary(symbol)))
		return true;
	const struct prof_section *section = prof_code_at(c->elf, symbol->value);
	if (!section || !prof_section_is_own(section))
		return true;
	const uint64_t room = section->address + section->size - symbol->value;
	if (function && symbol->value % 2)
		return blame_symbol(c, symbol->at, "a function begins at an odd address");
	if (function && symbol->size > room)
		return blame_symbol(c, symbol->at, "a function ends behind its section");
	/* Names may share their bytes, and be larger than the file together. */
	c->name_bytes += function ? strlen(symbol->name) : 0;
	if (c->name_bytes > NAME_BYTES_MAX)
		return blame_symbol(c, symbol->at, "names of functions are too long");
	if (function && has_control_characters(symbol->name))
		return blame_symbol(c, symbol->at,
				    "the name of a function has control characters");
	return append_function(
	    c, &(struct prof_listed){.start = symbol->value,
				     .end = symbol->value + symbol->size,
				     .name = function ? symbol->name : NULL,
				     .at = symbol->at,
				     .rank = symbol->bind == PROF_BIND_GLOBAL ? 0
					     : symbol->bind == PROF_BIND_WEAK ? 1
									      : 2});
}

static bool take_symbols(struct collection *c, const struct prof_section *section)
{
	struct prof_symbols symbols;
	struct prof_symbol symbol;
	if (!prof_symbols_open(c->elf, section, &symbols, c->trouble))
		return false;
	for (size_t i = 1; i < symbols.count; i++) {
		if (!prof_symbol_read(&symbols, i, &symbol))
			return blame_symbol(c, symbol.at,
					    "the name of a symbol is missing");
		if (!take_symbol(c, &symbol))
			return false;
	}
	return true;
}

static bool take_unwind_range(void *context, const struct prof_unwind_entry *entry)
{
	struct collection *c = context;
	const struct prof_section *section = prof_code_at(c->elf, entry->start);
	if (!section || !prof_section_is_own(section))
		return true;
	if (entry->start % 2)
		return blame_symbol(c, entry->at, "a function begins at an odd address");
	if (entry->end > section->address + section->size)
		return blame_symbol(c, entry->at, "a function ends behind its section");
	return append_function(c, &(struct prof_listed){.start = entry->start,
							.end = entry->end,
							.name = "",
							.at = entry->at,
							.rank = RANK_NAMELESS});
}

/* Orders by start, then the best name first; what is no function comes last. */
static int compare_listed(const void *a, const void *b)
{
	const struct prof_listed *x = a, *y = b;
	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	if (!x->name || !y->name)
		return (x->name == NULL) - (y->name == NULL);
	if (x->rank != y->rank)
		return x->rank < y->rank ? -1 : 1;
	const size_t marks = strspn(x->name, "_"), others = strspn(y->name, "_");
	if (marks != others)
		return marks < others ? -1 : 1;
	const size_t length = strlen(x->name), other = strlen(y->name);
	if (length != other)
		return length < other ? -1 : 1;
	return strcmp(x->name, y->name);
}

static void sort_list(struct prof_list *list)
{
	if (list->count)
		qsort(list->functions, list->count, sizeof(*list->functions),
		      compare_listed);
}

/* Joins the symbols of each address, and ends those without a size: where the next one
 * begins, or the function ends within which they are. */
static void join_aliases(const struct prof_elf *elf, struct prof_list *list)
{
	struct prof_listed *all = list->functions;
	size_t kept = 0;
	uint64_t next, outer = 0; /* outer: the end of what reaches furthest so far */
	for (size_t i = 0, end; i < list->count; i = end) {
		const struct prof_section *section = prof_code_at(elf, all[i].start);
		struct prof_listed function = all[i];
		for (end = i; end < list->count && all[end].start == all[i].start; end++)
			if (all[end].end > function.end && all[end].name)
				function.end = all[end].end;
		next = section->address + section->size;
		if (end < list->count && all[end].start < next)
			next = all[end].start;
		if (kept && all[kept - 1].end > function.start)
			next = all[kept - 1].end < next ? all[kept - 1].end : next;
		else if (outer > function.start && outer < next)
			next = outer;
		if (function.end == function.start)
			function.end = next;
		if (function.name)
			all[kept++] = function;
		if (function.name && function.end > outer)
			outer = function.end;
	}
	list->count = kept;
}

/* Fails if a function begins within another and ends behind it, or if so many are within
 * others that to read each of them would take long. Assembly has functions within
 * others. */
static bool check_nesting(struct collection *c)
{
	const struct prof_list *list = c->list;
	uint64_t sum = 0, code = 0;
	size_t depth = 0;
	bool good = true;
	uint64_t *ends = malloc((list->count + 1) * sizeof(*ends)); /* of outer ones */
	if (!ends)
		return blame_symbol(c, PROF_NO_BYTE, "out of memory");
	for (size_t i = 0; i < c->elf->code_count; i++)
		code += c->elf->code[i]->size;
	for (size_t i = 0; i < list->count && good; i++) {
		const struct prof_listed *f = &list->functions[i];
		while (depth && ends[depth - 1] <= f->start)
			depth--;
		sum += f->end - f->start;
		if ((depth && ends[depth - 1] < f->end) || sum > OVERLAP_MAX * code)
			good = blame_symbol(c, f->at, "functions overlap");
		ends[depth++] = f->end;
	}
	free(ends);
	return good;
}

static bool take_called(void *context, uint64_t start, uint64_t end)
{
	struct collection *c = context;
	return append_function(
	    c, &(struct prof_listed){.start = start,
				     .end = end,
				     .name = "",
				     .at = prof_file_offset(c->elf, start, 2),
				     .rank = RANK_NAMELESS,
				     .by_call = true});
}

/* Names functions without one after their address. */
static bool make_names(struct collection *c)
{
	size_t nameless = 0;
	for (size_t i = 0; i < c->list->count; i++)
		nameless += !*c->list->functions[i].name;
	c->list->made_names = malloc(nameless * NAME_SIZE + 1);
	if (!c->list->made_names)
		return blame_symbol(c, PROF_NO_BYTE, "out of memory");
	char *name = c->list->made_names;
	for (size_t i = 0; i < c->list->count; i++) {
		struct prof_listed *f = &c->list->functions[i];
		if (*f->name)
			continue;
		snprintf(name, NAME_SIZE, "0x%" PRIx64, f->start);
		f->name = name;
		name += NAME_SIZE;
	}
	return true;
}

static bool collect_functions(struct collection *c)
{
	const struct prof_section *section =
	    prof_section_typed(c->elf, PROF_TYPE_SYMBOLS);
	const struct prof_section *dynamic =
	    prof_section_typed(c->elf, PROF_TYPE_DYNAMIC_SYMBOLS);
	if (section && !take_symbols(c, section))
		return false;
	if (!section && dynamic && !take_symbols(c, dynamic))
		return false;
	if (!section && !prof_visit_unwind(c->elf, c->trouble, take_unwind_range, c))
		return false;
	sort_list(c->list);
	join_aliases(c->elf, c->list);
	if (!check_nesting(c))
		return false;
	if (!section) {
		if (!prof_visit_called(c->elf, c->list, c->trouble, take_called, c))
			return false;
		sort_list(c->list);
	}
	if (!c->list->count)
		return blame_symbol(c, section ? section->header : 40,
				    "there are no functions");
	return make_names(c);
}

bool prof_list_functions(const struct prof_elf *elf, struct prof_list *list,
			 struct prof_trouble *trouble)
{
	struct collection c = {.elf = elf, .list = list, .trouble = trouble};
	*list = (struct prof_list){0};
	if (collect_functions(&c))
		return true;
	prof_free_list(list);
	return false;
}

void prof_free_list(struct prof_list *list)
{
	free(list->functions);
	free(list->made_names);
	*list = (struct prof_list){0};
}
