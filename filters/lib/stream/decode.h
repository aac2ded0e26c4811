/* SPDX-License-Identifier: Apache-2.0 */
/* Decodes control transfers and effects on sp.
 *
 * How instructions are decoded depends on the `isa`: XLEN, 32 or 64, plus one of the
 * flags of stream/isa.h if it is known whether C.FSDSP or the instructions of Zcmp and
 * Zcmt have the encodings that they share. If it is not known, they are taken for
 * C.FSDSP, except that tr_decode_next() gives no successor of those that would
 * transfer control; tr_decode_zcm() returns which ones depend on the flag. With
 * TR_ISA_ZCMP:
 *
 *     cm.push              TR_FLOW_NEXT    TR_SP_ADDS, a negative constant
 *     cm.pop               TR_FLOW_NEXT    TR_SP_ADDS
 *     cm.popret[z]         TR_FLOW_RETURN  TR_SP_ADDS
 *     cm.mva01s, cm.mvsa01 TR_FLOW_NEXT    TR_SP_KEEPS
 *     cm.jt                TR_FLOW_JUMP    TR_SP_KEEPS
 *     cm.jalt              TR_FLOW_CALL    TR_SP_KEEPS, links through x1
 *
 * The target of cm.jt and cm.jalt is in the table that jvt points to, so
 * tr_decode_target() does not find it. */
#ifndef TR_DECODE_H
#define TR_DECODE_H

#include <stdbool.h>
#include <stdint.h>

#include "stream/isa.h"

/* Calls, returns and swaps as in the return-address-stack table of the unprivileged
 * specification (2.5.1): x1 and x5 are link registers. */
enum tr_flow {
	TR_FLOW_NEXT = 0, /* continues at the next instruction */
	TR_FLOW_BRANCH,	  /* conditional, to a fixed target */
	TR_FLOW_JUMP,	  /* to a fixed target, without link; cm.jt, to one of a table */
	TR_FLOW_INDIRECT, /* to a register, not linking or through a link register */
	TR_FLOW_CALL,	  /* push */
	TR_FLOW_RETURN,	  /* pop */
	TR_FLOW_SWAP,	  /* pop, then push: from one link register to the other */
	TR_FLOW_XRET,	  /* mret, sret and the like */
};

/* Returns the control flow of the instruction in `code`, of `bytes` (2 to 8) bytes,
 * little-endian. C.JAL exists on RV32 only. Unknown instructions are TR_FLOW_NEXT. */
enum tr_flow tr_decode_flow(const uint8_t *code, unsigned bytes, unsigned isa);

/* The instructions of Zcmp and Zcmt (unprivileged specification, chapter "Zc*"). */
enum tr_zcm {
	TR_ZCM_NONE = 0, /* any other instruction */
	TR_ZCM_PUSH,
	TR_ZCM_POP,
	TR_ZCM_POPRET, /* cm.popretz as well */
	TR_ZCM_MOVE,   /* cm.mva01s, cm.mvsa01 */
	TR_ZCM_JT,
	TR_ZCM_JALT,
};
/* Returns the one that an instruction is if it is not C.FSDSP. */
enum tr_zcm tr_decode_zcm(const uint8_t *code, unsigned bytes);
/* Returns true for those that transfer control. */
static inline bool tr_zcm_transfers(enum tr_zcm zcm)
{
	return zcm == TR_ZCM_POPRET || zcm == TR_ZCM_JT || zcm == TR_ZCM_JALT;
}

/* Returns true if a call links through x5, as calls of the -msave-restore routines do. */
bool tr_decode_is_alternate(const uint8_t *code, unsigned bytes);

/* Effect of an instruction on sp (x2). */
enum tr_sp_effect {
	TR_SP_KEEPS = 0,
	TR_SP_ADDS,   /* adds a constant: stream/sp.h */
	TR_SP_SHIFTS, /* computed from sp and a register, or aligned: same stack */
	TR_SP_FRAME,  /* restored from the frame pointer, s0, plus a constant */
	TR_SP_LOADS,  /* any other value */
};
/* Returns the effect on sp, and the constant of TR_SP_ADDS and TR_SP_FRAME in *bytes.
 * Other registers are ignored. Some encodings of c.addiw, c.ldsp and c.fldsp are c.jal
 * and c.flwsp with XLEN 32. */
enum tr_sp_effect tr_decode_sp(const uint8_t *code, unsigned length, unsigned isa,
			       int64_t *bytes);

/* Finds the target of a branch or direct jump at `pc`; it has XLEN bits. Returns false
 * for other instructions. */
bool tr_decode_target(const uint8_t *code, unsigned length, unsigned isa, uint64_t pc,
		      uint64_t *target);

/* Returns the address of the instruction that runs after the one at `pc`: in order for a
 * branch, which may be taken; TR_EPC_UNKNOWN if a register or a table has it, or if it
 * depends on a flag that `isa` does not have. */
uint64_t tr_decode_next(const uint8_t *code, unsigned length, unsigned isa, uint64_t pc);

#endif
