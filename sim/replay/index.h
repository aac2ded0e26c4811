/* SPDX-License-Identifier: Apache-2.0 */
/* An index of a trace: places at which a replay can continue, with the state of the model
 * there, so that any cycle is reached in less than a second. It is a file beside the
 * trace, or a temporary one.
 *
 * 	ix = replay_index_create(&source, file)
 * 	while (frame)
 * 		replay_frame(), replay_index_frame(ix)
 * 	replay_index_end(ix)
 * or
 * 	ix = replay_index_open(&source)
 * 	place = replay_index_find_cycle(ix, hart, cycle)
 * 	if (replay_index_check(ix, place))
 * 		replay_index_go(ix, place)
 *
 * The file begins with INDEX_MAGIC and the XXH64 of the version that wrote it. Then
 * follow places, each with the size and the XXH64 of its bytes, seeded with its number:
 * - varint: end in the trace's file; XXH64 of the trace's bytes since the last place
 * - a byte, 1 if the state is the first of a generation
 * - varint: number of harts, and for each of them varints: cycle, instructions
 * - the state, as varint size, varint compressed size, zstd frame: varint size of the
 *   reader's part (stream/saver.h), that part, the replay's (save.h)
 * - varint: number of groups of pages that were written since the last place, and for
 *   each group varint number of pages, varints with the number of each page less that of
 *   the previous one, varint compressed size, zstd frame.
 * The last place is empty. */
#ifndef REPLAY_INDEX_H
#define REPLAY_INDEX_H

#include <stdio.h>

#include "replay.h"

struct replay_index;

struct replay_index_source {
	struct soc *soc;
	struct tr_reader *reader;
	struct replay *replay;
	const char *trace; /* path */
	const char *index; /* path, for messages */
	uint64_t every;	   /* instructions between places */
	bool shares;	   /* there is another index of the replay */
	bool returns;	   /* replay_index_go() will be called more than once, or with
			      an index that is being created */
};

/* Both are called before the first frame; what the source points to must exist until
 * replay_index_free(). On failure the message is set; NULL: memory ran out. */
/* Begins an index in `file`, which remains the caller's; to read it again it must allow
 * that. */
struct replay_index *replay_index_create(const struct replay_index_source *source,
					 FILE *file);
/* Opens an index. */
struct replay_index *replay_index_open(const struct replay_index_source *source);
void replay_index_free(struct replay_index *ix);
/* Returns why the last call failed, or NULL if all calls succeeded. */
const char *replay_index_message(const struct replay_index *ix);

/* Called after each frame that has been replayed: adds a place if it is time. Returns
 * false on failure. */
bool replay_index_frame(struct replay_index *ix);
/* Ends the file. Returns false on failure. */
bool replay_index_end(struct replay_index *ix);

/* Return the last place before the hart's first instruction that commits in `cycle` or
 * later, or after no more than `instret` instructions of the hart; else place 0, the
 * start. */
size_t replay_index_find_cycle(const struct replay_index *ix, unsigned hart,
			       uint64_t cycle);
size_t replay_index_find_instruction(const struct replay_index *ix, unsigned hart,
				     uint64_t instret);
/* Return the end of a place in the trace's file, and the instructions of a hart before
 * it. */
uint64_t replay_index_offset(const struct replay_index *ix, size_t place);
uint64_t replay_index_instret(const struct replay_index *ix, size_t place, unsigned hart);
/* Checks the index up to a place, and that it is of this trace. Returns false, and has
 * changed nothing, if it is damaged or of another one. */
bool replay_index_check(struct replay_index *ix, size_t place);
/* Continues at a place that has been checked; the reader's next frame is to be replayed.
 * Returns false on failure, after which the replay cannot continue. */
bool replay_index_go(struct replay_index *ix, size_t place);

#endif
