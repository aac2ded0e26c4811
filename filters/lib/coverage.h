/* SPDX-License-Identifier: Apache-2.0 */
/* Which binaries hold the code of a stream: each block is looked up at its own
 * address in each of them. Blocks of position-independent binaries have no
 * address to look at; tr-match finds those by content. A block counts once in
 * each generation of the dictionary and for each privilege that runs it. */
#ifndef TR_COVERAGE_H
#define TR_COVERAGE_H

#include <stdio.h>

#include "image.h"
#include "reader.h"

/* By privilege: TR_PRIV_U, TR_PRIV_S, TR_PRIV_M; 2 is not used. */
enum { TR_COVERAGE_PRIVS = 4 };

struct tr_cover {
	uint64_t blocks[TR_COVERAGE_PRIVS];
	uint64_t instructions[TR_COVERAGE_PRIVS];
};

struct tr_coverage {
	struct tr_image **images; /* the caller's */
	const struct tr_bin *bins;
	size_t count;
	struct tr_cover *covers;	     /* one a binary */
	struct tr_cover all;		     /* of the stream */
	struct tr_cover lost;		     /* in no binary */
	uint64_t lost_pc[TR_COVERAGE_PRIVS]; /* of the first block that is lost */

	struct tr_coverage_block *blocks; /* of this generation */
	uint64_t *found;		  /* a bit for each binary, `words` a block */
	size_t nblocks, block_room, found_room, words;
	uint64_t generation;
};

/* TR_OK or TR_E_NOMEM. */
int tr_coverage_init(struct tr_coverage *coverage, struct tr_image **images,
		     const struct tr_bins *bins);
int tr_coverage_add(struct tr_coverage *coverage, const struct tr_reader *reader,
		    const struct tr_frame *frame);
/* After the last frame. */
void tr_coverage_finish(struct tr_coverage *coverage);
bool tr_coverage_any(const struct tr_cover *cover);
/* A table, best candidates first. TR_OK or TR_E_NOMEM. */
int tr_coverage_print(const struct tr_coverage *coverage, FILE *out);
void tr_coverage_release(struct tr_coverage *coverage);

#endif
