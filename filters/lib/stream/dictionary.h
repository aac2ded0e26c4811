/* SPDX-License-Identifier: Apache-2.0 */
/* The dictionary that reader and writer keep within a generation: definitions of blocks
 * and timings, the successors of each block, and the timings seen with it. tr-stream(5),
 * "Rows". */
#ifndef TR_DICTIONARY_H
#define TR_DICTIONARY_H

#include <string.h>

#include "base/buffer.h"
#include "base/map.h"
#include "base/status.h"
#include "stream/shelf.h"
#include "stream/stream.h"

/* A delay: the cycles of a token and their classes. A machine has few distinct delays,
 * and the stalls of all timings share them. tr-stream(5), "Timings". */
struct tr_delay {
	uint64_t cycles;
	const struct tr_run *runs;
	uint32_t nruns;
};

/* A set of delays; all zero is empty. Ids are given in order of addition. */
struct tr_delays {
	struct tr_delay *list;
	size_t count, room;
	struct tr_arena arena; /* storage of the runs */
	struct tr_map ids;     /* writer only: by hash, probing hash + 1, … */
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
/* Appends a delay and copies its runs. Returns TR_OK or TR_E_NOMEM. */
int tr_delays_add(struct tr_delays *, const struct tr_delay *);
/* Finds a delay, or appends it and sets *added. Returns TR_OK or TR_E_NOMEM. */
int tr_delays_find(struct tr_delays *, const struct tr_delay *, uint32_t *id,
		   bool *added);

/* A list of ids in order of first use, with inline storage for the first ones, since most
 * lists are short, and overflow storage for the others. */
enum { TR_LIST_NEAR = 2 };
struct tr_list {
	uint32_t near[TR_LIST_NEAR]; /* inline storage; TR_MAP_NONE: unused */
	uint32_t count;
	uint32_t far; /* index of the overflow entries in tr_dictionary.far */
};

/* Data needed to step from a row to the next. Decoding is bound by the latency of this
 * memory, so it is kept small. */
struct tr_history {
	_Alignas(32) struct tr_list followers; /* successor blocks */
	struct tr_list rhythms;		       /* timings seen with the block */
};

enum { TR_DICTIONARY_LATEST = 1 << 14 };
struct tr_dictionary {
	struct tr_block *blocks;
	struct tr_timing *timings;
	struct tr_history *history; /* indexed by block id + 1; [0] is the start */
	uint16_t *tokens;	    /* copy of the blocks' token counts, dense */
	int64_t *extras;	    /* copy of the timings' `extra`, dense */
	uint32_t *far;
	size_t nblocks, block_room, history_room, token_room, nfar, far_room;
	size_t extra_room;
	size_t ntimings, timing_room;
	size_t nedges;		/* entries in all lists */
	struct tr_arena arena;	/* storage of code, stalls and runs */
	struct tr_shelf *shelf; /* for views of this generation; NULL: there was none */
	struct tr_delays delays;

	/* Writer only: index from content to id. */
	struct tr_map block_ids, timing_ids; /* by hash, probing hash + 1, … */
	struct tr_map edges;		     /* long lists: (owner, id) to index */
	struct tr_map rhythm_edges;
	/* Recently found blocks, by address; entries may be of an older generation. */
	uint32_t latest[TR_DICTIONARY_LATEST];
};

/* Empties the dictionary and defines timing 0, one cycle per token. Views keep what they
 * show. Returns TR_OK or TR_E_NOMEM. */
int tr_dictionary_reset(struct tr_dictionary *);
void tr_dictionary_free(struct tr_dictionary *);
/* Gets what is defined now. What the view points to stays, and remains the same, while
 * the caller is a holder of *shelf, which it releases; the dictionary may grow, be reset
 * and be freed meanwhile, also by another thread. Returns TR_OK or TR_E_NOMEM. */
int tr_dictionary_view(struct tr_dictionary *, struct tr_view *view,
		       struct tr_shelf **shelf);
/* Returns what is defined now, valid until the dictionary changes. */
struct tr_view tr_dictionary_glance(const struct tr_dictionary *);
/* Returns true if a writer should begin a new generation, which bounds the readers'
 * memory. */
bool tr_dictionary_full(const struct tr_dictionary *);
/* Returns true if the dictionary is larger than any writer makes it: a writer that starts
 * generations in time exceeds the limit by one frame at most. */
bool tr_dictionary_beyond(const struct tr_dictionary *);

/* Append a definition and copy its contents. Return TR_OK or TR_E_NOMEM. */
int tr_dictionary_add_block(struct tr_dictionary *, const struct tr_block *);
int tr_dictionary_add_timing(struct tr_dictionary *, const struct tr_timing *);
/* Return the index of `id` in the list of `owner` (or `block`), or the list's length if
 * it is absent. */
uint32_t tr_dictionary_follower(const struct tr_dictionary *, uint32_t owner,
				uint32_t id);
uint32_t tr_dictionary_rhythm(const struct tr_dictionary *, uint32_t block, uint32_t id);
/* Append to a list; with `indexed` also to the writer's index. Return TR_OK or
 * TR_E_NOMEM. */
int tr_dictionary_add_follower(struct tr_dictionary *, uint32_t owner, uint32_t id,
			       bool indexed);
int tr_dictionary_add_rhythm(struct tr_dictionary *, uint32_t block, uint32_t id,
			     bool indexed);

/* Returns entry `i` of a list. */
static inline uint32_t tr_list_id(const struct tr_dictionary *d,
				  const struct tr_list *list, uint64_t i)
{
	return i < TR_LIST_NEAR ? list->near[i] : d->far[list->far + i - TR_LIST_NEAR];
}

/* Returns the index of `id` in the inline storage of a list, or TR_LIST_NEAR if it is not
 * there. */
static inline unsigned tr_list_near(const struct tr_list *list, uint32_t id)
{
	return list->near[0] == id ? 0 : list->near[1] == id ? 1 : TR_LIST_NEAR;
}

/* Returns the size of tr_block.code in host memory. */
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

/* Find a definition, or append it and set *added. Return TR_OK or TR_E_NOMEM. */
int tr_dictionary_search_block(struct tr_dictionary *, const struct tr_block *,
			       uint32_t *id, bool *added);
int tr_dictionary_search_timing(struct tr_dictionary *, const struct tr_timing *,
				uint32_t *id, bool *added);

/* Fast path of tr_dictionary_search_block(): the block found last at this address.
 * Returns TR_OK or TR_E_NOMEM. */
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

/* Fast path of tr_dictionary_search_timing(): timing 0. Returns TR_OK or TR_E_NOMEM. */
static inline int tr_dictionary_timing(struct tr_dictionary *d,
				       const struct tr_timing *timing, uint32_t *id,
				       bool *added)
{
	*added = false;
	*id = 0;
	return timing->nstalls ? tr_dictionary_search_timing(d, timing, id, added)
			       : TR_OK;
}

/* Returns true if the timing fits the block: its last stall is on one of the block's
 * tokens. */
static inline bool tr_timing_fits(const struct tr_timing *timing,
				  const struct tr_block *block)
{
	return timing->nstalls == 0 ||
	       timing->stalls[timing->nstalls - 1].token < block->tokens;
}

#endif
