/* SPDX-License-Identifier: Apache-2.0 */
/* Executions, cycles and lost slots of each instruction, from what an unwinder charges.
 *
 * An instruction is counted in each function that it is charged to. Its cycles, and the
 * slots that it lost, are those that the stream gives its token: the cycles after the
 * hart's commit (or trap) before it, through its own commit; and those of the traps that
 * were taken before it could commit, which the interrupted function is charged with. What
 * is charged to a function without an address in its file is in a sum of its own, so that
 * the sums over a function are those of its rows of stacks; tr_counts_finish() compares
 * them. What the unwinder charges before it knows to which function is in that sum.
 *
 * Of a window an instruction, or a trap, counts as a whole if its last cycle is in it, so
 * that adjacent windows add up to the whole. What is charged before its function is known
 * is then left out.
 *
 * Memory: about 200 bytes for each instruction that ran, and 8 bytes for each class of
 * those that lost a slot. */
#ifndef TR_ANNOTATE_COUNTS_H
#define TR_ANNOTATE_COUNTS_H

#include "annotate/selection.h"
#include "base/status.h"
#include "stream/classes.h"
#include "stream/decode.h"
#include "stream/probes.h"
#include "unwind/symbols.h"
#include "unwind/unwind.h"

struct tr_counts;

struct tr_counts_options {
	const struct tr_header *header;	     /* of the stream; stays the caller's */
	const struct tr_classes *classes;    /* NULL: the stream has none */
	const struct tr_probe_names *probes; /* of the stream; stays the caller's */
	/* The code of streams without instruction bits; stays the caller's. */
	const struct tr_symbols *symbols;
	/* Only what commits in the cycles from `from` up to, but excluding, `to`, on
	 * selected stacks; these stay the caller's. NULL: all stacks; UINT64_MAX: no end.
	 */
	struct tr_selection *selection;
	uint64_t from, to;
	/* Also count by slice (slices.h); not with a window or selected stacks.
	 * `contexts` has the contexts of the instructions, by number, as its keys; NULL:
	 * there is only context 0. It stays the caller's. */
	bool has_slices;
	struct tr_selection *contexts;
};

/* What an instruction, or several, did. Slots are those of the stream's commit width
 * (struct tr_tma_sum): one is a cycle at a width of 1. */
struct tr_count {
	uint64_t executions; /* commits */
	uint64_t cycles;
	uint64_t traps; /* taken before it could commit, interrupts included */
	/* Of a conditional branch; what is left of the executions is not known. */
	uint64_t taken, untaken;
	/* Of a transfer of control: executions that were mispredicted, and the slots that
	 * the next instruction lost because of that. */
	uint64_t mispredicted, penalty;
	uint64_t missed; /* executions that lost slots to misses (tr_tma_is_miss()) */
	uint64_t lost[TR_MAX_CLASSES]; /* slots by class; [0]: those without one */
};

/* An instruction of a function. */
struct tr_counted {
	struct tr_count count;
	uint64_t address; /* in the file */
	uint32_t binary;  /* N of bin.N */
	uint32_t func;
	uint8_t bytes; /* length; 0: it never committed, it only trapped */
	uint8_t code[8];
	bool has_code;		     /* otherwise the source has no instruction bits */
	bool differs;		     /* other bits ran at this address as well */
	bool is_branch, is_transfer; /* conditional; any, conditional or not */
};

/* A function: its name, the sum of all that is charged to it, and the part of it that has
 * no address in its file. */
struct tr_counted_func {
	const char *name, *binary; /* as in struct tr_func */
	uint64_t address;
	uint8_t kind; /* enum tr_frame_kind */
	struct tr_count sum, elsewhere;
};

/* Creates counts. Returns NULL when out of memory; tr_counts_free() accepts NULL. */
struct tr_counts *tr_counts_new(const struct tr_counts_options *options);
void tr_counts_free(struct tr_counts *counts);
/* Returns what the unwinder is to call. */
struct tr_unwind_sink tr_counts_sink(struct tr_counts *counts);
/* Begins a frame, before the unwinder gets it. */
void tr_counts_frame(struct tr_counts *counts, const struct tr_frame *frame);
/* Completes the counts, after the last frame. Returns TR_OK, TR_E_NOMEM, or TR_E_CORRUPT:
 * then the sums over the instructions of the function that `message` names are not those
 * of its stacks. */
int tr_counts_finish(struct tr_counts *counts, char *message, size_t size);

/* Returns true if the stream tells which transfers of control were mispredicted: by a
 * class of lost slots ("badspec.branch"), or, with *by_flag, by a probe "mispredicted"
 * on the commit itself. */
bool tr_counts_tell_mispredictions(const struct tr_counts *counts, bool *by_flag);

/* Returns true for a function of a file, with a name of its own or not. */
bool tr_counted_is_code(const struct tr_counted_func *func);

/* Return the functions, and the instructions in order of function, binary and address. */
uint32_t tr_counts_funcs(const struct tr_counts *counts);
const struct tr_counted_func *tr_counts_func(const struct tr_counts *counts, uint32_t i);
size_t tr_counts_insns(const struct tr_counts *counts);
void tr_counts_insn(const struct tr_counts *counts, size_t i, struct tr_counted *insn);
/* Returns the first instruction of a function. */
size_t tr_counts_first(const struct tr_counts *counts, uint32_t func);

/* Returns the cycles of all that is counted: of the window and the selected stacks. Those
 * that are on no function there, since it was known later, are in *left_out. */
uint64_t tr_counts_cycles(const struct tr_counts *counts, uint64_t *left_out);

/* Adds one to another. */
void tr_count_add(struct tr_count *sum, const struct tr_count *more);

#endif
