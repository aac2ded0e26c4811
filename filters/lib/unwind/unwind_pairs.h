/* SPDX-License-Identifier: Apache-2.0 */
/* Pairs: what is known of a block in an address space, found out when it first runs: its
 * functions, its effect on sp, and the control flow at its end.
 *
 * Functions that may fail call unwind_fail(), and return something valid. */
#ifndef TR_UNWIND_PAIRS_H
#define TR_UNWIND_PAIRS_H

#include "stream/decode.h"
#include "unwind/unwind_binaries.h"
#include "unwind/unwind_isa.h"
#include "unwind/unwind_leaves.h"
#include "unwind/unwind_spaces.h"

/* Control flow in addition to that of instructions (enum tr_flow). */
enum {
	FLOW_NO_BITS = TR_FLOW_XRET + 1, /* the source has no instruction bits */
	FLOW_RESYNC,			 /* after a gap, or on another thread */
	FLOW_RESUME,			 /* after a trap return */
};

/* A part of a block with another function, or other leaves on the same function, or after
 * a mark. */
struct segment {
	uint64_t pc;
	uint32_t sym;
	uint32_t leaf;	     /* on the function; 0: none */
	uint32_t base, node; /* cached node of the leaf on a frame with node `base` */
	struct tr_mark mark; /* of the token before it, if `is_marked` */
	const char *name;    /* of that, or NULL */
	uint16_t first;	     /* first token; of a mark, it may be that after the last */
	bool is_marked;
	bool entry;
	bool moves; /* the function differs from the previous one */
};

/* Returns the node of a segment's leaf on a frame with node `base`. */
static inline uint32_t segment_node(struct segment *s, struct tr_leaves *leaves,
				    uint32_t base)
{
	if (s->base != base) {
		s->base = base;
		s->node = tr_leaves_node(leaves, base, s->leaf);
	}
	return s->node;
}

/* A block in an address space. All that landings and transfers need is in one
 * cache line. */
enum { PAIR_BYTES = 64 };
struct pair {
	uint64_t pc;
	uint64_t address; /* address of the first instruction in the file */
	struct segment *segments;
	uint32_t sym;		      /* of the first instruction */
	uint32_t last_sym, last_leaf; /* of the last instruction */
	uint32_t binary;	      /* index, or TR_NOTE_* */
	uint32_t block, space;
	uint32_t next; /* list of the space's pairs, or of free ones */
	int32_t sp;    /* sum of additions to sp after its last other write */
	uint16_t bytes;
	uint16_t nsegments; /* other than one function without leaves and marks */
	uint8_t flow;
	unsigned entry : 1; /* begins at the function's entry */
	unsigned ready : 1; /* classified */
	unsigned is_free : 1;
	unsigned is_alternate : 1; /* its last instruction calls through x5 */
	unsigned last_sp : 3;	   /* of its last instruction, enum tr_sp_effect */
	unsigned is_vague : 1;	   /* has instructions that are of Zcmp, or not */
	unsigned is_stub : 1;	 /* its code is a stub's; binary and address are those of
				  * what its first instruction stands for */
	unsigned sp_write : 3;	 /* of the last write of sp other than an addition, or
				  * TR_SP_KEEPS */
	unsigned is_half_tp : 1; /* its last instruction gives tp the upper part of an
				  * address, to which the next one adds the rest */
};

_Static_assert(sizeof(struct pair) == PAIR_BYTES, "a line of the cache");

static inline uint64_t pair_next_pc(const struct pair *p)
{
	return p->pc + p->bytes;
}

/* The last pair of a block. */
struct recent {
	uint64_t run; /* its recent_run(), or RECENT_NONE */
	const struct pair *pair;
};
#define RECENT_NONE UINT64_MAX

/* Returns the key of a row. Rows whose keys are equal except for bit 0 are in one
 * function and need nothing done between them, unless bit 0 is set: then the control flow
 * to the next row needs a look, or sp changes. */
static inline uint64_t recent_run(uint32_t space, uint32_t sym, bool is_looked_at)
{
	return (uint64_t)space << 32 | (uint64_t)sym << 1 | is_looked_at;
}
/* Instead of a symbol, for pairs with segments. */
enum { SYM_SPLIT = INT32_MAX };

/* The target of a control transfer. */
struct place {
	uint64_t pc, address; /* in the binary's file */
	uint32_t sym;
	uint32_t binary;
	bool entry; /* the entry of a named function */
};

struct spans;

/* What pairs are made of. */
struct pair_parts {
	const struct tr_unwind_source *source;
	struct tr_binaries *binaries;
	struct tr_names *names;
	struct tr_leaves *leaves;
	struct tr_isa *isa;
	struct tr_spaces *spaces;
	struct spans *spans; /* NULL: calls are not counted by address */
	bool finds_marks;    /* blocks are split behind marks */
	struct unwind_status *status;
};

/* Only unwind_pairs.c, unwind_classify.c, and the functions below that are called for
 * each row, use the members. */
struct pair_pin {
	const struct pair **last;
	struct pair *copy;
};
struct tr_pairs {
	struct pair_parts parts;
	uint32_t nbinaries;
	bool has_sp;
	bool has_vague;	      /* some pair is_vague */
	struct pair **chunks; /* of PAIRS_A_CHUNK each, so that pairs do not move */
	uint32_t nchunks, count;
	struct recent *recent; /* by block */
	uint32_t nblocks, recent_capacity;
	struct tr_map ids; /* by (space, block) */
	uint32_t live, free;
	struct pair spare; /* used when out of memory */
	struct pair_pin pins[TR_MAX_HARTS];
	uint32_t npins;
};

/* Keeps the parts, but not `options`. */
void tr_pairs_init(struct tr_pairs *pairs, const struct pair_parts *parts,
		   const struct tr_unwind_options *options);
void tr_pairs_release(struct tr_pairs *pairs);

/* Keeps a hart's last pair valid: when it is freed, *copy is a copy, to which *last then
 * points. At most TR_MAX_HARTS. */
void tr_pairs_pin(struct tr_pairs *pairs, const struct pair **last, struct pair *copy);
/* Another generation begins: frees all pairs and spaces. */
void tr_pairs_generation(struct tr_pairs *pairs);
/* Begins a frame, whose generation has `nblocks` blocks: takes its notes, of which a
 * wrong one is TR_E_CORRUPT. tr_isa_frame() must come before. */
void tr_pairs_frame(struct tr_pairs *pairs, const struct tr_frame *frame,
		    uint32_t nblocks);
/* User code runs in a context: frees the pairs of a space that has ended. */
void tr_pairs_see(struct tr_pairs *pairs, const struct tr_context *context);
/* Discards the cached nodes of leaves. */
void tr_pairs_forget_nodes(struct tr_pairs *pairs);

/* Returns the pair of a block in a space, classified; never NULL. */
const struct pair *tr_pairs_find(struct tr_pairs *pairs, uint32_t space, uint32_t block);
/* The same; fast if the block ran last in this space. */
static inline const struct pair *pairs_find(struct tr_pairs *pairs, uint32_t space,
					    uint32_t block)
{
	const struct recent *r = &pairs->recent[block];
	return r->run >> 32 == space ? r->pair : tr_pairs_find(pairs, space, block);
}
/* Returns the last pair of each block that has run in this frame. */
static inline const struct recent *pairs_recent(const struct tr_pairs *pairs)
{
	return pairs->recent;
}
/* Returns the pair of the same block in binary N, if its file has code there, else as
 * found in `match`. */
const struct pair *tr_pairs_of_program(struct tr_pairs *pairs, uint32_t binary,
				       const struct pair *match);
/* Completes `place` from its pc before a block there has run: from the file of `near` (if
 * it has one), else from that of the space. Returns false if there is no function. */
bool tr_pairs_locate(struct tr_pairs *pairs, const struct pair *near, uint32_t space,
		     struct place *place);

#endif
