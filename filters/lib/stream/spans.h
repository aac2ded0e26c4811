/* SPDX-License-Identifier: Apache-2.0 */
/* Counts by address in a stream of stacks, which tr-unwind --addresses adds to the rows.
 *
 * A span is a run of instructions of one function that execute one after the other. Its
 * instructions are spots, numbered through all spans. A count tells how often a span was
 * executed on a stack, and the cycles of each of its instructions. The sums over all
 * counts of a stack are at most those of its rows, and of its rows with inlined calls or
 * lines on top: cycles of a trap, of a gap, of code in no known binary and of the
 * run-time profiler's stubs have no address. */
#ifndef TR_SPANS_H
#define TR_SPANS_H

#include "stream/reader.h"
#include "stream/stream.h"
#include "stream/writer.h"

#define TR_NO_SPOT UINT32_MAX

/* A function as in the source, or an inlined call of one. Numbered from 1. */
struct tr_scope {
	const char *name;    /* as shown, without "(inlined)" */
	const char *linkage; /* as the linker knows it, often mangled; "" if equal */
	const char *file;    /* without folders; "" if unknown */
	uint32_t line;	     /* of its declaration; 0: unknown */
	uint32_t around;     /* scope that it is inlined into; 0: it is not inlined */
	uint32_t call_line, call_discriminator; /* of the call; 0: unknown */
};

struct tr_span {
	uint64_t address; /* of the first instruction, in the ELF file */
	uint32_t func;	  /* as in struct tr_node */
	uint32_t binary;  /* N of header key "bin.N" */
	uint32_t first;	  /* its first spot; the reader and the writer set it */
	uint32_t count;	  /* instructions, from 1 to TR_BLOCK_MAX_TOKENS */
};

/* An instruction of a span. */
struct tr_spot {
	uint32_t span;			     /* the reader and the writer set it */
	uint32_t scope, line, discriminator; /* 0: unknown, or none */
	uint32_t offset; /* bytes from the span's address; the reader sets it */
	uint8_t bytes;	 /* length: 2, 4, 6 or 8 */
};

/* Returns true if both instructions come from the same place in the source. */
static inline bool tr_spots_share_source(const struct tr_spot *a, const struct tr_spot *b)
{
	return a->scope == b->scope && a->line == b->line &&
	       a->discriminator == b->discriminator;
}

/* Cycles of an instruction of a span, in all executions of a count, less the
 * executions. */
struct tr_span_stall {
	uint64_t cycles; /* modulo 2^64: a second commit in a cycle has fewer */
	uint32_t index;	 /* of the instruction in its span */
};

/* Executions of a span with a stack. */
struct tr_span_count {
	uint64_t executions;
	uint32_t node, span;
	uint32_t first_stall, nstalls; /* ascending by index; others have 0 */
};

/* Taken branches, jumps, calls and returns from one instruction to another. */
struct tr_branch {
	uint64_t count;
	uint32_t from, to; /* spots */
};

/* Return a definition; the counts include the unused number 0 of scopes. */
const struct tr_scope *tr_reader_scope(const struct tr_reader *reader, uint32_t id);
const struct tr_span *tr_reader_span(const struct tr_reader *reader, uint32_t id);
const struct tr_spot *tr_reader_spot(const struct tr_reader *reader, uint32_t id);
uint32_t tr_reader_scope_count(const struct tr_reader *reader);
uint32_t tr_reader_span_count(const struct tr_reader *reader);
uint32_t tr_reader_spot_count(const struct tr_reader *reader);
/* Returns the instruction in the parent's function that called the function of a node, or
 * TR_NO_SPOT. */
uint32_t tr_reader_site(const struct tr_reader *reader, uint32_t node);

/* The counts in the current frame, valid until the next frame. */
struct tr_span_counts {
	const struct tr_span_count *counts;
	const struct tr_span_stall *stalls;
	const struct tr_branch *branches;
	uint32_t ncounts, nbranches;
};
struct tr_span_counts tr_reader_counts(const struct tr_reader *reader);

/* Append definitions and counts to the current sframe; scopes are numbered from 1, spans
 * and spots from 0, in order of the calls. tr_writer_site() sets the call site of the
 * newest node. All return a status. */
int tr_writer_scope(struct tr_writer *, const struct tr_scope *scope);
int tr_writer_span(struct tr_writer *, const struct tr_span *span,
		   const struct tr_spot *spots);
int tr_writer_site(struct tr_writer *, uint32_t spot);
int tr_writer_count(struct tr_writer *, const struct tr_span_count *count,
		    const struct tr_span_stall *stalls);
int tr_writer_branch(struct tr_writer *, const struct tr_branch *branch);

#endif
