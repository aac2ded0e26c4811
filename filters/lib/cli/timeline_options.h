/* SPDX-License-Identifier: Apache-2.0 */
/* Options of tr-timeline: parsing and consistency. */
#ifndef TR_CLI_TIMELINE_OPTIONS_H
#define TR_CLI_TIMELINE_OPTIONS_H

#include "cli/cli_window.h"
#include "profile/assertions.h"
#include "timeline/tallies_tables.h"
#include "timeline/timeline.h"

enum tr_timeline_format {
	TR_TIMELINE_PERFETTO,
	TR_TIMELINE_SVG,
	TR_TIMELINE_SPEEDSCOPE,
	TR_TIMELINE_TABLES /* from here on of a table, as enum tr_report_as */
};

enum tr_timeline_table {
	TR_TIMELINE_PROCESSES,
	TR_TIMELINE_WAKEUPS,
	TR_TIMELINE_SWITCHES,
	TR_TIMELINE_MARKS,
	TR_TIMELINE_TALLIES, /* then those of enum tr_tally_table */
	TR_TIMELINE_ACTIVATIONS = TR_TIMELINE_TALLIES + TR_TABLE_ACTIVATIONS
};

struct tr_timeline_settings {
	struct tr_cli *cli;
	const char *input;
	const char *input_name; /* for messages */
	enum tr_timeline_format format;
	unsigned table; /* enum tr_timeline_table, with `has_table` */
	unsigned by;
	/* Names of options that were given, or NULL */
	const char *has_format, *has_table, *has_by, *has_depth, *has_clock,
	    *has_schedulers, *has_assert;
	struct tr_timeline_options timeline;
	bool quiet, coarse;
	uint64_t clock_hz; /* with `has_clock` */
	const char *title;
	struct tr_texts fold, schedulers, asserted;
	struct tr_assertion *assertions; /* of `asserted` */
	struct tr_cli_window window;
};

/* Parses the command line and initialises `cli`; dies or exits as tr_options_parse()
 * does. */
void tr_timeline_settings_take(struct tr_timeline_settings *s, struct tr_cli *cli,
			       int argc, char **argv);
void tr_timeline_settings_release(struct tr_timeline_settings *s);
/* Returns the name of the table that was chosen. */
const char *tr_timeline_table_name(const struct tr_timeline_settings *s);

#endif
