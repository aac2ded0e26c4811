/* SPDX-License-Identifier: Apache-2.0 */
/* Sums of source lines. */
#include "annotate/file_report.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "annotate/listing_report.h"
#include "base/buffer.h"
#include "base/map.h"
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

/* Returns a line, which may be new; NULL when out of memory. */
static struct tr_file_line *find_line(struct tr_file_lines *lines, struct tr_map *ids,
				      size_t *room, uint32_t number)
{
	const uint32_t id = tr_map_get(ids, number);
	if (id != TR_MAP_NONE)
		return &lines->lines[id];
	if (!tr_grow(&lines->lines, room, lines->count + 1UL, sizeof(*lines->lines)) ||
	    !tr_map_set(ids, number, lines->count))
		return NULL;
	lines->lines[lines->count] = (struct tr_file_line){.number = number};
	return &lines->lines[lines->count++];
}

/* Adds an instruction, if it is of the file. Returns TR_OK or TR_E_NOMEM. */
static int add_insn(struct tr_file_lines *lines, const struct tr_listing_parts *parts,
		    const struct tr_counted *insn, struct tr_map *ids, size_t *room)
{
	const char *at;
	const uint32_t number =
	    tr_listing_line(parts->symbols, insn->binary, insn->address, &at);
	if (!at || strcmp(at, lines->path) != 0)
		return TR_OK;
	tr_count_add(&lines->sum, &insn->count);
	if (!number)
		return TR_OK;
	struct tr_file_line *line = find_line(lines, ids, room, number);
	if (!line)
		return TR_E_NOMEM;
	tr_count_add(&line->count, &insn->count);
	line->sites++;
	return TR_OK;
}

static int by_number(const void *left, const void *right)
{
	const struct tr_file_line *a = left, *b = right;
	return (a->number > b->number) - (a->number < b->number);
}

int tr_file_sum(struct tr_file_lines *lines, const struct tr_listing_parts *parts,
		const char *path)
{
	struct tr_map ids = {0};
	size_t room = 0;
	int status = TR_OK;
	*lines = (struct tr_file_lines){.path = path,
					.source = tr_sources_count(parts->sources, path)};
	for (size_t i = 0; i < tr_counts_insns(parts->counts) && !status; i++) {
		struct tr_counted insn;
		tr_counts_insn(parts->counts, i, &insn);
		status = add_insn(lines, parts, &insn, &ids, &room);
	}
	tr_map_free(&ids);
	if (lines->count)
		qsort(lines->lines, lines->count, sizeof(*lines->lines), by_number);
	return status;
}

bool tr_file_next(const struct tr_file_lines *lines, bool all, struct tr_file_cursor *at,
		  struct tr_file_line *line)
{
	const bool has_line = at->next < lines->count;
	const bool is_of_source =
	    all && at->number < lines->source &&
	    (!has_line || at->number + 1 < lines->lines[at->next].number);
	if (is_of_source)
		*line = (struct tr_file_line){.number = at->number + 1};
	else if (has_line)
		*line = lines->lines[at->next++];
	else
		return false;
	at->number = line->number;
	return true;
}

void tr_file_release(struct tr_file_lines *lines)
{
	free(lines->lines);
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

static void put_file_line(struct file_table *t, const struct tr_file_line *line)
{
	const struct tr_count *c = &line->count;
	const struct tr_classes *classes = t->parts->classes;
	const bool ran = line->sites;
	const char *source =
	    tr_sources_line(t->parts->sources, t->lines->path, line->number);
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
	put_line_number(t, line->number, true);
	t->failed |= tr_table_cell(t->table, "%s", tr_listing_file(t->lines->path));
	t->failed |= tr_table_cell(t->table, "%s", source ? source : "");
}

int tr_file_report(const struct tr_file_lines *lines,
		   const struct tr_listing_parts *parts, struct tr_report *report)
{
	struct file_table t = {
	    .lines = lines, .parts = parts, .is_text = tr_report_text(report)};
	struct tr_file_cursor at = {0};
	struct tr_file_line line;
	t.table = open_file_table(&t);
	tr_report_say(report, "%s\n%" PRIu64 " cycles, %" PRIu64 " instructions\n",
		      tr_listing_file(lines->path), lines->sum.cycles,
		      lines->sum.executions);
	while (t.table && tr_file_next(lines, t.is_text, &at, &line))
		put_file_line(&t, &line);
	const int status = tr_report_table(report, "lines", t.table);
	if (!lines->source)
		tr_report_say(report, "%s: source file not found; see --source\n",
			      tr_listing_file(lines->path));
	return status || t.failed ? TR_E_NOMEM : TR_OK;
}
