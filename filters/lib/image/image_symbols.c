/* SPDX-License-Identifier: Apache-2.0 */
/* Functions and named addresses from an ELF symbol table. */
#include <stdlib.h>
#include <string.h>

#include "base/little.h"
#include "image/image_demangle.h"
#include "image/image_state.h"

struct symbol {
	const char *name; /* in the file; not terminated */
	size_t length;
	uint64_t value, size;
	uint16_t section;
	uint8_t type, bind;
};

/* The symbol table and its strings, as in the file. */
struct table {
	const uint8_t *symbols;
	const char *names;
	size_t count, names_size;
	bool wide;
};

static bool table_at(struct table *table, const struct image_elf *elf, uint32_t type)
{
	table->wide = gelf_getclass(elf->elf) == ELFCLASS64;
	size_t each = table->wide ? sizeof(Elf64_Sym) : sizeof(Elf32_Sym);
	for (size_t i = 1; i < elf->nsections; i++) {
		GElf_Shdr section, names;
		if (!gelf_getshdr(elf_getscn(elf->elf, i), &section) ||
		    section.sh_type != type || section.sh_link >= elf->nsections ||
		    !gelf_getshdr(elf_getscn(elf->elf, section.sh_link), &names) ||
		    names.sh_type != SHT_STRTAB)
			continue;
		table->symbols =
		    tr_image_elf_bytes(elf, section.sh_offset, section.sh_size);
		table->count = section.sh_size / each;
		table->names = tr_image_elf_bytes(elf, names.sh_offset, names.sh_size);
		table->names_size = names.sh_size;
		return table->symbols && table->names;
	}
	return false;
}

static struct symbol table_symbol(const struct table *table, size_t i)
{
	struct symbol symbol = {0};
	size_t each = table->wide ? sizeof(Elf64_Sym) : sizeof(Elf32_Sym);
	const uint8_t *p = table->symbols + i * each;
	uint32_t name = tr_load32(p);
	uint8_t info = table->wide ? p[4] : p[12];
	symbol.section = (uint16_t)tr_load16(table->wide ? p + 6 : p + 14);
	symbol.value = table->wide ? tr_load64(p + 8) : tr_load32(p + 4);
	symbol.size = table->wide ? tr_load64(p + 16) : tr_load32(p + 8);
	symbol.type = info & 15;
	symbol.bind = info >> 4;
	if (name < table->names_size) {
		symbol.name = table->names + name;
		symbol.length = strnlen(symbol.name, table->names_size - name);
	}
	return symbol;
}

/* Returns true for a mapping symbol, "$x" or "$d" with or without a suffix, which marks
 * code or data for tools. */
static bool is_mapping(const struct symbol *symbol)
{
	const char *name = symbol->name;
	if (symbol->length < 2 || name[0] != '$' || (name[1] != 'x' && name[1] != 'd'))
		return false;
	return symbol->length == 2 || name[2] == '.' ||
	       (symbol->length > 4 && memcmp(name + 1, "xrv", 3) == 0);
}

/* Returns true for the symbol that the linker adds to the stubs of all functions of other
 * files. */
static bool is_stubs(const struct symbol *symbol)
{
	static const char name[] = "_PROCEDURE_LINKAGE_TABLE_";
	return symbol->length == sizeof(name) - 1 &&
	       memcmp(symbol->name, name, sizeof(name) - 1) == 0;
}

static bool is_named_symbol(const struct symbol *symbol)
{
	if (symbol->length == 0 || symbol->section == SHN_UNDEF ||
	    symbol->type == STT_SECTION || symbol->type == STT_FILE ||
	    symbol->type == STT_TLS || symbol->type == STT_COMMON)
		return false;
	bool local = symbol->length > 1 && memcmp(symbol->name, ".L", 2) == 0;
	return !local && !is_mapping(symbol) && !is_stubs(symbol);
}

static const struct image_span *span_of(const struct image_elf *elf, uint64_t address)
{
	size_t low = 0, high = elf->nexecutable;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const struct image_span *span = &elf->executable[middle];
		if (address < span->low)
			high = middle;
		else if (address >= span->high)
			low = middle + 1;
		else
			return span;
	}
	return NULL;
}

static uint32_t rank_symbol(const struct symbol *symbol)
{
	uint32_t bind = symbol->bind == STB_LOCAL ? 2 : symbol->bind == STB_WEAK ? 1 : 0;
	bool function = symbol->type == STT_FUNC || symbol->type == STT_GNU_IFUNC;
	if (function && symbol->size)
		return IMAGE_RANK_FUNC + bind;
	return (function || symbol->size || bind != 2 ? IMAGE_RANK_OPEN
						      : IMAGE_RANK_LABEL) +
	       bind;
}

/* Adds a function, a label, or (without a name) a data object within code, which ends the
 * preceding label. Returns false when out of memory. */
static bool add_candidate(struct image_candidates *candidates,
			  const struct image_elf *elf, const struct symbol *symbol,
			  const char *name)
{
	const struct image_span *span = span_of(elf, symbol->value);
	if (!span || symbol->section == SHN_ABS || symbol->value == span->high)
		return true;
	if (!tr_grow(&candidates->list, &candidates->capacity, candidates->count + 1,
		     sizeof(*candidates->list)))
		return false;
	bool object = symbol->type == STT_OBJECT;
	bool closed = symbol->size > 0;
	uint64_t room = span->high - symbol->value;
	candidates->list[candidates->count++] = (struct image_candidate){
	    .name = object ? NULL : name,
	    .entry = symbol->value,
	    .low = symbol->value,
	    .high =
		closed && symbol->size < room ? symbol->value + symbol->size : span->high,
	    .rank = rank_symbol(symbol),
	    .open = !closed,
	};
	return true;
}

struct found {
	struct image_symbol symbol;
	uint32_t rank;
};

static int compare_found(const void *a, const void *b)
{
	const struct found *x = a, *y = b;
	int order = strcmp(x->symbol.name, y->symbol.name);
	if (order != 0)
		return order;
	if (x->rank != y->rank)
		return x->rank < y->rank ? -1 : 1;
	if (x->symbol.address == y->symbol.address)
		return 0;
	return x->symbol.address < y->symbol.address ? -1 : 1;
}

/* Keeps the best symbol of each name: a global one, then the lowest. Returns a status. */
static int keep_symbols(struct tr_image *image, struct found *found, size_t count)
{
	image->symbols = calloc(count + 1, sizeof(*image->symbols));
	if (!image->symbols)
		return TR_E_NOMEM;
	if (count)
		qsort(found, count, sizeof(*found), compare_found);
	for (size_t i = 0; i < count; i++)
		if (i == 0 || strcmp(found[i - 1].symbol.name, found[i].symbol.name) != 0)
			image->symbols[image->nsymbols++] = found[i].symbol;
	return TR_OK;
}

static int compare_open(const void *a, const void *b)
{
	const struct image_candidate *x = a, *y = b;
	return x->low < y->low ? -1 : x->low > y->low;
}

/* Ends symbols without a size at the next symbol. A local label does not end an assembly
 * function, only another local label. */
static void close_open(struct image_candidates *candidates, size_t first)
{
	struct image_candidate *list = candidates->list;
	uint64_t any = UINT64_MAX, strong = UINT64_MAX;
	if (candidates->count > first)
		qsort(list + first, candidates->count - first, sizeof(*list),
		      compare_open);
	for (size_t end = candidates->count; end > first;) {
		size_t i = end;
		bool has_strong = false;
		uint64_t low = list[end - 1].low;
		for (; i > first && list[i - 1].low == low; i--) {
			struct image_candidate *c = &list[i - 1];
			bool label = image_rank_source(c->rank) == IMAGE_RANK_LABEL;
			uint64_t next = label ? any : strong;
			has_strong |= !label;
			if (c->open && next < c->high)
				c->high = next;
		}
		any = low;
		strong = has_strong ? low : strong;
		end = i;
	}
}

/* Returns true for a symbol of code that is not in the image, at the same address. */
static bool is_hidden(const struct image_elf *elf, const struct symbol *symbol)
{
	if (elf->module_section)
		return symbol->section != elf->module_section;
	for (size_t i = 0; i < elf->noverlays; i++)
		if (symbol->section == elf->overlays[i])
			return true;
	return false;
}

static int take_symbols(struct tr_image *image, const struct image_elf *elf,
			const struct table *table, struct image_candidates *candidates)
{
	struct found *found = NULL;
	size_t nfound = 0, capacity = 0;
	int status = TR_OK;
	for (size_t i = 1; i < table->count; i++) {
		struct symbol symbol = table_symbol(table, i);
		if (!is_named_symbol(&symbol) || is_hidden(elf, &symbol))
			continue;
		const char *name = tr_image_name_store(image, symbol.name, symbol.length);
		status = TR_E_NOMEM;
		if (!name || !tr_grow(&found, &capacity, nfound + 1, sizeof(*found)) ||
		    !add_candidate(candidates, elf, &symbol, name))
			break;
		found[nfound++] =
		    (struct found){{name, symbol.value}, rank_symbol(&symbol) & 15};
		status = TR_OK;
	}
	if (status == TR_OK)
		status = keep_symbols(image, found, nfound);
	free(found);
	return status;
}

bool tr_image_symbols_mangled(const struct image_elf *elf, struct image_mangled *mangled)
{
	struct table table = {0};
	bool good = true;
	if (!table_at(&table, elf, SHT_SYMTAB))
		return true;
	for (size_t i = 1; good && i < table.count; i++) {
		struct symbol symbol = table_symbol(&table, i);
		if (symbol.type != STT_FUNC || symbol.length < 2 ||
		    symbol.section == SHN_UNDEF || !tr_image_is_mangled(symbol.name) ||
		    tr_map_get(&mangled->offsets, symbol.value) != TR_MAP_NONE)
			continue;
		/* Clones are named after the function, with a suffix that begins with a
		 * dot. */
		const char *dot = memchr(symbol.name, '.', symbol.length);
		uint64_t offset = mangled->names.size;
		tr_buffer_add(&mangled->names, symbol.name,
			      dot ? (size_t)(dot - symbol.name) : symbol.length);
		tr_buffer_add(&mangled->names, "", 1);
		good = !mangled->names.failed && offset < TR_MAP_NONE &&
		       tr_map_set(&mangled->offsets, symbol.value, (uint32_t)offset);
	}
	return good;
}

int tr_image_symbols_load(struct tr_image *image, const struct image_elf *named,
			  const struct image_elf *elf,
			  struct image_candidates *candidates, size_t first)
{
	struct table table = {0};
	if (!table_at(&table, named, SHT_SYMTAB) && !table_at(&table, elf, SHT_SYMTAB) &&
	    !table_at(&table, elf, SHT_DYNSYM))
		return TR_OK;
	int status = take_symbols(image, elf, &table, candidates);
	if (status == TR_OK)
		close_open(candidates, first);
	return status;
}
