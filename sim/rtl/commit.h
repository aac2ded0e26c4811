/* SPDX-License-Identifier: Apache-2.0 */
/* What the trace port of rtl/soc.sv says when a token commits or a trap is taken. */
#ifndef RTL_COMMIT_H
#define RTL_COMMIT_H

#include <stdbool.h>
#include <stdint.h>

/* A token: an instruction that committed; or, with `trap`, a trap entry. Fields
 * of `load` and `store`: LR is a load, an SC that succeeds a store, an AMO both. */
struct rtl_commit {
	uint64_t cycle;	   /* of the commit; 1 is the first cycle after reset */
	uint64_t pc;	   /* epc of a trap */
	uint64_t value;	   /* written to x[rd]; tval of a trap */
	uint64_t satp;	   /* now */
	uint64_t address;  /* physical */
	uint64_t data;	   /* stored; only its low `1 << size` bytes count */
	uint32_t insn;	   /* as fetched; upper half 0 for 16-bit instructions */
	uint8_t priv;	   /* it ran in (before, for a trap) */
	uint8_t next_priv; /* now */
	uint8_t rd;	   /* 0: no register written */
	uint8_t cause;	   /* of a trap: code, plus 16 for an interrupt */
	uint8_t size;	   /* log2 of bytes */
	bool trap, xret, wrote_satp, load, store, device;
};

#endif
