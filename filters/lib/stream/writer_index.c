/* SPDX-License-Identifier: Apache-2.0 */
/* Writes the index of a stream of stacks: places every 16 frames, and for each frame its
 * definitions, with the first row of each node, from which its privilege is known. Sums
 * are written by writer_sums.c. */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>
#include <zstd.h>

#include "base/little.h"
#include "stream/stacks_index.h"
#include "stream/writer_state.h"

enum { INDEX_LEVEL = 3 };

void tr_writer_index_open(struct tr_writer *w, int fd, const struct tr_header *header,
			  const struct tr_writer_options *options)
{
	struct stat file;
	bool has_counters = false;
	for (unsigned set = 0; set < TR_MAX_COUNTER_SETS; set++)
		has_counters = has_counters || w->counters.set[set].count;
	/* A reader that begins in the middle would not know the last samples. */
	w->index.is_on = options->has_index && options->level && !has_counters &&
			 tr_header_content(header) == TR_CONTENT_STACKS &&
			 fstat(fd, &file) == 0 && S_ISREG(file.st_mode) &&
			 lseek(fd, 0, SEEK_CUR) == 0;
	if (w->index.is_on)
		tr_writer_sums_open(w, header);
}

void tr_writer_index_header(struct tr_writer *w)
{
	if (!w->index.header)
		w->index.header = XXH64(w->chunk.data, w->chunk.size, 0);
}

/* A row of no cycles with node, thread and context stands for the node's first. */
void tr_writer_index_row(struct tr_writer *w, struct writer_shart *hart,
			 const struct tr_srow *row)
{
	struct writer_index *x = &w->index;
	const size_t before = x->ran_room;
	if (row->node >= before &&
	    !tr_grow(&x->ran, &x->ran_room, row->node + 1UL, sizeof(*x->ran))) {
		x->body.failed = true;
		return;
	}
	if (x->ran_room != before)
		memset(x->ran + before, 0, x->ran_room - before);
	if (x->ran[row->node])
		return;
	x->ran[row->node] = 1;
	tr_buffer_varint(&hart->firsts, (uint64_t)row->node << 3 | SROW_THREAD);
	tr_buffer_varint(&hart->firsts, row->thread);
	tr_buffer_varint(&hart->firsts, 0);
	tr_buffer_varint(&hart->firsts, 0);
	if (hart->has_context) {
		tr_buffer_varint(&hart->first_contexts, 1);
		tr_buffer_varint(&hart->first_contexts,
				 (uint64_t)hart->context.process << SCONTEXT_PROCESS |
				     hart->context.priv);
	}
	hart->nfirsts++;
	x->body.failed =
	    x->body.failed || hart->firsts.failed || hart->first_contexts.failed;
}

void tr_writer_index_place(struct tr_writer *w)
{
	const struct writer_stacks *s = &w->stacks;
	struct writer_index *x = &w->index;
	struct tr_buffer entry = {0};
	struct tr_place place;
	if (!x->is_on)
		return;
	tr_writer_status(w, tr_chunk_writer_mark(w->chunks, &place));
	tr_buffer_varint(&entry, place.byte);
	tr_buffer_varint(&entry, place.record);
	tr_buffer_varint(&entry, w->frames);
	tr_buffer_varint(&entry, x->instructions);
	tr_buffer_varint(&entry, x->cycles);
	tr_buffer_varint(&entry, s->nharts);
	for (uint32_t i = 0; i < s->nharts; i++) {
		tr_buffer_varint(&entry, s->harts[i].hart);
		tr_buffer_varint(&entry, x->starts[i]);
		tr_buffer_varint(&entry, s->harts[i].start_cycle);
		tr_buffer_varint(&entry, x->hit_cycles[i]);
	}
	tr_buffer_varint(&x->body, TR_INDEX_PLACE);
	tr_buffer_body(&x->body, &entry);
	tr_buffer_free(&entry);
	x->nplaces++;
}

/* Appends the contexts of the first rows. */
static void put_first_contexts(struct writer_stacks *s, struct tr_buffer *out)
{
	struct tr_buffer all = {0};
	for (uint32_t i = 0; i < s->nharts; i++) {
		struct writer_shart *hart = &s->harts[i];
		if (hart->nfirsts && !hart->first_contexts.size)
			goto out; /* the source reports none */
		if (hart->nfirsts)
			tr_buffer_varint(&all, hart->nfirsts);
		tr_buffer_add(&all, hart->first_contexts.data, hart->first_contexts.size);
	}
	tr_encode_section(out, TR_SECTION_SCONTEXTS, &all);
out:
	out->failed = out->failed || all.failed;
	tr_buffer_free(&all);
}

/* Appends what the frame defines, as a frame. */
static void put_index_frame(struct tr_writer *w, struct tr_buffer *out)
{
	struct writer_stacks *s = &w->stacks;
	tr_buffer_varint(out, w->frames);
	tr_buffer_varint(out, s->nharts);
	for (uint32_t i = 0; i < s->nharts; i++) {
		tr_buffer_varint(out, s->harts[i].hart);
		tr_buffer_varint(out, s->harts[i].start_cycle);
		tr_buffer_varint(out, s->harts[i].nfirsts);
	}
	tr_encode_section(out, TR_SECTION_FUNCS, &s->funcs);
	tr_encode_section(out, TR_SECTION_NODES, &s->nodes);
	tr_encode_section(out, TR_SECTION_THREADS, &s->threads);
	tr_encode_section(out, TR_SECTION_STASKS, &s->tasks);
	tr_encode_section(out, TR_SECTION_STASKUSES, &s->uses);
	tr_encode_section(out, TR_SECTION_SNAMES, &s->names);
	tr_encode_section(out, TR_SECTION_STPS, &s->tps);
	put_first_contexts(s, out);
	for (uint32_t i = 0; i < s->nharts; i++)
		tr_encode_section(out, TR_SECTION_SROWS, &s->harts[i].firsts);
	tr_encode_section(out, TR_SECTION_SCOPES, &s->spans.scopes);
	tr_encode_section(out, TR_SECTION_SPANS, &s->spans.spans);
	tr_encode_section(out, TR_SECTION_SITES, &s->spans.sites);
}

/* Returns whether the frame has anything that the index keeps. */
static bool defines(const struct writer_stacks *s)
{
	bool any = s->funcs.size || s->nodes.size || s->threads.size || s->tasks.size ||
		   s->uses.size || s->names.size || s->tps.size || s->spans.scopes.size ||
		   s->spans.spans.size || s->spans.sites.size;
	for (uint32_t i = 0; i < s->nharts; i++)
		any = any || s->harts[i].nfirsts;
	return any;
}

void tr_writer_index_frame(struct tr_writer *w)
{
	struct writer_stacks *s = &w->stacks;
	struct writer_index *x = &w->index;
	struct tr_buffer frame = {0};
	if (!x->is_on)
		return;
	for (; x->nharts < s->nharts; x->nharts++)
		x->starts[x->nharts] = s->harts[x->nharts].start_cycle;
	if (w->frames % TR_INDEX_EVERY == 0)
		tr_writer_index_place(w);
	for (uint32_t i = 0; i < s->nharts; i++) {
		x->has_hits = x->has_hits || s->harts[i].nhits;
		x->hit_cycles[i] = s->harts[i].hit_cycle;
	}
	x->instructions = w->instructions;
	x->cycles = w->cycles;
	if (!defines(s))
		return;
	put_index_frame(w, &frame);
	tr_buffer_varint(&x->body, TR_INDEX_FRAME);
	tr_buffer_body(&x->body, &frame);
	tr_buffer_free(&frame);
	for (uint32_t i = 0; i < s->nharts; i++) {
		s->harts[i].firsts.size = s->harts[i].first_contexts.size = 0;
		s->harts[i].nfirsts = 0;
	}
}

/* Gets all of the index. Returns false when out of memory. */
static bool gather_index(const struct tr_writer *w, struct tr_buffer *out)
{
	const struct writer_index *x = &w->index;
	const uint64_t *offsets;
	size_t count;
	const uint64_t size = tr_chunk_writer_marks(w->chunks, &offsets, &count);
	tr_buffer_varint(out, x->has_sums ? TR_INDEX_VERSION : 1);
	tr_buffer_varint(out, x->has_hits);
	tr_buffer_add64(out, x->header);
	tr_buffer_varint(out, size);
	tr_buffer_varint(out, count);
	for (size_t i = 0; i < count; i++)
		tr_buffer_varint(out, offsets[i] - (i ? offsets[i - 1] : 0));
	tr_buffer_add(out, x->body.data, x->body.size);
	return !out->failed && !x->body.failed;
}

int tr_index_wrap(const struct tr_buffer *plain, int level, struct tr_buffer *out)
{
	const size_t bound = ZSTD_compressBound(plain->size);
	uint8_t *to = tr_buffer_room(out, TR_INDEX_SKIPPABLE + bound + TR_INDEX_TAIL);
	ZSTD_CCtx *zstd = ZSTD_createCCtx();
	size_t size = 0;
	if (to && zstd) {
		ZSTD_CCtx_setParameter(zstd, ZSTD_c_compressionLevel, level);
		ZSTD_CCtx_setParameter(zstd, ZSTD_c_checksumFlag, 1);
		size = ZSTD_compress2(zstd, to + TR_INDEX_SKIPPABLE, bound, plain->data,
				      plain->size);
	}
	ZSTD_freeCCtx(zstd);
	if (!to || !size || ZSTD_isError(size))
		return TR_E_NOMEM;
	tr_buffer_add32(out, TR_INDEX_MAGIC_NUMBER);
	tr_buffer_add32(out, (uint32_t)size);
	out->size += size;
	return out->failed ? TR_E_NOMEM : TR_OK;
}

/* Wraps the index up, with its size and a magic at its end. Returns TR_OK, TR_E_NOMEM, or
 * TR_E_UNSUPPORTED if it is too large. */
static int wrap_index(const struct tr_buffer *all, struct tr_buffer *out)
{
	if (all->size > TR_INDEX_MAX)
		return TR_E_UNSUPPORTED;
	const int status = tr_index_wrap(all, INDEX_LEVEL, out);
	if (status)
		return status;
	const uint32_t size = (uint32_t)out->size + TR_INDEX_TAIL;
	tr_store32(out->data + 4, size - TR_INDEX_SKIPPABLE);
	tr_buffer_add32(out, size);
	tr_buffer_add(out, TR_INDEX_MAGIC, sizeof(TR_INDEX_MAGIC) - 1);
	return out->failed ? TR_E_NOMEM : TR_OK;
}

void tr_writer_index_end(struct tr_writer *w)
{
	struct tr_buffer all = {0}, wrapped = {0};
	/* A short stream is read in no time. */
	if (!w->index.is_on || w->frames <= TR_INDEX_EVERY || w->status)
		return;
	int status = gather_index(w, &all) ? wrap_index(&all, &wrapped) : TR_E_NOMEM;
	if (!status)
		status = tr_chunk_writer_skippable(w->chunks, &wrapped);
	if (status != TR_E_UNSUPPORTED)
		tr_writer_status(w, status);
	tr_buffer_free(&all);
	tr_buffer_free(&wrapped);
}

void tr_writer_index_close(struct tr_writer *w)
{
	tr_buffer_free(&w->index.body);
	free(w->index.ran);
	tr_writer_sums_close(w);
	for (uint32_t i = 0; i < TR_MAX_HARTS; i++) {
		tr_buffer_free(&w->stacks.harts[i].firsts);
		tr_buffer_free(&w->stacks.harts[i].first_contexts);
	}
}
