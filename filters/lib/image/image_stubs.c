/* SPDX-License-Identifier: Apache-2.0 */
/* Names of the stubs in the procedure linkage table, which have no symbols: "sin@plt". A
 * stub loads the address of its function from a slot, and a relocation of the slot has
 * the function's name (RISC-V ELF psABI, "Procedure Linkage Table"). */
#include <stdio.h>
#include <string.h>

#include "image/image_rela.h"
#include "image/image_state.h"
#include "stream/xlen.h"

enum { STUB_BYTES = 16, HEADER_BYTES = 32 };
enum { AUIPC_T3 = 0xe17, LD_T3 = 0x000e3e03, LW_T3 = 0x000e2e03, JALR_T1 = 0x000e0367 };

/* A section of relocations with its symbols. */
struct slots {
	unsigned xlen;
	const uint8_t *relocations, *symbols;
	const char *names;
	uint64_t nrelocations, nsymbols, names_size;
};

static const uint8_t *section_bytes(const struct image_elf *elf, uint32_t i,
				    uint32_t type, GElf_Shdr *header)
{
	if (i >= elf->nsections || !gelf_getshdr(elf_getscn(elf->elf, i), header) ||
	    header->sh_type != type)
		return NULL;
	return tr_image_elf_bytes(elf, header->sh_offset, header->sh_size);
}

static bool open_slots(struct slots *slots, const struct image_elf *elf, uint32_t i,
		       unsigned xlen)
{
	GElf_Shdr relocations, symbols, names;
	slots->relocations = section_bytes(elf, i, SHT_RELA, &relocations);
	if (!slots->relocations)
		return false;
	slots->symbols = section_bytes(elf, relocations.sh_link, SHT_DYNSYM, &symbols);
	if (!slots->symbols)
		return false;
	slots->names =
	    (const char *)section_bytes(elf, symbols.sh_link, SHT_STRTAB, &names);
	slots->xlen = xlen;
	slots->nrelocations = relocations.sh_size / image_rela_bytes(xlen);
	slots->nsymbols = symbols.sh_size / image_symbol_bytes(xlen);
	slots->names_size = names.sh_size;
	return slots->names;
}

/* Maps the address of each slot to the offset of its name. Returns false when out of
 * memory. */
static bool map_slots(const struct slots *slots, struct tr_map *names)
{
	const size_t step = image_rela_bytes(slots->xlen);
	for (uint64_t i = 0; i < slots->nrelocations; i++) {
		const struct image_rela rela =
		    image_rela_load(slots->relocations + i * step, slots->xlen);
		if (rela.type != IMAGE_JUMP_SLOT || rela.symbol >= slots->nsymbols)
			continue;
		uint32_t name = tr_load32(slots->symbols +
					  rela.symbol * image_symbol_bytes(slots->xlen));
		if (name < slots->names_size && !tr_map_set(names, rela.offset, name))
			return false;
	}
	return true;
}

/* Returns true for the code of a stub, and the address of its slot. */
static bool is_stub(const uint8_t *code, uint64_t pc, unsigned xlen, uint64_t *slot)
{
	uint32_t high = tr_load32(code), load = tr_load32(code + 4);
	*slot = tr_xlen_wrap(xlen, pc + (uint64_t)(int32_t)(high & ~UINT32_C(0xfff)) +
				       (uint64_t)((int32_t)load >> 20));
	return (high & 0xfff) == AUIPC_T3 &&
	       (load & 0xfffff) == (xlen == 32 ? LW_T3 : LD_T3) &&
	       tr_load32(code + 8) == JALR_T1;
}

/* Returns NULL when out of memory. */
static const char *keep_stub_name(struct tr_image *image, const struct slots *slots,
				  uint32_t offset)
{
	char text[IMAGE_NAME_MAX];
	const char *symbol = slots->names + offset;
	size_t length = strnlen(symbol, slots->names_size - offset);
	snprintf(text, sizeof(text), "%.*s" IMAGE_STUB,
		 (int)(length < sizeof(text) / 2 ? length : sizeof(text) / 2), symbol);
	return tr_image_name_store(image, text, strlen(text));
}

static bool add_code(struct image_candidates *candidates, const char *name, uint64_t low,
		     uint64_t size)
{
	return name && tr_image_add(candidates, &(struct image_candidate){
						    .name = name,
						    .entry = low,
						    .low = low,
						    .high = low + size,
						    .rank = IMAGE_RANK_STUB,
						});
}

/* Adds the stubs in one range of code, and the code before the first of them, which calls
 * the dynamic loader. */
static bool add_stubs(struct tr_image *image, const struct slots *slots,
		      const struct tr_map *names, const struct tr_code *code,
		      struct image_candidates *candidates)
{
	bool is_first = true, good = true;
	uint64_t slot;
	for (uint64_t at = -code->address % STUB_BYTES;
	     good && at <= code->size && code->size - at >= STUB_BYTES;
	     at += STUB_BYTES) {
		uint64_t pc = code->address + at;
		if (!is_stub(code->data + at, pc, slots->xlen, &slot))
			continue;
		uint32_t offset = tr_map_get(names, slot);
		if (offset == TR_MAP_NONE)
			continue;
		if (is_first && at >= HEADER_BYTES)
			good = add_code(candidates, IMAGE_STUB, pc - HEADER_BYTES,
					HEADER_BYTES);
		good = good && add_code(candidates, keep_stub_name(image, slots, offset),
					pc, STUB_BYTES);
		is_first = false;
	}
	return good;
}

int tr_image_stubs_load(struct tr_image *image, const struct image_elf *elf,
			struct image_candidates *candidates)
{
	bool good = true;
	for (uint32_t i = 1; i < elf->nsections && good; i++) {
		struct slots slots;
		struct tr_map names = {0};
		if (!open_slots(&slots, elf, i, image->xlen))
			continue;
		good = map_slots(&slots, &names);
		for (size_t k = 0; k < image->ncode && good && names.count; k++)
			good =
			    add_stubs(image, &slots, &names, &image->code[k], candidates);
		tr_map_free(&names);
	}
	return good ? TR_OK : TR_E_NOMEM;
}
