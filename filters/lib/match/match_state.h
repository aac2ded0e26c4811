/* SPDX-License-Identifier: Apache-2.0 */
/* Internal state of the matcher, shared by match*.c. */
#ifndef TR_MATCH_STATE_H
#define TR_MATCH_STATE_H

#include "base/buffer.h"
#include "base/map.h"
#include "match/match.h"
#include "match/match_stub_code.h"

enum match_pair_state {
	PAIR_WAITING,
	PAIR_MATCHED,
	PAIR_AMBIGUOUS,
	PAIR_UNKNOWN,
	PAIR_REFUSED, /* unknown, until it is certain which kernel this is */
};

/* A block in a space, for the duration of a generation. */
struct match_pair {
	struct tr_match_sum sum;
	uint32_t space, block;
	uint8_t state;
};

/* A pair whose space is undecided. */
struct match_waiting {
	uint64_t pc;
	struct match_held *held; /* the frame held for it, or NULL */
	uint32_t pair;		 /* NO_PAIR: from an older generation */
	uint32_t block;
	/* Of floating binaries only: */
	uint64_t guesses; /* a bit for each guess that the block agrees with */
	uint64_t tokens;
	struct tr_match_sum older; /* of the pair, in older generations */
};
#define NO_PAIR UINT32_MAX

/* Blocks of a space that must come from the same, still undecided place. */
struct match_group {
	struct tr_candidate *candidates;
	struct match_waiting *waiting;
	size_t ncandidates, candidate_room, nwaiting, waiting_room;
	uint64_t agreed;	   /* tokens */
	uint64_t distinct;	   /* tokens in the waiting blocks */
	struct tr_match_sum older; /* sums of waiting pairs of older generations */
	bool gave_up;
};

/* A place where a binary is, or for a floating binary may be, and the tokens of distinct
 * blocks that agree with it, and that differ. */
struct match_place {
	struct tr_candidate place;
	uint64_t agreed, differing;
};

/* Blocks of a space that wait until the places of floating binaries are known. */
enum { MATCH_GUESSES = 64 };
struct match_floating {
	struct match_place *guesses;
	/* By age. Without a held frame they were given up and may still match, or are in
	 * no binary, which counts against guesses. */
	struct match_waiting *waiting;
	size_t nwaiting, waiting_room;
	uint64_t tokens; /* in the blocks for which frames are held */
	unsigned nguesses;
};

struct match_space {
	struct tr_space_id identity; /* of user code; of a guest's kernel: its id */
	uint32_t id;
	uint64_t used;		   /* last frame that it ran in, counted from 1 */
	bool *refuted;		   /* by binary: it is ruled out; NULL: none is */
	bool old;		   /* had user code before the current visit */
	struct match_place *known; /* decided places; all are in force */
	size_t nknown;
	struct tr_stub_area *areas; /* of stubs, the latest last */
	uint32_t nareas;
	struct match_group group;
	struct match_floating floating;
};

/* A frame held for output. */
struct match_held {
	struct match_held *next;
	const struct tr_frame *frame; /* with a reference, if frames are passed on */
	uint8_t *copy;		      /* copy of the payload, once it outlives the
				       * reader's frame */
	struct tr_arena data;	      /* copies of what the events point to, made
				       * when the payload is copied */
	struct tr_payload payload;
	struct tr_event *events[TR_MAX_HARTS];
	size_t event_room[TR_MAX_HARTS];
	uint32_t nevents[TR_MAX_HARTS];
	struct tr_note *notes;
	size_t note_room;
	uint32_t nnotes, nharts;
	uint32_t waiting; /* number of pairs */
};

struct match_hart {
	struct match_space *user; /* in force in U-mode; NULL: unknown */
	bool returned;		  /* to U-mode, since the last user row */
	uint32_t written;	  /* space of the outgoing context */
	uint32_t hart;
	uint32_t visit_row, visit_event; /* start of the visit in this frame */
};

/* Frames that are passed on instead of written. */
struct match_passing {
	int (*take)(void *user, const struct tr_frame *frame); /* NULL: are written */
	void *user;
	struct match_passed_hart {
		uint32_t hart;
		struct tr_context context; /* after the events that were passed on */
	} harts[TR_MAX_HARTS];
	uint32_t nharts;
	uint64_t frames;
};

struct tr_match {
	const struct tr_match_index *index;
	struct tr_match_options options;
	struct tr_reader *reader;
	struct tr_writer *writer;

	struct match_space machine, supervisor;
	struct match_space **users; /* of user code, and guests' kernels; by slot */
	size_t nusers, user_room;
	struct tr_map user_slots; /* from tr_space_hash(), or above, to slot */
	uint32_t next_space;
	uint64_t frames; /* begun so far */

	struct match_pair *pairs;
	size_t npairs, pair_room;
	struct tr_map pair_ids;			/* from (space, block) to pair */
	uint64_t kernel_tokens, patched_tokens; /* distinct tokens that match the file,
						 * and that do not */
	uint64_t refused_tokens;		/* if there are too many, this is another
						 * kernel */
	size_t compact_at;			/* number of pairs */
	/* Per block: the space it ran in last, in the upper half, and the pair there or
	 * LAST_MATCHED in the lower half. LAST_MATCHED: that pair is matched, and its
	 * rows count in the report or in `kernel`. */
	uint64_t *last;
	size_t last_count, last_room;
	/* Sum of matched S-mode code in this generation, which may yet turn out to be of
	 * another kernel. */
	struct tr_match_sum kernel;
	uint64_t generation;

	struct tr_candidate *scratch;
	size_t scratch_room;
	struct match_hart harts[TR_MAX_HARTS];
	uint32_t nharts;
	struct match_held *oldest, *newest;
	uint32_t nheld;
	struct match_passing passing;
	struct tr_match_suspect *suspects; /* by binary */
	bool *found;			   /* by binary: it has been at a known place */
	struct match_jits *jits;	   /* NULL: none */
	uint8_t *stub_scratch;		   /* of the size of the largest code of stubs */
	struct tr_match_report report;
	int status;
};

#define LAST_MATCHED UINT32_MAX
#define LAST_NONE    UINT64_C(0)

/* Records the first error. Returns it. */
int tr_match_fail(struct tr_match *match, int status);

/* match_hold.c */
/* Starts holding a frame, to which the caller adds events. Returns NULL when out of
 * memory. */
struct match_held *tr_match_hold(struct tr_match *match, const struct tr_frame *frame);
void tr_match_add_note(struct tr_match *match, struct match_held *held,
		       const struct tr_note *note);
void tr_match_add_event(struct tr_match *match, struct match_held *held, uint32_t hart,
			uint32_t at, const struct tr_event *event);
/* Writes the frames without waiting pairs, and copies what the others need from the
 * reader. Returns a status. */
int tr_match_release(struct tr_match *match);
void tr_match_drop_held(struct match_held *held);

/* match_pass.c: passes a decided frame on, to which it then belongs. Returns the taker's
 * status or TR_E_NOMEM. */
int tr_match_pass_on(struct tr_match *match, struct match_held *held);

/* match_group.c */
/* Decides a pair that is new in its space. Returns false if the block cannot be of the
 * space's program, so that another program must have replaced it. */
bool tr_match_classify(struct tr_match *match, struct match_space *space, uint8_t priv,
		       uint32_t pair, const struct tr_block *block);
/* Without the cache: a matched block that runs again is evidence for those that wait. */
void tr_match_corroborate(struct tr_match *match, struct match_space *space, uint8_t priv,
			  const struct tr_block *block);
/* Makes waiting blocks ambiguous unless they are decided later. */
void tr_match_give_up(struct tr_match *match, struct match_space *space);
/* Ends a frame: what is ambiguous in it remains so. */
void tr_match_settle(struct tr_match *match, struct match_space *space);
/* The space has a program with a fixed address for certain, at `place`. */
void tr_match_prove(struct tr_match *match, struct match_space *space,
		    const struct tr_candidate *place);
/* Frees the memory of empty lists: thousands of spaces may be idle. */
void tr_match_shrink(struct match_space *space);
void tr_match_space_release(struct tr_match *match, struct match_space *space);
struct tr_match_sum *tr_match_sum_of(struct tr_match *match, enum match_pair_state state);
/* Adds `from` to `to` and clears `from`. */
void tr_match_add_sum(struct tr_match_sum *to, struct tr_match_sum *from);

/* Adds a note on a waiting block: its place, or a pseudo-place with TR_NOTE_*. */
void tr_match_note(struct tr_match *match, struct match_held *held, uint32_t space,
		   uint32_t block, uint64_t pc, const struct tr_candidate *place);
bool tr_match_same_place(const struct tr_candidate *a, const struct tr_candidate *b);
/* Returns true if the code of the two places overlaps. */
bool tr_match_overlap(const struct tr_match *match, const struct tr_candidate *a,
		      const struct tr_candidate *b);

/* match_known.c */
/* Adds a place to those known in the space, unless it is among them. Returns false when
 * out of memory. */
bool tr_known_add(struct tr_match *match, struct match_space *space,
		  const struct match_place *place);
/* Forgets the known places where another binary is now. */
void tr_known_unmap(struct tr_match *match, struct match_space *space,
		    const struct tr_candidate *place);
/* Blocks that were charged to a place that is gone, and equal the code that is there now,
 * match there from this frame on. */
void tr_known_rematch(struct tr_match *match, const struct match_space *space,
		      const struct tr_candidate *place);
/* Returns true if a program that is executable by itself runs at another place than
 * before: its satp was reused. Other libraries may be closed and opened again. */
bool tr_known_is_replaced(const struct tr_match *match, const struct match_space *space,
			  const struct tr_candidate *place);
/* The block is not the code of the known places there: another version ran, or something
 * else was mapped since. Revokes those that it makes wrong. */
void tr_known_doubt(struct tr_match *match, struct match_space *space,
		    const struct tr_block *block);
/* Remembers a place that proved to be wrong, for the report. */
void tr_known_suspect(struct tr_match *match, const struct match_place *place);

/* match_guess.c */
/* Adds a guess, and compares it with all blocks that wait, except those of older
 * generations, which have been dropped. */
void tr_guess_add(const struct tr_match *match, struct match_floating *floating,
		  const struct tr_candidate *place);
/* Drops guess `i`. The last one takes its number. */
void tr_guess_drop(struct match_floating *floating, unsigned i);
/* Compares a waiting block with guess `i`. */
void tr_guess_compare(const struct tr_match *match, struct match_floating *floating,
		      unsigned i, struct match_waiting *waiting,
		      const struct tr_block *block);
/* Recounts the tokens that agree with each guess, after blocks were removed; drops
 * guesses without any. */
void tr_guess_recount(struct match_floating *floating);
/* Returns true if few tokens differ from the guess. */
bool tr_guess_is_credible(const struct match_place *guess);
/* Returns true if guess `i` is certain. */
bool tr_guess_is_right(const struct tr_match *match,
		       const struct match_floating *floating, unsigned i);

/* match_float.c */
enum match_float_answer {
	MATCH_FLOAT_ABSENT,   /* the block is in no floating binary */
	MATCH_FLOAT_WAITS,    /* it is decided, or will be */
	MATCH_FLOAT_REPLACED, /* another program has replaced the space's */
};
/* Looks for the block, which is in no known place, in floating binaries. */
enum match_float_answer tr_match_float(struct tr_match *match, struct match_space *space,
				       uint8_t priv, uint32_t pair,
				       const struct tr_block *block);
/* The counterparts of tr_match_give_up(), tr_match_settle() and tr_match_shrink(),
 * which
 * call them. */
void tr_match_give_up_floating(struct tr_match *match, struct match_space *space);
void tr_match_settle_floating(struct tr_match *match, const struct match_space *space);
void tr_match_shrink_floating(struct match_floating *floating);

/* Returns a waiting block, NULL if it is from an older generation. */
const struct tr_block *tr_match_waiting_block(const struct tr_match *match,
					      const struct match_waiting *waiting);
/* A waiting block, which the caller takes out, is at `place`. */
void tr_match_settle_waiting(struct tr_match *match, struct match_space *space,
			     const struct match_waiting *waiting,
			     const struct tr_candidate *place);

/* match_stubs.c */
/* Remembers the area that the block leads to, if it ends in a jump to a stub: of a
 * program at `place`, or at each place where a program is in the space. */
void tr_stubs_learn(struct tr_match *match, struct match_space *space,
		    const struct tr_block *block, const struct tr_candidate *place);
void tr_stubs_see(struct tr_match *match, struct match_space *space, uint8_t priv,
		  const struct tr_block *block);
/* Decides a pair whose block is a stub. Returns false if it is none. */
bool tr_stubs_decide(struct tr_match *match, struct match_space *space, uint32_t pair,
		     const struct tr_block *block);
/* Decides the waiting blocks that are stubs, now that the place of their program is
 * known. */
void tr_stubs_settle(struct tr_match *match, struct match_space *space);
/* Returns true if there are, or may be, stubs at `pc`. */
bool tr_stubs_cover(const struct tr_match *match, const struct match_space *space,
		    uint64_t pc);
/* Returns true if the block could be a stub, or lead to one, of a program whose place is
 * not known. */
bool tr_stubs_are_possible(const struct tr_match *match, uint8_t priv,
			   const struct tr_block *block);

/* match_jit.c */
/* Returns NULL when out of memory. The maps remain the caller's. */
struct match_jits *tr_jits_new(const struct tr_match_jit *maps, size_t count);
void tr_jits_free(struct match_jits *jits);
/* Block ids change: forgets the blocks. */
void tr_jits_forget(struct match_jits *jits);
const struct tr_match_jit_conflict *tr_jits_conflict(const struct match_jits *jits);
/* Decides a pair whose block is in a map, and in no known place. `is_unknown`: it is in
 * no binary. Returns false if it is in no map of the space. */
bool tr_jits_decide(struct tr_match *match, struct match_space *space, uint32_t pair,
		    const struct tr_block *block, bool is_unknown);
/* A block runs again that may have been compiled anew. Returns false if its note may
 * change in the next frame, so that it must be asked for again. */
bool tr_jits_again(struct tr_match *match, const struct match_space *space, uint32_t pair,
		   const struct tr_block *block);

/* match_kernel.c */
/* Returns the known place of the kernel whose code differs least from the block's, with
 * the difference in *least; NULL if none has other code there or the space is not a
 * kernel's. */
const struct tr_candidate *tr_match_nearest(const struct tr_match *match,
					    const struct match_space *space,
					    const struct tr_block *block,
					    struct tr_patch *least);
/* Returns true if the patched block is accepted as that kernel's code, within bounds. */
bool tr_match_believe(struct tr_match *match, const struct tr_block *block,
		      const struct tr_patch *patch);
/* Rejects the block as that kernel's code. */
void tr_match_refuse(struct tr_match *match, const struct tr_block *block);
/* Reconsiders a rejected block that runs again: by now more is known of the kernel. */
void tr_match_reconsider(struct tr_match *match, const struct match_space *space,
			 uint32_t pair, const struct tr_block *block);
/* While the kernel's place is undecided: collects, in match->scratch, the candidates that
 * differ only by switched instructions from a block in no file. Returns their number, or
 * SIZE_MAX when out of memory. */
size_t tr_match_switched(struct tr_match *match, const struct match_space *space,
			 const struct tr_block *block);

/* match_pairs.c */
/* Returns the pair, which it adds as waiting if it is new, and records it as the block's
 * last. */
uint32_t tr_match_find_pair(struct tr_match *match, const struct match_space *space,
			    uint32_t block, bool *added);
/* Block ids change: forgets the pairs and keeps the sums. */
void tr_match_forget_pairs(struct tr_match *match);
/* Once there are many pairs, drops those of ended spaces and of spaces that did not run
 * lately, which accumulate as long as programs start. Code that runs again is matched
 * again. */
void tr_match_compact_pairs(struct tr_match *match);

#endif
