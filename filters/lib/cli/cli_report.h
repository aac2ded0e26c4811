/* SPDX-License-Identifier: Apache-2.0 */
/* The option --format of filters whose output is tables. All functions die on failure. */
#ifndef TR_CLI_REPORT_H
#define TR_CLI_REPORT_H

#include "base/report.h"
#include "cli/options.h"

/* Names of the formats in the order of enum tr_report_as, and NULL. */
extern const char *const tr_cli_report_names[];

/* The entry of a table of options, which sets an enum tr_report_as. */
/* clang-format off */
#define TR_CLI_REPORT_OPTION(as) \
	{"format", .choice = {(as), tr_cli_report_names}, .help = "format of the tables (text)"}
/* clang-format on */

/* A report on the output of `cli`. */
struct tr_cli_report {
	const struct tr_cli *cli;
	struct tr_report *report;
	FILE *file;
};
/* Opens the output. `name` and `several` are as for tr_report_new(). */
struct tr_cli_report tr_cli_report_open(const struct tr_cli *cli, enum tr_report_as as,
					const char *name, bool several);
/* Closes the report and the output. */
void tr_cli_report_close(struct tr_cli_report *out);

#endif
