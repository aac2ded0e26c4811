/* SPDX-License-Identifier: Apache-2.0 */
/* Prepares what a process that begins can map as it is, instead of being written to: the
 * program's text with all entries, and the stubs at their first places (stubs/stubs.h).
 */
#ifndef PROF_TEXT_IMAGE_H
#define PROF_TEXT_IMAGE_H

#include "extract.h"

/* Makes plan->text and its part of plan->stubs.image. A program has none if its functions
 * are in several segments, or in one that is writable or shares a page with another, or
 * if it is too large for its stubs to reach the counters above it. Returns false with
 * *trouble set. */
bool prof_make_text_image(const struct prof_elf *elf, struct prof_plan *plan,
			  struct prof_trouble *trouble);

/* Returns a copy of the plan's code at the first places, with the indexes of `stubs`,
 * which the caller frees; NULL without memory. */
uint8_t *prof_place_code(const struct prof_plan *plan, const struct tr_stubs *stubs);

#endif
