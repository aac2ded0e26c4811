/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by index*.c. */
#ifndef REPLAY_INDEX_STATE_H
#define REPLAY_INDEX_STATE_H

#include <zstd.h>

#include "base/buffer.h"
#include "index.h"
#include "stream/saver.h"

#define INDEX_MAGIC "\x89TRIDX\r\n"

enum {
	INDEX_MESSAGE = 512,
	INDEX_HEAD = 16,   /* bytes of the file's head, and of that of a place */
	INDEX_GROUP = 16,  /* most pages in a group */
	INDEX_PAGE = 4096, /* bytes */
};

struct index_place {
	uint64_t at, size; /* of its bytes, in the file */
	uint64_t checksum;
	uint64_t offset; /* of its end in the trace */
	uint64_t cycle[SOC_HARTS_MAX], instret[SOC_HARTS_MAX];
	bool first; /* of a generation */
};

struct replay_index {
	struct replay_index_source source;
	FILE *file;
	bool owns_file;
	int trace; /* descriptor */
	struct index_place *places;
	size_t nplaces, room;
	uint64_t end;	/* of the last place in the file */
	size_t checked; /* places that need no check */
	uint64_t trace_at,
	    checked_at; /* of the trace: end of the last place, of checks */
	uint64_t next;	/* instructions after which a place is added */
	struct tr_saver *saver;
	uint8_t *base;	  /* RAM at the start, if there is a return to it */
	uint8_t *touched; /* pages that may differ from it */
	struct tr_buffer reader_part, state, body; /* of one place */
	uint8_t *pages;				   /* of a group */
	uint8_t *packed;			   /* room for compressed bytes */
	size_t packed_room;
	ZSTD_CCtx *zstd;
	bool failed;
	char message[INDEX_MESSAGE];
};

/* index.c: sets the message, which begins with the index's path, unless there is one.
 * Returns false. */
bool index_fail(struct replay_index *ix, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Gets XXH64 of some bytes of the trace. */
bool index_hash_trace(struct replay_index *ix, uint64_t from, uint64_t to,
		      uint64_t *hash);
/* Returns the XXH64 of what the version that writes such files is. */
uint64_t index_version(void);
/* index_write.c: writes the head, and the first place. */
bool index_begin(struct replay_index *ix);
/* index_read.c: reads the list of places. */
bool index_list(struct replay_index *ix);

#endif
