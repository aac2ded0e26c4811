/* SPDX-License-Identifier: Apache-2.0 */
/* What sources do not report: sp, the running program, traps. */
#ifndef TR_STACKS_INFERRED_H
#define TR_STACKS_INFERRED_H

#include "unwind/stacks_snapshots.h"

/* stacks_inferred.c: infers sp. */
/* Returns a made-up sp on a new range of addresses. */
uint64_t tr_inferred_new_sp(struct tr_unwind *u);
/* The last block has written sp. */
void tr_inferred_write(struct hart *h);
/* Like tr_stack_settle(), after the previous block went to `place` by `flow`. */
void tr_inferred_settle(struct tr_unwind *u, struct hart *h, uint8_t flow,
			const struct place *place);
/* Before a return to `place`: sets sp to its value at the call that returns there. */
void tr_inferred_return(struct hart *h, const struct place *place);
/* HAS_XRET: settles it, given its target `place`, of which only the pc may be known. */
void tr_inferred_xret(struct tr_unwind *u, struct hart *h, const struct place *place);
/* Returns the snapshot at epc that best fits the returns ahead, or NULL. Sets
 * *is_doubtful if another one fits as well. */
const struct snapshot *tr_inferred_snapshot(struct tr_unwind *u, const struct hart *h,
					    uint64_t epc, uint32_t sym,
					    bool *is_doubtful);
/* Returns the binary that an xret to pc in user mode leads to: where a trap came from, or
 * after a parent's system call. */
uint32_t tr_inferred_binary(struct tr_unwind *u, const struct hart *h, uint64_t pc);

/* stacks_unreported.c */
/* Returns true if the block is the beginning of a trap handler. */
bool tr_unreported_is_vector(const struct tr_unwind *u, const struct pair *p);

/* stacks_programs.c: identifies the running program for sources that report neither satp
 * nor sp. */
/* Returns the pair of the block found as `match`: in the program `binary` if it is user
 * code. `priv` is the privilege, if reported. */
const struct pair *tr_program_pair(struct tr_unwind *u, uint32_t binary, uint8_t priv,
				   const struct pair *match);
/* Chooses the program that an xret in user mode to the place of `match` continues. */
void tr_program_choose(struct tr_unwind *u, struct hart *h, const struct pair *match);
/* Returns true if the block is user code; `priv` is the privilege, if reported. */
bool tr_program_is_user(const struct tr_unwind *u, uint8_t priv,
			const struct pair *match);
/* Returns true if a program's entry point is at pc. */
bool tr_program_begins(const struct tr_unwind *u, uint64_t pc);

#endif
