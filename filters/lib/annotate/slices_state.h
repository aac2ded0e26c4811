/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of slices, for the files that count, write and read them. */
#ifndef TR_ANNOTATE_SLICES_STATE_H
#define TR_ANNOTATE_SLICES_STATE_H

#include "annotate/counts_state.h"
#include "annotate/slices.h"
#include "profile/sums.h"

#define SLICES_MAGIC "tr-slices 2\n"
enum {
	SLICES_MAGIC_SIZE = sizeof(SLICES_MAGIC) - 1,
	SLICES_HASH_SIZE = 8,
	SLICES_FULL = UINT32_MAX, /* no list is open */
	/* Flags of an instruction. */
	SLICES_COUNTED = 1,    /* it ran, or trapped */
	SLICES_SAME_PLACE = 2, /* as the one before it */
	SLICES_HAS_PLACE = 4,  /* otherwise */
	SLICES_DIFFERS = 8,    /* other bits ran at this address as well */
	SLICES_FAR = 16,       /* not in the function's code */
	SLICES_FLAGS = 32,
};

/* Where the sum of an instruction is in the list with this serial number. */
struct slices_last {
	uint32_t serial, index;
};

/* What a slice has of a lane: two packed lists of sums, either of which may be empty. */
struct slices_list {
	uint32_t slice;
	struct tr_buffer pieces; /* by piece of code: `instructions` are its executions */
	/* By number of the instruction, of its executions that took other than one cycle
	 * and of its traps, which are `calls`: with their cycles and lost slots. */
	struct tr_buffer stalls;
};

/* A context of a hart. */
struct slices_lane {
	uint32_t hart, context;
	uint32_t slice; /* that is open, or SLICES_FULL */
	/* Of the open slice, as in the lists; each may be there several times. */
	struct tr_sums pieces, stalls;
	struct slices_list *lists; /* in order of slices */
	size_t nlists, room;
};

struct slices_hart {
	uint32_t hart;
	uint32_t serial;	  /* of what is added to the stalls of the lane */
	struct slices_lane *lane; /* in which the hart is; NULL: none yet */
	/* The open slice, which has what ends after the cycle `from`, in at most `length`
	 * cycles; length 0: none is open. */
	uint32_t slice;
	uint64_t from, length;
	/* What the lane does not have yet: executions by piece, and a bit for those that
	 * have some. */
	uint64_t *executions, *has_run;
	size_t npieces, executions_room, has_run_room;
	struct slices_last *last;
	size_t nlast, last_room;
};

struct tr_slices {
	unsigned columns; /* as in struct tr_counts */
	uint64_t length, end;
	struct slices_hart *harts[TR_MAX_HARTS];
	uint32_t nharts;
	struct slices_lane **lanes;
	size_t nlanes, lanes_room;
	struct tr_map lane_ids; /* by hart and context */
};

struct tr_slices *tr_slices_new(unsigned columns);
void tr_slices_free(struct tr_slices *slices);
/* Add a run of instructions, which are a piece of code, and a trap, of the instruction
 * with this number, to the counts' slices. The pieces may move. Return TR_OK or
 * TR_E_NOMEM. */
int tr_slices_run(struct tr_counts *counts, const struct tr_unwind_run *run,
		  uint32_t piece);
int tr_slices_trap(const struct tr_counts *counts, const struct tr_unwind_trap *trap,
		   uint32_t id);
/* Packs what is open. Returns TR_OK or TR_E_NOMEM. */
int tr_slices_pack(struct tr_slices *slices);

#endif
