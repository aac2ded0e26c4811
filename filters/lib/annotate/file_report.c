/* SPDX-License-Identifier: Apache-2.0 */
/* Sums of source lines. */
#include "annotate/file_report.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "annotate/listing_report.h"
#include "base/buffer.h"
#include "base/number.h"
#include "profile/tma.h"

bool tr_file_is(const char *path, const char *file)
{
	const size_t whole = strlen(path), length = strlen(file);
	return length <= whole && strcmp(path + whole - length, file) == 0 &&
	       (whole == length || path[whole - length - 1] == '/');
}

static int by_text(const void *left, const void *right)
{
	return strcmp(*(const char *const *)left, *(const char *const *)right);
}

int tr_file_paths(const struct tr_listing_parts *parts, const char *file,
		  const char ***paths, size_t *count)
{
	size_t room = 0;
	*paths = NULL;
	*count = 0;
	for (size_t i = 0; i < tr_counts_insns(parts->counts); i++) {
		struct tr_counted insn;
		const char *path;
		size_t known = 0;
		tr_counts_insn(parts->counts, i, &insn);
		tr_listing_line(parts->symbols, insn.binary, insn.address, &path);
		if (!path || !tr_file_is(path, file))
			continue;
		while (known < *count && strcmp((*paths)[known], path) != 0)
			known++;
		if (known < *count)
			continue;
		if (!tr_grow(paths, &room, *count + 1, sizeof(**paths)))
			return TR_E_NOMEM;
		(*paths)[(*count)++] = path;
	}
	if (*count)
		qsort(*paths, *count, sizeof(**paths), by_text);
	return TR_OK;
}

/* Makes room for line `number`. */
static bool reach_line(struct tr_file_lines *lines, size_t *room, uint32_t number)
{
	const size_t count = lines->count;
	size_t sites_room = *room;
	if (number < count)
		return true;
	if (number == UINT32_MAX ||
	    !tr_grow(&lines->lines, room, (size_t)number + 1, sizeof(*lines->lines)) ||
	    !tr_grow(&lines->sites, &sites_room, *room, sizeof(*lines->sites)))
		return false;
	memset(&lines->lines[count], 0, (number + 1 - count) * sizeof(*lines->lines));
	memset(&lines->sites[count], 0, (number + 1 - count) * sizeof(*lines->sites));
	lines->count = number + 1;
	return true;
}

int tr_file_sum(struct tr_file_lines *lines, const struct tr_listing_parts *parts,
		const char *path)
{
	size_t room = 0;
	*lines = (struct tr_file_lines){.path = path};
	const uint32_t count = tr_sources_count(parts->sources, path);
	if (!reach_line(lines, &room, count))
		return TR_E_NOMEM;
	for (size_t i = 0; i < tr_counts_insns(parts->counts); i++) {
		struct tr_counted insn;
		const char *at;
		tr_counts_insn(parts->counts, i, &insn);
		const uint32_t line =
		    tr_listing_line(parts->symbols, insn.binary, insn.address, &at);
		if (!at || strcmp(at, path) != 0)
			continue;
		if (!reach_line(lines, &room, line))
			return TR_E_NOMEM;
		tr_count_add(&lines->lines[line], &insn.count);
		tr_count_add(&lines->sum, &insn.count);
		lines->sites[line]++;
	}
	return TR_OK;
}

void tr_file_release(struct tr_file_lines *lines)
{
	free(lines->lines);
	free(lines->sites);
	*lines = (struct tr_file_lines){0};
}

/* ------------------------------------------------------------ the table */

struct file_table {
	const struct tr_file_lines *lines;
	const struct tr_listing_parts *parts;
	struct tr_table *table;
	bool group[TR_MAX_CLASSES];
	bool is_text;
	int failed;
};

enum { FILE_COLUMNS = TR_MAX_CLASSES + 16 };

static struct tr_table *open_file_table(struct file_table *t)
{
	const struct tr_classes *classes = t->parts->classes;
	const char *headings[FILE_COLUMNS] = {"cycles", "%", "instructions", "CPI"};
	const char *keys[FILE_COLUMNS] = {"cycles", "percent", "instructions", "cpi"};
	unsigned n = 4;
	for (unsigned g = 0; classes && g < classes->ngroups; g++) {
		t->group[g] = !t->is_text || tr_count_group(&t->lines->sum, classes, g);
		if (!t->group[g])
			continue;
		headings[n] = tr_tma_group(classes->group_name[g]);
		keys[n++] = tr_tma_group(classes->group_name[g]);
	}
	if (classes) {
		headings[n] = "<mostly";
		keys[n++] = "mostly";
	}
	headings[n] = "line";
	keys[n++] = "line";
	headings[n] = "<";
	keys[n++] = "file";
	headings[n] = "<source";
	keys[n] = "";
	return tr_table_new_keyed(headings, keys, NULL);
}

static void put_line_number(struct file_table *t, uint64_t value, bool is_shown)
{
	t->failed |= is_shown ? tr_table_cell(t->table, "%" PRIu64, value)
			      : tr_table_cell(t->table, "%s", "");
}

static void put_file_line(struct file_table *t, uint32_t line)
{
	const struct tr_count *c = &t->lines->lines[line];
	const struct tr_classes *classes = t->parts->classes;
	const bool ran = t->lines->sites[line];
	const char *source = tr_sources_line(t->parts->sources, t->lines->path, line);
	const uint64_t all = t->lines->sum.cycles;
	put_line_number(t, c->cycles, ran);
	if (ran)
		t->failed |= tr_table_cell(
		    t->table, "%.2f", all ? 100.0 * (double)c->cycles / (double)all : 0);
	else
		t->failed |= tr_table_cell(t->table, "%s", "");
	put_line_number(t, c->executions, ran);
	if (c->executions)
		t->failed |= tr_table_cell(t->table, "%.2f",
					   (double)c->cycles / (double)c->executions);
	else
		t->failed |= tr_table_cell(t->table, "%s", ran ? "-" : "");
	for (unsigned g = 0; classes && g < classes->ngroups; g++) {
		const uint64_t lost = tr_count_group(c, classes, g);
		if (t->group[g])
			put_line_number(t, lost, ran && (lost || !t->is_text));
	}
	const unsigned cause = tr_count_cause(c, classes);
	if (classes)
		t->failed |=
		    tr_table_cell(t->table, "%s", cause ? classes->name[cause] : "");
	put_line_number(t, line, true);
	t->failed |= tr_table_cell(t->table, "%s", tr_listing_file(t->lines->path));
	t->failed |= tr_table_cell(t->table, "%s", source ? source : "");
}

int tr_file_report(const struct tr_file_lines *lines,
		   const struct tr_listing_parts *parts, struct tr_report *report)
{
	struct file_table t = {
	    .lines = lines, .parts = parts, .is_text = tr_report_text(report)};
	const bool is_found = tr_sources_count(parts->sources, lines->path);
	t.table = open_file_table(&t);
	tr_report_say(report, "%s\n%" PRIu64 " cycles, %" PRIu64 " instructions\n",
		      tr_listing_file(lines->path), lines->sum.cycles,
		      lines->sum.executions);
	for (uint32_t i = 1; t.table && i < lines->count; i++)
		if (lines->sites[i] || (t.is_text && is_found))
			put_file_line(&t, i);
	const int status = tr_report_table(report, "lines", t.table);
	if (!is_found)
		tr_report_say(report, "%s: source file not found; see --source\n",
			      tr_listing_file(lines->path));
	return status || t.failed ? TR_E_NOMEM : TR_OK;
}
