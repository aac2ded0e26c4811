/* SPDX-License-Identifier: Apache-2.0 */
/* The debug information of kernel modules, whose addresses are relocations. Each section
 * begins at tr_query_section_base(). */
#include <stdlib.h>
#include <string.h>

#include "base/little.h"
#include "image/image_query.h"
#include "image/image_state.h"

/* Relocations of data (RISC-V ELF psABI, "Relocations"), and the bits that they write. */
enum { SET, ADD, SUBTRACT };
static const struct {
	uint32_t type;
	uint8_t bytes, bits, how;
} FIELDS[] = {
    {1 /* R_RISCV_32 */, 4, 32, SET},	       {2 /* R_RISCV_64 */, 8, 64, SET},
    {33 /* R_RISCV_ADD8 */, 1, 8, ADD},	       {34 /* R_RISCV_ADD16 */, 2, 16, ADD},
    {35 /* R_RISCV_ADD32 */, 4, 32, ADD},      {36 /* R_RISCV_ADD64 */, 8, 64, ADD},
    {37 /* R_RISCV_SUB8 */, 1, 8, SUBTRACT},   {38 /* R_RISCV_SUB16 */, 2, 16, SUBTRACT},
    {39 /* R_RISCV_SUB32 */, 4, 32, SUBTRACT}, {40 /* R_RISCV_SUB64 */, 8, 64, SUBTRACT},
    {52 /* R_RISCV_SUB6 */, 1, 6, SUBTRACT},   {53 /* R_RISCV_SET6 */, 1, 6, SET},
    {54 /* R_RISCV_SET8 */, 1, 8, SET},	       {55 /* R_RISCV_SET16 */, 2, 16, SET},
    {56 /* R_RISCV_SET32 */, 4, 32, SET},
};

static uint64_t load_field(const uint8_t *at, unsigned bytes)
{
	uint64_t value = 0;
	for (unsigned i = 0; i < bytes; i++)
		value |= (uint64_t)at[i] << 8 * i;
	return value;
}

static void apply_relocation(uint8_t *section, uint64_t size, const GElf_Rela *rela,
			     uint64_t value)
{
	for (size_t i = 0; i < sizeof(FIELDS) / sizeof(*FIELDS); i++) {
		const unsigned bytes = FIELDS[i].bytes;
		if (FIELDS[i].type != GELF_R_TYPE(rela->r_info) ||
		    rela->r_offset > size || bytes > size - rela->r_offset)
			continue;
		uint8_t *at = section + rela->r_offset;
		uint64_t mask = UINT64_MAX >> (64 - FIELDS[i].bits);
		uint64_t before = load_field(at, bytes);
		if (FIELDS[i].how == ADD)
			value = before + value;
		else if (FIELDS[i].how == SUBTRACT)
			value = before - value;
		value = (before & ~mask) | (value & mask);
		for (unsigned k = 0; k < bytes; k++)
			at[k] = (uint8_t)(value >> 8 * k);
	}
}

static uint64_t base_of(Elf *whole, size_t section)
{
	GElf_Shdr header;
	if (section >= SHN_LORESERVE ||
	    !gelf_getshdr(elf_getscn(whole, section), &header) ||
	    !(header.sh_flags & SHF_ALLOC))
		return 0;
	return tr_query_section_base(section);
}

static void relocate_section(Elf *whole, char *map, size_t size, Elf_Scn *scn,
			     const GElf_Shdr *relocations)
{
	GElf_Shdr target, symbols;
	GElf_Rela rela;
	GElf_Sym symbol;
	Elf_Scn *symbols_scn = elf_getscn(whole, relocations->sh_link);
	if (!gelf_getshdr(elf_getscn(whole, relocations->sh_info), &target) ||
	    target.sh_flags & (SHF_ALLOC | SHF_COMPRESSED) ||
	    target.sh_type == SHT_NOBITS || target.sh_offset > size ||
	    target.sh_size > size - target.sh_offset ||
	    !gelf_getshdr(symbols_scn, &symbols) || symbols.sh_type != SHT_SYMTAB)
		return;
	Elf_Data *data = elf_getdata(scn, NULL);
	Elf_Data *names = elf_getdata(symbols_scn, NULL);
	for (int i = 0; data && names && gelf_getrela(data, i, &rela); i++)
		if (gelf_getsym(names, (int)GELF_R_SYM(rela.r_info), &symbol))
			apply_relocation((uint8_t *)map + target.sh_offset,
					 target.sh_size, &rela,
					 base_of(whole, symbol.st_shndx) +
					     symbol.st_value + (uint64_t)rela.r_addend);
}

void tr_image_module_relocate(Elf *whole, char *map, size_t size, size_t nsections)
{
	for (size_t i = 1; i < nsections; i++) {
		GElf_Shdr section;
		Elf_Scn *scn = elf_getscn(whole, i);
		if (gelf_getshdr(scn, &section) && section.sh_type == SHT_RELA)
			relocate_section(whole, map, size, scn, &section);
	}
}

bool tr_image_module_spread(struct image_elf *elf)
{
	struct image_span *spans = calloc(elf->nsections + 1, sizeof(*spans));
	size_t count = 0;
	if (!spans)
		return false;
	for (size_t i = 1; i < elf->nsections; i++) {
		GElf_Shdr section;
		if (!gelf_getshdr(elf_getscn(elf->elf, i), &section) ||
		    !(section.sh_flags & SHF_ALLOC) ||
		    !(section.sh_flags & SHF_EXECINSTR) || !section.sh_size ||
		    section.sh_size >> TR_QUERY_SECTION_SHIFT)
			continue;
		spans[count].low = tr_query_section_base(i);
		spans[count].high = spans[count].low + section.sh_size;
		count++;
	}
	free(elf->executable);
	elf->executable = spans;
	elf->nexecutable = count;
	return true;
}

bool tr_image_module_has_dwarf(const struct image_elf *elf)
{
	size_t names = 0;
	if (elf_getshdrstrndx(elf->elf, &names) != 0)
		return false;
	for (size_t i = 1; i < elf->nsections; i++) {
		GElf_Shdr section;
		if (!gelf_getshdr(elf_getscn(elf->elf, i), &section))
			continue;
		const char *name = elf_strptr(elf->elf, names, section.sh_name);
		if (name && section.sh_size && section.sh_type != SHT_NOBITS &&
		    strcmp(name, ".debug_info") == 0)
			return true;
	}
	return false;
}
