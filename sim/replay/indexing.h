/* SPDX-License-Identifier: Apache-2.0 */
/* tr-replay --index: writes an index, or uses one. All functions die on failure. */
#ifndef REPLAY_INDEXING_H
#define REPLAY_INDEXING_H

#include "cli/cli.h"
#include "index.h"

struct indexing {
	const struct tr_cli *cli;
	struct replay_index_source source;
	struct replay_index *index; /* NULL: none is used */
	FILE *file;		    /* that is written */
};

/* Creates the file source.index, which must not be an input. */
void indexing_create(struct indexing *i);
/* Called after each frame. Returns false on failure, which indexing_check() reports. */
bool indexing_frame(struct indexing *i);
void indexing_check(const struct indexing *i);
/* Writes the end. */
void indexing_end(struct indexing *i);

/* Opens the file. One that is damaged up to the last place before the cycle of the hart,
 * or is of another trace, is not used: then there is a note, and no index. */
void indexing_open(struct indexing *i, unsigned hart, uint64_t cycle);
/* Continues at that place. */
void indexing_go(struct indexing *i, unsigned hart, uint64_t cycle);
void indexing_free(struct indexing *i);

#endif
