/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of a page: page.c and page_bars.c. */
#ifndef TR_ANNOTATE_PAGE_INTERNAL_H
#define TR_ANNOTATE_PAGE_INTERNAL_H

#include "annotate/page.h"

static inline double page_percent(uint64_t part, uint64_t all)
{
	return all ? 100.0 * (double)part / (double)all : 0;
}

void tr_page_number(FILE *file, uint64_t value);
/* Returns the slots of a count: those of its instructions, and the lost ones; cycles if
 * the stream has no classes. */
uint64_t tr_page_slots(const struct tr_count *c, const struct tr_classes *classes);
/* Writes a bar that is `width` percent wide, with a part for each class. */
void tr_page_bar(const struct tr_page *page, const struct tr_count *c, double width,
		 const char *class);
/* Writes the key of a bar. */
void tr_page_key(const struct tr_page *page, const struct tr_count *c);
/* Writes the cells of a count: cycles, share of `all`, bar as a part of `most` slots,
 * executions, CPI. */
void tr_page_cells(const struct tr_page *page, const struct tr_count *c, uint64_t all,
		   uint64_t most);

#endif
