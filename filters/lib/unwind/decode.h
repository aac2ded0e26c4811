/* SPDX-License-Identifier: Apache-2.0 */
/* What the last instruction of a block does to the flow of control. */
#ifndef TR_DECODE_H
#define TR_DECODE_H

#include <stdbool.h>
#include <stdint.h>

/* Calls, returns and swaps follow the return-address-stack table of the
 * unprivileged specification (2.5.1): x1 and x5 are link registers. */
enum tr_flow {
	TR_FLOW_NEXT = 0, /* goes on behind itself */
	TR_FLOW_BRANCH,	  /* conditional, to a fixed place */
	TR_FLOW_JUMP,	  /* to a fixed place, no link */
	TR_FLOW_INDIRECT, /* to a register, no link and not through one */
	TR_FLOW_CALL,	  /* push */
	TR_FLOW_RETURN,	  /* pop */
	TR_FLOW_SWAP,	  /* pop, then push: from one link register to the other */
	TR_FLOW_XRET,	  /* mret, sret and their kind */
};

/* `code` holds one instruction of `bytes` (2 to 8) bytes, little-endian; xlen is
 * 32 or 64 (c.jal exists on RV32 only). Never fails: what it does not know goes
 * on behind itself. */
enum tr_flow tr_decode_flow(const uint8_t *code, unsigned bytes, unsigned xlen);

/* Whether a call links through x5, as those to the routines of -msave-restore do. */
bool tr_decode_is_alternate(const uint8_t *code, unsigned bytes);

/* What an instruction does to sp (x2). */
enum tr_sp_effect {
	TR_SP_KEEPS = 0,
	TR_SP_ADDS,   /* adds a constant: stream/sp.h */
	TR_SP_SHIFTS, /* computes it from sp and a register, or aligns it: same stack */
	TR_SP_FRAME,  /* takes it back from the frame pointer, s0, plus a constant */
	TR_SP_LOADS,  /* any other value */
};
/* `bytes` gets the constant of TR_SP_ADDS and TR_SP_FRAME. Without effect on other
 * registers than x2. */
enum tr_sp_effect tr_decode_sp(const uint8_t *code, unsigned length, int64_t *bytes);

/* Where a branch or direct jump at `pc` goes to; false for any other instruction. */
bool tr_decode_target(const uint8_t *code, unsigned length, unsigned xlen, uint64_t pc,
		      uint64_t *target);

#endif
