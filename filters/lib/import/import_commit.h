/* SPDX-License-Identifier: Apache-2.0 */
/* The line of a commit that Spike introduced and other tracers copied:
 *
 *     3 0x0000000080000024 (0x00016117) x2  0x0000000080016024
 *
 * privilege, pc, instruction, registers written, and memory accessed, in
 * riscv-isa-sim/riscv/execute.cc. */
#ifndef TR_IMPORT_COMMIT_H
#define TR_IMPORT_COMMIT_H

#include "import/import_state.h"

/* Returns true if such a line is at `line`. */
bool tr_import_is_commit(const struct import_line *line);
/* Takes such a line. Returns false after tr_import_expect(). */
bool tr_import_commit(struct tr_import *im, uint32_t hart, struct import_line *line);
/* Its two parts: parses it up to the instruction, for a token of `token->hart`, and
 * reports what the hart's last token wrote. The first returns false after
 * tr_import_expect(). */
bool tr_import_commit_token(struct tr_import *im, struct import_line *line,
			    struct import_token *token);
void tr_import_commit_writes(struct tr_import *im, uint32_t hart,
			     struct import_line *line);

/* Parses "0xPC (0xINSTRUCTION)". Returns false after tr_import_expect(). */
bool tr_import_insn(struct tr_import *im, struct import_line *line,
		    struct import_token *token);
/* The XLEN, from the digits of the pc at `line`. */
void tr_import_look_at_pc(struct tr_import *im, struct import_line *line);

#endif
