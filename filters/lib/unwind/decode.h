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

/* Whether it computes sp from sp, by ADD, SUB, ADDI or ANDI and their compressed forms,
 * and so stays on the same stack. Of an instruction that writes sp. */
bool tr_decode_adds_to_sp(const uint8_t *code, unsigned bytes);

#endif
