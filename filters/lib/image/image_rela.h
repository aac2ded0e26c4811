/* SPDX-License-Identifier: Apache-2.0 */
/* Relocations of ELF files for RV32 and RV64. */
#ifndef TR_IMAGE_RELA_H
#define TR_IMAGE_RELA_H

#include <elf.h>

#include "base/little.h"

/* R_RISCV_RELATIVE, R_RISCV_JUMP_SLOT */
enum { IMAGE_RELATIVE = 3, IMAGE_JUMP_SLOT = 5 };

struct image_rela {
	uint64_t offset, addend;
	uint32_t type, symbol;
};

/* Return the sizes of a relocation and of a symbol. */
static inline size_t image_rela_bytes(unsigned xlen)
{
	return xlen == 32 ? sizeof(Elf32_Rela) : sizeof(Elf64_Rela);
}
static inline size_t image_symbol_bytes(unsigned xlen)
{
	return xlen == 32 ? sizeof(Elf32_Sym) : sizeof(Elf64_Sym);
}

static inline struct image_rela image_rela_load(const uint8_t *at, unsigned xlen)
{
	if (xlen == 32)
		return (struct image_rela){.offset = tr_load32(at),
					   .type = tr_load32(at + 4) & 0xff,
					   .symbol = tr_load32(at + 4) >> 8,
					   .addend = tr_load32(at + 8)};
	return (struct image_rela){.offset = tr_load64(at),
				   .type = tr_load32(at + 8),
				   .symbol = tr_load32(at + 12),
				   .addend = tr_load64(at + 16)};
}

#endif
