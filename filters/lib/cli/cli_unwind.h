/* SPDX-License-Identifier: Apache-2.0 */
/* Unwinding of a stream from tr-match, for the filters that do: opens the stream and its
 * binaries, runs the unwinder over the frames, and checks that all is charged. All
 * functions die on failure, with the messages of these filters. */
#ifndef TR_CLI_UNWIND_H
#define TR_CLI_UNWIND_H

#include "cli/options.h"
#include "unwind/image_source.h"
#include "unwind/symbols.h"
#include "unwind/unwind.h"

/* The first five are set by the caller before tr_cli_unwind_open(). */
struct tr_cli_unwind {
	const struct tr_cli *cli;
	struct tr_image_options names; /* what to read from the binaries */
	struct tr_texts paths; /* --path: folders in which they are searched, too */
	bool is_quiet;	       /* no warnings of binaries: another pass gives them */
	bool has_places;       /* inlined calls and lines of `names` are on the stacks */
	bool has_virtual;      /* probes of the stream may tell of virtual frames */
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
/* Return a status of the sink, TR_OK or TR_E_NOMEM. tr_cli_unwind_finish() comes after
 * the last frame. */
int tr_cli_unwind_frame(struct tr_cli_unwind *u, const struct tr_frame *frame);
int tr_cli_unwind_finish(struct tr_cli_unwind *u);
/* Gets the totals, which are those of the stream's end record. */
void tr_cli_unwind_totals(const struct tr_cli_unwind *u, struct tr_unwind_totals *totals);
void tr_cli_unwind_release(struct tr_cli_unwind *u);

#endif
