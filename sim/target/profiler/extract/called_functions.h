/* SPDX-License-Identifier: Apache-2.0 */
/* The functions that only calls show, in a program without symbols: the targets of direct
 * calls (jal ra, or auipc ra and jalr ra) in code that no listed function has, which is
 * called a gap.
 *
 * A gap is read from its begin on, one instruction after another, as known_targets.h
 * does. This is right if it has only code; but it may have data. All code is therefore
 * divided into ranges, where functions of the list begin or end, and at what is called in
 * gaps. A range is consistent if it begins with an instruction, each of its instructions
 * is known, those that branch, jump or call go to where an instruction begins, and
 * nothing in the program goes between its instructions. Data is not consistent, unless it
 * is very short. A function is what
 * - is called from a consistent range,
 * - begins a consistent range, and
 * - is not what an instruction before it continues with, besides padding.
 *
 * That a replaced entry changes nothing depends on less: that an instruction begins there
 * and is code, which is so at each instruction of a gap that is code; and that t0 and t1
 * are dead, which live_registers.h finds for any instruction, if indirect jumps without a
 * known table stay within what is taken for one function. */
#ifndef PROF_CALLED_FUNCTIONS_H
#define PROF_CALLED_FUNCTIONS_H

#include "functions.h"

/* Calls `take` for each function that is not within one of the list, by address, until it
 * returns false: with its address, and where the next one of either kind, or the end of
 * the section, is. Functions that only pointers refer to may be before this end. The list
 * is sorted, and not read any more when `take` is called. Returns false then, or with
 * *trouble set if memory is lacking. */
bool prof_visit_called(const struct prof_elf *elf, const struct prof_list *list,
		       struct prof_trouble *trouble,
		       bool (*take)(void *context, uint64_t start, uint64_t end),
		       void *context);

#endif
