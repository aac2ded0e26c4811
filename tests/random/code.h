/* SPDX-License-Identifier: Apache-2.0 */
/* Writes instructions sequentially, including forward jumps. */
#ifndef RANDOM_CODE_H
#define RANDOM_CODE_H

#include "image.h"
#include "insn.h"
#include "rng.h"

enum { CODE_PAGES = 4 };

/* Code at consecutive virtual addresses from `va`, in physical pages of any order. `cost`
 * grows by `times` with each instruction and approximates how many will be executed. */
struct code {
	struct image *image;
	struct rng *rng; /* selects among encodings; NULL: plain ones */
	uint64_t va;
	uint64_t page[CODE_PAGES];
	uint32_t at, end; /* offsets from va; page boundaries are multiples of 4096 */
	uint64_t cost, times;
};

/* A jump whose target is still unknown. */
enum mark_kind { MARK_BRANCH, MARK_JAL, MARK_C_BRANCH, MARK_C_JUMP, MARK_ADDRESS };
struct mark {
	uint32_t at;
	enum mark_kind kind;
};

/* Returns code in consecutive physical pages, run at its physical address. */
struct code code_flat(struct image *image, uint64_t address, uint32_t size);
uint64_t code_here(const struct code *c);
uint64_t code_physical(const struct code *c, uint32_t at);

void code_word(struct code *c, uint32_t insn);
void code_half(struct code *c, uint16_t insn);

/* Common encodings. */
void code_i(struct code *c, enum insn insn, unsigned rd, unsigned rs1, int imm);
void code_r(struct code *c, enum insn insn, unsigned rd, unsigned rs1, unsigned rs2);
void code_s(struct code *c, enum insn insn, unsigned rs2, unsigned rs1, int imm);
void code_csr(struct code *c, enum insn insn, unsigned rd, unsigned csr,
	      unsigned operand);
/* Loads any value into rd (not x0), without another register. */
void code_li(struct code *c, unsigned rd, uint64_t value);

/* Backward jumps to an offset. */
void code_branch_to(struct code *c, enum insn insn, unsigned rs1, unsigned rs2,
		    uint32_t to);
void code_jal_to(struct code *c, unsigned rd, uint32_t to);
/* rd = va + to */
void code_address_to(struct code *c, unsigned rd, uint32_t to);

/* Forward jumps. code_land makes the next instruction the target; the distance must be in
 * range: 254 bytes for short branches, 2046 for short jumps. */
struct mark code_branch(struct code *c, enum insn insn, unsigned rs1, unsigned rs2);
struct mark code_jal(struct code *c, unsigned rd);
struct mark code_c_branch(struct code *c, enum insn insn, unsigned rs1);
struct mark code_c_jump(struct code *c);
struct mark code_address(struct code *c, unsigned rd);
void code_land(struct code *c, struct mark mark);

#endif
