/* SPDX-License-Identifier: Apache-2.0 */
/* Writes injected.o: the code as an ELF file, so that objdump -d prints it. */
#include "stubs/stubs.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "base/little.h"

enum { SECTIONS = 5, TEXT = 1, SYMTAB = 2, STRTAB = 3, SHSTRTAB = 4 };
/* Flags of the psABI, which the target's C library does not name. */
enum { HAS_RVC = 1, HAS_DOUBLE_ABI = 4 };

static const char section_names[] = "\0.text\0.symtab\0.strtab\0.shstrtab";
/* Where the names of the sections begin in section_names. */
static const uint32_t section_name[SECTIONS] = {0, 1, 7, 15, 23};

/* Where the parts of the file are. */
struct object {
	uint64_t symbols, symbols_size, strings, strings_size, names, sections, size;
};

static struct object lay_out(const struct tr_stubs *stubs, const char *const *names)
{
	struct object o = {.symbols = TR_STUBS_PAGE + (uint64_t)stubs->code_size};
	o.symbols_size = ((uint64_t)stubs->function_count + 1) * sizeof(Elf64_Sym);
	o.strings = o.symbols + o.symbols_size;
	o.strings_size = 1;
	for (uint32_t i = 0; i < stubs->function_count; i++)
		o.strings_size += strlen(names[i]) + 1;
	o.names = o.strings + o.strings_size;
	o.sections = (o.names + sizeof(section_names) + 7) & ~(uint64_t)7;
	o.size = o.sections + SECTIONS * sizeof(Elf64_Shdr);
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
	store16(FIELD(p, Elf64_Ehdr, e_shnum), SECTIONS);
	store16(FIELD(p, Elf64_Ehdr, e_shstrndx), SHSTRTAB);
}

static uint8_t *put_section(uint8_t *table, unsigned number, uint32_t type,
			    uint64_t offset, uint64_t size, uint64_t align)
{
	uint8_t *p = table + number * sizeof(Elf64_Shdr);
	tr_store32(FIELD(p, Elf64_Shdr, sh_name), section_name[number]);
	tr_store32(FIELD(p, Elf64_Shdr, sh_type), type);
	tr_store64(FIELD(p, Elf64_Shdr, sh_offset), offset);
	tr_store64(FIELD(p, Elf64_Shdr, sh_size), size);
	tr_store64(FIELD(p, Elf64_Shdr, sh_addralign), align);
	return p;
}

static void put_sections(uint8_t *table, const struct tr_stubs *stubs,
			 const struct object *o)
{
	uint8_t *text = put_section(table, TEXT, SHT_PROGBITS, TR_STUBS_PAGE,
				    stubs->code_size, TR_STUBS_PAGE);
	tr_store64(FIELD(text, Elf64_Shdr, sh_flags), SHF_ALLOC | SHF_EXECINSTR);
	uint8_t *symbols =
	    put_section(table, SYMTAB, SHT_SYMTAB, o->symbols, o->symbols_size, 8);
	tr_store32(FIELD(symbols, Elf64_Shdr, sh_link), STRTAB);
	/* All symbols are local: the first global one is behind the last. */
	tr_store32(FIELD(symbols, Elf64_Shdr, sh_info), stubs->function_count + 1);
	tr_store64(FIELD(symbols, Elf64_Shdr, sh_entsize), sizeof(Elf64_Sym));
	put_section(table, STRTAB, SHT_STRTAB, o->strings, o->strings_size, 1);
	put_section(table, SHSTRTAB, SHT_STRTAB, o->names, sizeof(section_names), 1);
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

uint8_t *tr_stubs_encode_object(const struct tr_stubs *stubs, const uint8_t *code,
				const char *const *names, size_t *size)
{
	struct object o = lay_out(stubs, names);
	*size = o.size;
	uint8_t *bytes = calloc(1, *size);
	if (!bytes)
		return NULL;
	put_elf_header(bytes, &o);
	memcpy(bytes + TR_STUBS_PAGE, code, stubs->code_size);
	put_symbols(bytes, stubs, &o, names);
	memcpy(bytes + o.names, section_names, sizeof(section_names));
	put_sections(bytes + o.sections, stubs, &o);
	return bytes;
}
