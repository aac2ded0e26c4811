/* SPDX-License-Identifier: Apache-2.0 */
/* Prints which binaries hold the code of a stream. */
#include <inttypes.h>
#include <stdlib.h>

#include "base/table.h"
#include "info/coverage.h"
#include "text/text_names.h"

/* A line of the table: what a binary holds of one privilege's code. */
struct line {
	const char *name;
	unsigned priv;
	size_t order;
	uint64_t blocks, instructions;
};

bool tr_coverage_any(const struct tr_cover *cover)
{
	for (unsigned priv = 0; priv < TR_COVERAGE_PRIVS; priv++)
		if (cover->blocks[priv])
			return true;
	return false;
}

/* By privilege, highest first; in each the best candidate first. */
static int compare_lines(const void *left, const void *right)
{
	const struct line *a = left, *b = right;
	if (a->priv != b->priv)
		return a->priv < b->priv ? 1 : -1;
	if (a->instructions != b->instructions)
		return a->instructions < b->instructions ? 1 : -1;
	return (a->order > b->order) - (a->order < b->order);
}

static void add_lines(struct line *lines, size_t *count, const struct tr_cover *cover,
		      const char *name, size_t order)
{
	for (unsigned priv = 0; priv < TR_COVERAGE_PRIVS; priv++)
		if (cover->blocks[priv])
			lines[(*count)++] =
			    (struct line){.name = name,
					  .priv = priv,
					  .order = order,
					  .blocks = cover->blocks[priv],
					  .instructions = cover->instructions[priv]};
}

static int add_row(struct tr_table *table, const struct tr_coverage *c,
		   const struct line *line)
{
	char room[TR_NAME_ROOM];
	bool lost = line->order == c->count;
	int status = tr_table_cell(table, "%s", tr_priv_name(line->priv, room));
	if (!status)
		status = tr_table_cell(table, "%" PRIu64, line->blocks);
	if (!status)
		status = tr_table_cell(table, "%" PRIu64, line->instructions);
	if (!status)
		status = tr_table_cell(table, "%.3f %%",
				       100.0 * (double)line->instructions /
					   (double)c->all.instructions[line->priv]);
	if (status)
		return status;
	if (!lost)
		return tr_table_cell(table, "%s", line->name);
	return tr_table_cell(table, "%s, the first at 0x%" PRIx64, line->name,
			     c->lost_pc[line->priv]);
}

int tr_coverage_print(const struct tr_coverage *c, FILE *out)
{
	static const char *const headings[] = {"<priv", "blocks", "instructions",
					       "share", "<in",	  NULL};
	struct line *lines = calloc((c->count + 1) * TR_COVERAGE_PRIVS, sizeof(*lines));
	struct tr_table *table = lines ? tr_table_new(headings) : NULL;
	size_t count = 0;
	int status = table ? TR_OK : TR_E_NOMEM;
	for (size_t i = 0; i < c->count && !status; i++)
		add_lines(lines, &count, &c->covers[i], c->labels[i], i);
	if (!status)
		add_lines(lines, &count, &c->lost, "(none of them)", c->count);
	if (count)
		qsort(lines, count, sizeof(*lines), compare_lines);
	for (size_t i = 0; i < count && !status; i++)
		status = add_row(table, c, &lines[i]);
	if (!status)
		status = tr_table_print(table, out);
	tr_table_free(table);
	free(lines);
	return status;
}
