/* SPDX-License-Identifier: Apache-2.0 */
/* Computes and writes the bars of a sampled run. */
#include "cli/fold_bars.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "base/report.h"
#include "flame/tint.h"

void tr_fold_bars_init(struct tr_fold_bars *bars, const struct tr_cli_stacks *in,
		       struct tr_folded *folded)
{
	*bars = (struct tr_fold_bars){0};
	if (tr_profile_estimate(in->profile))
		tr_cli_check(in->cli,
			     tr_profile_fold_bars(in->profile, folded, tr_tint_of,
						  tr_reader_header(in->reader),
						  &bars->self, &bars->total));
}

void tr_fold_bars_release(struct tr_fold_bars *bars)
{
	free(bars->self);
	free(bars->total);
	*bars = (struct tr_fold_bars){0};
}

/* Adds a row. Returns a status. */
static int add_bar_row(struct tr_table *table, const char *kind, const char *name,
		       const char *binary, const uint64_t value[2],
		       const struct tr_bar *bar)
{
	int failed = tr_table_cell(table, "%s", kind) | tr_table_cell(table, "%s", name) |
		     tr_table_cell(table, "%s", binary) |
		     tr_table_cell(table, "%" PRIu64, value[0]);
	failed |= isinf(bar->error) ? tr_table_cell(table, "-")
				    : tr_table_cell(table, "%.0f", ceil(bar->error));
	return failed | tr_table_cell(table, "%" PRIu64, value[1]) |
	       tr_table_cell(table, "%" PRIu32, bar->windows);
}

static int add_function_rows(struct tr_table *table, struct tr_profile *profile)
{
	struct tr_profile_line *lines;
	size_t count;
	int failed = tr_profile_lines(profile, &lines, &count);
	for (size_t i = 0; !failed && i < count; i++) {
		const struct tr_profile_line *line = &lines[i];
		const uint64_t value[2] = {line->cycles, line->retired};
		if (line->cycles)
			failed =
			    add_bar_row(table, "function", line->func->name,
					*line->func->binary ? line->func->binary : "-",
					value, &line->self_bar);
	}
	free(lines);
	return failed;
}

static int add_stack_rows(const struct tr_fold_bars *bars, struct tr_table *table,
			  const struct tr_folded *folded)
{
	uint32_t *ids, count;
	int failed = tr_folded_sorted(folded, 0, 0, &ids, &count);
	for (uint32_t i = 0; !failed && i < count; i++) {
		char *text = tr_folded_text(folded, ids[i]);
		failed = text ? add_bar_row(table, "stack", text, "-",
					    tr_folded_node(folded, ids[i])->self,
					    &bars->self[ids[i]])
			      : TR_E_NOMEM;
		free(text);
	}
	free(ids);
	return failed;
}

void tr_fold_bars_write(const struct tr_fold_bars *bars, const struct tr_cli_stacks *in,
			const struct tr_folded *folded, const char *path)
{
	static const char *const headings[] = {"<kind",	  "<name", "<binary",
					       "cycles",  "error", "instructions",
					       "windows", NULL};
	static const char *const keys[] = {"kind",  "name",	    "binary", "cycles",
					   "error", "instructions", "windows"};
	struct tr_cli cli = *in->cli;
	const uint64_t all[2] = {tr_folded_sum(folded, 0), tr_folded_sum(folded, 1)};
	cli.output = path;
	FILE *file = tr_cli_text(&cli);
	struct tr_report *report = tr_report_new(TR_REPORT_CSV, "tr-fold", false, file);
	struct tr_table *table = tr_table_new_keyed(headings, keys, NULL);
	int failed = report && table ? TR_OK : TR_E_NOMEM;
	struct tr_bar total = bars->total[0];
	total.windows = tr_estimate_windows(tr_profile_estimate(in->profile));
	if (!failed)
		failed = add_bar_row(table, "total", "-", "-", all, &total);
	if (!failed)
		failed = add_function_rows(table, in->profile);
	if (!failed)
		failed = add_stack_rows(bars, table, folded);
	if (!failed)
		failed = tr_report_table(report, "bars", table);
	failed |= tr_report_free(report);
	tr_cli_check(&cli, failed);
	tr_cli_text_close(&cli, file);
}
