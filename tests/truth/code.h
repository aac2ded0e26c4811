/* SPDX-License-Identifier: Apache-2.0 */
/* Decoder for the few instructions that affect a stack. */
#ifndef TRUTH_CODE_H
#define TRUTH_CODE_H

#include "machine.h"

enum op_kind {
	OP_NONE, /* no code at this address */
	OP_OTHER,
	OP_ADD_SP,   /* sp += value */
	OP_SET_SP,   /* any other write of sp */
	OP_SET_S0,   /* s0 = sp + value */
	OP_GET_S0,   /* sp = s0 + value */
	OP_LOAD_SP,  /* reg = memory at sp + value */
	OP_STORE_SP, /* memory at sp + value = reg */
	OP_LOAD,     /* from another address */
	OP_STORE,    /* of reg, to another address */
	OP_BRANCH,   /* conditional, to `target` */
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

/* The distance of sp at `pc` below its value at the function's entry, and the registers
 * saved (distance below that value; 0: not saved), found by following the code from its
 * entry. If sp has been set otherwise, s0 is the frame pointer. Returns false if the
 * function is too large, or `pc` is not reached, or two paths to it differ. */
struct code_frame {
	int64_t sp, s0;
	int64_t saved[32];
	bool has_s0; /* s0 is the frame pointer, with this distance */
	bool no_sp;  /* sp is unknown */
	bool differs;
};
bool code_frame_at(const struct binary *binary, const struct tr_function *function,
		   uint64_t pc, struct code_frame *frame);

#endif
