/* SPDX-License-Identifier: Apache-2.0 */
/* Matching of a stream of rows, for tr-match, and for filters that match a stream
 * themselves: opens it and the binaries, runs the matcher over the frames, and reports
 * what was not found. All functions die on failure, with the messages of tr-match. */
#ifndef TR_CLI_MATCH_H
#define TR_CLI_MATCH_H

#include "cli/cli_binaries.h"
#include "cli/jit_maps.h"
#include "cli/options.h"
#include "match/match.h"

/* The first three are set by the caller before tr_cli_match_open(). */
struct tr_cli_match {
	const struct tr_cli *cli;
	struct tr_cli_places places;
	struct tr_texts maps; /* of JIT code */
	struct tr_match_options options;
	const char *input; /* for messages */
	struct tr_reader *reader;
	struct tr_header *header; /* of the matched stream, without this run */
	struct tr_cli_binaries binaries;
	struct tr_jit_maps jits;
	struct tr_match *match;
	struct tr_match_report report;
};

/* Entries of a table of options that set `places` and `maps`. */
/* clang-format off */
#define TR_CLI_MATCH_OPTIONS(m) \
	{"bins", 'b', .argument = "FILE", .texts = &(m)->places.bins, \
	 .help = "an ELF file, or a list of them: a line each, PATH " \
		 "[firmware|kernel|user] [base=0xADDRESS] [stubs=DIR]; may be repeated"}, \
	{"sysroot", .argument = "DIR", .texts = &(m)->places.sysroots, \
	 .help = "all programs and libraries below a folder, such as the target's " \
		 "root; may be repeated"}, \
	TR_JIT_MAPS_OPTION(&(m)->maps)
/* clang-format on */

/* Initialises the options of the matcher to their defaults. */
void tr_cli_match_init(struct tr_cli_match *m, const struct tr_cli *cli);
/* Returns true if binaries are named. */
bool tr_cli_match_has_places(const struct tr_cli_match *m);
/* Opens the stream at `path` ("-" is standard input) and the binaries. */
void tr_cli_match_open(struct tr_cli_match *m, const char *path);
/* Makes the matcher, which writes to `writer`, or passes its frames on if that is NULL:
 * then call tr_match_take(m->match, …). */
void tr_cli_match_start(struct tr_cli_match *m, struct tr_writer *writer);
/* Return a status of the writer or of what takes the frames, TR_OK or TR_E_NOMEM.
 * tr_cli_match_finish() comes after the last frame, also if that is damaged. */
int tr_cli_match_frame(struct tr_cli_match *m, const struct tr_frame *frame);
int tr_cli_match_finish(struct tr_cli_match *m);
/* Returns the end record of the matched stream, which the caller frees, after
 * tr_cli_match_finish(). */
struct tr_header *tr_cli_match_end(const struct tr_cli_match *m);
/* Warns of what was not found, once the output is complete; with -v prints all sums. */
void tr_cli_match_tell(const struct tr_cli_match *m);
void tr_cli_match_release(struct tr_cli_match *m);

#endif
