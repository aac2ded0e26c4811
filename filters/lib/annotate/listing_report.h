/* SPDX-License-Identifier: Apache-2.0 */
/* A listing as a table: as text with the source between the instructions, or as CSV or
 * JSON with a row for each instruction. */
#ifndef TR_ANNOTATE_LISTING_REPORT_H
#define TR_ANNOTATE_LISTING_REPORT_H

#include "annotate/listing.h"
#include "base/report.h"

/* Adds the listing to a report, as the table "instructions". Only rows for which
 * `is_shown` (may be NULL: all) returns true. Returns TR_OK or TR_E_NOMEM. */
int tr_listing_report(const struct tr_listing *listing,
		      const struct tr_listing_parts *parts,
		      bool (*is_shown)(const void *context, const struct tr_listed *row),
		      const void *context, struct tr_report *report);
/* Say, in text, what function it is, and its sums, of `whole` cycles of all that is
 * counted; and what of it is not in the table. */
void tr_listing_head(const struct tr_listing *listing,
		     const struct tr_listing_parts *parts, uint64_t whole,
		     struct tr_report *report);
void tr_listing_foot(const struct tr_listing *listing, struct tr_report *report);
/* Says, in text, by which rule cycles are on an instruction, and what the source does not
 * tell. */
void tr_listing_legend(const struct tr_listing_parts *parts, struct tr_report *report);

/* Returns the class of which a count has most lost slots; 0 if it lost none. */
unsigned tr_count_cause(const struct tr_count *count, const struct tr_classes *classes);
/* Returns the slots that a count lost in a group of classes. */
uint64_t tr_count_group(const struct tr_count *count, const struct tr_classes *classes,
			unsigned group);
/* Writes what is known of a transfer of control, such as "taken 12 of 40 (30.0 %)"; ""
 * if it is none. */
void tr_listing_flow(const struct tr_listing_parts *parts, const struct tr_listed *row,
		     char *text, size_t size);

#endif
