/* SPDX-License-Identifier: Apache-2.0 */
/* Tables as text, CSV or JSON. */
#include "cli/cli_report.h"

const char *const tr_cli_report_names[] = {"text", "csv", "json", NULL};

struct tr_cli_report tr_cli_report_open(const struct tr_cli *cli, enum tr_report_as as,
					const char *name, bool several)
{
	FILE *file = tr_cli_text(cli);
	struct tr_report *report = tr_report_new(as, name, several, file);
	tr_cli_need(cli, report);
	return (struct tr_cli_report){cli, report, file};
}

void tr_cli_report_close(struct tr_cli_report *out)
{
	tr_cli_check(out->cli, tr_report_free(out->report));
	tr_cli_text_close(out->cli, out->file);
	out->report = NULL;
}
