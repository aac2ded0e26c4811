/* SPDX-License-Identifier: Apache-2.0 */
/* Coverage of a stream's code by binaries: each block is looked up at its own address in
 * each of them. Position-independent binaries have no address to look at, except that
 * they may run where they are linked; tr-match finds those, and kernel modules, by
 * content. A kernel may have patched itself (image/patch.h), and may be relocated by
 * large pages. A block counts once per generation of the dictionary and per privilege
 * that runs it. */
#ifndef TR_COVERAGE_H
#define TR_COVERAGE_H

#include "base/map.h"
#include "base/report.h"
#include "image/bins.h"
#include "image/image.h"
#include "stream/reader.h"

/* Indexed by TR_PRIV_U, TR_PRIV_S, TR_PRIV_M; 2 is unused. */
enum { TR_COVERAGE_PRIVS = 4, TR_COVERAGE_SPACES = 65536, TR_COVERAGE_CODE = 16 };

struct tr_cover {
	uint64_t blocks[TR_COVERAGE_PRIVS];
	uint64_t instructions[TR_COVERAGE_PRIVS];
};

/* Code that a privilege, and in U-mode an address space, ran. */
struct tr_cover_space {
	struct tr_space_id id; /* 0 in kernels and firmware */
	uint8_t priv;
	bool others;		     /* all spaces beyond TR_COVERAGE_SPACES */
	uint64_t instructions, lost; /* lost: in no binary, though their bits are known */
	uint64_t lost_pc;	     /* of the first lost block */
	uint8_t lost_code[TR_COVERAGE_CODE]; /* the beginning of its code */
	uint8_t lost_bytes;		     /* of lost_code; 0: bits not known */
};

/* Offsets of a kernel's code from its file: before translation is on, or relocated. */
enum { TR_COVERAGE_MOVES = 4 };
struct tr_cover_moves {
	uint64_t bias[TR_COVERAGE_MOVES];
	unsigned count;
};

struct tr_coverage {
	struct tr_image **images; /* owned by the caller */
	const struct tr_bin *bins;
	size_t count;
	struct tr_cover_moves *moves; /* by binary */
	const char **labels;	      /* names, or paths where names are the same */
	struct tr_cover *covers;      /* by binary */
	struct tr_cover *misfits;     /* by binary: code in roles that no binary allows */
	struct tr_cover all;	      /* all code of the stream */
	struct tr_cover fits;	      /* in a binary whose role allows it */
	struct tr_cover lost;	      /* in no binary */
	uint64_t lost_pc[TR_COVERAGE_PRIVS]; /* of the first lost block */

	struct tr_coverage_block *blocks; /* in this generation */
	uint64_t *found;		  /* a bit for each binary, `words` per block */
	size_t nblocks, block_room, found_room, words;
	uint64_t generation;

	struct tr_cover_space *spaces;
	size_t nspaces, space_room;
	struct tr_map space_index;
};

/* Return TR_OK or TR_E_NOMEM. */
int tr_coverage_init(struct tr_coverage *coverage, struct tr_image **images,
		     const struct tr_bins *bins);
int tr_coverage_add(struct tr_coverage *coverage, const struct tr_reader *reader,
		    const struct tr_frame *frame);
/* Call after the last frame; sorts the spaces by lost instructions, in
 * descending order. */
void tr_coverage_finish(struct tr_coverage *coverage);
/* Returns true if anything was counted. */
bool tr_coverage_any(const struct tr_cover *cover);
/* Returns true for a binary without a fixed address. */
bool tr_coverage_floats(const struct tr_coverage *coverage, size_t binary);
/* Returns true if code of the role runs at the privilege: "firmware" in M-mode, "kernel"
 * in S-mode, "user" in U-mode. */
bool tr_coverage_role_allows(enum tr_role role, unsigned priv);
/* Reports the table "binaries", best candidates first. Returns TR_OK or TR_E_NOMEM. */
int tr_coverage_report(const struct tr_coverage *coverage, struct tr_report *report);
void tr_coverage_release(struct tr_coverage *coverage);

#endif
