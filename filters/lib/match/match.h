/* SPDX-License-Identifier: Apache-2.0 */
/* Finds for every block in every address space the binary and the address that
 * it comes from, by the algorithm of the userspace paper (section V.C and V.D),
 * a block definition at a time.
 *
 * The possible sites of the blocks that a space runs are intersected until one
 * (binary, bias) is left and enough tokens agree; that answer then holds for all
 * that waited. Later blocks of the space are only verified against it (the
 * paper's satp cache). A space is one life of one satp in U-mode: a return to
 * user mode that lands on the entry point of a program begins a new one, and so
 * does code that cannot be of the program that the satp had. A program that is not
 * listed is not taken for one with the same library at the same address: code that is
 * in no binary rules out each program with other code at that address, if it was not
 * known before.
 * M-mode and S-mode code is matched over all spaces. A kernel whose place is known may
 * differ from its file where it patches itself: in no-operations that became jumps or
 * calls of tracers and the reverse (image/patch.h), which are thousands, and in other
 * instructions here and there, few against those that agree. A file that differs in many
 * is of another kernel, and from then on S-mode code is unknown: what still agrees with
 * that file does so by chance.
 *
 * Frames wait, whole and in order, for the blocks in them that are not decided
 * yet; at most TR_MATCH_HELD of them.
 */
#ifndef TR_MATCH_H
#define TR_MATCH_H

#include "match/match_index.h"
#include "stream/reader.h"
#include "stream/writer.h"

enum {
	TR_MATCH_DEPTH = 3,	  /* the paper's matching depth, in tokens */
	TR_MATCH_HISTORY = 2048,  /* the paper's buffer, in tokens */
	TR_MATCH_HELD = 8,	  /* frames */
	TR_MATCH_PATCH = 16,	  /* bytes of a block are a small difference */
	TR_MATCH_PATCHED = 256,	  /* tokens that may differ from a kernel's file … */
	TR_MATCH_PATCHED_IN = 32, /* … and one of so many that agree */
};

struct tr_match_options {
	unsigned depth;	  /* tokens that must agree before a match counts */
	unsigned history; /* different tokens of a space that may wait for it */
	bool no_cache;	  /* look for each block anew, whatever the satp is known for */
};

struct tr_match_sum {
	uint64_t instructions, cycles;
};
struct tr_match_report {
	struct tr_match_sum matched, ambiguous, unknown;
	uint64_t spaces;	/* lives of address spaces seen in U-mode */
	uint64_t cached;	/* blocks of a space that its known binaries have */
	uint64_t searched;	/* and those for which all binaries were searched */
	uint64_t patched;	/* blocks of a kernel that differ from its file */
	uint64_t too_patched;	/* and those that were not believed any more */
	bool wrong_kernel;	/* most of its distinct code is not in its file */
	uint64_t first_unknown; /* address of the first unknown block, 0 if none */
};

struct tr_match;

/* Index, reader and writer stay the caller's. NULL when out of memory. */
struct tr_match *tr_match_new(const struct tr_match_index *index,
			      const struct tr_match_options *options,
			      struct tr_reader *reader, struct tr_writer *writer);
void tr_match_free(struct tr_match *match);

/* Matches one frame of the reader, and writes those frames that are decided.
 * TR_OK, TR_E_NOMEM, or the writer's error. */
int tr_match_frame(struct tr_match *match, const struct tr_frame *frame);
/* Writes what is left; what still waits is ambiguous. */
int tr_match_finish(struct tr_match *match);
/* Final after tr_match_finish. */
void tr_match_report(const struct tr_match *match, struct tr_match_report *report);

#endif
