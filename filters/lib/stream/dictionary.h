/* SPDX-License-Identifier: Apache-2.0 */
/* What reader and writer remember within a generation: block and timing
 * definitions, which blocks followed a block, which timings a block had.
 * tr-stream(5), "Rows".
 */
#ifndef TR_DICTIONARY_H
#define TR_DICTIONARY_H

#include <string.h>

#include "base/buffer.h"
#include "base/map.h"
#include "base/status.h"
#include "stream/stream.h"

/* Delays: how many cycles a token takes, and what for. A machine has few, and the
 * stalls of all timings share them. tr-stream(5), "Timings". */
struct tr_delay {
	uint64_t cycles;
	const struct tr_run *runs;
	uint32_t nruns;
};

/* Zero-initialised is empty. Ids are numbers in the order of addition. */
struct tr_delays {
	struct tr_delay *list;
	size_t count, room;
	struct tr_arena arena; /* runs */
	struct tr_map ids;     /* the writer's: by hash, probing hash + 1, ... */
};

static inline bool tr_same_runs(const struct tr_run *a, const struct tr_run *b,
				uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		if (a[i].class != b[i].class || a[i].slots != b[i].slots)
			return false;
	return true;
}

static inline uint64_t tr_hash_runs(uint64_t hash, const struct tr_run *runs,
				    uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		hash = tr_mix(hash * 31 + runs[i].slots) + runs[i].class;
	return hash;
}

void tr_delays_reset(struct tr_delays *);
void tr_delays_free(struct tr_delays *);
/* Appends; the runs are copied. TR_OK or TR_E_NOMEM. */
int tr_delays_add(struct tr_delays *, const struct tr_delay *);
/* Finds, or appends and sets *added. */
int tr_delays_find(struct tr_delays *, const struct tr_delay *, uint32_t *id,
		   bool *added);

/* Ids in order of first use; most lists are short. */
enum { TR_LIST_NEAR = 2 };
struct tr_list {
	uint32_t near[TR_LIST_NEAR]; /* TR_MAP_NONE: none yet */
	uint32_t count;
	uint32_t far; /* where the others begin in tr_dictionary.far */
};

/* What following a row to the next one needs: decoding waits for this memory, so
 * it is small. */
struct tr_history {
	_Alignas(32) struct tr_list followers; /* blocks that came next */
	struct tr_list rhythms;		       /* timings of the block */
};

enum { TR_DICTIONARY_LATEST = 1 << 14 };
struct tr_dictionary {
	struct tr_block *blocks;
	struct tr_timing *timings;
	struct tr_history *history; /* of block id + 1; [0]: the start */
	uint16_t *tokens;	    /* of a block id, again and dense */
	int64_t *extras;	    /* of a timing id, likewise */
	uint32_t *far;
	size_t nblocks, block_room, history_room, token_room, nfar, far_room;
	size_t extra_room;
	size_t ntimings, timing_room;
	size_t nedges;	       /* entries of all lists */
	struct tr_arena arena; /* code, stalls, runs */
	struct tr_delays delays;

	/* The writer's way back from content to id. */
	struct tr_map block_ids, timing_ids; /* by hash, probing hash + 1, … */
	struct tr_map edges;		     /* long lists: (owner, id) to index */
	struct tr_map rhythm_edges;
	/* Blocks that were found last, by address; they may be of an older generation. */
	uint32_t latest[TR_DICTIONARY_LATEST];
};

/* Also makes timing 0: each token one cycle. TR_OK or TR_E_NOMEM. */
int tr_dictionary_reset(struct tr_dictionary *);
void tr_dictionary_free(struct tr_dictionary *);
/* True when a writer should begin a new generation, so that readers stay small. */
bool tr_dictionary_full(const struct tr_dictionary *);
/* True when no writer can have made it: one that began a new generation in time
 * adds a frame at most. */
bool tr_dictionary_beyond(const struct tr_dictionary *);

/* Append a definition; the contents are copied. TR_OK or TR_E_NOMEM. */
int tr_dictionary_add_block(struct tr_dictionary *, const struct tr_block *);
int tr_dictionary_add_timing(struct tr_dictionary *, const struct tr_timing *);
/* Index of `id` in the list of `owner`, or its count when it is not there. */
uint32_t tr_dictionary_follower(const struct tr_dictionary *, uint32_t owner,
				uint32_t id);
uint32_t tr_dictionary_rhythm(const struct tr_dictionary *, uint32_t block, uint32_t id);
/* Appends; `indexed` also for the writer's look-up. TR_OK or TR_E_NOMEM. */
int tr_dictionary_add_follower(struct tr_dictionary *, uint32_t owner, uint32_t id,
			       bool indexed);
int tr_dictionary_add_rhythm(struct tr_dictionary *, uint32_t block, uint32_t id,
			     bool indexed);

static inline uint32_t tr_list_id(const struct tr_dictionary *d,
				  const struct tr_list *list, uint64_t i)
{
	return i < TR_LIST_NEAR ? list->near[i] : d->far[list->far + i - TR_LIST_NEAR];
}

/* Index of `id` among the first of a list, TR_LIST_NEAR if it is not one of them. */
static inline unsigned tr_list_near(const struct tr_list *list, uint32_t id)
{
	return list->near[0] == id ? 0 : list->near[1] == id ? 1 : TR_LIST_NEAR;
}

/* Bytes of tr_block.code in memory. */
static inline uint32_t tr_block_code_size(const struct tr_block *block)
{
	return block->no_bits ? block->tokens : block->bytes;
}

static inline bool tr_same_block(const struct tr_block *a, const struct tr_block *b)
{
	return a->pc == b->pc && a->tokens == b->tokens && a->bytes == b->bytes &&
	       a->no_bits == b->no_bits &&
	       memcmp(a->code, b->code, tr_block_code_size(a)) == 0;
}

/* Finds, or appends and sets *added. TR_OK or TR_E_NOMEM. */
int tr_dictionary_search_block(struct tr_dictionary *, const struct tr_block *,
			       uint32_t *id, bool *added);
int tr_dictionary_search_timing(struct tr_dictionary *, const struct tr_timing *,
				uint32_t *id, bool *added);

/* Likewise; at once when it is the block that was last asked for at its address. */
static inline int tr_dictionary_block(struct tr_dictionary *d,
				      const struct tr_block *block, uint32_t *id,
				      bool *added)
{
	uint32_t *latest = &d->latest[block->pc / 2 % TR_DICTIONARY_LATEST];
	*added = false;
	*id = *latest;
	if (*id < d->nblocks && tr_same_block(&d->blocks[*id], block))
		return TR_OK;
	int status = tr_dictionary_search_block(d, block, id, added);
	*latest = *id;
	return status;
}

static inline int tr_dictionary_timing(struct tr_dictionary *d,
				       const struct tr_timing *timing, uint32_t *id,
				       bool *added)
{
	*added = false;
	*id = 0;
	return timing->nstalls ? tr_dictionary_search_timing(d, timing, id, added)
			       : TR_OK;
}

/* A timing fits a block when its last stall is one of its tokens. */
static inline bool tr_timing_fits(const struct tr_timing *timing,
				  const struct tr_block *block)
{
	return timing->nstalls == 0 ||
	       timing->stalls[timing->nstalls - 1].token < block->tokens;
}

#endif
