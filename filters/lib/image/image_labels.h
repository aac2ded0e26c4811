/* SPDX-License-Identifier: Apache-2.0 */
/* Symbols without a size, as labels in assembly and in files that kept few symbols: which
 * of their code is theirs.
 *
 * Such a symbol extends at most to the next one. If a call within that range leads to a
 * place without a symbol, symbols are missing there, and the range is divided as code
 * without symbols is: by calls, pointers and jumps. Otherwise it is settled: pointers and
 * jumps into it, as to the labels of a vector of interrupts, are its own. */
#ifndef TR_IMAGE_LABELS_H
#define TR_IMAGE_LABELS_H

#include "image/image_state.h"

/* Address ranges, ascending, without overlap. All zero is empty; the owner frees the
 * list. */
struct image_spans {
	struct image_span *list;
	size_t count, capacity;
};

/* Returns true if one of the ranges contains the address. */
bool tr_image_spans_hold(const struct image_spans *spans, uint64_t address);

/* Sorts candidates by their low ends, as the functions below need them. */
void tr_image_candidates_sort(struct image_candidates *candidates);
/* Returns true if a candidate begins at the address. */
bool tr_image_begins(const struct image_candidates *candidates, uint64_t address);

/* Collects the ranges of the candidates whose ends are known. Returns false when out of
 * memory. */
bool tr_image_spans_close(struct image_spans *spans,
			  const struct image_candidates *candidates);
/* Collects these and the settled ranges, given the sorted targets of calls outside those
 * whose ends are known. Returns false when out of memory. */
bool tr_image_spans_settle(struct image_spans *spans,
			   const struct image_candidates *candidates,
			   const uint64_t *calls, size_t ncalls);

#endif
