/* SPDX-License-Identifier: Apache-2.0 */
/* An index over a stream of stacks, which answers what ran in a part of the run, in time
 * that does not grow with the run's length.
 *
 * The run is divided into slices of equal length, a power of two of cycles: at least
 * TR_EXPLORE_SLICES / 2 and at most TR_EXPLORE_SLICES, or one for each cycle of a shorter
 * run. A slice has the sums of each cell: a stack in a context, which is a hart, a thread
 * and a process. They are those of tr-fold and tr-report in the window of the slice:
 * slices add up to windows. Eight slices in a row have their sums stored as well, and
 * eight of these, so that a window of any length takes a few lists.
 *
 * An index is for one thread at a time. */
#ifndef TR_EXPLORE_H
#define TR_EXPLORE_H

#include <stdio.h>

#include "base/status.h"
#include "profile/profile.h"
#include "stream/classes.h"
#include "stream/header.h"
#include "stream/reader.h"

enum { TR_EXPLORE_SLICES = 2048 };

struct tr_explore;

/* Returns an empty index, or NULL when out of memory; tr_explore_free() accepts NULL. */
struct tr_explore *tr_explore_new(void);
void tr_explore_free(struct tr_explore *);

/* Begins to build an index of the reader's stream by a profile, which is by process, has
 * no window and no frames of its own, and which the caller feeds. Returns TR_OK,
 * TR_E_CORRUPT (classes of the header) or TR_E_NOMEM. */
int tr_explore_begin(struct tr_explore *, struct tr_profile *profile,
		     const struct tr_reader *reader);
/* Takes the marks of a frame, before the profile takes it. Returns TR_OK, TR_E_CORRUPT or
 * TR_E_NOMEM. */
int tr_explore_announce(struct tr_explore *, const struct tr_sframe *frame);
/* Takes the definitions of the frame that the profile took last; it can be asked then.
 * tr_explore_finish() comes after the last frame, and completes the index; `cut_off` says
 * how the run was cut off, or is NULL. Return TR_OK or TR_E_NOMEM. */
int tr_explore_frame(struct tr_explore *);
int tr_explore_finish(struct tr_explore *, const char *cut_off);
/* Returns true after tr_explore_finish(), and for an index that was read. */
bool tr_explore_is_done(const struct tr_explore *);
/* Returns the cycles of the run so far. */
uint64_t tr_explore_cycles(const struct tr_explore *);

/* What identifies the contents of a file. */
struct tr_explore_stamp {
	uint64_t size, seconds, nanoseconds; /* of its last modification */
	uint64_t hash;			     /* of its first and last bytes */
};
/* Gets the stamp of a file. Returns TR_OK, or TR_E_IO with errno set. */
int tr_explore_stamp(int file, struct tr_explore_stamp *stamp);

/* Writes a complete index to a database, in place of the file at `path`, which others see
 * whole or not at all. Returns TR_OK, TR_E_NOMEM, or TR_E_IO, with the reason in
 * `message`; nothing is left behind then. */
int tr_explore_save(struct tr_explore *, const char *path,
		    const struct tr_explore_stamp *stamp, char *message, size_t size);
/* Reads the index at `path` into an empty one. Returns TR_OK; TR_END if there is no such
 * file, or if it is of another version or another stream; TR_E_NOMEM; or TR_E_CORRUPT or
 * TR_E_IO, with the reason in `message`. The index is to be freed then. */
int tr_explore_load(struct tr_explore *, const char *path,
		    const struct tr_explore_stamp *stamp, char *message, size_t size);

/* Which part of the run is wanted. Contexts are numbered as in the answer "run". */
enum { TR_EXPLORE_ALL = UINT32_MAX };
struct tr_explore_choice {
	uint64_t from, to; /* cycles, which are rounded outwards to slices */
	uint32_t process, thread, hart;
	uint32_t root;	/* only stacks above this node; 0: all */
	unsigned width; /* pixels of the graph: narrower frames are left out; 0: none */
};

/* Write an answer in JSON, each in a line or more. Return TR_OK, TR_E_NOMEM, TR_E_CORRUPT
 * (a damaged index), or TR_E_ARGUMENT: a choice of what does not exist.
 *
 * "run": what there is: totals, slices, classes, processes, threads, harts.
 * "names": functions from number `since` on: name, binary, kind, tint and address.
 * "overview": for each slice cycles, instructions and slots by class; the cycles of the
 * processes that have most, and of each hart.
 * "view": sums of the choice, the frames of its flame graph, its functions. */
int tr_explore_run(struct tr_explore *, FILE *file);
int tr_explore_names(struct tr_explore *, uint32_t since, FILE *file);
int tr_explore_overview(struct tr_explore *, const struct tr_explore_choice *,
			FILE *file);
int tr_explore_view(struct tr_explore *, const struct tr_explore_choice *, FILE *file);
/* "marks": the points and regions of programs by name, as tr-timeline --table marks has
 * them between the cycles of the choice, of its process and thread. "regions": each of
 * them over time, by thread and depth, those as one that are narrower than a pixel.
 * "region": the nth of a name, or the longest for 0; and their number. */
int tr_explore_marks(struct tr_explore *, const struct tr_explore_choice *, FILE *file);
int tr_explore_regions(struct tr_explore *, const struct tr_explore_choice *, FILE *file);
int tr_explore_region(struct tr_explore *, const struct tr_explore_choice *,
		      uint32_t name, uint32_t nth, FILE *file);
/* Writes the stacks of the choice as tr-fold does. Returns as these. */
int tr_explore_folded(struct tr_explore *, const struct tr_explore_choice *, FILE *file);

#endif
