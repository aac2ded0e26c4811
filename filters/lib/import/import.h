/* SPDX-License-Identifier: Apache-2.0 */
/* Converts the log of another simulator, or of the tracer of another core, to a trace
 * stream.
 *
 * A log has less than a stream of our own. The header names what its format lacks, with
 * the keys "cannot_supply" and "precision" (tr-stream(5)). */
#ifndef TR_IMPORT_H
#define TR_IMPORT_H

#include <stdint.h>

#include "base/status.h"
#include "stream/header.h"
#include "stream/writer.h"

/* A format, for people. */
struct tr_import_format {
	const char *name; /* "spike" */
	const char *what; /* "Spike: -l or --log-commits" */
};
/* Returns the i-th format, or NULL beyond the last. */
const struct tr_import_format *tr_import_format(unsigned i);

struct tr_import_options {
	const char *format;	 /* NULL: found by the contents */
	unsigned xlen;		 /* 32 or 64; 0: as the log or the programs show */
	uint64_t skip_bad;	 /* go on after as many lines that are not understood */
	const char *const *bins; /* ELF files and lists, for the formats that need them */
	size_t nbins;
	const char *const *params; /* of the encoder: files, or NAME=VALUE,… */
	size_t nparams;
	uint64_t max_instructions; /* stop before more than these; UINT64_MAX: no limit */
	uint64_t max_cycles;	   /* from the first token on */
};

struct tr_import;

/* Opens `path` ("-" is standard input; it may be compressed) and looks at its first
 * lines. On failure *import is set all the same (unless TR_E_NOMEM) so that
 * tr_import_message() can be called; close it. Returns TR_OK or an error;
 * TR_E_UNSUPPORTED if it is none of the formats. */
int tr_import_open(struct tr_import **import, const char *path,
		   const struct tr_import_options *options);
void tr_import_close(struct tr_import *import);

/* Returns true if the file is compressed as no trace stream is. */
bool tr_import_is_packed(const struct tr_import *import);
/* Returns true if the file begins with text, as no trace stream does. */
bool tr_import_is_text(const struct tr_import *import);
/* Returns the header of the stream; the import owns it. */
const struct tr_header *tr_import_header(const struct tr_import *import);

/* Converts about `lines` more lines. Returns TR_OK if there may be more, TR_END at the
 * end of the log or of the limits, TR_E_TRUNCATED if the last line is incomplete, or
 * another error, either of the log or of the writer. */
int tr_import_some(struct tr_import *import, unsigned lines);

/* Returns the message of the call that failed last: file, line, column, what was
 * expected. It is the import's. */
const char *tr_import_message(const struct tr_import *import);
/* Returns what the user should know of the log as a whole, after its end, or NULL. It
 * replaces the message. */
const char *tr_import_remark(struct tr_import *import);
/* Returns the number of lines that were skipped, and in *message the first of their
 * messages, NULL if there is none. */
uint64_t tr_import_skipped(const struct tr_import *import, const char **message);
/* Return the number of bytes read from the file, and the file's size (0 for a pipe). */
uint64_t tr_import_offset(const struct tr_import *import);
uint64_t tr_import_size(const struct tr_import *import);

#endif
