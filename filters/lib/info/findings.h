/* SPDX-License-Identifier: Apache-2.0 */
/* What would leave a graph empty, or thinner than expected, and what to do. */
#ifndef TR_FINDINGS_H
#define TR_FINDINGS_H

#include "info/coverage.h"
#include "info/usage.h"
#include "stream/header.h"

struct tr_findings {
	FILE *out;
	unsigned count;
	bool empty; /* no graph can come of it */
};

/* One line; `empty`: there will be no graph. */
void tr_find(struct tr_findings *findings, bool empty, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Of the keys of the header and the end record. */
void tr_find_in_end(struct tr_findings *findings, const struct tr_header *header,
		    const struct tr_header *end);
/* Of a stream of rows. */
void tr_find_in_rows(struct tr_findings *findings, const struct tr_header *header,
		     const struct tr_header *end, const struct tr_usage *usage);
/* Of the binaries, after tr_coverage_finish(). TR_OK or TR_E_NOMEM. */
int tr_find_in_bins(struct tr_findings *findings, const struct tr_header *header,
		    const struct tr_coverage *coverage);

#endif
