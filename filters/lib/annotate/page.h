/* SPDX-License-Identifier: Apache-2.0 */
/* Listings and source files as one page of HTML that needs no other file: heat, what the
 * cycles were lost to as bars, jumps as arrows. Write errors are left in ferror(file). */
#ifndef TR_ANNOTATE_PAGE_H
#define TR_ANNOTATE_PAGE_H

#include <stdio.h>

#include "annotate/file_report.h"
#include "annotate/listing.h"
#include "base/map.h"

struct tr_page {
	FILE *file;
	FILE *whole; /* between tr_page_open() and tr_page_close(): that `file` */
	const struct tr_listing_parts *parts;
	const char *title;
	const char *note;	   /* of a run that was cut off, or "" */
	const char *part;	   /* which part of the run is shown; "": all */
	uint64_t cycles;	   /* of the whole run */
	unsigned functions, files; /* so far */
	struct tr_map index;	   /* of the functions that are or will be on the page */
};

/* Begin and end the page, and free what it keeps. A large page is compressed in between
 * (page_packed.h). Return TR_OK or TR_E_NOMEM. */
int tr_page_open(struct tr_page *page);
int tr_page_close(struct tr_page *page);

/* Adds an index of functions, in the order of `funcs`, that come next, and to which calls
 * are links. Returns TR_OK or TR_E_NOMEM. */
int tr_page_index(struct tr_page *page, const uint32_t *funcs, size_t count);
/* Adds a function, with the rows for which `is_shown` (may be NULL: all) returns true.
 * Its anchor is tr_page_anchor(), and "-2" and so on for further functions of the same
 * anchor. Returns TR_OK or TR_E_NOMEM. */
int tr_page_function(struct tr_page *page, const struct tr_listing *listing,
		     bool (*is_shown)(const void *context, const struct tr_listed *row),
		     const void *context);
/* Adds a source file. */
void tr_page_source(struct tr_page *page, const struct tr_file_lines *lines);

/* Writes the anchor of a function: "f-BINARY-ADDRESS", in which other characters than
 * letters, digits, '-', '.' and '_' are '_'. */
void tr_page_anchor(const char *binary, uint64_t address, char *text, size_t size);

#endif
