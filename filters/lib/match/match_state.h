/* SPDX-License-Identifier: Apache-2.0 */
/* The matcher's own state, shared by match*.c. */
#ifndef TR_MATCH_STATE_H
#define TR_MATCH_STATE_H

#include "base/buffer.h"
#include "base/map.h"
#include "match/match.h"

enum pair_state { PAIR_WAITING, PAIR_MATCHED, PAIR_AMBIGUOUS, PAIR_UNKNOWN };

/* A block in a space; lives as long as the generation. */
struct pair {
	struct tr_match_sum sum;
	uint32_t space, block;
	uint8_t state;
};

/* A pair whose space is not decided yet. */
struct waiting {
	uint64_t pc;
	struct held *held; /* the frame that waits for it, NULL: none does */
	uint32_t pair;	   /* NO_PAIR: of an older generation */
	uint32_t block;
};
#define NO_PAIR UINT32_MAX

/* Blocks of a space that must come from the same place: which place? */
struct group {
	struct tr_candidate *candidates;
	struct waiting *waiting;
	size_t ncandidates, candidate_room, nwaiting, waiting_room;
	uint64_t agreed;	   /* tokens */
	uint64_t distinct;	   /* tokens of the waiting blocks */
	struct tr_match_sum older; /* of waiting pairs of older generations */
	bool gave_up;
};

struct space {
	uint32_t id;
	uint64_t satp;
	uint64_t used;		    /* frame that it last ran in, counted from 1 */
	bool *refuted;		    /* by binary: is not what runs; NULL: none is */
	bool old;		    /* had user code before the visit that runs now */
	struct tr_candidate *known; /* decided, all of them hold */
	size_t nknown;
	struct group group;
};

/* A frame on its way out. */
struct held {
	struct held *next;
	uint8_t *copy;	      /* of the payload, once it outlives the reader's frame */
	struct tr_arena runs; /* of traps, likewise, and values of samples */
	struct tr_payload payload;
	struct tr_event *events[TR_MAX_HARTS];
	size_t event_room[TR_MAX_HARTS];
	uint32_t nevents[TR_MAX_HARTS];
	struct tr_note *notes;
	size_t note_room;
	uint32_t nnotes, nharts;
	uint32_t waiting; /* pairs */
};

struct match_hart {
	struct space *user; /* in force in U-mode, NULL: not known yet */
	bool returned;	    /* to U-mode since the last user row */
	uint32_t written;   /* space of the outgoing context */
	uint32_t hart;
	uint32_t visit_row, visit_event; /* where the visit began in this frame */
};

struct tr_match {
	const struct tr_match_index *index;
	struct tr_match_options options;
	struct tr_reader *reader;
	struct tr_writer *writer;

	struct space machine, supervisor;
	struct space **users; /* by slot */
	size_t nusers, user_room;
	struct tr_map user_slots; /* satp to slot */
	uint32_t next_space;
	uint64_t frames; /* begun */

	struct pair *pairs;
	size_t npairs, pair_room;
	struct tr_map pair_ids;			/* (space, block) to pair */
	uint64_t kernel_tokens, patched_tokens; /* distinct: as in the file, and not */
	uint64_t refused_tokens;		/* too many not to be another kernel */
	size_t compact_at;			/* pairs */
	/* Per block: the space that it ran in last, above the pair that it is there, or
	 * above LAST_MATCHED: that pair is matched, and what it counts is counted in the
	 * report or in `kernel`. */
	uint64_t *last;
	size_t last_count, last_room;
	/* Of matched S-mode code in this generation: it may turn out to be of another
	 * kernel. */
	struct tr_match_sum kernel;
	uint64_t generation;

	struct tr_candidate *scratch;
	size_t scratch_room;
	struct match_hart harts[TR_MAX_HARTS];
	uint32_t nharts;
	struct held *oldest, *newest;
	uint32_t nheld;
	struct tr_match_report report;
	int status;
};

#define LAST_MATCHED UINT32_MAX
#define LAST_NONE    UINT64_C(0)

int tr_match_fail(struct tr_match *match, int status);

/* match_hold.c */
/* Begins the frame's way out; its events are added by the caller. */
struct held *tr_match_hold(struct tr_match *match, const struct tr_frame *frame);
void tr_match_add_note(struct tr_match *match, struct held *held,
		       const struct tr_note *note);
void tr_match_add_event(struct tr_match *match, struct held *held, uint32_t hart,
			uint32_t at, const struct tr_event *event);
/* Writes the frames that no pair keeps; the rest is made to outlive the reader. */
int tr_match_release(struct tr_match *match);
void tr_match_drop_held(struct held *held);

/* match_group.c */
/* Decides what a pair new in its space is. False: the block cannot be of the
 * program that the space has, so another must have taken its place. */
bool tr_match_classify(struct tr_match *match, struct space *space, uint8_t priv,
		       uint32_t pair, const struct tr_block *block);
/* Without the cache: a matched block that runs again helps those that wait. */
void tr_match_corroborate(struct tr_match *match, struct space *space, uint8_t priv,
			  const struct tr_block *block);
/* What waits is ambiguous from now on, until it is decided after all. */
void tr_match_give_up(struct tr_match *match, struct space *space);
/* A frame is through: what gave up in it stays ambiguous there. */
void tr_match_settle(struct tr_match *match, struct space *space);
/* Gives back what an empty group has room for: thousands of spaces may be at rest. */
void tr_match_shrink_group(struct group *group);
void tr_match_space_release(struct tr_match *match, struct space *space);
struct tr_match_sum *tr_match_sum_of(struct tr_match *match, enum pair_state state);
/* Moves a sum: `from` is zero afterwards. */
void tr_match_add_sum(struct tr_match_sum *to, struct tr_match_sum *from);

/* match_kernel.c */
/* The known place of the kernel whose code differs least from the block's, and how; NULL
 * if none has other code there, or if the space is no kernel's. */
const struct tr_candidate *tr_match_nearest(const struct tr_match *match,
					    const struct space *space,
					    const struct tr_block *block,
					    struct tr_patch *least);
/* True: it is that kernel's code all the same, within bounds. */
bool tr_match_believe(struct tr_match *match, const struct tr_block *block,
		      const struct tr_patch *patch);
/* It is not taken for that kernel's code. */
void tr_match_refuse(struct tr_match *match, const struct tr_block *block);
/* While the kernel's place is not decided, for a block that no file has: the candidates
 * whose code differs from it by switches alone, into `scratch`. Returns their count, or
 * SIZE_MAX when out of memory. */
size_t tr_match_switched(struct tr_match *match, const struct space *space,
			 const struct tr_block *block);

/* match_pairs.c */
/* Finds a pair or adds it, waiting; remembers it as the block's last. */
uint32_t tr_match_find_pair(struct tr_match *match, const struct space *space,
			    uint32_t block, bool *added);
/* Blocks change their numbers: pairs are forgotten, sums are kept. */
void tr_match_forget_pairs(struct tr_match *match);
/* Drops the pairs of spaces that are over, and of those that did not run lately, once
 * there are many: programs that start for ever leave them behind. What runs again is
 * found again. */
void tr_match_compact_pairs(struct tr_match *match);

#endif
