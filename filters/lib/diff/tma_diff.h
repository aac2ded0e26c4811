/* SPDX-License-Identifier: Apache-2.0 */
/* Explains a change of cycles as instructions x CPI x class, function by function.
 *
 * A function retired I0 instructions before and I1 after, and lost L0 and L1 cycles for
 * each class (not traced: a class, too). Had each instruction gone on losing what it
 * lost before, it would have lost E = L0 * I1 / I0 for the class, to whole cycles. So
 *
 *   by instructions   I1 - I0 + the sum of all E - L0
 *   by class          L1 - E
 *   by CPI            the sum of these
 *
 * add up to the change exactly. A function that is there before or after only is all
 * instructions; where it is, and I0 or I1 is 0, E = L0.
 */
#ifndef TR_TMA_DIFF_H
#define TR_TMA_DIFF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "profile/profile.h"
#include "stream/classes.h"

__extension__ typedef __int128 tr_i128;

/* Before [0] and after [1]. Parts by class have at 0 what was not traced. */
struct tr_tma_change {
	const char *binary, *name;
	uint64_t cycles[2], instructions[2];
	uint64_t lost[2][TR_MAX_CLASSES];
	tr_i128 by_instructions, by_cpi;
	tr_i128 by_class[TR_MAX_CLASSES];
};

struct tr_tma_diff {
	struct tr_classes classes; /* of both */
	struct tr_tma_change *changes;
	size_t count;
	struct tr_tma_change all; /* its parts are the sums of the functions' */
};

enum { TR_TMA_DIFF_BITS = 62 }; /* of the cycles of a run */

/* All functions of the profiles (by binary and name), the largest change first. The
 * profiles must stay, and have less than 2^62 cycles. TR_OK; TR_E_ARGUMENT: too many
 * classes together; TR_E_NOMEM. tr_tma_diff_release is due in any case. */
int tr_tma_diff_make(struct tr_tma_diff *diff, struct tr_profile *const profiles[2],
		     const struct tr_classes classes[2]);
void tr_tma_diff_release(struct tr_tma_diff *diff);

/* Functions of which the change, or a part of it, is beyond `least`, a line for the
 * others, and one for all. *rows is how many functions; with none nothing is written.
 * Write errors stay in ferror(file). TR_OK, TR_E_NOMEM. */
int tr_tma_diff_print(const struct tr_tma_diff *diff, double least, size_t *rows,
		      FILE *file);

#endif
