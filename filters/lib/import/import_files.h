/* SPDX-License-Identifier: Apache-2.0 */
/* Converts one log, or several of one run, each of its own harts, to one stream. */
#ifndef TR_IMPORT_FILES_H
#define TR_IMPORT_FILES_H

#include "import/import.h"

struct tr_import_files;

/* Opens the logs, as tr_import_open() does each of them. Several have one format, one
 * that writes a file for each hart; a hart's number is that in the file's name, or
 * without numbers the place of the file. On failure *files is set all the same (unless
 * TR_E_NOMEM). Returns TR_OK or an error. */
int tr_import_files_open(struct tr_import_files **files, const char *const *paths,
			 size_t count, const struct tr_import_options *options);
void tr_import_files_close(struct tr_import_files *files);

/* Returns true if the first file is text, or compressed as no trace stream is. */
bool tr_import_files_are_no_stream(const struct tr_import_files *files);
/* Returns the header of the stream, which the files own. */
const struct tr_header *tr_import_files_header(const struct tr_import_files *files);

/* Converts about `lines` more lines, of the files whose harts are behind, so that all
 * harts advance together. Returns as tr_import_some() does, but TR_E_UNSUPPORTED if the
 * logs have no instruction or stack. All that was converted has reached the writer when
 * this returns something other than TR_OK. */
int tr_import_files_some(struct tr_import_files *files, struct tr_writer *writer,
			 unsigned lines);

/* Returns the message of the call that failed last. It is the files'. */
const char *tr_import_files_message(const struct tr_import_files *files);
/* Returns true if a limit ended the conversion. */
bool tr_import_files_limited(const struct tr_import_files *files);
/* Returns what the user should know of the `i`th file as a whole, after its end, or NULL;
 * it is valid until the next call. Sets *name. */
const char *tr_import_files_remark(struct tr_import_files *files, size_t i,
				   const char **name);
/* Returns the number of lines that were skipped, and in *message the first of their
 * messages, NULL if there is none. */
uint64_t tr_import_files_skipped(const struct tr_import_files *files,
				 const char **message);
/* Return the number of bytes read from the files, and their size (0 for a pipe). */
uint64_t tr_import_files_offset(const struct tr_import_files *files);
uint64_t tr_import_files_size(const struct tr_import_files *files);

#endif
