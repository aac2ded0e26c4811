/* SPDX-License-Identifier: Apache-2.0 */
/* Looks blocks up in binaries and adds up what was found. */
#include "coverage.h"

#include <stdlib.h>
#include <string.h>

#include "buffer.h"

enum { PAGE = 4096 };

struct tr_coverage_block {
	uint64_t pc;
	uint64_t ran[TR_COVERAGE_PRIVS]; /* instructions */
};

int tr_coverage_init(struct tr_coverage *c, struct tr_image **images,
		     const struct tr_bins *bins)
{
	*c = (struct tr_coverage){.images = images,
				  .bins = bins->bins,
				  .count = bins->count,
				  .words = (bins->count + 63) / 64,
				  .generation = UINT64_MAX};
	c->covers = calloc(bins->count + 1, sizeof(*c->covers));
	return c->covers ? TR_OK : TR_E_NOMEM;
}

static bool same_code(const struct tr_image *image, uint64_t address,
		      const struct tr_block *block)
{
	const uint8_t *code = tr_image_bytes(image, address, block->bytes);
	return code && memcmp(code, block->code, block->bytes) == 0;
}

/* At the base that was given; else where it was linked, or at the physical
 * address it is loaded to, where it runs before translation is on. */
static bool holds(const struct tr_image *image, const struct tr_bin *bin,
		  const struct tr_block *block)
{
	if (block->no_bits || tr_image_code_count(image) == 0)
		return false;
	const struct tr_code *first = tr_image_code(image, 0);
	if (bin->has_base)
		return same_code(
		    image, block->pc - (bin->base - first->address / PAGE * PAGE), block);
	if (same_code(image, block->pc, block))
		return true;
	for (size_t i = 0; i < tr_image_code_count(image); i++) {
		uint64_t delta = (uint64_t)tr_image_code(image, i)->load_delta;
		if (delta && same_code(image, block->pc - delta, block))
			return true;
	}
	return false;
}

static void add_cover(struct tr_cover *cover, unsigned priv, uint64_t ran)
{
	cover->blocks[priv]++;
	cover->instructions[priv] += ran;
}

static void fold_block(struct tr_coverage *c, size_t id)
{
	const struct tr_coverage_block *block = &c->blocks[id];
	for (unsigned priv = 0; priv < TR_COVERAGE_PRIVS; priv++) {
		uint64_t ran = block->ran[priv];
		bool found = false;
		if (ran == 0)
			continue;
		add_cover(&c->all, priv, ran);
		for (size_t i = 0; i < c->count; i++) {
			if (!(c->found[id * c->words + i / 64] >> i % 64 & 1))
				continue;
			add_cover(&c->covers[i], priv, ran);
			found = true;
		}
		if (found)
			continue;
		if (c->lost.blocks[priv] == 0)
			c->lost_pc[priv] = block->pc;
		add_cover(&c->lost, priv, ran);
	}
}

void tr_coverage_finish(struct tr_coverage *c)
{
	for (size_t id = 0; id < c->nblocks; id++)
		fold_block(c, id);
	c->nblocks = 0;
}

static int add_blocks(struct tr_coverage *c, const struct tr_reader *reader)
{
	size_t count = tr_reader_block_count(reader);
	if (!tr_grow(&c->blocks, &c->block_room, count, sizeof(*c->blocks)) ||
	    !tr_grow(&c->found, &c->found_room, count * c->words + 1, sizeof(*c->found)))
		return TR_E_NOMEM;
	for (; c->nblocks < count; c->nblocks++) {
		const struct tr_block *block =
		    tr_reader_block(reader, (uint32_t)c->nblocks);
		uint64_t *found = &c->found[c->nblocks * c->words];
		memset(found, 0, c->words * sizeof(*found));
		for (size_t i = 0; i < c->count; i++)
			if (holds(c->images[i], &c->bins[i], block))
				found[i / 64] |= UINT64_C(1) << i % 64;
		c->blocks[c->nblocks] = (struct tr_coverage_block){.pc = block->pc};
	}
	return TR_OK;
}

static void add_hart(struct tr_coverage *c, const struct tr_reader *reader,
		     const struct tr_hart_frame *hart)
{
	struct tr_cursor cursor;
	enum tr_step step;
	uint32_t first, last;
	const struct tr_event *event;
	tr_cursor_init(&cursor, hart);
	while ((step = tr_cursor_next(&cursor, &first, &last, &event))) {
		unsigned priv = cursor.context.priv & 3U;
		for (uint32_t i = first; step == TR_STEP_ROWS && i < last; i++) {
			uint32_t id = hart->rows[i].block;
			c->blocks[id].ran[priv] += tr_reader_block(reader, id)->tokens;
		}
	}
}

int tr_coverage_add(struct tr_coverage *c, const struct tr_reader *reader,
		    const struct tr_frame *frame)
{
	if (c->generation != frame->generation)
		tr_coverage_finish(c);
	c->generation = frame->generation;
	int status = add_blocks(c, reader);
	for (uint32_t i = 0; i < frame->nharts && !status; i++)
		add_hart(c, reader, &frame->harts[i]);
	return status;
}

void tr_coverage_release(struct tr_coverage *c)
{
	free(c->covers);
	free(c->blocks);
	free(c->found);
	*c = (struct tr_coverage){0};
}
