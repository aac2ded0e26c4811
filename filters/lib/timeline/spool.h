/* SPDX-License-Identifier: Apache-2.0 */
/* Sequences of records that are written in turns and read one after the other, in one
 * temporary file: memory is that of at most 1024 blocks of 4 KiB, and 16 bytes for each
 * sequence; while a sequence is read, 8 bytes for each of its blocks. */
#ifndef TR_SPOOL_H
#define TR_SPOOL_H

#include <stdint.h>

#include "base/status.h"

struct tr_spool_record {
	uint64_t cycle;
	uint32_t func;
	uint32_t is_open;
};

struct tr_spool;

/* Creates an empty spool. Returns NULL when out of memory; tr_spool_free() accepts
 * NULL. */
struct tr_spool *tr_spool_new(void);
void tr_spool_free(struct tr_spool *);

/* Appends a record to a sequence; sequences are numbered from 0. Returns TR_OK, TR_E_IO
 * (the temporary file could not be written; errno is set) or TR_E_NOMEM. */
int tr_spool_add(struct tr_spool *, uint32_t sequence, struct tr_spool_record record);

/* Passes the records of a sequence to `take`, in order; no record may be added after
 * that. Returns TR_OK, TR_E_IO, TR_E_NOMEM, or the first status of `take` that is not
 * TR_OK. */
int tr_spool_each(struct tr_spool *, uint32_t sequence,
		  int (*take)(void *context, const struct tr_spool_record *),
		  void *context);

#endif
