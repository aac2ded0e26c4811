/* SPDX-License-Identifier: Apache-2.0 */
/* Unwinding of a stream from tr-match, for the filters that do: opens the stream and its
 * binaries, runs the unwinder over the frames, and checks that all is charged. With
 * binaries to match, the stream is matched first, in the same process: its rows are
 * decoded once, and the result is that of tr-match in a pipe. All functions die on
 * failure, with the messages of these filters. */
#ifndef TR_CLI_UNWIND_H
#define TR_CLI_UNWIND_H

#include "cli/cli_match.h"
#include "cli/options.h"
#include "unwind/image_source.h"
#include "unwind/symbols.h"
#include "unwind/unwind.h"

/* The first six are set by the caller before tr_cli_unwind_open(). */
struct tr_cli_unwind {
	const struct tr_cli *cli;
	struct tr_image_options names; /* what to read from the binaries */
	struct tr_texts paths; /* --path: folders in which they are searched, too */
	bool is_quiet;	       /* no warnings of binaries: another pass gives them */
	bool has_places;       /* inlined calls and lines of `names` are on the stacks */
	bool has_virtual;      /* probes of the stream may tell of virtual frames */
	/* Used if it has places; tr_cli_match_init() is the caller's as well then. */
	struct tr_cli_match match;
	const struct tr_header *header; /* of the stream, once matched */
	struct tr_folders folders;
	struct tr_reader *reader;
	const char *input; /* for messages */
	struct tr_symbols *symbols;
	struct tr_image_source source;
	struct tr_unwind *unwind;
	unsigned long without_dwarf; /* binaries that only lack DWARF, and the warning of
				      * the first */
	const char *warning;
	struct tr_jit_code *jit_code; /* NULL: no probe tells of it */
};

/* The entry of a table of options that sets `paths`, and what adds them to the folders in
 * which binaries are searched. */
/* clang-format off */
#define TR_CLI_UNWIND_PATH(u) \
	{"path", .argument = "FOLDER", .texts = &(u)->paths, \
	 .help = "also search this folder for binaries; may be repeated"}
/* clang-format on */

void tr_cli_unwind_folders(const struct tr_cli *cli, const struct tr_texts *paths,
			   struct tr_folders *folders);

/* Opens the stream at `path` ("-" is standard input) and its binaries. */
void tr_cli_unwind_open(struct tr_cli_unwind *u, const char *path);
/* Makes the unwinder, which counts `by_address` (tr_unwind_options). */
void tr_cli_unwind_start(struct tr_cli_unwind *u, const struct tr_unwind_sink *sink,
			 bool by_address);
/* Passes each frame, once matched, to its handler, as tr_cli_each_frame() does; the
 * handler calls tr_cli_unwind_frame(). */
int tr_cli_unwind_each(struct tr_cli_unwind *u, const struct tr_cli_frames *take);
/* Return a status of the sink, TR_OK or TR_E_NOMEM. tr_cli_unwind_finish() comes after
 * the last frame. */
int tr_cli_unwind_frame(struct tr_cli_unwind *u, const struct tr_frame *frame);
int tr_cli_unwind_finish(struct tr_cli_unwind *u);
/* Gets the totals, which are those of the stream's end record. */
void tr_cli_unwind_totals(const struct tr_cli_unwind *u, struct tr_unwind_totals *totals);
/* Returns the end record of the stream, once matched, which the caller frees. */
struct tr_header *tr_cli_unwind_end(const struct tr_cli_unwind *u);
/* Warns if the run was cut off, and of what was not matched, once the output is complete.
 */
void tr_cli_unwind_tell(const struct tr_cli_unwind *u);
void tr_cli_unwind_release(struct tr_cli_unwind *u);

#endif
