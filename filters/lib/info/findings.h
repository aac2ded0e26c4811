/* SPDX-License-Identifier: Apache-2.0 */
/* Problems that would leave a graph empty or incomplete, and their remedies. */
#ifndef TR_FINDINGS_H
#define TR_FINDINGS_H

#include "info/coverage.h"
#include "info/usage.h"
#include "stream/header.h"

/* What the filters found in the stream. */
struct tr_work {
	const struct tr_header *end; /* the end record of what they made */
	const bool *bins;	     /* by binary: some of its code ran */
};

struct tr_findings {
	const struct tr_work *found; /* NULL: not known */
	struct tr_report *report;    /* as text, or */
	struct tr_table *table;	     /* in these two columns: empty, finding */
	unsigned count;
	bool empty; /* no graph can result */
	bool failed;
};

/* Adds a finding, one line; `empty`: there will be no graph. `failed` is set when out of
 * memory. */
void tr_find(struct tr_findings *findings, bool empty, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Examines the keys of the header and the end record. */
void tr_find_in_end(struct tr_findings *findings, const struct tr_header *header,
		    const struct tr_header *end);
/* Examines a stream of rows. */
void tr_find_in_rows(struct tr_findings *findings, const struct tr_header *header,
		     const struct tr_header *end, const struct tr_usage *usage);
/* Examines the binaries, after tr_coverage_finish(). With `found`, code is missing only
 * if it was not found. Returns TR_OK or TR_E_NOMEM. */
int tr_find_in_bins(struct tr_findings *findings, const struct tr_header *header,
		    const struct tr_coverage *coverage);

#endif
