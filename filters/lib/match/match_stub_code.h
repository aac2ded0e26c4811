/* SPDX-License-Identifier: Apache-2.0 */
/* The code of a program in which the run-time profiler has placed stubs (stubs/stubs.h):
 * jumps in place of the first instructions of functions, and the stubs. Where the stubs
 * are is found from the code that runs: a jump tells where its area begins, and a stub
 * where the counters do. All else must be, bit for bit, what the injector would write. */
#ifndef TR_MATCH_STUB_CODE_H
#define TR_MATCH_STUB_CODE_H

#include "match/match_index.h"

/* The jump from a function's entry to its stub. */
struct tr_stub_jump {
	uint32_t function;
	uint8_t area;
	/* Where the area begins, which the first instruction tells. The second one of a
	 * far jump, if a block has only that, does not: 0. */
	uint64_t base;
	bool begins_block; /* nothing of the block is code of the file */
};

/* Returns true, with *jump, if the block ends in an instruction of the jump from an
 * entry, and is the program's code before it. */
bool tr_stub_code_jump(const struct tr_match_binary *binary, const struct tr_block *block,
		       uint64_t bias, struct tr_stub_jump *jump);

/* Returns true if the block is the program's code with the first instruction that
 * prof-extract -s has replaced in the file; *begins_block as above. */
bool tr_stub_code_restored(const struct tr_match_binary *binary,
			   const struct tr_block *block, uint64_t bias,
			   bool *begins_block);

enum { TR_STUB_PLAN_UNKNOWN = TR_STUB_PLANS };

/* Where an area of stubs is in a process. */
struct tr_stub_area {
	uint64_t bias, base, counters; /* counters is 0 as long as it is not known */
	uint32_t binary;
	uint8_t area;
	uint8_t plan;	/* which indexes its counters have: 0, 1, or not known */
	bool is_proven; /* code of its stubs has run */
};

/* Returns true if `pc` is in the area, with its offset in the code of injected.o. */
bool tr_stub_code_covers(const struct tr_match_binary *binary,
			 const struct tr_stub_area *area, uint64_t pc, uint32_t *offset);

/* Returns true if the block is code of a stub in this area. Then *area has the counters,
 * if the block tells them. Elsewhere in the area, counters may not be. `scratch` has the
 * size of the code, and any contents. */
bool tr_stub_code_check(const struct tr_match_binary *binary, struct tr_stub_area *area,
			const struct tr_block *block, uint8_t *scratch);

/* Returns true if the block, of a floating binary at an unknown place, could be code of a
 * stub, or end in a jump to one. */
bool tr_stub_code_possible(const struct tr_match_binary *binary,
			   const struct tr_block *block);

#endif
