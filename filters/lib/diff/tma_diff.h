/* SPDX-License-Identifier: Apache-2.0 */
/* Explains a change of cycles as instructions x CPI x class, function by function. At a
 * commit width above 1 these are commit slots, and a CPI is of slots / width.
 *
 * A function retired I0 instructions before and I1 after, and lost L0 and L1 slots to
 * each class (unclassified slots and untraced time count as a class each). With an
 * unchanged loss per instruction it would have lost E = L0 * I1 / I0, rounded to whole
 * slots, to the class. Then
 *
 *   by instructions   I1 - I0 + the sum of all E - L0
 *   by class          L1 - E
 *   by CPI            the sum of these
 *
 * add up to the change exactly. For a function that exists only before or only after, the
 * whole change is by instructions; if it exists in both and I0 or I1 is 0, E = L0.
 *
 * Harts of different widths have a common unit: a cycle has the same number of slots on
 * all, and a slot of a hart that has fewer counts as several. Its instructions retire in
 * R0 or R1 slots, more than I0 or I1. These slots are then a class as well, `retiring`,
 * in place of I1 - I0; if I0 or I1 is 0, E = R1. */
#ifndef TR_TMA_DIFF_H
#define TR_TMA_DIFF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/report.h"
#include "profile/profile.h"
#include "stream/classes.h"

__extension__ typedef __int128 tr_i128;

/* Before [0] and after [1]. Index 0 of parts by class is untraced time, index
 * TR_TMA_UNCLASSIFIED is of slots that were traced but have no class, and TR_TMA_RETIRING
 * of those of instructions. */
enum { TR_TMA_UNCLASSIFIED = TR_MAX_CLASSES, TR_TMA_RETIRING, TR_TMA_PARTS };
struct tr_tma_change {
	const char *binary, *name;
	uint64_t slots[2], instructions[2];
	uint64_t lost[2][TR_TMA_PARTS];
	tr_i128 by_instructions, by_cpi;
	tr_i128 by_class[TR_TMA_PARTS];
};

struct tr_tma_diff {
	struct tr_classes classes; /* union of both */
	unsigned width;		   /* commit slots of a cycle */
	bool is_weighted;	   /* some instructions retire in several slots */
	struct tr_tma_change *changes;
	size_t count;
	struct tr_tma_change all; /* its parts are the sums over the functions */
};

enum { TR_TMA_DIFF_BITS = 62 }; /* limit of a run's slots */

/* Compares all functions of the profiles (by binary and name), largest change first. The
 * profiles must have one commit width in their options, outlive `diff` and have less than
 * 2^62 slots. Returns TR_OK, TR_E_ARGUMENT (too many classes together) or TR_E_NOMEM.
 * Call tr_tma_diff_release() in any case. */
int tr_tma_diff_make(struct tr_tma_diff *diff, struct tr_profile *const profiles[2],
		     const struct tr_classes classes[2]);
void tr_tma_diff_release(struct tr_tma_diff *diff);

/* Reports the table "functions": those with a change, or a part of one, beyond `least`, a
 * row for the others, and one for all. *rows is the number of functions; if it is 0 no
 * text is printed. Returns TR_OK or TR_E_NOMEM. */
int tr_tma_diff_report(const struct tr_tma_diff *diff, double least, size_t *rows,
		       struct tr_report *report);

#endif
