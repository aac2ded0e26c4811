/* SPDX-License-Identifier: Apache-2.0 */
/* Sequences of records in a temporary file. */
#include "timeline/spool.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/buffer.h"

enum { BLOCK = 256 }; /* records */

struct sequence {
	struct tr_spool_record *block; /* the last one, not written yet */
	uint64_t *places;	       /* of the blocks written: in blocks */
	size_t place_capacity, nplaces;
	uint32_t count; /* of the last block */
};

struct tr_spool {
	FILE *file; /* NULL: nothing was written yet */
	struct sequence *sequences;
	size_t capacity;
	uint32_t nsequences;
	uint64_t blocks;
};

struct tr_spool *tr_spool_new(void)
{
	return calloc(1, sizeof(struct tr_spool));
}

void tr_spool_free(struct tr_spool *s)
{
	if (!s)
		return;
	for (uint32_t i = 0; i < s->nsequences; i++) {
		free(s->sequences[i].block);
		free(s->sequences[i].places);
	}
	free(s->sequences);
	if (s->file)
		fclose(s->file);
	free(s);
}

static int write_block(struct tr_spool *s, struct sequence *q)
{
	if (!s->file && !(s->file = tmpfile()))
		return TR_E_IO;
	if (!tr_grow(&q->places, &q->place_capacity, q->nplaces + 1, sizeof(*q->places)))
		return TR_E_NOMEM;
	if (fwrite(q->block, sizeof(*q->block), BLOCK, s->file) != BLOCK)
		return TR_E_IO;
	q->places[q->nplaces++] = s->blocks++;
	q->count = 0;
	return TR_OK;
}

static struct sequence *sequence_of(struct tr_spool *s, uint32_t sequence)
{
	if (!tr_grow(&s->sequences, &s->capacity, (size_t)sequence + 1,
		     sizeof(*s->sequences)))
		return NULL;
	while (s->nsequences <= sequence)
		s->sequences[s->nsequences++] = (struct sequence){0};
	struct sequence *q = &s->sequences[sequence];
	if (!q->block)
		q->block = malloc(BLOCK * sizeof(*q->block));
	return q->block ? q : NULL;
}

int tr_spool_add(struct tr_spool *s, uint32_t sequence, struct tr_spool_record record)
{
	struct sequence *q = sequence_of(s, sequence);
	if (!q)
		return TR_E_NOMEM;
	q->block[q->count++] = record;
	return q->count < BLOCK ? TR_OK : write_block(s, q);
}

int tr_spool_each(struct tr_spool *s, uint32_t sequence,
		  int (*take)(void *context, const struct tr_spool_record *),
		  void *context)
{
	struct tr_spool_record block[BLOCK];
	int status = TR_OK;
	if (sequence >= s->nsequences)
		return TR_OK;
	const struct sequence *q = &s->sequences[sequence];
	for (size_t i = 0; i < q->nplaces && !status; i++) {
		if (fseeko(s->file, (off_t)(q->places[i] * sizeof(block)), SEEK_SET) ||
		    fread(block, sizeof(*block), BLOCK, s->file) != BLOCK)
			return TR_E_IO;
		for (uint32_t k = 0; k < BLOCK && !status; k++)
			status = take(context, &block[k]);
	}
	for (uint32_t k = 0; k < q->count && !status; k++)
		status = take(context, &q->block[k]);
	return status;
}
