/* SPDX-License-Identifier: Apache-2.0 */
/* The counts of counts.h as they are kept, for the files that count and those that
 * tell. */
#ifndef TR_ANNOTATE_COUNTS_STATE_H
#define TR_ANNOTATE_COUNTS_STATE_H

#include "annotate/counts.h"
#include "annotate/selection.h"
#include "base/buffer.h"
#include "base/map.h"

enum { COUNTS_NONE = UINT32_MAX };

/* An instruction. Cycles are less the executions, modulo 2^64. */
struct counted_insn {
	uint64_t address, executions, more_cycles, traps, taken, untaken, mispredicted,
	    penalty, missed;
	uint32_t func, binary;
	uint32_t lost;	 /* its row of counts->lost; COUNTS_NONE: it lost nothing */
	uint32_t number; /* before they are sorted */
	uint8_t bytes, code[8];
	bool has_code, differs, is_branch, is_transfer;
};

/* Instructions of a function that follow one another in memory. */
struct counted_piece {
	uint64_t address, executions, bits; /* bits: hash of its code */
	uint32_t func, binary, count;
	uint32_t first; /* of its instructions in counts->ids */
};

/* The last transfer of control of a hart. */
struct counted_last {
	uint32_t hart;
	uint32_t insn; /* COUNTS_NONE: none, or it is settled */
	uint64_t next, target;
	bool has_target;
	uint32_t hit; /* the next event of the frame to look at */
	const struct tr_hart_frame *part;
};

struct counted_func {
	struct tr_counted_func told;
	uint64_t instructions, cycles, lost[TR_MAX_CLASSES]; /* of the rows of stacks */
	struct tr_count outside;			     /* of these: not wanted */
	uint32_t first; /* instruction, when they are sorted */
};

struct tr_slices; /* slices_state.h */

struct tr_counts {
	const struct tr_header *header;
	const struct tr_classes *classes;
	const struct tr_probe_names *probes;
	const struct tr_symbols *symbols;
	struct tr_selection *selection; /* NULL: all stacks are wanted */
	uint64_t from, to;		/* the window */
	bool is_cut;			/* not all is wanted */
	uint32_t columns;		/* of a row of lost slots: classes and 0 */
	uint32_t width, flag; /* flag: probe of mispredicted commits, or COUNTS_NONE */
	uint32_t mispredicts, misses; /* sets of classes */
	unsigned isa;
	struct counted_func *funcs;
	struct counted_insn *insns;
	struct counted_piece *pieces;
	uint32_t *ids, *func_of_node, *piece_of_block;
	uint64_t *lost;
	size_t nfuncs, ninsns, npieces, nids, nnodes, nlost, nblocks;
	size_t funcs_room, insns_room, pieces_room, ids_room, nodes_room, lost_room,
	    blocks_room;
	struct tr_map insn_ids, piece_ids;
	struct tr_arena text;
	struct tr_count held; /* charged to functions that were not known yet */
	uint64_t held_wanted; /* cycles of that, in the window and selected */
	struct counted_last last[TR_MAX_HARTS];
	uint32_t nharts;
	uint64_t generation;
	struct tr_slices *slices;      /* NULL: they are not wanted */
	struct tr_selection *contexts; /* of these; NULL: there is only context 0 */
	uint32_t context;	       /* of what is counted */
	bool failed;		       /* out of memory */
};

/* counts_code.c: return the instruction at an address, and the piece of a run; new ones
 * if they were not there; COUNTS_NONE when out of memory. */
uint32_t tr_counts_insn_at(struct tr_counts *counts, uint32_t func, uint32_t binary,
			   uint64_t address);
uint32_t tr_counts_piece_of(struct tr_counts *counts, const struct tr_unwind_run *run);

/* counts.c: adds the slots of a hart's runs to `lost`. */
void tr_counts_add_runs(const struct tr_counts *counts, uint64_t *lost,
			const struct tr_run *runs, unsigned nruns, uint32_t hart);

/* counts_cut.c: passes the parts of a run that are wanted, and those that are not, to
 * `take`; adds a part to what is not wanted of its function, or is held, and returns its
 * cycles; returns true for a trap that is not wanted, and adds it. */
int tr_counts_cut_run(struct tr_counts *counts, const struct tr_unwind_run *run,
		      int (*take)(struct tr_counts *, const struct tr_unwind_run *,
				  bool is_wanted));
uint64_t tr_counts_leave_out(struct tr_counts *counts, const struct tr_unwind_run *run);
bool tr_counts_cut_trap(struct tr_counts *counts, const struct tr_unwind_trap *trap);
/* Passes the parts of a run to `take`, of which each has one context, the counts'. */
int tr_counts_run_by_context(struct tr_counts *counts, const struct tr_unwind_run *run,
			     int (*take)(struct tr_counts *, const struct tr_unwind_run *,
					 bool is_wanted));

#endif
