/* SPDX-License-Identifier: Apache-2.0 */
/* Writes injected.o: the code as an ELF file, so that objdump -d prints it. */
#include "stubs/stubs.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "base/little.h"

/* Sections: none, .text, the parts, then three tables. */
enum {
	TEXT = 1,
	PARTS = 2,
	TABLES = 3,
	SECTIONS_MAX = PARTS + TR_STUBS_PARTS_MAX + TABLES
};
/* Flags of the psABI, which the target's C library does not name. */
enum { HAS_RVC = 1, HAS_DOUBLE_ABI = 4 };

static const char *const table_names[TABLES] = {".symtab", ".strtab", ".shstrtab"};

/* Where the parts of the file are. */
struct object {
	uint64_t parts, parts_size;
	uint64_t symbols, symbols_size, strings, strings_size, names, names_size,
	    sections, size;
	unsigned section_count;
	const char *section_names[SECTIONS_MAX];
};

static void name_sections(struct object *o, const struct tr_stubs_part *parts,
			  unsigned count)
{
	o->section_names[0] = "";
	o->section_names[TEXT] = ".text";
	for (unsigned i = 0; i < count; i++)
		o->section_names[PARTS + i] = parts[i].name;
	for (unsigned i = 0; i < TABLES; i++)
		o->section_names[PARTS + count + i] = table_names[i];
	o->section_count = PARTS + count + TABLES;
	for (unsigned i = 0; i < o->section_count; i++)
		o->names_size += strlen(o->section_names[i]) + 1;
}

static struct object place_object_parts(const struct tr_stubs *stubs,
					const struct tr_stubs_part *parts, unsigned count,
					const char *const *names)
{
	struct object o = {.parts = TR_STUBS_PAGE + (uint64_t)stubs->code_size};
	name_sections(&o, parts, count);
	for (unsigned i = 0; i < count; i++)
		o.parts_size += parts[i].size;
	o.symbols = o.parts + o.parts_size;
	o.symbols_size = ((uint64_t)stubs->function_count + 1) * sizeof(Elf64_Sym);
	o.strings = o.symbols + o.symbols_size;
	o.strings_size = 1;
	for (uint32_t i = 0; i < stubs->function_count; i++)
		o.strings_size += strlen(names[i]) + 1;
	o.names = o.strings + o.strings_size;
	o.sections = (o.names + o.names_size + 7) & ~(uint64_t)7;
	o.size = o.sections + o.section_count * sizeof(Elf64_Shdr);
	return o;
}

static void store16(uint8_t *p, unsigned value)
{
	p[0] = (uint8_t)value;
	p[1] = (uint8_t)(value >> 8);
}

#define FIELD(p, type, field) ((p) + offsetof(type, field))

static void put_elf_header(uint8_t *p, const struct object *o)
{
	memcpy(p, ELFMAG, SELFMAG);
	p[EI_CLASS] = ELFCLASS64;
	p[EI_DATA] = ELFDATA2LSB;
	p[EI_VERSION] = EV_CURRENT;
	store16(FIELD(p, Elf64_Ehdr, e_type), ET_REL);
	store16(FIELD(p, Elf64_Ehdr, e_machine), EM_RISCV);
	tr_store32(FIELD(p, Elf64_Ehdr, e_version), EV_CURRENT);
	tr_store64(FIELD(p, Elf64_Ehdr, e_shoff), o->sections);
	tr_store32(FIELD(p, Elf64_Ehdr, e_flags), HAS_RVC | HAS_DOUBLE_ABI);
	store16(FIELD(p, Elf64_Ehdr, e_ehsize), sizeof(Elf64_Ehdr));
	store16(FIELD(p, Elf64_Ehdr, e_shentsize), sizeof(Elf64_Shdr));
	store16(FIELD(p, Elf64_Ehdr, e_shnum), o->section_count);
	store16(FIELD(p, Elf64_Ehdr, e_shstrndx), o->section_count - 1);
}

static uint8_t *put_section(uint8_t *table, unsigned number, uint32_t type,
			    uint64_t offset, uint64_t size, uint64_t align)
{
	uint8_t *p = table + number * sizeof(Elf64_Shdr);
	tr_store32(FIELD(p, Elf64_Shdr, sh_type), type);
	tr_store64(FIELD(p, Elf64_Shdr, sh_offset), offset);
	tr_store64(FIELD(p, Elf64_Shdr, sh_size), size);
	tr_store64(FIELD(p, Elf64_Shdr, sh_addralign), align);
	return p;
}

static void put_code_section(uint8_t *table, unsigned number, uint64_t offset,
			     uint64_t size)
{
	uint8_t *p =
	    put_section(table, number, SHT_PROGBITS, offset, size, TR_STUBS_PAGE);
	tr_store64(FIELD(p, Elf64_Shdr, sh_flags), SHF_ALLOC | SHF_EXECINSTR);
}

static void put_sections(uint8_t *table, const struct tr_stubs *stubs,
			 const struct object *o, const struct tr_stubs_part *parts,
			 unsigned count)
{
	uint64_t offset = o->parts;
	uint32_t name = 0;
	put_code_section(table, TEXT, TR_STUBS_PAGE, stubs->code_size);
	for (unsigned i = 0; i < count; offset += parts[i++].size)
		put_code_section(table, PARTS + i, offset, parts[i].size);
	unsigned symtab = PARTS + count, strtab = symtab + 1, shstrtab = symtab + 2;
	uint8_t *symbols =
	    put_section(table, symtab, SHT_SYMTAB, o->symbols, o->symbols_size, 8);
	tr_store32(FIELD(symbols, Elf64_Shdr, sh_link), strtab);
	/* All symbols are local: the first global one is behind the last. */
	tr_store32(FIELD(symbols, Elf64_Shdr, sh_info), stubs->function_count + 1);
	tr_store64(FIELD(symbols, Elf64_Shdr, sh_entsize), sizeof(Elf64_Sym));
	put_section(table, strtab, SHT_STRTAB, o->strings, o->strings_size, 1);
	put_section(table, shstrtab, SHT_STRTAB, o->names, o->names_size, 1);
	for (unsigned i = 0; i < o->section_count; i++) {
		tr_store32(FIELD(table + i * sizeof(Elf64_Shdr), Elf64_Shdr, sh_name),
			   name);
		name += (uint32_t)strlen(o->section_names[i]) + 1;
	}
}

static void put_symbols(uint8_t *bytes, const struct tr_stubs *stubs,
			const struct object *o, const char *const *names)
{
	uint8_t *symbol = bytes + o->symbols + sizeof(Elf64_Sym);
	uint8_t *strings = bytes + o->strings;
	uint32_t string = 1;
	for (uint32_t i = 0; i < stubs->function_count; i++) {
		const struct tr_stubs_function *f = &stubs->functions[i];
		size_t length = strlen(names[i]) + 1;
		tr_store32(FIELD(symbol, Elf64_Sym, st_name), string);
		*FIELD(symbol, Elf64_Sym, st_info) = ELF64_ST_INFO(STB_LOCAL, STT_FUNC);
		store16(FIELD(symbol, Elf64_Sym, st_shndx), TEXT);
		tr_store64(FIELD(symbol, Elf64_Sym, st_value), f->stub);
		tr_store64(FIELD(symbol, Elf64_Sym, st_size), f->stub_size);
		memcpy(strings + string, names[i], length);
		string += (uint32_t)length;
		symbol += sizeof(Elf64_Sym);
	}
}

static void put_contents(uint8_t *bytes, const struct tr_stubs *stubs,
			 const uint8_t *code, const struct object *o,
			 const struct tr_stubs_part *parts, unsigned count)
{
	uint8_t *part = bytes + o->parts, *name = bytes + o->names;
	memcpy(bytes + TR_STUBS_PAGE, code, stubs->code_size);
	for (unsigned i = 0; i < count; part += parts[i++].size)
		memcpy(part, parts[i].bytes, parts[i].size);
	for (unsigned i = 0; i < o->section_count; i++) {
		size_t size = strlen(o->section_names[i]) + 1;
		memcpy(name, o->section_names[i], size);
		name += size;
	}
}

uint8_t *tr_stubs_encode_object(const struct tr_stubs *stubs, const uint8_t *code,
				const struct tr_stubs_part *parts, unsigned part_count,
				const char *const *names, size_t *size)
{
	struct object o = place_object_parts(stubs, parts, part_count, names);
	*size = o.size;
	uint8_t *bytes = calloc(1, *size);
	if (!bytes)
		return NULL;
	put_elf_header(bytes, &o);
	put_contents(bytes, stubs, code, &o, parts, part_count);
	put_symbols(bytes, stubs, &o, names);
	put_sections(bytes + o.sections, stubs, &o, parts, part_count);
	return bytes;
}
