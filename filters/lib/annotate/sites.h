/* SPDX-License-Identifier: Apache-2.0 */
/* The instructions of the whole run that lose most to mispredictions, or to misses. */
#ifndef TR_ANNOTATE_SITES_H
#define TR_ANNOTATE_SITES_H

#include "annotate/listing.h"
#include "base/report.h"

enum tr_sites_of { TR_SITES_MISPREDICTS, TR_SITES_MISSES };

/* Reports the table "mispredicts" or "misses", of at most `limit` sites (0: all), with
 * those that lose most first. Returns TR_OK or TR_E_NOMEM. */
int tr_sites_report(const struct tr_listing_parts *parts, enum tr_sites_of of,
		    uint64_t limit, struct tr_report *report);

#endif
