/* SPDX-License-Identifier: Apache-2.0 */
/* Encodings of instructions with their operands: letters as in disassemble.c. */
#ifndef TR_DISASSEMBLE_INTERNAL_H
#define TR_DISASSEMBLE_INTERNAL_H

#include <stddef.h>
#include <stdint.h>

#include "annotate/disassemble.h"

struct insn_form {
	uint32_t mask, match;
	const char *name, *operands;
	uint8_t xlen; /* 32 or 64: only with this XLEN; 0: with any */
};

/* Those of 32 and of 16 bits; the last one has no name. */
extern const struct insn_form tr_insn_forms_full[], tr_insn_forms_compressed[];

#endif
