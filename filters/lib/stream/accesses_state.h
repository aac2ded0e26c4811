/* SPDX-License-Identifier: Apache-2.0 */
/* Internal state of the addresses of accesses, shared by accesses*.c: what is known of
 * the blocks, and what the addresses so far predict. */
#ifndef TR_ACCESSES_STATE_H
#define TR_ACCESSES_STATE_H

#include "base/map.h"
#include "stream/access_shape.h"
#include "stream/accesses.h"
#include "stream/codec.h"

enum { RUNS, CODES, RESIDUALS, PAGES }; /* columns */
enum {
	PREDICTIONS = 1 << 16,
	KEPT_SHAPES = 1 << 21, /* beyond, those of all blocks are found again */
	NOT_KNOWN = UINT16_MAX,
	PAGE_BITS = 12,
	RECENT = 256,
};
#define PAGE_MASK (~UINT64_C(0) << PAGE_BITS)

/* The last addresses of an instruction. A stride counts when it has occurred twice. */
struct prediction {
	uint64_t last, stride, candidate;
};

/* What a block has: accesses from `first` in `kept` on. */
struct block_shape {
	int64_t sp_offset;
	uint32_t first;
	uint16_t count; /* NOT_KNOWN */
	uint8_t sp_base, sp_leader;
};

/* A page that was accessed: its physical page, and 1 in bit 0 if that is of a device. */
struct recent_page {
	uint64_t number;
	uint32_t index; /* in `pages` */
	bool known;
};

struct tr_accesses {
	/* Of the blocks of a generation */
	struct block_shape *blocks;
	size_t nblocks, block_room;
	struct tr_access_shape *kept;
	size_t nkept, kept_room;
	uint64_t generation;
	struct tr_access_shapes found;

	/* Of a frame, or a hart's part of it */
	struct prediction *predictions;
	uint64_t sp;
	struct tr_map page_ids; /* by number of the virtual page */
	uint64_t *pages;
	size_t npages, page_room;
	struct recent_page recent[RECENT];
	uint64_t page_offset;			 /* of the last definition */
	uint64_t since;				 /* accesses since the last definition */
	uint64_t addresses[TR_BLOCK_MAX_TOKENS]; /* of the row */

	/* What was decoded */
	struct tr_access *accesses;
	size_t naccesses, access_room;
	uint32_t *first; /* by row of all parts: its first access */
	size_t nrows, row_room;
	uint32_t first_row[TR_MAX_HARTS]; /* by part: index in `first` */
	struct tr_accesses_sum sum;
};

/* A run of rows with or without addresses. */
struct run_count {
	bool known;
	uint64_t rows;
};

/* accesses.c: begins a frame: makes room for its blocks. Returns TR_OK or TR_E_NOMEM. */
int tr_accesses_begin_blocks(struct tr_accesses *a, const struct tr_frame *frame);
/* Finds the accesses of a block. Returns TR_OK or TR_E_NOMEM. */
int tr_accesses_add_shape(struct tr_accesses *a, const struct tr_frame *frame,
			  uint32_t id);
/* Forget what was predicted in the frame, or in the hart's part of it, before. */
void tr_accesses_begin_frame(struct tr_accesses *a);
void tr_accesses_begin_part(struct tr_accesses *a);
/* Returns the physical page of an address, as far as it was defined: otherwise that of
 * the same address. NULL when out of memory. */
uint64_t *tr_accesses_page(struct tr_accesses *a, uint64_t address);

/* The same as tr_accesses_add_shape(), once for each block; sets *shape, which is valid
 * until the next call. */
static inline int accesses_find_shape(struct tr_accesses *a, const struct tr_frame *frame,
				      uint32_t id, const struct block_shape **shape)
{
	*shape = &a->blocks[id];
	return a->blocks[id].count == NOT_KNOWN ? tr_accesses_add_shape(a, frame, id)
						: TR_OK;
}

static inline struct prediction *accesses_prediction(struct tr_accesses *a, uint64_t pc)
{
	return &a->predictions[pc >> 1 & (PREDICTIONS - 1)];
}

static inline void accesses_learn(struct prediction *p, uint64_t address)
{
	const uint64_t stride = address - p->last;
	if (stride == p->candidate)
		p->stride = stride;
	p->candidate = stride;
	p->last = address;
}

/* Returns the address of an access that is no leader. */
static inline uint64_t accesses_follow(const struct tr_accesses *a,
				       const struct tr_access_shape *shape)
{
	const uint64_t from =
	    shape->base == TR_BASE_ACCESS ? a->addresses[shape->leader] : 0;
	return from + (uint64_t)shape->offset;
}

/* sp behind a row; `known` are its addresses. */
static inline void accesses_pass_sp(struct tr_accesses *a,
				    const struct block_shape *shape, bool known)
{
	const uint64_t offset = (uint64_t)shape->sp_offset;
	if (shape->sp_base == TR_BASE_SP)
		a->sp += offset;
	else if (shape->sp_base == TR_BASE_NONE)
		a->sp = offset;
	else if (shape->sp_base == TR_BASE_ACCESS && known)
		a->sp = a->addresses[shape->sp_leader] + offset;
}

#endif
