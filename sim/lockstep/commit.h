/* SPDX-License-Identifier: Apache-2.0 */
/* The signals of rtl/soc.sv's trace port for a committed token or a trap. */
#ifndef LOCKSTEP_COMMIT_H
#define LOCKSTEP_COMMIT_H

#include <stdbool.h>
#include <stdint.h>

#include "stream/insn.h"

/* A bit above all codes of exceptions and interrupts: 23 at most with the hypervisor
 * extension, which the harts here do not have. */
enum { COMMIT_INTERRUPT = 32 };

/* A token, that is a committed instruction, or, with `trap`, a trap entry. Fields `load`
 * and `store`: LR is a load, a successful SC a store, an AMO both. */
struct rtl_commit {
	uint64_t cycle;	   /* of the commit; the first cycle after reset is 1 */
	uint64_t pc;	   /* epc of a trap */
	uint64_t value;	   /* written to rd, if that is x1 to x31; tval of a trap */
	uint64_t satp;	   /* after it */
	uint64_t address;  /* physical */
	uint64_t source;   /* of a copy; physical, known in lockstep only */
	uint64_t data;	   /* stored; only its low `1 << size` bytes count */
	uint32_t insn;	   /* as fetched; upper half 0 for 16-bit instructions */
	uint8_t priv;	   /* of its execution; of a trap: before it */
	uint8_t next_priv; /* after it */
	uint8_t rd;	   /* 0: no register written; f0 to f31 are 32 to 63 */
	uint8_t cause;	   /* of a trap: code, plus COMMIT_INTERRUPT for an interrupt */
	uint8_t size;	   /* log2 of the size in bytes */
	bool trap, xret, wrote_satp, load, store, device;
};

/* Returns whether it is a copy, if the machine has the copy unit. */
static inline bool commit_copies(const struct rtl_commit *c)
{
	return tr_insn_is_copy(c->insn) && !c->trap;
}

/* Returns whether it is an SC that failed. */
static inline bool commit_fails_sc(const struct rtl_commit *c)
{
	return tr_insn_is_sc(c->insn) && !c->trap && !c->store;
}

#endif
