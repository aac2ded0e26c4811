/* SPDX-License-Identifier: Apache-2.0 */
/* Sequences of records in a temporary file. */
#include "timeline/spool.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/buffer.h"

enum { RECORDS = 256, BLOCKS = 1024 };

/* Before the records of a block in the file. */
struct block_header {
	uint64_t previous; /* block of the same sequence: 1 + its offset, or 0 */
	uint64_t count;
};

struct block {
	struct block_header header;
	struct tr_spool_record records[RECORDS];
};

/* Small, since there is one for each thread. */
struct sequence {
	struct block *block; /* not written yet, or NULL */
	uint64_t written;    /* last block in the file: 1 + its offset, or 0 */
};

struct tr_spool {
	FILE *file; /* NULL: nothing was written yet */
	uint64_t end;
	struct sequence *sequences;
	size_t capacity;
	uint32_t nsequences;
	uint32_t open[BLOCKS]; /* sequences with a block */
	uint32_t nopen;
};

struct tr_spool *tr_spool_new(void)
{
	return calloc(1, sizeof(struct tr_spool));
}

void tr_spool_free(struct tr_spool *s)
{
	if (!s)
		return;
	for (uint32_t i = 0; i < s->nopen; i++)
		free(s->sequences[s->open[i]].block);
	free(s->sequences);
	if (s->file)
		fclose(s->file);
	free(s);
}

static size_t block_size(const struct block *block)
{
	return sizeof(block->header) +
	       (size_t)block->header.count * sizeof(*block->records);
}

/* Writes the block of a sequence, and empties it. Returns a status. */
static int write_block(struct tr_spool *s, struct sequence *q)
{
	const size_t size = block_size(q->block);
	if (!s->file && !(s->file = tmpfile()))
		return TR_E_IO;
	q->block->header.previous = q->written;
	if (fwrite(q->block, size, 1, s->file) != 1)
		return TR_E_IO;
	q->written = 1 + s->end;
	s->end += size;
	q->block->header.count = 0;
	return TR_OK;
}

/* Writes and frees all blocks. Returns a status. */
static int flush_open_blocks(struct tr_spool *s)
{
	int status = TR_OK;
	while (s->nopen && !status) {
		struct sequence *q = &s->sequences[s->open[s->nopen - 1]];
		if (q->block->header.count)
			status = write_block(s, q);
		if (status)
			break;
		free(q->block);
		q->block = NULL;
		s->nopen--;
	}
	return status;
}

/* Gives a sequence a block. Returns a status. */
static int add_block(struct tr_spool *s, uint32_t sequence)
{
	if (!tr_grow(&s->sequences, &s->capacity, (size_t)sequence + 1,
		     sizeof(*s->sequences)))
		return TR_E_NOMEM;
	while (s->nsequences <= sequence)
		s->sequences[s->nsequences++] = (struct sequence){0};
	if (s->sequences[sequence].block)
		return TR_OK;
	int status = s->nopen == BLOCKS ? flush_open_blocks(s) : TR_OK;
	if (status)
		return status;
	struct block *block = calloc(1, sizeof(*block));
	if (!block)
		return TR_E_NOMEM;
	s->sequences[sequence].block = block;
	s->open[s->nopen++] = sequence;
	return TR_OK;
}

int tr_spool_add(struct tr_spool *s, uint32_t sequence, struct tr_spool_record record)
{
	int status = add_block(s, sequence);
	if (status)
		return status;
	struct block *block = s->sequences[sequence].block;
	block->records[block->header.count++] = record;
	return block->header.count < RECORDS ? TR_OK
					     : write_block(s, &s->sequences[sequence]);
}

/* Reads the header of the block at `place`. Returns false with errno set if that fails.
 */
static bool read_block_header(struct tr_spool *s, uint64_t place,
			      struct block_header *header)
{
	errno = EIO; /* if the file is too short */
	return fseeko(s->file, (off_t)(place - 1), SEEK_SET) == 0 &&
	       fread(header, sizeof(*header), 1, s->file) == 1;
}

/* Reads the block at a place, with its records. Returns false with errno set. */
static bool read_block(struct tr_spool *s, uint64_t place, struct block *block)
{
	return read_block_header(s, place, &block->header) &&
	       fread(block->records, sizeof(*block->records), block->header.count,
		     s->file) == block->header.count;
}

static int visit_block_records(const struct block *block,
			       int (*take)(void *context, const struct tr_spool_record *),
			       void *context)
{
	int status = TR_OK;
	for (uint64_t i = 0; i < block->header.count && !status; i++)
		status = take(context, &block->records[i]);
	return status;
}

/* Finds the places of the blocks of a sequence, the last one first. Returns a status. */
static int find_blocks(struct tr_spool *s, uint64_t last, uint64_t **places,
		       size_t *count)
{
	struct block_header header;
	size_t capacity = 0;
	for (uint64_t place = last; place; place = header.previous) {
		if (!tr_grow(places, &capacity, *count + 1, sizeof(**places)))
			return TR_E_NOMEM;
		(*places)[(*count)++] = place;
		if (!read_block_header(s, place, &header))
			return TR_E_IO;
	}
	return TR_OK;
}

int tr_spool_each(struct tr_spool *s, uint32_t sequence,
		  int (*take)(void *context, const struct tr_spool_record *),
		  void *context)
{
	struct block block;
	uint64_t *places = NULL;
	size_t count = 0;
	if (sequence >= s->nsequences)
		return TR_OK;
	const struct sequence *q = &s->sequences[sequence];
	int status = find_blocks(s, q->written, &places, &count);
	while (count && !status)
		status = read_block(s, places[--count], &block)
			     ? visit_block_records(&block, take, context)
			     : TR_E_IO;
	if (!status && q->block)
		status = visit_block_records(q->block, take, context);
	free(places);
	return status;
}
