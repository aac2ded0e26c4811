/* SPDX-License-Identifier: Apache-2.0 */
#include "image/data_symbols.h"

#include <fcntl.h>
#include <gelf.h>
#include <libelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buffer.h"
#include "image/image_child.h"
#include "image/image_demangle.h"

/* A symbol as in the file. */
struct found {
	const char *name;
	uint64_t low, high;
	size_t section;
	bool is_global;
};

struct section {
	const char *name;
	uint64_t low, high;
	size_t number;
	bool is_code;
};

struct tr_data_symbols {
	struct tr_data_symbol *list;
	size_t count, room;
	struct tr_arena names;
};

struct reading {
	struct tr_data_symbols *symbols;
	Elf *elf;
	struct found *found;
	size_t nfound, found_room;
	struct section *sections;
	size_t nsections, section_room;
	bool failed;
};

static void read_sections(struct reading *r)
{
	size_t names;
	if (elf_getshdrstrndx(r->elf, &names))
		return;
	for (Elf_Scn *scn = NULL; (scn = elf_nextscn(r->elf, scn)) != NULL;) {
		GElf_Shdr header;
		const char *name;
		if (!gelf_getshdr(scn, &header) || !(header.sh_flags & SHF_ALLOC) ||
		    (header.sh_flags & SHF_TLS) || !header.sh_size ||
		    header.sh_addr + header.sh_size < header.sh_addr ||
		    !(name = elf_strptr(r->elf, names, header.sh_name)))
			continue;
		if (!tr_grow(&r->sections, &r->section_room, r->nsections + 1,
			     sizeof(*r->sections))) {
			r->failed = true;
			return;
		}
		r->sections[r->nsections++] =
		    (struct section){.name = name,
				     .low = header.sh_addr,
				     .high = header.sh_addr + header.sh_size,
				     .number = elf_ndxscn(scn),
				     .is_code = header.sh_flags & SHF_EXECINSTR};
	}
}

static const struct section *section_numbered(const struct reading *r, size_t number)
{
	for (size_t i = 0; i < r->nsections; i++)
		if (r->sections[i].number == number)
			return &r->sections[i];
	return NULL;
}

static void add_symbol(struct reading *r, const GElf_Sym *symbol, const char *name)
{
	const unsigned type = GELF_ST_TYPE(symbol->st_info);
	const struct section *section = section_numbered(r, symbol->st_shndx);
	if (!section || section->is_code || !name || !*name || name[0] == '$' ||
	    strncmp(name, ".L", 2) == 0 || (type != STT_OBJECT && type != STT_NOTYPE) ||
	    symbol->st_value < section->low || symbol->st_value >= section->high ||
	    symbol->st_size > section->high - symbol->st_value)
		return;
	if (!tr_grow(&r->found, &r->found_room, r->nfound + 1, sizeof(*r->found))) {
		r->failed = true;
		return;
	}
	r->found[r->nfound++] =
	    (struct found){.name = name,
			   .low = symbol->st_value,
			   .high = symbol->st_value + symbol->st_size,
			   .section = section->number,
			   .is_global = GELF_ST_BIND(symbol->st_info) != STB_LOCAL};
}

/* Reads .symtab, or .dynsym if there is none. */
static bool read_symbols(struct reading *r, unsigned type)
{
	for (Elf_Scn *scn = NULL; (scn = elf_nextscn(r->elf, scn)) != NULL;) {
		GElf_Shdr header;
		GElf_Sym symbol;
		Elf_Data *data;
		if (!gelf_getshdr(scn, &header) || header.sh_type != type ||
		    !(data = elf_getdata(scn, NULL)))
			continue;
		for (int i = 0; gelf_getsym(data, i, &symbol) && !r->failed; i++)
			add_symbol(r, &symbol,
				   elf_strptr(r->elf, header.sh_link, symbol.st_name));
		return true;
	}
	return false;
}

static int compare_found(const void *left, const void *right)
{
	const struct found *a = left, *b = right;
	if (a->low != b->low)
		return a->low < b->low ? -1 : 1;
	if (a->high != b->high)
		return a->high > b->high ? -1 : 1;
	if (a->is_global != b->is_global)
		return a->is_global ? -1 : 1;
	return strcmp(a->name, b->name);
}

static int compare_sections(const void *left, const void *right)
{
	const struct section *a = left, *b = right;
	return a->low != b->low ? (a->low < b->low ? -1 : 1)
				: (a->number > b->number) - (a->number < b->number);
}

static void put_symbol(struct reading *r, const char *name, uint64_t low, uint64_t high,
		       bool is_section)
{
	struct tr_data_symbols *s = r->symbols;
	const size_t size = strlen(name) + 3;
	char *copy = tr_arena_take(&s->names, size);
	if (low >= high)
		return;
	if (!copy || !tr_grow(&s->list, &s->room, s->count + 1, sizeof(*s->list))) {
		r->failed = true;
		return;
	}
	snprintf(copy, size, is_section ? "[%s]" : "%s", name);
	s->list[s->count++] = (struct tr_data_symbol){copy, low, high, is_section};
}

/* Adds the symbols of a section, and the section between them. */
static void put_section(struct reading *r, const struct section *section, size_t *next)
{
	uint64_t at = section->low;
	for (; *next < r->nfound && r->found[*next].low < section->high; ++*next) {
		const struct found *f = &r->found[*next];
		uint64_t high = f->high;
		if (f->section != section->number || f->low < at)
			continue;
		if (high == f->low)
			high = *next + 1 < r->nfound && f[1].low < section->high
				   ? f[1].low
				   : section->high;
		put_symbol(r, section->name, at, f->low, true);
		put_symbol(r, f->name, f->low, high, false);
		at = high;
	}
	put_symbol(r, section->name, at, section->high, true);
}

static void put_sections(struct reading *r)
{
	size_t next = 0;
	uint64_t end = 0;
	qsort(r->sections, r->nsections, sizeof(*r->sections), compare_sections);
	if (r->nfound)
		qsort(r->found, r->nfound, sizeof(*r->found), compare_found);
	for (size_t i = 0; i < r->nsections && !r->failed; i++) {
		if (r->sections[i].low < end)
			continue; /* overlaid: not known which one is there */
		put_section(r, &r->sections[i], &next);
		end = r->sections[i].high;
	}
}

static void read_data(struct reading *r)
{
	GElf_Ehdr header;
	if (elf_kind(r->elf) != ELF_K_ELF || !gelf_getehdr(r->elf, &header) ||
	    (header.e_type != ET_EXEC && header.e_type != ET_DYN))
		return;
	read_sections(r);
	if (!read_symbols(r, SHT_SYMTAB))
		read_symbols(r, SHT_DYNSYM);
	put_sections(r);
}

/* ------------------------------------------------------------ names of C++ and Rust */

/* In the child: appends each mangled name as it is shown, terminated by 0. */
static void demangle_names(void *context, struct tr_buffer *out)
{
	const struct tr_data_symbols *s = context;
	for (size_t i = 0; i < s->count; i++) {
		const char *name = s->list[i].name;
		if (!tr_image_is_mangled(name))
			continue;
		if (!tr_image_demangle(name, out))
			tr_buffer_add(out, name, strlen(name));
		tr_buffer_add(out, "", 1);
	}
}

static bool take_names(struct tr_data_symbols *s, const struct tr_buffer *answer)
{
	const char *at = (const char *)answer->data, *end = at + answer->size;
	for (size_t i = 0; i < s->count && at < end; i++) {
		if (!tr_image_is_mangled(s->list[i].name))
			continue;
		const size_t length = strnlen(at, (size_t)(end - at));
		char *copy = tr_arena_take(&s->names, length + 1);
		if (!copy)
			return false;
		memcpy(copy, at, length);
		copy[length] = '\0';
		s->list[i].name = copy;
		at += length + 1;
	}
	return true;
}

/* Returns false if memory runs out. Names stay as they are if the child fails, as with
 * hostile ones. */
static bool demangle_symbols(struct tr_data_symbols *s)
{
	const struct image_child_limits limits = {.cpu_seconds = 10,
						  .seconds = 60,
						  .memory = UINT64_C(1) << 30,
						  .most_bytes = UINT64_C(1) << 29};
	struct tr_buffer answer = {0};
	struct image_child child;
	bool done = true, is_any = false;
	for (size_t i = 0; i < s->count; i++)
		is_any |= tr_image_is_mangled(s->list[i].name);
	if (!is_any)
		return true;
	tr_image_child_start(&child, demangle_names, s, &limits);
	if (tr_image_child_finish(&child, &answer))
		done = take_names(s, &answer);
	tr_buffer_free(&answer);
	return done;
}

int tr_data_symbols_open(struct tr_data_symbols **symbols, const char *path)
{
	struct reading r = {.symbols = calloc(1, sizeof(*r.symbols))};
	const int fd = open(path, O_RDONLY | O_CLOEXEC);
	*symbols = r.symbols;
	if (r.symbols && fd >= 0 && elf_version(EV_CURRENT) != EV_NONE &&
	    (r.elf = elf_begin(fd, ELF_C_READ, NULL)) != NULL)
		read_data(&r);
	elf_end(r.elf);
	if (fd >= 0)
		close(fd);
	free(r.found);
	free(r.sections);
	if (r.symbols && !r.failed && demangle_symbols(r.symbols))
		return TR_OK;
	tr_data_symbols_close(r.symbols);
	*symbols = NULL;
	return TR_E_NOMEM;
}

void tr_data_symbols_close(struct tr_data_symbols *symbols)
{
	if (!symbols)
		return;
	free(symbols->list);
	tr_arena_reset(&symbols->names);
	free(symbols);
}

size_t tr_data_symbols_count(const struct tr_data_symbols *symbols)
{
	return symbols->count;
}

const struct tr_data_symbol *tr_data_symbols_get(const struct tr_data_symbols *symbols,
						 size_t i)
{
	return &symbols->list[i];
}

size_t tr_data_symbols_at(const struct tr_data_symbols *symbols, uint64_t address)
{
	size_t low = 0, high = symbols->count;
	while (low < high) {
		const size_t middle = low + (high - low) / 2;
		const struct tr_data_symbol *at = &symbols->list[middle];
		if (address < at->low)
			high = middle;
		else if (address >= at->high)
			low = middle + 1;
		else
			return middle;
	}
	return SIZE_MAX;
}
