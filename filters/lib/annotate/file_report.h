/* SPDX-License-Identifier: Apache-2.0 */
/* Source files: each line with the sums of its instructions, in all functions that have
 * code of it. */
#ifndef TR_ANNOTATE_FILE_REPORT_H
#define TR_ANNOTATE_FILE_REPORT_H

#include "annotate/listing.h"
#include "base/report.h"

/* A line with code that ran. */
struct tr_file_line {
	struct tr_count count;
	uint32_t number; /* from 1 on */
	uint32_t sites;	 /* instructions that ran, or trapped */
};

/* Lines of a file. Numbers may be beyond the end of the source file, as those of a
 * generated one are. */
struct tr_file_lines {
	const char *path;
	struct tr_file_line *lines; /* ascending */
	uint32_t count;
	uint32_t source; /* lines of the source file; 0: it was not found */
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

/* Where tr_file_next() is; all zero before the first line. */
struct tr_file_cursor {
	uint32_t number, next;
};
/* Sets *line to the next one: with `all` also those of the source file without code that
 * ran, of no sites. Returns false at the end. */
bool tr_file_next(const struct tr_file_lines *lines, bool all, struct tr_file_cursor *at,
		  struct tr_file_line *line);
/* Reports the table "lines": in text all of the file, if it was found, else those with
 * code that ran. Returns TR_OK or TR_E_NOMEM. */
int tr_file_report(const struct tr_file_lines *lines,
		   const struct tr_listing_parts *parts, struct tr_report *report);

#endif
