/* SPDX-License-Identifier: Apache-2.0 */
/* What an instruction of RV64 does to registers and memory, as far as types are followed
 * through it. */
#ifndef TR_DATA_STEPS_H
#define TR_DATA_STEPS_H

#include <stdbool.h>
#include <stdint.h>

enum data_step_kind {
	DATA_STEP_OTHER,      /* rd gets a value that is not followed */
	DATA_STEP_ADD,	      /* rd = rs1 + imm */
	DATA_STEP_SHIFT,      /* rd = rs1 << imm */
	DATA_STEP_SUM,	      /* rd = (rs1 << imm) + rs2 */
	DATA_STEP_DIFFERENCE, /* rd = rs1 - rs2 */
	DATA_STEP_PRODUCT,    /* rd = rs1 * rs2 */
	DATA_STEP_LOAD,	      /* at rs1 + imm; rd as well, unless it is 0 */
	DATA_STEP_STORE,      /* at rs1 + imm */
	DATA_STEP_ATOMIC,     /* at rs1; rd as well */
	DATA_STEP_BRANCH,     /* to pc + imm, or not */
	DATA_STEP_JUMP,	      /* to pc + imm */
	DATA_STEP_CALL,	      /* to pc + imm; to an unknown place if rs1 is not 0 */
	DATA_STEP_RETURN,     /* or a trap: does not go on */
	DATA_STEP_INDIRECT,   /* jumps to an unknown place */
	DATA_STEP_TRAP,	      /* a call of the system below */
	DATA_STEP_UNKNOWN,    /* may do anything to registers */
};

struct data_step {
	uint8_t kind;		      /* enum data_step_kind */
	uint8_t rd, rs1, rs2, length; /* rs2 of arithmetic only */
	uint8_t size;		      /* bytes, of an access */
	int32_t imm;
};

/* Decodes the instruction in `code`, of which `bytes` can be read. Returns false if it is
 * cut off, or has more than 4 bytes. */
bool tr_data_step(const uint8_t *code, uint64_t bytes, struct data_step *step);

#endif
