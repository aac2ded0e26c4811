/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the parts of a RISC-V program that the extractor needs: an ELF file, 64-bit and
 * little-endian, executable or position-independent, after the ELF specification (gABI)
 * and the RISC-V psABI. Everything that is returned was checked against the size of the
 * file. Debug information is not read. */
#ifndef PROF_ELF_FILE_H
#define PROF_ELF_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

#include "../file_trouble.h"
#include "stubs/stubs.h"

/* A part of the file that is loaded (PT_LOAD), in bytes. */
struct prof_segment {
	uint64_t address, size; /* in memory */
	uint64_t offset, file_size;
	uint32_t flags; /* 1: execute, 2: write, 4: read */
};

struct prof_section {
	const char *name;
	uint32_t type, link;
	uint64_t flags, address, offset, size, entry_size;
	uint64_t header; /* byte of the file at which its header begins */
};
enum { PROF_SECTION_WRITE = 1, PROF_SECTION_ALLOC = 2, PROF_SECTION_EXECUTE = 4 };

struct prof_symbol {
	const char *name; /* "" if it has none */
	uint64_t value, size;
	uint8_t type, bind;
	uint16_t section;
	uint64_t at; /* byte of the file */
};
enum { PROF_SYMBOL_OBJECT = 1, PROF_SYMBOL_FUNCTION = 2, PROF_SYMBOL_RESOLVER = 10 };
enum { PROF_BIND_LOCAL = 0, PROF_BIND_GLOBAL = 1, PROF_BIND_WEAK = 2 };

struct prof_relocation {
	uint64_t offset; /* an address */
	uint32_t type, symbol;
	int64_t addend;
};

struct prof_elf {
	uint8_t *bytes; /* of `size`; only the parts that are asked for are read */
	uint64_t size;
	int file;
	struct stat status;	       /* when it was opened */
	bool movable;		       /* position-independent */
	uint64_t entry;		       /* address of the first instruction */
	struct prof_segment *segments; /* by address, apart */
	size_t segment_count;
	struct prof_section *sections; /* as in the file; the first has no contents */
	size_t section_count;
	uint64_t contents; /* byte of the file at which those of the sections begin */
	const struct prof_section **code; /* those of instructions, by address, apart */
	size_t code_count;
	uint64_t loaded; /* bytes of the file in segments */
	uint8_t build_id[TR_STUBS_BUILD_ID_MAX];
	uint32_t build_id_size; /* 0: none, or a longer one */
};

/* Reads a file. Returns false with *trouble set, and nothing to close. */
bool prof_elf_open(const char *path, struct prof_elf *elf, struct prof_trouble *trouble);
void prof_elf_close(struct prof_elf *elf);

/* Returns the contents of a section, which are valid until the file is closed; NULL if
 * they cannot be read, with *trouble set. A section without bytes in the file has none.
 */
const uint8_t *prof_section_bytes(const struct prof_elf *elf,
				  const struct prof_section *section,
				  struct prof_trouble *trouble);
/* Returns the first section of a name or of a type, or NULL. */
const struct prof_section *prof_section_named(const struct prof_elf *elf,
					      const char *name);
const struct prof_section *prof_section_typed(const struct prof_elf *elf, uint32_t type);
enum {
	PROF_TYPE_SYMBOLS = 2,
	PROF_TYPE_ADDENDS = 4,
	PROF_TYPE_DYNAMIC_SYMBOLS = 11,
	PROF_TYPE_COMPACT = 19
};

/* Symbols of a section of symbols, after prof_symbols_open(), which returns false with
 * *trouble if the table is damaged. The first symbol, 0, is none. */
struct prof_symbols {
	const uint8_t *bytes, *names;
	uint64_t names_size, at;
	size_t count;
};
bool prof_symbols_open(const struct prof_elf *elf, const struct prof_section *section,
		       struct prof_symbols *symbols, struct prof_trouble *trouble);
/* Returns false if the name is not within the table of names. */
bool prof_symbol_read(const struct prof_symbols *symbols, size_t index,
		      struct prof_symbol *symbol);

/* Returns relocation `index` of the contents of a section of PROF_TYPE_ADDENDS. */
struct prof_relocation prof_relocation_read(const uint8_t *bytes, size_t index);
enum { PROF_RELOCATION_SIZE = 24 };

/* Returns the section whose code has an address, or NULL. */
const struct prof_section *prof_code_at(const struct prof_elf *elf, uint64_t address);
/* Returns whether it has the program's own code, not stubs for functions of libraries. */
bool prof_section_is_own(const struct prof_section *section);

/* Returns where an address is in the file, if `size` bytes from there are; else
 * UINT64_MAX. */
uint64_t prof_file_offset(const struct prof_elf *elf, uint64_t address, uint64_t size);

#endif
