/* SPDX-License-Identifier: Apache-2.0 */
/* Source files: each line with the sums of its instructions, in all functions that have
 * code of it. */
#ifndef TR_ANNOTATE_FILE_REPORT_H
#define TR_ANNOTATE_FILE_REPORT_H

#include "annotate/listing.h"
#include "base/report.h"

/* Lines of a file. */
struct tr_file_lines {
	const char *path;
	struct tr_count *lines; /* [0] is unused; up to `count` - 1 */
	uint64_t *sites;	/* instructions that ran, by line */
	uint32_t count;
	struct tr_count sum;
};

/* Returns true if a path is that of a file, which may have some of its last folders. */
bool tr_file_is(const char *path, const char *file);
/* Finds the paths of a file that have code that ran, ascending. *paths is the caller's to
 * free. Returns TR_OK or TR_E_NOMEM. */
int tr_file_paths(const struct tr_listing_parts *parts, const char *file,
		  const char ***paths, size_t *count);
/* Sums the lines of a file. Returns TR_OK or TR_E_NOMEM; release in any case. */
int tr_file_sum(struct tr_file_lines *lines, const struct tr_listing_parts *parts,
		const char *path);
void tr_file_release(struct tr_file_lines *lines);
/* Reports the table "lines": in text all of the file, if it was found, else those with
 * code that ran. Returns TR_OK or TR_E_NOMEM. */
int tr_file_report(const struct tr_file_lines *lines,
		   const struct tr_listing_parts *parts, struct tr_report *report);

#endif
