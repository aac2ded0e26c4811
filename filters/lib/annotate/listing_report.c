/* SPDX-License-Identifier: Apache-2.0 */
/* Listings as tables. */
#include "annotate/listing_report.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "profile/tma.h"

enum { COLUMNS = 2 * TR_MAX_CLASSES + 32, NOTE = 256 };

uint64_t tr_count_group(const struct tr_count *count, const struct tr_classes *classes,
			unsigned group)
{
	uint64_t slots = 0;
	for (unsigned c = 1; c <= classes->count; c++)
		if (classes->group[c] == group)
			slots += count->lost[c];
	return slots;
}

unsigned tr_count_cause(const struct tr_count *count, const struct tr_classes *classes)
{
	unsigned cause = 0;
	for (unsigned c = 1; classes && c <= classes->count; c++)
		if (count->lost[c] > (cause ? count->lost[cause] : 0))
			cause = c;
	return cause;
}

static double percent(uint64_t part, uint64_t all)
{
	return all ? 100.0 * (double)part / (double)all : 0;
}

/* Text that is written part by part; parts beyond its size are left out. */
struct note {
	char *text;
	size_t size, used;
};

static void add_note(struct note *note, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static void add_note(struct note *note, const char *format, ...)
{
	va_list arguments;
	if (note->used >= note->size)
		return;
	va_start(arguments, format);
	const int n = vsnprintf(note->text + note->used, note->size - note->used, format,
				arguments);
	va_end(arguments);
	note->used += n > 0 ? (size_t)n : 0;
}

static void note_taken(struct note *note, const struct tr_count *c)
{
	const uint64_t known = c->taken + c->untaken;
	const char *comma = note->used ? ", " : "";
	if (!known) {
		add_note(note, "%staken: not known", comma);
		return;
	}
	add_note(note, "%staken %.1f %%", comma, percent(c->taken, known));
	if (known < c->executions)
		add_note(note, " (of %" PRIu64 " known)", known);
}

static void note_mispredicted(struct note *note, const struct tr_listing_parts *parts,
			      const struct tr_count *c)
{
	add_note(note, "%smispredicted %.1f %% (%" PRIu64, note->used ? ", " : "",
		 percent(c->mispredicted, c->executions), c->mispredicted);
	if (parts->classes)
		add_note(note, ", %" PRIu64 " %s", c->penalty, tr_tma_unit(parts->width));
	add_note(note, ")");
}

void tr_listing_flow(const struct tr_listing_parts *parts, const struct tr_listed *row,
		     char *text, size_t size)
{
	const struct tr_count *c = &row->insn.count;
	struct note note = {.text = text, .size = size};
	*text = '\0';
	if (!c->executions)
		return;
	if (c->traps)
		add_note(&note, "%" PRIu64 " trap%s", c->traps, tr_plural(c->traps));
	if (row->insn.is_branch)
		note_taken(&note, c);
	if (row->insn.is_transfer && c->mispredicted)
		note_mispredicted(&note, parts, c);
}

/* ------------------------------------------------------------ columns */

/* A table under construction. */
struct listed_table {
	const struct tr_listing_parts *parts;
	const struct tr_listing *listing;
	struct tr_table *table;
	bool group[TR_MAX_CLASSES]; /* groups that the function lost slots to */
	int failed;
};

static void add_heading(const char **headings, const char **keys, unsigned *n,
			const char *heading, const char *key)
{
	headings[*n] = heading;
	keys[(*n)++] = key;
}

static void add_text_headings(const struct listed_table *t, const char **headings,
			      const char **keys, unsigned *n)
{
	const struct tr_classes *classes = t->parts->classes;
	static const char *const first[] = {"cycles", "%", "executions", "CPI"};
	for (size_t i = 0; i < sizeof(first) / sizeof(*first); i++)
		add_heading(headings, keys, n, first[i], "");
	for (unsigned g = 0; classes && g < classes->ngroups; g++)
		if (t->group[g])
			add_heading(headings, keys, n,
				    tr_tma_group(classes->group_name[g]), "");
	if (classes)
		add_heading(headings, keys, n, "<mostly", "");
	add_heading(headings, keys, n, "<address", "");
	add_heading(headings, keys, n, "<instruction", "");
}

static void add_data_headings(const struct listed_table *t, const char **headings,
			      const char **keys, unsigned *n)
{
	static const char *const names[] = {
	    "binary", "function", "entry", "address",	"instruction",
	    "bytes",  "file",	  "line",  "inlined",	"executions",
	    "cycles", "traps",	  "taken", "not_taken", "mispredicted"};
	const struct tr_classes *classes = t->parts->classes;
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		add_heading(headings, keys, n, "", names[i]);
	add_heading(headings, keys, n, "", "mispredicted_*");
	for (unsigned c = 1; classes && c <= classes->count; c++)
		add_heading(headings, keys, n, "", classes->name[c]);
	add_heading(headings, keys, n, "", "unclassified");
}

/* ------------------------------------------------------------ rows */

static void put(struct listed_table *t, const char *text)
{
	t->failed |= tr_table_cell(t->table, "%s", text);
}

static void put_count(struct listed_table *t, uint64_t value)
{
	t->failed |= tr_table_cell(t->table, "%" PRIu64, value);
}

/* A count that stays blank if it is 0, so that the others stand out. */
static void put_if_any(struct listed_table *t, uint64_t value)
{
	if (value)
		put_count(t, value);
	else
		put(t, "");
}

static void put_text_sums(struct listed_table *t, const struct tr_count *c)
{
	const struct tr_classes *classes = t->parts->classes;
	const uint64_t all = t->listing->func->sum.cycles;
	const bool ran = c->executions || c->traps;
	if (ran)
		put_count(t, c->cycles);
	else
		put(t, "");
	if (ran)
		t->failed |= tr_table_cell(t->table, "%.2f", percent(c->cycles, all));
	else
		put(t, "");
	if (c->executions || !c->traps)
		put_if_any(t, c->executions);
	else
		t->failed |= tr_table_cell(t->table, "%" PRIu64 " trap%s", c->traps,
					   tr_plural(c->traps));
	if (c->executions)
		t->failed |= tr_table_cell(t->table, "%.2f",
					   (double)c->cycles / (double)c->executions);
	else
		put(t, "");
	for (unsigned g = 0; classes && g < classes->ngroups; g++)
		if (t->group[g])
			put_if_any(t, tr_count_group(c, classes, g));
	const unsigned cause = tr_count_cause(c, classes);
	if (classes)
		put(t, cause ? classes->name[cause] : "");
}

static void put_code(struct listed_table *t, const struct tr_listed *row)
{
	char text[TR_DISASSEMBLED], *tab;
	strcpy(text, row->text);
	if ((tab = strchr(text, '\t')))
		*tab = ' ';
	t->failed |= tr_table_cell(t->table, "0x%" PRIx64, row->insn.address);
	put(t, text);
	put_count(t, row->insn.bytes);
	put(t, row->path ? tr_listing_file(row->path) : "-");
	if (row->line)
		put_count(t, row->line);
	else
		put(t, "-");
	put(t, row->ncalls ? row->calls[0] : "-");
}

/* Puts a pair of counts that not every instruction has. */
static void put_pair(struct listed_table *t, bool has_it, uint64_t one, uint64_t other)
{
	if (has_it) {
		put_count(t, one);
		put_count(t, other);
	} else {
		put(t, "-");
		put(t, "-");
	}
}

/* Puts a row of an instruction, or of what has no address if `row` is NULL. */
static void put_data(struct listed_table *t, const struct tr_listed *row)
{
	const struct tr_counted_func *f = t->listing->func;
	const struct tr_count *c = row ? &row->insn.count : &f->elsewhere;
	const struct tr_classes *classes = t->parts->classes;
	bool by_flag;
	put(t, *f->binary ? f->binary : "-");
	put(t, f->name);
	t->failed |= tr_table_cell(t->table, "0x%" PRIx64, f->address);
	if (row)
		put_code(t, row);
	for (unsigned i = 0; i < 6 && !row; i++)
		put(t, "-");
	put_count(t, c->executions);
	put_count(t, c->cycles);
	put_count(t, c->traps);
	put_pair(t, row && row->insn.is_branch, c->taken, c->untaken);
	put_pair(t,
		 row && row->insn.is_transfer &&
		     tr_counts_tell_mispredictions(t->parts->counts, &by_flag),
		 c->mispredicted, c->penalty);
	for (unsigned i = 1; classes && i <= classes->count; i++)
		put_count(t, c->lost[i]);
	put_count(t, c->lost[0]);
}

/* Puts the columns of text of a row that is not an instruction. */
static void put_line(struct listed_table *t, const char *where, const char *text)
{
	const struct tr_classes *classes = t->parts->classes;
	unsigned blank = classes ? 5 : 4;
	for (unsigned g = 0; classes && g < classes->ngroups; g++)
		blank += t->group[g];
	for (unsigned i = 0; i < blank; i++)
		put(t, "");
	put(t, where);
	put(t, text);
}

/* Puts the source line of a row, unless it is that of the one before. */
static void put_source(struct listed_table *t, const struct tr_listed *before,
		       const struct tr_listed *row)
{
	char where[300], text[NOTE];
	size_t used = 0;
	if (tr_listed_same_place(before, row) || (!row->line && !row->ncalls))
		return;
	const char *line =
	    row->path ? tr_sources_line(t->parts->sources, row->path, row->line) : NULL;
	snprintf(where, sizeof(where), "%.250s:%" PRIu32,
		 row->path ? tr_listing_file(row->path) : "?", row->line);
	*text = '\0';
	for (unsigned i = row->ncalls; i-- > 0 && used < sizeof(text);)
		used += (size_t)snprintf(text + used, sizeof(text) - used,
					 "%s (inlined): ", row->calls[i]);
	if (line && used < sizeof(text))
		snprintf(text + used, sizeof(text) - used, "%s", line);
	for (char *c = text; *c; c++)
		if (*c == '\t')
			*c = ' ';
	put_line(t, where, text);
}

static void put_insn(struct listed_table *t, const struct tr_listed *row)
{
	const struct tr_counted *insn = &row->insn;
	const char *tab = strchr(row->text, '\t');
	char flow[NOTE], name[NOTE] = "", far[NOTE] = "";
	char text[2 * NOTE + TR_DISASSEMBLED];
	put_text_sums(t, &insn->count);
	t->failed |= tr_table_cell(t->table, "  %" PRIx64, insn->address);
	if (row->has_target)
		tr_listing_name(t->parts, insn->binary, row->target, name, sizeof(name));
	if (row->is_far)
		tr_listing_name(t->parts, insn->binary, insn->address, far, sizeof(far));
	tr_listing_flow(t->parts, row, flow, sizeof(flow));
	if (tab)
		snprintf(text, sizeof(text), "  %-8.*s%s", (int)(tab - row->text),
			 row->text, tab + 1);
	else
		snprintf(text, sizeof(text), "  %s", row->text);
	t->failed |= tr_table_cell(
	    t->table, "%s%s%s%s%s%s%s%s%s", text, *name ? " <" : "", name,
	    *name ? ">" : "", *far ? "  # in " : "", far, *flow ? "  # " : "", flow,
	    insn->differs ? "  # other code ran here as well" : "");
}

static struct tr_table *open_table(struct listed_table *t, bool is_text)
{
	const struct tr_classes *classes = t->parts->classes;
	const char *headings[COLUMNS] = {0}, *keys[COLUMNS] = {0};
	unsigned n = 0;
	for (unsigned g = 0; classes && g < classes->ngroups; g++)
		t->group[g] = tr_count_group(&t->listing->func->sum, classes, g) != 0;
	if (is_text)
		add_text_headings(t, headings, keys, &n);
	else
		add_data_headings(t, headings, keys, &n);
	return tr_table_new_keyed(headings, keys, tr_tma_unit(t->parts->width));
}

static bool has_elsewhere(const struct tr_listing *listing)
{
	const struct tr_count *c = &listing->func->elsewhere;
	return c->cycles || c->executions || c->traps;
}

int tr_listing_report(const struct tr_listing *listing,
		      const struct tr_listing_parts *parts,
		      bool (*is_shown)(const void *context, const struct tr_listed *row),
		      const void *context, struct tr_report *report)
{
	struct listed_table t = {.parts = parts, .listing = listing};
	const bool is_text = tr_report_text(report);
	const struct tr_listed *before = NULL;
	t.table = open_table(&t, is_text);
	for (size_t i = 0; t.table && i < listing->count; i++) {
		const struct tr_listed *row = &listing->rows[i];
		if (is_shown && !is_shown(context, row))
			continue;
		if (is_text) {
			put_source(&t, before, row);
			put_insn(&t, row);
		} else {
			put_data(&t, row);
		}
		before = row;
	}
	if (t.table && !is_text && !is_shown && has_elsewhere(listing))
		put_data(&t, NULL);
	return tr_report_table(report, "instructions", t.table) || t.failed ? TR_E_NOMEM
									    : TR_OK;
}

/* ------------------------------------------------------------ around the table */

static void say_sum(const struct tr_count *c, struct tr_report *report)
{
	tr_report_say(report, "%" PRIu64 " cycle%s, %" PRIu64 " instruction%s", c->cycles,
		      tr_plural(c->cycles), c->executions, tr_plural(c->executions));
	if (c->executions)
		tr_report_say(report, ", CPI %.2f",
			      (double)c->cycles / (double)c->executions);
	if (c->traps)
		tr_report_say(report, ", %" PRIu64 " trap%s", c->traps,
			      tr_plural(c->traps));
}

void tr_listing_head(const struct tr_listing *listing,
		     const struct tr_listing_parts *parts, uint64_t whole,
		     struct tr_report *report)
{
	const struct tr_counted_func *f = listing->func;
	tr_report_say(report, "%s (%s)\n", f->name, *f->binary ? f->binary : "-");
	say_sum(&f->sum, report);
	tr_report_say(report, ", %.2f %% of %s cycles\n", percent(f->sum.cycles, whole),
		      parts->is_part ? "the chosen" : "all");
}

void tr_listing_foot(const struct tr_listing *listing, struct tr_report *report)
{
	if (!has_elsewhere(listing))
		return;
	say_sum(&listing->func->elsewhere, report);
	tr_report_say(report, " without an address in its file\n");
}

void tr_listing_legend(const struct tr_listing_parts *parts, struct tr_report *report)
{
	bool by_flag;
	tr_report_fact(report, "unit", tr_tma_unit(parts->width));
	tr_report_say(report, "cycles: those after the hart's commit before, through the "
			      "instruction's own, or up to its trap;\n"
			      "so a stall is on the instruction that committed late.\n");
	if (parts->is_untimed)
		tr_report_say(report, "The source has no timing: an instruction counts "
				      "as a cycle.\n");
	else if (!parts->classes)
		tr_report_say(report, "The source does not tell why cycles were lost.\n");
	else if (parts->width > 1)
		tr_report_say(report, "Lost: slots, of which a cycle has %u.\n",
			      parts->width);
	if (!tr_counts_tell_mispredictions(parts->counts, &by_flag))
		tr_report_say(report,
			      "The source does not tell what was mispredicted.\n");
	else if (by_flag)
		tr_report_say(report, "mispredicted: as the source marks the commit.\n");
	else
		tr_report_say(report,
			      "mispredicted: the next instruction lost %s to that, and "
			      "they are on it; one that cost none is not seen.\n",
			      tr_tma_unit(parts->width));
}
