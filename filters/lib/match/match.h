/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the binary and address that each block of each address space comes from, by the
 * algorithm of the userspace paper (sections V.C and V.D), applied to block
 * definitions.
 *
 * The candidate sites of a space's blocks are intersected until one (binary, bias) is
 * left and enough tokens agree; all waiting blocks then match there. Later blocks of the
 * space are only verified against it (the paper's satp cache). A space is one life of one
 * satp in U-mode. A new one begins when a return to U-mode lands on a program's entry
 * point, and when code appears that cannot belong to the satp's program. A program that
 * is not listed is not mistaken for one with the same library at the same address: code
 * found in no binary rules out every program that has other code at that address, unless
 * that program was already known.
 *
 * M-mode and S-mode code is matched across all spaces. A kernel whose place is known may
 * differ from its file where it patches itself: in no-operations that became jumps or
 * calls of tracers and the reverse (image/patch.h), of which there are thousands, and in
 * isolated other instructions, few compared with those that agree. A file that differs in
 * many belongs to another kernel; from then on S-mode code is unknown, because what still
 * agrees does so by chance.
 *
 * The payloads and events of complete frames are kept, in order, until their blocks are
 * decided, those of TR_MATCH_HELD frames at most; for tr_match_take() the frames
 * themselves. */
#ifndef TR_MATCH_H
#define TR_MATCH_H

#include "match/match_index.h"
#include "match/match_jit.h"
#include "stream/reader.h"
#include "stream/writer.h"

enum {
	TR_MATCH_DEPTH = 3,	  /* tokens; matching depth of the paper */
	TR_MATCH_HISTORY = 2048,  /* tokens; buffer of the paper */
	TR_MATCH_HELD = 8,	  /* frames */
	TR_MATCH_PATCH = 16,	  /* up to this many differing bytes, a block is slightly
				   * patched */
	TR_MATCH_PATCHED = 256,	  /* tokens that may differ from a kernel's file … */
	TR_MATCH_PATCHED_IN = 32, /* … plus one for this many that agree */
};

struct tr_match_options {
	unsigned depth;	  /* tokens that must agree before a match counts */
	unsigned history; /* distinct tokens of a space that may wait for a match */
	bool no_cache;	  /* search for every block, even if its satp is known */
	const struct tr_match_jit *jits; /* remain the caller's */
	size_t njits;
};

struct tr_match_sum {
	uint64_t instructions, cycles;
};
struct tr_match_report {
	struct tr_match_sum matched, ambiguous, unknown;
	uint64_t spaces;	/* lives of address spaces, in U-mode */
	uint64_t cached;	/* blocks found in the known binaries of their space */
	uint64_t searched;	/* blocks for which all binaries were searched */
	uint64_t latest;	/* most instructions that a floating binary ran before its
				 * place was known */
	uint64_t patched;	/* kernel blocks that differ from the file */
	uint64_t too_patched;	/* kernel blocks rejected as too different */
	bool wrong_kernel;	/* most of the kernel's distinct code is not in
				 * its file */
	uint64_t first_unknown; /* address of the first unknown block, 0 if none */
	uint64_t stub_places;	/* places at which stubs of the run-time profiler ran */
	uint64_t stubs_differ;	/* unknown blocks where stubs should be */
	uint64_t jit_doubts;	/* times that a block could be of several functions that
				 * were compiled at its address */
};

/* Code that ran where a binary seemed to be: tokens that agree with it, and that differ
 * because it is another version, or only similar. */
struct tr_match_suspect {
	uint64_t agreed, differing;
};

struct tr_match;

/* Creates a matcher; the caller keeps ownership of index, reader and writer. Returns NULL
 * when out of memory. */
struct tr_match *tr_match_new(const struct tr_match_index *index,
			      const struct tr_match_options *options,
			      struct tr_reader *reader, struct tr_writer *writer);
void tr_match_free(struct tr_match *match);

/* Passes the frames that are decided to `take` instead of the writer, which may be NULL:
 * what a reader would return of the stream that the writer would write, but for the
 * payload, which is empty, and the place. The source's rows and definitions are neither
 * copied nor decoded again. `take` returns TR_OK or an error, which ends the matching. It
 * owns the frame, which stays valid, also for other threads, until
 * tr_match_release_frame(); the reader and the matcher may have been closed by then. Call
 * this before the first frame. */
void tr_match_take(struct tr_match *match,
		   int (*take)(void *user, const struct tr_frame *frame), void *user);
/* NULL is allowed. */
void tr_match_release_frame(const struct tr_frame *frame);

/* Matches one frame of the reader and writes the frames that are decided. Returns TR_OK,
 * TR_E_NOMEM or the error of the writer or of what takes the frames. */
int tr_match_frame(struct tr_match *match, const struct tr_frame *frame);
/* Writes the remaining frames; blocks that still wait become ambiguous. Returns what
 * tr_match_frame() returns. */
int tr_match_finish(struct tr_match *match);
/* Returns true if code of binary `i` ran. */
bool tr_match_has_found(const struct tr_match *match, uint32_t i);
/* Returns what spoke for and against binary `i` at a place where it is not, if much did;
 * otherwise zeros. Final after tr_match_finish(). */
struct tr_match_suspect tr_match_suspect(const struct tr_match *match, uint32_t i);
/* Returns what makes it uncertain whose a map of options.jits is, else NULL. */
const struct tr_match_jit_conflict *tr_match_jit_conflict(const struct tr_match *match);
/* Final after tr_match_finish(). */
void tr_match_report(const struct tr_match *match, struct tr_match_report *report);

#endif
