/* SPDX-License-Identifier: Apache-2.0 */
/* Makes the functional model follow a trace, so that registers and memory are known at
 * each of its instructions.
 *
 * 	r = replay_new(soc, reader);
 * 	while (tr_reader_next(reader, &frame) == TR_OK && replay_frame(r, frame))
 * 		continue;
 * 	done = replay_end(r);
 * 	replay_free(r);
 *
 * The model starts where the trace does, at reset or from a checkpoint, and where the
 * trace has the state of the machine, in windows. It executes everything itself. The
 * trace gives only nondeterministic input of the hart, in the events that tr-stream(5)
 * marks for replay: values of device loads and of CSRs that depend on time, SCs that
 * failed, writes of devices, and the places of interrupts. All else is compared: the
 * address and the bits of each instruction, traps, returns, satp, tp, sp, and the hashes
 * of the registers. The first difference ends the replay. Of a sampled run, what the
 * model has executed is followed, and the windows of the hardware are passed over. */
#ifndef REPLAY_H
#define REPLAY_H

#include "model/model.h"
#include "stream/reader.h"

struct replay;

/* What has been compared, or taken as input. */
struct replay_counts {
	uint64_t instructions, traps, interrupts;
	uint64_t loads, csrs, atomics, writes;
	uint64_t written; /* bytes of the writes */
	uint64_t hashes;
	uint64_t old_code; /* instructions that memory no longer had */
	/* Loads and stores at addresses, or with faults, that page tables in memory no
	 * longer gave. */
	uint64_t old_translations;
	/* Windows that began with a state, and instructions that are in the trace, but
	 * before the state of their window. */
	uint64_t windows, before;
};

/* Both remain the caller's; soc is loaded like the machine of the trace, and must not be
 * used otherwise until replay_free(). Returns NULL if memory runs out. */
struct replay *replay_new(struct soc *soc, struct tr_reader *reader);
void replay_free(struct replay *r);

/* Follows the next frame, which the reader has just returned. Returns false at a
 * difference, or if the trace cannot be replayed: replay_message(). */
bool replay_frame(struct replay *r, const struct tr_frame *frame);
/* Called after the last frame. Returns whether nothing of the trace is left over. */
bool replay_end(struct replay *r);

/* Returns how many rows of a hart were followed to their end; UINT64_MAX for that of the
 * windows of a sampled run, which are not followed. */
uint64_t replay_rows(const struct replay *r, unsigned hart);

/* Returns the time of a hart, between two frames. */
uint64_t replay_cycle(const struct replay *r, unsigned hart);
/* Returns the reason, as in "record 812, byte 9744: hart 0, cycle 4711: ...". */
const char *replay_message(const struct replay *r);
const struct replay_counts *replay_counts(const struct replay *r);

#endif
