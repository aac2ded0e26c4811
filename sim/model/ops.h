/* SPDX-License-Identifier: Apache-2.0 */
/* All operations of the interpreter: name and effect.
 *
 * RS1, RS2, RD, IMM are the operands, PC0 the address of the block; W(x) is a
 * sign-extended 32-bit result. Arithmetic is unsigned except where S64 is used. */
#ifndef SOC_OPS_H
#define SOC_OPS_H

#define SOC_ALU_OPS(X)                                                                   \
	X(li, IMM)                                                                       \
	X(auipc, PC0 + IMM)                                                              \
	X(mv, RS1)                                                                       \
	X(addi, RS1 + IMM)                                                               \
	X(slti, S64(RS1) < S64(IMM))                                                     \
	X(sltiu, RS1 < IMM)                                                              \
	X(xori, RS1 ^ IMM)                                                               \
	X(ori, RS1 | IMM)                                                                \
	X(andi, RS1 &IMM)                                                                \
	X(slli, RS1 << SHIFT)                                                            \
	X(srli, RS1 >> SHIFT)                                                            \
	X(srai, SAR(RS1, SHIFT))                                                         \
	X(addiw, W(RS1 + IMM))                                                           \
	X(slliw, W(RS1 << SHIFT))                                                        \
	X(srliw, W((uint32_t)RS1 >> SHIFT))                                              \
	X(sraiw, SAR(W(RS1), SHIFT))                                                     \
	X(add, RS1 + RS2)                                                                \
	X(sub, RS1 - RS2)                                                                \
	X(sll, RS1 << (RS2 & 63))                                                        \
	X(slt, S64(RS1) < S64(RS2))                                                      \
	X(sltu, RS1 < RS2)                                                               \
	X(xor, RS1 ^ RS2)                                                                \
	X(srl, RS1 >> (RS2 & 63))                                                        \
	X(sra, SAR(RS1, RS2 & 63))                                                       \
	X(or, RS1 | RS2)                                                                 \
	X(and, RS1 &RS2)                                                                 \
	X(addw, W(RS1 + RS2))                                                            \
	X(subw, W(RS1 - RS2))                                                            \
	X(sllw, W(RS1 << (RS2 & 31)))                                                    \
	X(srlw, W((uint32_t)RS1 >> (RS2 & 31)))                                          \
	X(sraw, SAR(W(RS1), RS2 & 31))                                                   \
	X(mul, RS1 *RS2)                                                                 \
	X(mulh, soc_mulh(RS1, RS2))                                                      \
	X(mulhsu, soc_mulhsu(RS1, RS2))                                                  \
	X(mulhu, soc_mulhu(RS1, RS2))                                                    \
	X(div, soc_div(RS1, RS2))                                                        \
	X(divu, soc_divu(RS1, RS2))                                                      \
	X(rem, soc_rem(RS1, RS2))                                                        \
	X(remu, soc_remu(RS1, RS2))                                                      \
	X(mulw, W(RS1 *RS2))                                                             \
	X(divw, W(soc_div(W(RS1), W(RS2))))                                              \
	X(divuw, W(soc_divu((uint32_t)RS1, (uint32_t)RS2)))                              \
	X(remw, W(soc_rem(W(RS1), W(RS2))))                                              \
	X(remuw, W(soc_remu((uint32_t)RS1, (uint32_t)RS2)))

#define SOC_LOAD_OPS(X)                                                                  \
	X(lb, int8_t)                                                                    \
	X(lh, int16_t)                                                                   \
	X(lw, int32_t)                                                                   \
	X(ld, int64_t)                                                                   \
	X(lbu, uint8_t)                                                                  \
	X(lhu, uint16_t)                                                                 \
	X(lwu, uint32_t)

#define SOC_STORE_OPS(X)                                                                 \
	X(sb, uint8_t)                                                                   \
	X(sh, uint16_t)                                                                  \
	X(sw, uint32_t)                                                                  \
	X(sd, uint64_t)

#define SOC_BRANCH_OPS(X)                                                                \
	X(beq, RS1 == RS2)                                                               \
	X(bne, RS1 != RS2)                                                               \
	X(blt, S64(RS1) < S64(RS2))                                                      \
	X(bge, S64(RS1) >= S64(RS2))                                                     \
	X(bltu, RS1 < RS2)                                                               \
	X(bgeu, RS1 >= RS2)

/* nop commits and does nothing. floating, atomic, copy and csr call a function. system
 * leaves its block. jal and jalr have a variant whose link register is reported, which
 * also leaves the block. The last four are no instructions: the end of a block, the same
 * after a write of a reported register, the end of a truncated block, and illegal bits.
 */
#define SOC_OTHER_OPS(X)                                                                 \
	X(nop, 0)                                                                        \
	X(jal, 0)                                                                        \
	X(jalr, 0)                                                                       \
	X(jal_reported, 0)                                                               \
	X(jalr_reported, 0)                                                              \
	X(flw, 0)                                                                        \
	X(fld, 0)                                                                        \
	X(fsw, 0)                                                                        \
	X(fsd, 0)                                                                        \
	X(floating, 0)                                                                   \
	X(atomic, 0)                                                                     \
	X(copy, 0)                                                                       \
	X(csr, 0)                                                                        \
	X(system, 0)                                                                     \
	X(wfi, 0)                                                                        \
	X(end, 0)                                                                        \
	X(end_reported, 0)                                                               \
	X(cut, 0)                                                                        \
	X(illegal, 0)

enum soc_op_code {
#define X(name, what) SOC_OP_##name,
	SOC_ALU_OPS(X) SOC_LOAD_OPS(X) SOC_STORE_OPS(X) SOC_BRANCH_OPS(X) SOC_OTHER_OPS(X)
#undef X
	    SOC_OP_COUNT
};

#endif
