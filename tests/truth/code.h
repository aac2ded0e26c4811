/* SPDX-License-Identifier: Apache-2.0 */
/* The few instructions that matter to a stack, taken apart. */
#ifndef TRUTH_CODE_H
#define TRUTH_CODE_H

#include "machine.h"

enum op_kind {
	OP_NONE, /* no code here */
	OP_OTHER,
	OP_ADD_SP,   /* sp += value */
	OP_LOAD_SP,  /* reg = memory at sp + value */
	OP_STORE_SP, /* memory at sp + value = reg */
	OP_LOAD,     /* of any other address */
	OP_STORE,    /* to any other address, of reg */
	OP_BRANCH,   /* perhaps to `target` */
	OP_JUMP,     /* to `target` */
	OP_CALL,     /* jal reg, target */
	OP_TO,	     /* jr reg */
	OP_ECALL,
	OP_XRET,
};

struct op {
	enum op_kind kind;
	unsigned bytes, reg;
	int64_t value;
	uint64_t target;
};

struct op code_at(const struct binary *binary, uint64_t pc);

/* How far below the function's start sp is at `pc`, and which register is saved
 * where (below that start; 0: not saved), by following the code from its entry.
 * False: too large, or two ways to `pc` that differ. */
struct code_frame {
	int64_t sp;
	int64_t saved[32];
};
bool code_frame_at(const struct binary *binary, const struct tr_function *function,
		   uint64_t pc, struct code_frame *frame);

#endif
