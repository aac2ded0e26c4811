/* SPDX-License-Identifier: Apache-2.0 */
/* The instructions of RV64IMAC with Zicsr and Zifencei: names, bits, encoders. */
#ifndef RANDOM_INSN_H
#define RANDOM_INSN_H

#include <stdbool.h>
#include <stdint.h>

/* name, bits, mask of the fixed bits */
#define INSN_TABLE(X)                                                                    \
	X(lui, 0x00000037, 0x0000007f)                                                   \
	X(auipc, 0x00000017, 0x0000007f)                                                 \
	X(jal, 0x0000006f, 0x0000007f)                                                   \
	X(jalr, 0x00000067, 0x0000707f)                                                  \
	X(beq, 0x00000063, 0x0000707f)                                                   \
	X(bne, 0x00001063, 0x0000707f)                                                   \
	X(blt, 0x00004063, 0x0000707f)                                                   \
	X(bge, 0x00005063, 0x0000707f)                                                   \
	X(bltu, 0x00006063, 0x0000707f)                                                  \
	X(bgeu, 0x00007063, 0x0000707f)                                                  \
	X(lb, 0x00000003, 0x0000707f)                                                    \
	X(lh, 0x00001003, 0x0000707f)                                                    \
	X(lw, 0x00002003, 0x0000707f)                                                    \
	X(ld, 0x00003003, 0x0000707f)                                                    \
	X(lbu, 0x00004003, 0x0000707f)                                                   \
	X(lhu, 0x00005003, 0x0000707f)                                                   \
	X(lwu, 0x00006003, 0x0000707f)                                                   \
	X(sb, 0x00000023, 0x0000707f)                                                    \
	X(sh, 0x00001023, 0x0000707f)                                                    \
	X(sw, 0x00002023, 0x0000707f)                                                    \
	X(sd, 0x00003023, 0x0000707f)                                                    \
	X(addi, 0x00000013, 0x0000707f)                                                  \
	X(slti, 0x00002013, 0x0000707f)                                                  \
	X(sltiu, 0x00003013, 0x0000707f)                                                 \
	X(xori, 0x00004013, 0x0000707f)                                                  \
	X(ori, 0x00006013, 0x0000707f)                                                   \
	X(andi, 0x00007013, 0x0000707f)                                                  \
	X(slli, 0x00001013, 0xfc00707f)                                                  \
	X(srli, 0x00005013, 0xfc00707f)                                                  \
	X(srai, 0x40005013, 0xfc00707f)                                                  \
	X(addiw, 0x0000001b, 0x0000707f)                                                 \
	X(slliw, 0x0000101b, 0xfe00707f)                                                 \
	X(srliw, 0x0000501b, 0xfe00707f)                                                 \
	X(sraiw, 0x4000501b, 0xfe00707f)                                                 \
	X(add, 0x00000033, 0xfe00707f)                                                   \
	X(sub, 0x40000033, 0xfe00707f)                                                   \
	X(sll, 0x00001033, 0xfe00707f)                                                   \
	X(slt, 0x00002033, 0xfe00707f)                                                   \
	X(sltu, 0x00003033, 0xfe00707f)                                                  \
	X(xor, 0x00004033, 0xfe00707f)                                                   \
	X(srl, 0x00005033, 0xfe00707f)                                                   \
	X(sra, 0x40005033, 0xfe00707f)                                                   \
	X(or, 0x00006033, 0xfe00707f)                                                    \
	X(and, 0x00007033, 0xfe00707f)                                                   \
	X(addw, 0x0000003b, 0xfe00707f)                                                  \
	X(subw, 0x4000003b, 0xfe00707f)                                                  \
	X(sllw, 0x0000103b, 0xfe00707f)                                                  \
	X(srlw, 0x0000503b, 0xfe00707f)                                                  \
	X(sraw, 0x4000503b, 0xfe00707f)                                                  \
	X(mul, 0x02000033, 0xfe00707f)                                                   \
	X(mulh, 0x02001033, 0xfe00707f)                                                  \
	X(mulhsu, 0x02002033, 0xfe00707f)                                                \
	X(mulhu, 0x02003033, 0xfe00707f)                                                 \
	X(div, 0x02004033, 0xfe00707f)                                                   \
	X(divu, 0x02005033, 0xfe00707f)                                                  \
	X(rem, 0x02006033, 0xfe00707f)                                                   \
	X(remu, 0x02007033, 0xfe00707f)                                                  \
	X(mulw, 0x0200003b, 0xfe00707f)                                                  \
	X(divw, 0x0200403b, 0xfe00707f)                                                  \
	X(divuw, 0x0200503b, 0xfe00707f)                                                 \
	X(remw, 0x0200603b, 0xfe00707f)                                                  \
	X(remuw, 0x0200703b, 0xfe00707f)                                                 \
	X(fence, 0x0000000f, 0x0000707f)                                                 \
	X(fence_i, 0x0000100f, 0x0000707f)                                               \
	X(ecall, 0x00000073, 0xffffffff)                                                 \
	X(ebreak, 0x00100073, 0xffffffff)                                                \
	X(sret, 0x10200073, 0xffffffff)                                                  \
	X(mret, 0x30200073, 0xffffffff)                                                  \
	X(wfi, 0x10500073, 0xffffffff)                                                   \
	X(sfence_vma, 0x12000073, 0xfe007fff)                                            \
	X(csrrw, 0x00001073, 0x0000707f)                                                 \
	X(csrrs, 0x00002073, 0x0000707f)                                                 \
	X(csrrc, 0x00003073, 0x0000707f)                                                 \
	X(csrrwi, 0x00005073, 0x0000707f)                                                \
	X(csrrsi, 0x00006073, 0x0000707f)                                                \
	X(csrrci, 0x00007073, 0x0000707f)                                                \
	X(lr_w, 0x1000202f, 0xf9f0707f)                                                  \
	X(sc_w, 0x1800202f, 0xf800707f)                                                  \
	X(amoswap_w, 0x0800202f, 0xf800707f)                                             \
	X(amoadd_w, 0x0000202f, 0xf800707f)                                              \
	X(amoxor_w, 0x2000202f, 0xf800707f)                                              \
	X(amoand_w, 0x6000202f, 0xf800707f)                                              \
	X(amoor_w, 0x4000202f, 0xf800707f)                                               \
	X(amomin_w, 0x8000202f, 0xf800707f)                                              \
	X(amomax_w, 0xa000202f, 0xf800707f)                                              \
	X(amominu_w, 0xc000202f, 0xf800707f)                                             \
	X(amomaxu_w, 0xe000202f, 0xf800707f)                                             \
	X(lr_d, 0x1000302f, 0xf9f0707f)                                                  \
	X(sc_d, 0x1800302f, 0xf800707f)                                                  \
	X(amoswap_d, 0x0800302f, 0xf800707f)                                             \
	X(amoadd_d, 0x0000302f, 0xf800707f)                                              \
	X(amoxor_d, 0x2000302f, 0xf800707f)                                              \
	X(amoand_d, 0x6000302f, 0xf800707f)                                              \
	X(amoor_d, 0x4000302f, 0xf800707f)                                               \
	X(amomin_d, 0x8000302f, 0xf800707f)                                              \
	X(amomax_d, 0xa000302f, 0xf800707f)                                              \
	X(amominu_d, 0xc000302f, 0xf800707f)                                             \
	X(amomaxu_d, 0xe000302f, 0xf800707f)

/* name, bits, mask of the fixed bits, mask of bits of which one must be set; the first
 * match applies */
#define INSN_TABLE_C(X)                                                                  \
	X(c_addi4spn, 0x0000, 0xe003, 0x1fe0)                                            \
	X(c_lw, 0x4000, 0xe003, 0)                                                       \
	X(c_ld, 0x6000, 0xe003, 0)                                                       \
	X(c_sw, 0xc000, 0xe003, 0)                                                       \
	X(c_sd, 0xe000, 0xe003, 0)                                                       \
	X(c_nop, 0x0001, 0xef83, 0)                                                      \
	X(c_addi, 0x0001, 0xe003, 0)                                                     \
	X(c_addiw, 0x2001, 0xe003, 0x0f80)                                               \
	X(c_li, 0x4001, 0xe003, 0)                                                       \
	X(c_addi16sp, 0x6101, 0xef83, 0x107c)                                            \
	X(c_lui, 0x6001, 0xe003, 0x107c)                                                 \
	X(c_srli, 0x8001, 0xec03, 0)                                                     \
	X(c_srai, 0x8401, 0xec03, 0)                                                     \
	X(c_andi, 0x8801, 0xec03, 0)                                                     \
	X(c_sub, 0x8c01, 0xfc63, 0)                                                      \
	X(c_xor, 0x8c21, 0xfc63, 0)                                                      \
	X(c_or, 0x8c41, 0xfc63, 0)                                                       \
	X(c_and, 0x8c61, 0xfc63, 0)                                                      \
	X(c_subw, 0x9c01, 0xfc63, 0)                                                     \
	X(c_addw, 0x9c21, 0xfc63, 0)                                                     \
	X(c_j, 0xa001, 0xe003, 0)                                                        \
	X(c_beqz, 0xc001, 0xe003, 0)                                                     \
	X(c_bnez, 0xe001, 0xe003, 0)                                                     \
	X(c_slli, 0x0002, 0xe003, 0)                                                     \
	X(c_lwsp, 0x4002, 0xe003, 0x0f80)                                                \
	X(c_ldsp, 0x6002, 0xe003, 0x0f80)                                                \
	X(c_jr, 0x8002, 0xf07f, 0x0f80)                                                  \
	X(c_mv, 0x8002, 0xf003, 0)                                                       \
	X(c_ebreak, 0x9002, 0xffff, 0)                                                   \
	X(c_jalr, 0x9002, 0xf07f, 0)                                                     \
	X(c_add, 0x9002, 0xf003, 0)                                                      \
	X(c_swsp, 0xc002, 0xe003, 0)                                                     \
	X(c_sdsp, 0xe002, 0xe003, 0)

enum insn {
#define X(name, bits, fixed) INSN_##name,
	INSN_TABLE(X)
#undef X
#define X(name, bits, fixed, some) INSN_##name,
	    INSN_TABLE_C(X)
#undef X
		INSN_COUNT
};

struct insn_kind {
	const char *name;
	uint32_t bits, fixed, some;
};
extern const struct insn_kind insn_kinds[INSN_COUNT];

/* Returns the instruction; -1: illegal in all privileges. */
int insn_find(uint32_t bits);
/* Returns whether the opcode is one of F and D, which insn_find() does not know. */
bool insn_is_float(uint32_t bits);

/* Encoders; immediates as in assembler, truncated to the field. */
uint32_t insn_r(enum insn insn, unsigned rd, unsigned rs1, unsigned rs2);
uint32_t insn_i(enum insn insn, unsigned rd, unsigned rs1, int imm); /* shifts too */
uint32_t insn_s(enum insn insn, unsigned rs2, unsigned rs1, int imm);
uint32_t insn_b(enum insn insn, unsigned rs1, unsigned rs2, int offset);
uint32_t insn_u(enum insn insn, unsigned rd, uint32_t imm20);
uint32_t insn_jal(unsigned rd, int offset);
uint32_t insn_csr(enum insn insn, unsigned rd, unsigned csr, unsigned operand);

/* Three-bit registers are passed as x8 to x15. */
uint16_t insn_ci(enum insn insn, unsigned rd, int imm6); /* and c.slli, c.lui */
uint16_t insn_cr(enum insn insn, unsigned rd, unsigned rs2);
uint16_t insn_ca(enum insn insn, unsigned rd, unsigned rs2);
uint16_t insn_cb(enum insn insn, unsigned rd, int imm6); /* c.srli, c.srai, c.andi */
uint16_t insn_c_branch(enum insn insn, unsigned rs1, int offset);
uint16_t insn_c_jump(int offset);
uint16_t insn_c_memory(enum insn insn, unsigned r, unsigned base, unsigned offset);
uint16_t insn_c_stack(enum insn insn, unsigned r, unsigned offset);
uint16_t insn_c_addi4spn(unsigned rd, unsigned imm);
uint16_t insn_c_addi16sp(int imm);

#endif
