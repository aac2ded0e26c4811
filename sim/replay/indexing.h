/* SPDX-License-Identifier: Apache-2.0 */
/* tr-replay --index: writes an index, or uses one. Functions that return false have
 * failed, and tell of the trouble. */
#ifndef REPLAY_INDEXING_H
#define REPLAY_INDEXING_H

#include "cli/cli.h"
#include "index.h"
#include "run/trouble.h"

struct indexing {
	const struct tr_cli *cli; /* prints notes */
	struct replay_index_source source;
	struct replay_index *index; /* NULL: none is used */
	FILE *file;		    /* that is written */
};

/* Creates the file source.index, which must not be an input. */
bool indexing_create(struct indexing *i, struct trouble *trouble);
/* Called after each frame. On failure indexing_check() tells of the trouble. */
bool indexing_frame(struct indexing *i);
bool indexing_check(const struct indexing *i, struct trouble *trouble);
/* Writes the end. */
bool indexing_end(struct indexing *i, struct trouble *trouble);

/* Opens the file. One that is damaged up to the last place before the cycle of the hart,
 * or is of another trace, is not used: then there is a note, and no index. */
bool indexing_open(struct indexing *i, unsigned hart, uint64_t cycle,
		   struct trouble *trouble);
/* Continues at that place. */
bool indexing_go(struct indexing *i, unsigned hart, uint64_t cycle,
		 struct trouble *trouble);
void indexing_free(struct indexing *i);

#endif
