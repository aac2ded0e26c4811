/* SPDX-License-Identifier: Apache-2.0 */
/* Kernel modules: relocatable objects, of which one executable section is opened. The
 * kernel places each section by itself and writes addresses into its instructions; the
 * bits that it writes are masked out. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/little.h"
#include "image/image_state.h"

/* Relocations of instructions (RISC-V ELF psABI, "Relocations"), the size of what they
 * relocate, and the bits that they write. */
static const struct {
	uint32_t type;
	uint32_t size; /* bytes */
	uint64_t bits;
} FIELDS[] = {
    {16 /* R_RISCV_BRANCH */, 4, 0xfe000f80},
    {17 /* R_RISCV_JAL */, 4, 0xfffff000},
    {18 /* R_RISCV_CALL: auipc, jalr */, 8, UINT64_C(0xfff00000fffff000)},
    {19 /* R_RISCV_CALL_PLT */, 8, UINT64_C(0xfff00000fffff000)},
    {20 /* R_RISCV_GOT_HI20 */, 4, 0xfffff000},
    {23 /* R_RISCV_PCREL_HI20 */, 4, 0xfffff000},
    {24 /* R_RISCV_PCREL_LO12_I */, 4, 0xfff00000},
    {25 /* R_RISCV_PCREL_LO12_S */, 4, 0xfe000f80},
    {26 /* R_RISCV_HI20 */, 4, 0xfffff000},
    {27 /* R_RISCV_LO12_I */, 4, 0xfff00000},
    {28 /* R_RISCV_LO12_S */, 4, 0xfe000f80},
    {44 /* R_RISCV_RVC_BRANCH */, 2, 0x1c7c},
    {45 /* R_RISCV_RVC_JUMP */, 2, 0x1ffc},
};

static const char *module_section_name(const struct image_elf *elf,
				       const GElf_Shdr *section)
{
	size_t names = 0;
	const char *name = NULL;
	if (elf_getshdrstrndx(elf->elf, &names) == 0)
		name = elf_strptr(elf->elf, names, section->sh_name);
	return name ? name : "";
}

bool tr_image_elf_is_module(const struct image_elf *elf)
{
	for (size_t i = 1; i < elf->nsections; i++) {
		GElf_Shdr section;
		if (gelf_getshdr(elf_getscn(elf->elf, i), &section) &&
		    strcmp(module_section_name(elf, &section), ".modinfo") == 0)
			return true;
	}
	return false;
}

static bool is_module_code(const GElf_Shdr *section)
{
	return section->sh_type == SHT_PROGBITS && section->sh_size &&
	       section->sh_flags & SHF_EXECINSTR && section->sh_flags & SHF_ALLOC;
}

/* Clears the bits of a relocation in the mask. */
static void mask_field(struct tr_image *image, uint64_t size, uint64_t offset,
		       uint64_t type)
{
	for (size_t i = 0; i < sizeof(FIELDS) / sizeof(*FIELDS); i++) {
		if (FIELDS[i].type != type || offset > size ||
		    FIELDS[i].size > size - offset)
			continue;
		for (uint32_t k = 0; k < FIELDS[i].size; k++)
			image->mask[offset + k] &= (uint8_t) ~(FIELDS[i].bits >> 8 * k);
	}
}

/* Applies the relocations of section `index` to the mask. */
static void mask_relocations(struct tr_image *image, const struct image_elf *elf,
			     size_t index, uint64_t size)
{
	for (size_t i = 1; i < elf->nsections; i++) {
		Elf_Scn *scn = elf_getscn(elf->elf, i);
		GElf_Shdr section;
		GElf_Rela rela;
		if (!gelf_getshdr(scn, &section) || section.sh_type != SHT_RELA ||
		    section.sh_info != index)
			continue;
		Elf_Data *data = elf_getdata(scn, NULL);
		for (int k = 0; data && gelf_getrela(data, k, &rela); k++)
			mask_field(image, size, rela.r_offset, GELF_R_TYPE(rela.r_info));
	}
}

/* Loads one section, as if it were linked at address 0. Returns a status. */
static int load_module_section(struct tr_image *image, struct image_elf *elf,
			       size_t index, const GElf_Shdr *section)
{
	const size_t size = section->sh_size;
	image->code = calloc(1, sizeof(*image->code));
	image->code_bytes = malloc(size);
	image->mask = malloc(size);
	elf->executable = calloc(1, sizeof(*elf->executable));
	if (!image->code || !image->code_bytes || !image->mask || !elf->executable)
		return tr_image_fail(image, TR_E_NOMEM, "out of memory");
	if (!tr_image_elf_read(elf, section->sh_offset, image->code_bytes, size))
		return tr_image_fail(image, TR_E_IO, "cannot read the code");
	memset(image->mask, 0xff, size);
	mask_relocations(image, elf, index, size);
	for (size_t i = 0; i < size; i++)
		image->code_bytes[i] &= image->mask[i];
	image->code[image->ncode++] =
	    (struct tr_code){.data = image->code_bytes, .size = size};
	elf->executable[elf->nexecutable++] = (struct image_span){0, size};
	elf->module_section = image->section = index;
	return TR_OK;
}

int tr_image_add_part(struct tr_image *image, const char *name)
{
	if (image->nparts == IMAGE_PARTS_MAX)
		return TR_OK;
	image->parts[image->nparts] = tr_image_name_store(image, name, strlen(name));
	if (!image->parts[image->nparts])
		return tr_image_fail(image, TR_E_NOMEM, "out of memory");
	image->nparts++;
	return TR_OK;
}

int tr_image_module_load(struct tr_image *image, struct image_elf *elf, const char *part)
{
	const char *wanted = part ? part : ".text";
	int status = TR_OK;
	image->module = true;
	for (size_t i = 1; i < elf->nsections && !status; i++) {
		GElf_Shdr section;
		if (!gelf_getshdr(elf_getscn(elf->elf, i), &section) ||
		    !is_module_code(&section))
			continue;
		const char *name = module_section_name(elf, &section);
		if (strcmp(name, wanted) != 0)
			status = tr_image_add_part(image, name);
		else if (!image->ncode)
			status = load_module_section(image, elf, i, &section);
	}
	if (!status && part && !image->ncode)
		return tr_image_fail(image, TR_E_UNSUPPORTED, "no code in %s", part);
	return status;
}
