/* SPDX-License-Identifier: Apache-2.0 */
/* Opcodes and encodings of RISC-V that several files compare instructions with.
 *
 * Sources: the opcode map and the tables of chapter "RV32/64G Instruction Set Listings"
 * of the unprivileged specification, with OP-V and OP-VE of chapter "V"; for SRET, MRET,
 * WFI and SFENCE.VMA chapter "RISC-V Privileged Instruction Set Listings" of the
 * privileged specification, for MNRET its chapter "Smrnmi"; for DRET the debug
 * specification. Bits of an instruction beyond its length are ignored. */
#ifndef TR_INSN_H
#define TR_INSN_H

#include <stdbool.h>
#include <stdint.h>

/* Bits 6 to 0 of an instruction of 32 bits. */
enum {
	TR_OPCODE_LOAD = 0x03,
	TR_OPCODE_LOAD_FP = 0x07,
	TR_OPCODE_CUSTOM_0 = 0x0b,
	TR_OPCODE_MISC_MEM = 0x0f,
	TR_OPCODE_OP_IMM = 0x13,
	TR_OPCODE_AUIPC = 0x17,
	TR_OPCODE_OP_IMM_32 = 0x1b,
	TR_OPCODE_STORE = 0x23,
	TR_OPCODE_STORE_FP = 0x27,
	TR_OPCODE_AMO = 0x2f,
	TR_OPCODE_OP = 0x33,
	TR_OPCODE_LUI = 0x37,
	TR_OPCODE_OP_32 = 0x3b,
	TR_OPCODE_MADD = 0x43,
	TR_OPCODE_MSUB = 0x47,
	TR_OPCODE_NMSUB = 0x4b,
	TR_OPCODE_NMADD = 0x4f,
	TR_OPCODE_OP_FP = 0x53,
	TR_OPCODE_OP_V = 0x57,
	TR_OPCODE_BRANCH = 0x63,
	TR_OPCODE_JALR = 0x67,
	TR_OPCODE_JAL = 0x6f,
	TR_OPCODE_SYSTEM = 0x73,
	TR_OPCODE_OP_VE = 0x77,
};

/* Instructions without operands. */
enum {
	TR_INSN_ECALL = 0x00000073,
	TR_INSN_EBREAK = 0x00100073,
	TR_INSN_URET = 0x00200073, /* of the extension N, which was withdrawn */
	TR_INSN_SRET = 0x10200073,
	TR_INSN_WFI = 0x10500073,
	TR_INSN_MRET = 0x30200073,
	TR_INSN_MNRET = 0x70200073,
	TR_INSN_DRET = 0x7b200073,
	TR_INSN_C_EBREAK = 0x9002,
};

enum { TR_CSR_SATP = 0x180 };

static inline uint32_t tr_insn_opcode(uint64_t insn)
{
	return (uint32_t)insn & 0x7f;
}

/* Returns the opcode and funct3 in their places: what identifies an instruction of the
 * formats I, S and B. */
static inline uint32_t tr_insn_with_funct3(uint64_t insn)
{
	return (uint32_t)insn & 0x707f;
}

/* Returns the opcode, funct3 and funct7 in their places: what identifies an instruction
 * of the format R. */
static inline uint32_t tr_insn_with_funct7(uint64_t insn)
{
	return (uint32_t)insn & 0xfe00707f;
}

/* Returns the opcode and funct5 in their places: what identifies an atomic instruction of
 * any width, whatever its bits aq and rl. */
static inline uint32_t tr_insn_with_funct5(uint64_t insn)
{
	return (uint32_t)insn & 0xf800007f;
}

static inline bool tr_insn_is_lr(uint64_t insn)
{
	return tr_insn_with_funct5(insn) == 0x1000002f;
}

static inline bool tr_insn_is_sc(uint64_t insn)
{
	return tr_insn_with_funct5(insn) == 0x1800002f;
}

static inline bool tr_insn_is_fence_i(uint64_t insn)
{
	return tr_insn_with_funct3(insn) == 0x100f;
}

/* Of the format R without rd. */
static inline bool tr_insn_is_sfence_vma(uint64_t insn)
{
	return ((uint32_t)insn & 0xfe007fff) == 0x12000073;
}

/* Returns true for an instruction of Zicsr; the others of SYSTEM have funct3 0 or 4. */
static inline bool tr_insn_is_csr(uint64_t insn)
{
	return tr_insn_opcode(insn) == TR_OPCODE_SYSTEM && (insn >> 12 & 3) != 0;
}

/* Returns true if an instruction of Zicsr writes: CSRRW and CSRRWI do, the others unless
 * rs1 is x0 or the immediate value 0. */
static inline bool tr_insn_writes_csr(uint64_t insn)
{
	return tr_insn_is_csr(insn) && ((insn >> 12 & 3) == 1 || (insn >> 15 & 31) != 0);
}

/* Returns true for the copy instruction of the machine, in custom-0: rtl/mem/copy.md. */
static inline bool tr_insn_is_copy(uint64_t insn)
{
	return tr_insn_with_funct7(insn) == TR_OPCODE_CUSTOM_0;
}

#endif
