/* SPDX-License-Identifier: Apache-2.0 */
/* Spike's logs of 2019, where commits have no hart, and a commit comes after the line of
 * its instruction, in some versions only if it writes a register:
 *
 *     core   0: 0x0000000080000024 (0x00016117) auipc   sp, 0x16
 *     3 0x0000000080000024 (0x00016117) x 2 0x0000000080016024
 *     core   0: 0x0000000080000028 (0x00008067) ret
 *
 * So an instruction counts unless the next line reports that it trapped. Its privilege
 * is that of the commits; after a trap or a return from one, that of the next commit, or
 * the one in which the next return can be. */
#ifndef TR_IMPORT_SPIKE_PAIRS_H
#define TR_IMPORT_SPIKE_PAIRS_H

#include "import/import_state.h"

/* Returns true for the line of an instruction, with a commit in the next line, if what
 * follows is of Spike: CVA6's tracer writes the same, but other lines of traps. */
bool tr_import_is_spike_pair(const struct import_line *line);

struct spike_pairs;

/* Returns NULL without memory. */
struct spike_pairs *tr_spike_pairs_new(void);
void tr_spike_pairs_free(struct spike_pairs *pairs);

/* Process the line of an instruction, parsed as `token`, and that of a commit. The second
 * returns false after tr_import_expect(). */
void tr_spike_pairs_insn(struct tr_import *im, struct spike_pairs *pairs,
			 const struct import_token *token);
bool tr_spike_pairs_commit(struct tr_import *im, struct spike_pairs *pairs,
			   struct import_line *line);
/* Comes before a trap of the hart is reported. If it is an exception, the instruction at
 * `epc` did not commit. */
void tr_spike_pairs_trap(struct tr_import *im, struct spike_pairs *pairs, uint32_t hart,
			 bool is_interrupt, uint64_t epc);
/* The last instruction was executed `count` times in all. */
void tr_spike_pairs_repeat(struct tr_import *im, struct spike_pairs *pairs, uint32_t hart,
			   uint64_t count);
void tr_spike_pairs_end(struct tr_import *im, struct spike_pairs *pairs);

#endif
