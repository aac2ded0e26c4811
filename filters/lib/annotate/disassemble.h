/* SPDX-License-Identifier: Apache-2.0 */
/* Instructions as text, in the syntax of the GNU binutils: RV32 and RV64 with I, M, A, F,
 * D, C, H, Zicsr, Zifencei, Zba, Zbb, Zbc, Zbs, Zicond, Zicbom, Zicboz, Zawrs and
 * Svinval; compressed instructions as what they stand for. Any other is ".insn
 * 0x12345678". */
#ifndef TR_DISASSEMBLE_H
#define TR_DISASSEMBLE_H

#include <stddef.h>
#include <stdint.h>

enum { TR_DISASSEMBLED = 96 };

/* Writes the instruction in `code`, of `bytes` (2 to 8) bytes, little-endian, which is at
 * `pc`. The isa is that of stream/isa.h: its XLEN. Mnemonic and operands are separated by
 * a tab; the targets of branches and jumps are addresses in hexadecimal, without 0x. */
void tr_disassemble(const uint8_t *code, unsigned bytes, unsigned isa, uint64_t pc,
		    char text[TR_DISASSEMBLED]);

/* Returns the name of a CSR, or NULL. */
const char *tr_csr_name(unsigned number, char text[24]);

#endif
