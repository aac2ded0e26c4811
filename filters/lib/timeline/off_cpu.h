/* SPDX-License-Identifier: Apache-2.0 */
/* What threads wait for: the stacks on which they leave their harts, by the cycles until
 * they run again, with the reason, and the stack that woke them.
 *
 * A thread is away from the end of its last row to the beginning of its next one, as in
 * the column "away" of tr_profile_report(). The reason is that of the probes "switch" and
 * "wakeup" of a Linux kernel, or of another kernel also "blocks" (tr-fold(1), Waits);
 * without them it is unknown. A wait with a wake-up is divided there: until then the
 * thread was blocked, after it it was runnable. Only what is in the profile's window
 * counts.
 *
 * A stack's frames are followed by those of the reason:
 *   main;read;schedule;[blocked];--;try_to_wake_up;complete;[external interrupt]
 * the last of them from the waker's last frame down to its first, or to the interrupt
 * whose handler woke it. A wait that has no end has a frame "[at the end]" before that
 * of its reason; such waits are in no column "away".
 *
 * Memory grows with the number of distinct stacks and threads. */
#ifndef TR_OFF_CPU_H
#define TR_OFF_CPU_H

#include "profile/profile.h"
#include "stream/reader.h"

struct tr_off_cpu;

enum tr_off_cpu_reason {
	TR_OFF_BLOCKED,	  /* it slept */
	TR_OFF_RUNNABLE,  /* it was woken, and waited for a hart */
	TR_OFF_EITHER,	  /* it slept, and no wake-up was seen: one, then the other */
	TR_OFF_PREEMPTED, /* it could have run on */
	TR_OFF_IDLE,	  /* the idle task of Linux, while there was something to do */
	TR_OFF_NO_THREAD, /* code that is of no thread */
	TR_OFF_UNKNOWN,	  /* no switch was seen */
	TR_OFF_REASONS
};

/* Cycles in the window. */
struct tr_off_cpu_sums {
	uint64_t cycles[TR_OFF_REASONS]; /* of waits that ended */
	uint64_t at_end[TR_OFF_REASONS]; /* of those that did not */
	uint64_t waits;			 /* that ended */
	uint64_t threads;		 /* with a wait that did not end */
	uint64_t incomplete;		 /* hits without a number that they need, or with
					  * one that cannot be */
	uint64_t away; /* of all waits; what the reasons, and the stacks, add up to */
};

/* Creates the state, which observes the rows of the profile; call before the first frame.
 * Returns NULL when out of memory; tr_off_cpu_free() accepts NULL. */
struct tr_off_cpu *tr_off_cpu_new(struct tr_profile *, const struct tr_probe_names *);
void tr_off_cpu_free(struct tr_off_cpu *);
/* Returns true if the probes tell the states of tasks that leave a hart. */
bool tr_off_cpu_has_states(const struct tr_off_cpu *);

/* Call these before and after the profile takes a frame, and after it is finished. They
 * return TR_OK, TR_E_CORRUPT (a sum beyond 64 bits) or TR_E_NOMEM. */
int tr_off_cpu_begin_frame(struct tr_off_cpu *, const struct tr_sframe *frame);
int tr_off_cpu_end_frame(struct tr_off_cpu *);
int tr_off_cpu_finish(struct tr_off_cpu *, const struct tr_reader *reader);

/* Adds the stacks to a tree, cycles in self[0] and waits in self[1], of a profile that is
 * grouped by thread or process with the waker's as the last frame. The rest is as for
 * tr_profile_fold(). Returns TR_OK, TR_E_CORRUPT or TR_E_NOMEM. */
int tr_off_cpu_fold(const struct tr_off_cpu *, struct tr_folded *folded,
		    uint8_t (*tint)(const void *, const struct tr_func *),
		    const void *argument);
struct tr_off_cpu_sums tr_off_cpu_sums(const struct tr_off_cpu *);

#endif
