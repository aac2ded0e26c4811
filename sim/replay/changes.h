/* SPDX-License-Identifier: Apache-2.0 */
/* Probes of kind TR_PROBE_CHANGED: hit where a block of the function's code begins and
 * the value that is watched is another one than at the entry of this call, or than at its
 * last such block.
 *
 * A call is known by the sp of its entry: the one that runs is that with the lowest sp
 * above the hart's, for a function has a frame when its first block has ended. A call
 * that has returned, or was left by longjmp, is forgotten when another one is entered
 * with its sp, or when its sp is found in the frame of one that was entered later. */
#ifndef REPLAY_CHANGES_H
#define REPLAY_CHANGES_H

#include "probing.h"

struct changing_call;

/* All zero: no calls. */
struct changes {
	const struct probing_options *o; /* NULL: there are no such probes */
	struct changing_call **calls;	 /* sorted by place, space and sp */
	size_t count, room;
	uint64_t entered; /* number of calls so far */
	bool failed;	  /* memory ran out, or there were too many calls */
};

void changes_create(struct changes *c, const struct probing_options *options);
void changes_free(struct changes *c);
/* Returns whether a block is watched that begins at an address of bin.`binary`, or of any
 * code if it is TR_NOTE_UNKNOWN. */
bool changes_want_block(const struct changes *c, uint32_t binary, uint64_t address);
/* The function of a place is entered; the machine has the bias. */
void changes_enter(struct changes *c, size_t place, const struct replay_reached *at,
		   const struct tr_probe_machine *machine);
/* The model is before an instruction. Calls the hit of the options. */
void changes_reach(struct changes *c, const struct replay_reached *at,
		   struct tr_probe_machine *machine);

#endif
