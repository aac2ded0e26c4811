/* SPDX-License-Identifier: Apache-2.0 */
/* The last line of a log that ends without the end of a line: the simulator was ended,
 * and what it had not yet written is missing. Such a line counts only if all that the
 * stream gets from it is surely there. */
#ifndef TR_IMPORT_WHOLE_H
#define TR_IMPORT_WHOLE_H

#include "import/import_state.h"

/* Takes 0x and digits, all of those of an address or register. Returns false if some are
 * missing. */
bool tr_import_whole_0x(const struct tr_import *im, struct import_line *line);
/* Returns true if a commit, as of import_commit.h, is whole with what it writes to sp, tp
 * and satp. */
bool tr_import_commit_is_whole(const struct tr_import *im,
			       const struct import_line *line);
/* Returns true if an instruction writes sp or tp, the integer register `reg`. */
bool tr_import_writes_reg(uint64_t bits, unsigned reg, unsigned xlen);
/* Returns true if `line` is the beginning of `text`, or the other way around. */
bool tr_import_may_be(const struct import_line *line, const char *text);

#endif
