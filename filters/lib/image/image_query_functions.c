/* SPDX-License-Identifier: Apache-2.0 */
/* Out-of-line functions by name: from DWARF, and from symbols for assembly. */
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "image/image_btf.h"
#include "image/image_dwarf_die.h"
#include "image/image_query_state.h"

enum { ORIGINS_DEEP = 8 };

static const struct query_code *list_query_codes(const struct tr_query *query,
						 size_t *count)
{
	*count = query->code.size / sizeof(struct query_code);
	return (const struct query_code *)(const void *)query->code.data;
}

static bool is_assembler(Dwarf_Unsigned language)
{
	return language == DW_LANG_Mips_Assembler;
}

static bool is_like_c(Dwarf_Unsigned language)
{
	switch (language) {
	case DW_LANG_C89:
	case DW_LANG_C:
	case DW_LANG_C99:
	case DW_LANG_C11:
	case DW_LANG_C_plus_plus:
	case DW_LANG_C_plus_plus_03:
	case DW_LANG_C_plus_plus_11:
	case DW_LANG_C_plus_plus_14:
	case DW_LANG_Mips_Assembler:
		return true;
	default:
		return false;
	}
}

/* --- symbols */

typedef bool take_symbol(void *context, const char *name, const GElf_Sym *symbol);

/* Calls `take` for each symbol of code or data until it returns true. */
static void each_symbol(const struct tr_query *query, take_symbol *take, void *context)
{
	const struct image_elf *elf = query->elf;
	for (size_t i = 1; i < elf->nsections; i++) {
		GElf_Shdr section;
		GElf_Sym symbol;
		Elf_Scn *scn = elf_getscn(query->whole, i);
		if (!scn || !gelf_getshdr(scn, &section) || section.sh_type != SHT_SYMTAB)
			continue;
		Elf_Data *data = elf_getdata(scn, NULL);
		for (int n = 1; data && gelf_getsym(data, n, &symbol); n++) {
			unsigned type = GELF_ST_TYPE(symbol.st_info);
			const char *name =
			    elf_strptr(query->whole, section.sh_link, symbol.st_name);
			if ((type != STT_FUNC && type != STT_NOTYPE &&
			     type != STT_OBJECT) ||
			    !name || !*name || *name == '$' ||
			    strncmp(name, ".L", 2) == 0 || symbol.st_shndx == SHN_UNDEF)
				continue;
			if (query->is_module && symbol.st_shndx < SHN_LORESERVE)
				symbol.st_value += tr_query_section_base(symbol.st_shndx);
			if (take(context, name, &symbol))
				return;
		}
	}
}

static bool take_btf_symbol(void *context, const char *name, const GElf_Sym *symbol)
{
	const unsigned type = GELF_ST_TYPE(symbol->st_info);
	const struct image_btf_symbol one = {name, symbol->st_value, symbol->st_size,
					     type != STT_OBJECT,
					     GELF_ST_BIND(symbol->st_info) == STB_GLOBAL};
	if (symbol->st_shndx < SHN_LORESERVE)
		tr_buffer_add(context, &one, sizeof(one));
	return false;
}

size_t tr_query_btf_symbols(const struct tr_query *query, struct tr_buffer *list)
{
	each_symbol(query, take_btf_symbol, list);
	return list->size / sizeof(struct image_btf_symbol);
}

struct search {
	const struct tr_query *query; /* NULL: symbols of data, too */
	const char *name;
	uint64_t address;
	const char *found;
	struct tr_near *near;
};

static bool is_code_symbol(const struct tr_query *query, const GElf_Sym *symbol)
{
	return GELF_ST_TYPE(symbol->st_info) != STT_OBJECT &&
	       tr_image_elf_is_code(query->elf, symbol->st_value, symbol->st_value + 1);
}

/* Finds the symbol around the entry that has the name, or the name with a suffix, or that
 * C++ made of it; others are aliases. The entry may follow room for patches, which the
 * symbol includes. */
static bool take_at(void *context, const char *name, const GElf_Sym *symbol)
{
	struct search *search = context;
	size_t length = strlen(search->name);
	if (search->address != symbol->st_value &&
	    search->address - symbol->st_value >= symbol->st_size)
		return false;
	bool same = strcmp(name, search->name) == 0;
	bool of_cxx = strncmp(name, "_Z", 2) == 0 && search->address == symbol->st_value;
	if (same || of_cxx ||
	    (strncmp(name, search->name, length) == 0 && name[length] == '.'))
		search->found = name;
	return same;
}

static bool take_named(void *context, const char *name, const GElf_Sym *symbol)
{
	struct search *search = context;
	if (strcmp(name, search->name) != 0 ||
	    (search->query && !is_code_symbol(search->query, symbol)))
		return false;
	search->address = symbol->st_value;
	search->found = name;
	return GELF_ST_BIND(symbol->st_info) == STB_GLOBAL;
}

static bool take_near(void *context, const char *name, const GElf_Sym *symbol)
{
	struct search *search = context;
	if (is_code_symbol(search->query, symbol))
		tr_near_offer(search->near, name);
	return false;
}

static bool has_symbols(const struct tr_query *query)
{
	for (size_t i = 1; i < query->elf->nsections; i++) {
		GElf_Shdr section;
		Elf_Scn *scn = elf_getscn(query->whole, i);
		if (scn && gelf_getshdr(scn, &section) && section.sh_type == SHT_SYMTAB)
			return true;
	}
	return false;
}

/* --- all symbols */

struct labels {
	const struct tr_query *query;
	struct tr_buffer *list; /* struct ranked_label */
};
struct ranked_label {
	struct tr_query_label label; /* its end is its address without a size */
	unsigned rank;		     /* the lowest of an address counts */
};

static bool take_label(void *context, const char *name, const GElf_Sym *symbol)
{
	const struct labels *labels = context;
	const unsigned type = GELF_ST_TYPE(symbol->st_info),
		       binding = GELF_ST_BIND(symbol->st_info);
	/* One of data without a size marks a place. */
	if (symbol->st_shndx >= SHN_LORESERVE ||
	    (!symbol->st_size && !is_code_symbol(labels->query, symbol)))
		return false;
	const struct ranked_label label = {
	    .label = {symbol->st_value, symbol->st_value + symbol->st_size, name},
	    .rank = 4U * (binding == STB_WEAK) + 2U * (type == STT_NOTYPE) +
		    (binding == STB_LOCAL)};
	tr_buffer_add(labels->list, &label, sizeof(label));
	return labels->list->failed;
}

static int compare_labels(const void *left, const void *right)
{
	const struct ranked_label *a = left, *b = right;
	const size_t length = strlen(a->label.name), other = strlen(b->label.name);
	if (a->label.address != b->label.address)
		return a->label.address < b->label.address ? -1 : 1;
	if (a->rank != b->rank)
		return a->rank < b->rank ? -1 : 1;
	return length != other ? (length > other) - (length < other)
			       : strcmp(a->label.name, b->label.name);
}

size_t tr_query_labels(const struct tr_query *query, struct tr_buffer *list)
{
	struct tr_buffer all = {0};
	struct labels labels = {query, &all};
	size_t kept = 0;
	each_symbol(query, take_label, &labels);
	struct ranked_label *label = (struct ranked_label *)(void *)all.data;
	const size_t count = all.size / sizeof(*label);
	if (count)
		qsort(label, count, sizeof(*label), compare_labels);
	for (size_t i = 0; i < count; i++)
		if (!kept || label[kept - 1].label.address != label[i].label.address)
			label[kept++] = label[i];
	for (size_t i = 0; i < kept; i++) {
		struct tr_query_label *one = &label[i].label;
		if (one->end == one->address)
			one->end =
			    i + 1 < kept ? label[i + 1].label.address : one->address + 1;
		tr_buffer_add(list, one, sizeof(*one));
	}
	list->failed |= all.failed;
	tr_buffer_free(&all);
	return kept;
}

bool tr_query_symbol(const struct tr_query *query, const char *name, uint64_t *address)
{
	struct search search = {.name = name};
	each_symbol(query, take_named, &search);
	*address = search.address;
	return search.found != NULL;
}

/* Compilers change the parameters of these copies. */
static bool is_changed(const char *suffix)
{
	return strstr(suffix, ".isra.") || strstr(suffix, ".constprop.") ||
	       strstr(suffix, ".part.") || strstr(suffix, ".cold") ||
	       strstr(suffix, ".specialized.");
}

/* --- functions */

static bool is_of_llvm(const struct tr_query *query, uint64_t die)
{
	Dwarf_Die unit = tr_query_die(query, tr_query_unit(query, die));
	const char *producer = unit ? tr_image_dwarf_text(unit, DW_AT_producer) : NULL;
	bool is = producer && (strstr(producer, "clang") || strstr(producer, "LLVM"));
	dwarf_dealloc_die(unit);
	return is;
}

/* Also by the declaration in a class or namespace. */
static bool is_external(const struct tr_query *query, uint64_t offset)
{
	for (unsigned i = 0; i < ORIGINS_DEEP && offset; i++) {
		Dwarf_Die die = tr_query_die(query, offset);
		bool is = die && tr_query_flag(die, DW_AT_external);
		dwarf_dealloc_die(die);
		if (is)
			return true;
		offset = tr_query_origin(query, offset);
	}
	return false;
}

static void describe_function(struct tr_query *query, struct tr_query_function *function,
			      const char *name, Dwarf_Unsigned language)
{
	struct search search = {.name = name, .address = function->entry};
	uint64_t calling = 0, inlined = 0;
	Dwarf_Die die = tr_query_die(query, function->die);
	Dwarf_Die origin = tr_query_die(query, function->origin);
	const struct image_dwarf_name own =
	    tr_image_dwarf_name_at(query->dbg, function->die);
	struct image_dwarf_titles files = {.dbg = query->dbg, .unit = UINT64_MAX};
	each_symbol(query, take_at, &search);
	function->symbol = search.found;
	function->is_clone =
	    search.found ? is_changed(search.found)
			 : function->origin != function->die && !has_symbols(query);
	if (own.line)
		function->file = tr_image_dwarf_file(&files, own.unit, own.file);
	function->line = own.line;
	if (function->file)
		function->place =
		    tr_pair_key(own.line, 0) ^
		    (uint64_t)XXH3_64bits(function->file, strlen(function->file));
	if (die)
		tr_query_number(die, DW_AT_calling_convention, &calling);
	if (origin)
		tr_query_number(origin, DW_AT_inline, &inlined);
	function->has_own_abi = calling == DW_CC_nocall || !is_like_c(language);
	function->inlined_too =
	    inlined == DW_INL_inlined || inlined == DW_INL_declared_inlined;
	function->is_local_llvm = origin && !is_external(query, function->origin) &&
				  is_of_llvm(query, function->die);
	dwarf_dealloc_die(die);
	dwarf_dealloc_die(origin);
}

/* Returns the DIE of which the code is an instance, 0 if there is none. A declaration in
 * a class or namespace is no such DIE: its parameters need not have names. */
static uint64_t abstract_of(const struct tr_query *query, uint64_t offset)
{
	uint64_t to = 0;
	Dwarf_Die die = tr_query_die(query, offset);
	if (die && tr_image_dwarf_reference(die, DW_AT_abstract_origin, &to) != DW_DLV_OK)
		to = 0;
	dwarf_dealloc_die(die);
	return to;
}

static void add_query_function(struct tr_query *query, const struct query_code *code,
			       struct tr_buffer *list)
{
	struct tr_query_function function = {
	    .die = code->die, .origin = code->die, .entry = code->entry};
	uint64_t up = code->die;
	for (unsigned i = 0; i < ORIGINS_DEEP && up; i++) {
		function.origin = up;
		up = abstract_of(query, up);
	}
	describe_function(query, &function, code->name, code->language);
	if (is_assembler(code->language)) {
		function.origin = tr_query_prototype(query, code->name);
		function.is_clone = false;
	}
	tr_buffer_add(list, &function, sizeof(function));
}

static int by_entry(const void *a, const void *b)
{
	const struct tr_query_function *left = a, *right = b;
	return (left->entry > right->entry) - (left->entry < right->entry);
}

/* Adds a function that has only a symbol. */
static void add_symbol(struct tr_query *query, const char *name, struct tr_buffer *list)
{
	struct search search = {.query = query, .name = name};
	each_symbol(query, take_named, &search);
	if (!search.found)
		return;
	struct tr_query_function function = {.entry = search.address,
					     .origin = tr_query_prototype(query, name),
					     .symbol = search.found};
	size_t count;
	const struct query_code *code = list_query_codes(query, &count);
	for (size_t i = 0; i < count; i++)
		if (code[i].entry == search.address) {
			add_query_function(query, &code[i], list);
			((struct tr_query_function *)(void *)list->data)->symbol =
			    search.found;
			return;
		}
	tr_buffer_add(list, &function, sizeof(function));
}

size_t tr_query_functions(struct tr_query *query, const char *name,
			  struct tr_buffer *list, bool *inlined)
{
	size_t count, found;
	const struct query_code *code = list_query_codes(query, &count);
	list->size = 0;
	for (size_t i = 0; i < count; i++)
		if (strcmp(code[i].name, name) == 0)
			add_query_function(query, &code[i], list);
	if (list->size == 0)
		add_symbol(query, name, list);
	found = list->size / sizeof(struct tr_query_function);
	*inlined = found == 0 && tr_query_inline(query, name) != 0;
	query->failed |= list->failed;
	if (found)
		qsort(list->data, found, sizeof(struct tr_query_function), by_entry);
	return found;
}

struct extent {
	const struct tr_query *query;
	uint64_t entry, end, next;
};

/* Local labels, in assembly, are no functions. */
static bool take_extent(void *context, const char *name, const GElf_Sym *symbol)
{
	struct extent *extent = context;
	bool is_label = GELF_ST_TYPE(symbol->st_info) != STT_FUNC &&
			GELF_ST_BIND(symbol->st_info) == STB_LOCAL;
	(void)name;
	if (extent->entry - symbol->st_value < symbol->st_size)
		extent->end = symbol->st_value + symbol->st_size;
	else if (symbol->st_value > extent->entry && symbol->st_value < extent->next &&
		 !is_label && is_code_symbol(extent->query, symbol))
		extent->next = symbol->st_value;
	return false;
}

uint64_t tr_query_code_size(struct tr_query *query,
			    const struct tr_query_function *function)
{
	struct extent extent = {
	    .query = query, .entry = function->entry, .next = function->entry};
	Dwarf_Die die = tr_query_die(query, function->die);
	if (die)
		extent.end = tr_query_range_end(query, die, function->entry);
	dwarf_dealloc_die(die);
	for (size_t i = 0; i < query->elf->nexecutable; i++)
		if (function->entry >= query->elf->executable[i].low &&
		    function->entry < query->elf->executable[i].high)
			extent.next = query->elf->executable[i].high;
	if (!extent.end)
		each_symbol(query, take_extent, &extent);
	if (!extent.end)
		extent.end = extent.next;
	return extent.end - function->entry;
}

bool tr_query_function_at(struct tr_query *query, uint64_t pc,
			  struct tr_query_function *function)
{
	struct tr_buffer list = {0};
	size_t count;
	bool found = false;
	const struct query_code *code = list_query_codes(query, &count), *best = NULL;
	for (size_t i = 0; i < count; i++)
		if (code[i].entry <= pc && (!best || code[i].entry > best->entry))
			best = &code[i];
	if (best && tr_query_has_code(query, best->die, pc)) {
		add_query_function(query, best, &list);
		found = !list.failed;
		if (found)
			memcpy(function, list.data, sizeof(*function));
	}
	tr_buffer_free(&list);
	return found;
}

void tr_query_near_functions(struct tr_query *query, struct tr_near *near)
{
	size_t count;
	const struct query_code *code = list_query_codes(query, &count);
	struct search search = {.query = query, .near = near};
	for (size_t i = 0; i < count; i++)
		tr_near_offer(near, code[i].name);
	each_symbol(query, take_near, &search);
}
