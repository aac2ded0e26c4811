/* SPDX-License-Identifier: Apache-2.0 */
/* Snapshots: the user part of a stack at a system call, for a forked child that starts
 * there with the same sp. */
#ifndef TR_STACKS_SNAPSHOTS_H
#define TR_STACKS_SNAPSHOTS_H

#include "unwind/stacks_stack.h"

enum { ECALL_BYTES = 4 };

/* Only stacks_snapshots.c and the functions below use the members. */
struct snapshot {
	struct frames frames;
	uint64_t hgatp; /* of the guest that it is in, or 0 */
	uint64_t epc, sp, used;
	uint32_t sym;	 /* of the caller */
	uint32_t binary; /* of user code, as in struct thread */
};

static inline const struct frames *snapshot_frames(const struct snapshot *s)
{
	return &s->frames;
}
/* Returns the pc of the system call. */
static inline uint64_t snapshot_epc(const struct snapshot *s)
{
	return s->epc;
}
/* Returns the function that made it. */
static inline uint32_t snapshot_sym(const struct snapshot *s)
{
	return s->sym;
}
static inline uint32_t snapshot_binary(const struct snapshot *s)
{
	return s->binary;
}
/* Returns the time of the system call, as stacks_tick() does. */
static inline uint64_t snapshot_used(const struct snapshot *s)
{
	return s->used;
}

void tr_snapshot_take(struct tr_unwind *u, struct hart *h, const struct trap *trap);
/* A child resumes at `place` with the hart's sp: moves the hart to a copy of the parent's
 * stack. Returns false if there was no such system call. */
bool tr_snapshot_adopt(struct tr_unwind *u, struct hart *h, const struct place *place);
/* Releases what the task of this kernel stack has run as part of a system call on the
 * hart's stack. */
void tr_snapshot_release(struct tr_unwind *u, struct hart *h, struct stack *kernel);
void tr_snapshots_forget(struct tr_unwind *u);
/* Returns the nth snapshot, NULL beyond the last. */
const struct snapshot *tr_snapshots_nth(const struct tr_unwind *u, uint32_t nth);
/* Replaces references to nodes of held roots that have become known. */
void tr_snapshots_settle_nodes(struct tr_unwind *u);
/* tr_snapshots_new() returns NULL when out of memory; tr_snapshots_free() accepts it. */
struct snapshots *tr_snapshots_new(void);
void tr_snapshots_free(struct snapshots *all);

#endif
