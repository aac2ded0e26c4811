/* SPDX-License-Identifier: Apache-2.0 */
/* Pages of HTML. */
#include "annotate/page.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>

#include "annotate/listing_report.h"
#include "annotate/page_internal.h"
#include "annotate/page_packed.h"
#include "base/number.h"
#include "flame/picture.h"
#include "profile/tma.h"

static const char *const style[] = {
#include "annotate/page.css.inc"
    NULL,
};
static const char *const script[] = {
#include "annotate/page.js.inc"
    NULL,
};

enum { HOTTEST = 5, NOTE = 400 };

void tr_page_anchor(const char *binary, uint64_t address, char *text, size_t size)
{
	snprintf(text, size, "f-%s-%" PRIx64, binary, address);
	for (char *c = text; *c; c++)
		if (!isalnum((unsigned char)*c) && !strchr("-._", *c))
			*c = '_';
}

/* Writes source text, in which a tab is four columns. */
static void put_code_text(FILE *file, const char *text)
{
	while (*text) {
		const size_t length = strcspn(text, "\t");
		tr_flame_xml_part(file, text, length);
		text += length;
		for (; *text == '\t'; text++)
			fputs("    ", file);
	}
}

/* ------------------------------------------------------------ instructions */

static void put_source(const struct tr_page *page, const struct tr_listed *row)
{
	FILE *file = page->file;
	const char *line =
	    row->path ? tr_sources_line(page->parts->sources, row->path, row->line)
		      : NULL;
	fputs("<tr class=\"s\"><td colspan=\"5\"></td><td class=\"g\"></td>"
	      "<td class=\"l\">",
	      file);
	tr_flame_xml(file, row->path ? tr_listing_file(row->path) : "?");
	fprintf(file, ":%" PRIu32 "</td><td class=\"l t\">", row->line);
	for (unsigned i = row->ncalls; i-- > 0;) {
		fputs("<span class=\"quiet\">", file);
		tr_flame_xml(file, row->calls[i]);
		fputs(" (inlined): </span>", file);
	}
	put_code_text(file, line ? line : "");
	fputs("</td></tr>\n", file);
}

/* Returns true for what is mispredicted in 1 of 20 executions or more. */
static bool is_often_mispredicted(const struct tr_count *c)
{
	return c->mispredicted && c->mispredicted >= c->executions / 20;
}

static uint64_t key_of_function(const char *binary, uint64_t address)
{
	uint64_t key = tr_mix(address);
	for (; *binary; binary++)
		key = tr_mix(key ^ (uint8_t)*binary);
	return key;
}

/* Returns the first function of the index at an address of a binary, from *key on, where
 * it then is; TR_MAP_NONE: none. Binaries may share a name. */
static uint32_t find_function(const struct tr_page *page, const char *binary,
			      uint64_t address, uint64_t *key)
{
	uint32_t func;
	for (; (func = tr_map_get(&page->index, *key)) != TR_MAP_NONE; ++*key) {
		const struct tr_counted_func *f =
		    tr_counts_func(page->parts->counts, func);
		if (f->address == address && strcmp(f->binary, binary) == 0)
			break;
	}
	return func;
}

static bool has_function(const struct tr_page *page, const char *binary, uint64_t address)
{
	uint64_t key = key_of_function(binary, address);
	return find_function(page, binary, address, &key) != TR_MAP_NONE;
}

/* Writes the anchor of a function, which is added to the index if it is not there: that
 * of tr_page_anchor(), with a number if another function has that. Returns a status. */
static int take_anchor(struct tr_page *page, uint32_t func, char *text, size_t size)
{
	const struct tr_counted_func *f = tr_counts_func(page->parts->counts, func);
	uint64_t key = key_of_function(f->binary, f->address);
	unsigned before = 0;
	uint32_t other;
	for (; (other = find_function(page, f->binary, f->address, &key)) != func;
	     key++) {
		if (other == TR_MAP_NONE && !tr_map_set(&page->index, key, func))
			return TR_E_NOMEM;
		if (other == TR_MAP_NONE)
			break;
		before++;
	}
	tr_page_anchor(f->binary, f->address, text, size);
	const size_t used = strlen(text);
	if (before)
		snprintf(text + used, size - used, "-%u", before + 1);
	return TR_OK;
}

/* Writes the target of a jump or call by its name, as a link if it is on the page. */
static void put_target(const struct tr_page *page, const struct tr_listing *listing,
		       const struct tr_listed *row, uint32_t func)
{
	FILE *file = page->file;
	char name[NOTE], anchor[300] = "";
	tr_listing_name(page->parts, row->insn.binary, row->target, name, sizeof(name));
	if (!*name)
		return;
	if (tr_listing_has(listing, row->target))
		snprintf(anchor, sizeof(anchor), "i%" PRIu32 "-%" PRIx64, func,
			 row->target);
	else if (has_function(page, listing->func->binary, row->target))
		tr_page_anchor(listing->func->binary, row->target, anchor,
			       sizeof(anchor));
	fputs(" ", file);
	if (*anchor)
		fprintf(file, "<a class=\"quiet\" href=\"#%s\">", anchor);
	else
		fputs("<span class=\"quiet\">", file);
	tr_flame_xml(file, name);
	fputs(*anchor ? "</a>" : "</span>", file);
}

static void put_text_of_insn(const struct tr_page *page, const struct tr_listing *listing,
			     const struct tr_listed *row, uint32_t func)
{
	FILE *file = page->file;
	const char *tab = strchr(row->text, '\t');
	const size_t length = tab ? (size_t)(tab - row->text) : strlen(row->text);
	char flow[NOTE];
	tr_flame_xml_part(file, row->text, length);
	if (tab) {
		fprintf(file, "%*s", length < 8 ? (int)(8 - length) : 1, "");
		tr_flame_xml(file, tab + 1);
	}
	if (row->has_target)
		put_target(page, listing, row, func);
	tr_listing_flow(page->parts, row, flow, sizeof(flow));
	if (*flow) {
		fprintf(file, "<span class=\"%s\">",
			is_often_mispredicted(&row->insn.count) ? "bad" : "note");
		tr_flame_xml(file, flow);
		fputs("</span>", file);
	}
	if (row->insn.differs)
		fputs("<span class=\"bad\">other code ran here as well</span>", file);
}

/* Writes the row of an instruction. */
static void put_insn(const struct tr_page *page, const struct tr_listing *listing,
		     const struct tr_listed *row, uint64_t most, uint32_t func)
{
	FILE *file = page->file;
	const struct tr_count *c = &row->insn.count;
	const bool ran = c->executions || c->traps;
	fprintf(file, "<tr id=\"i%" PRIu32 "-%" PRIx64 "\" data-a=\"%" PRIx64 "\"%s",
		func, row->insn.address, row->insn.address, ran ? "" : " class=\"n\"");
	if (row->has_target)
		fprintf(file, " data-to=\"%" PRIx64 "\" data-n=\"%" PRIu64 "\"",
			row->target, row->insn.is_branch ? c->taken : c->executions);
	fputs(">", file);
	tr_page_cells(page, c, listing->func->sum.cycles, most);
	fprintf(file,
		"<td class=\"g\"></td><td class=\"l\">  %" PRIx64 "</td><td class=\"l\">",
		row->insn.address);
	put_text_of_insn(page, listing, row, func);
	fputs("</td></tr>\n", file);
}

static bool is_shown_row(bool (*is_shown)(const void *, const struct tr_listed *),
			 const void *context, const struct tr_listed *row)
{
	return !is_shown || is_shown(context, row);
}

/* Writes links to the instructions with most cycles. */
static void put_hottest(const struct tr_page *page, const struct tr_listing *listing,
			uint32_t func)
{
	FILE *file = page->file;
	const uint64_t all = listing->func->sum.cycles;
	uint64_t below = UINT64_MAX;
	size_t last = SIZE_MAX;
	for (unsigned n = 0; n < HOTTEST; n++) {
		size_t best = SIZE_MAX;
		for (size_t i = 0; i < listing->count; i++) {
			const uint64_t cycles = listing->rows[i].insn.count.cycles;
			const bool is_left =
			    cycles < below || (cycles == below && i > last);
			if (is_left && cycles &&
			    (best == SIZE_MAX ||
			     cycles > listing->rows[best].insn.count.cycles))
				best = i;
		}
		if (best == SIZE_MAX ||
		    page_percent(listing->rows[best].insn.count.cycles, all) < 1)
			break;
		const struct tr_listed *row = &listing->rows[best];
		const unsigned cause =
		    tr_count_cause(&row->insn.count, page->parts->classes);
		char text[TR_DISASSEMBLED], *tab;
		strcpy(text, row->text);
		if ((tab = strchr(text, '\t')))
			*tab = ' ';
		fprintf(file, "%s<a href=\"#i%" PRIu32 "-%" PRIx64 "\">",
			n ? " · " : "<p>Most cycles: ", func, row->insn.address);
		tr_flame_xml(file, text);
		fprintf(file, "</a> %.1f %%", page_percent(row->insn.count.cycles, all));
		if (cause)
			fprintf(file, " (%s)", page->parts->classes->name[cause]);
		below = row->insn.count.cycles;
		last = best;
	}
	if (last != SIZE_MAX)
		fputs("</p>\n", file);
}

static void put_function_head(const struct tr_page *page, const struct tr_counted_func *f,
			      const char *anchor)
{
	FILE *file = page->file;
	fprintf(file, "<section>\n<h2 id=\"%s\">", anchor);
	tr_flame_xml(file, f->name);
	fputs(" <small>", file);
	tr_flame_xml(file, f->binary);
	fputs("</small></h2>\n<p>", file);
	tr_page_number(file, f->sum.cycles);
	fprintf(file, " cycles, %.2f %% of %s; ",
		page_percent(f->sum.cycles, page->cycles),
		page->parts->is_part ? "those chosen" : "the run");
	tr_page_number(file, f->sum.executions);
	fputs(" instructions", file);
	if (f->sum.executions)
		fprintf(file, ", CPI %.2f",
			(double)f->sum.cycles / (double)f->sum.executions);
	if (f->sum.traps)
		fprintf(file, "; %" PRIu64 " trap%s", f->sum.traps,
			tr_plural(f->sum.traps));
	fputs("</p>\n", file);
	tr_page_bar(page, &f->sum, 100, " all");
	tr_page_key(page, &f->sum);
}

static void put_function_foot(const struct tr_page *page, const struct tr_counted_func *f)
{
	const struct tr_count *c = &f->elsewhere;
	if (c->cycles || c->executions || c->traps)
		fprintf(page->file,
			"<p class=\"quiet\">%" PRIu64 " cycles, %" PRIu64
			" instructions and %" PRIu64
			" traps have no address in its file.</p>\n",
			c->cycles, c->executions, c->traps);
	fputs("</section>\n", page->file);
}

int tr_page_function(struct tr_page *page, const struct tr_listing *listing,
		     bool (*is_shown)(const void *context, const struct tr_listed *row),
		     const void *context)
{
	const uint32_t func = page->functions++;
	const struct tr_listed *before = NULL;
	uint64_t most = 0;
	for (size_t i = 0; i < listing->count; i++) {
		const uint64_t slots =
		    tr_page_slots(&listing->rows[i].insn.count, page->parts->classes);
		most = slots > most ? slots : most;
	}
	char anchor[320];
	if (take_anchor(page, listing->number, anchor, sizeof(anchor)))
		return TR_E_NOMEM;
	put_function_head(page, listing->func, anchor);
	put_hottest(page, listing, func);
	fputs("<div class=\"code\"><svg class=\"arrows\"></svg><table><thead><tr>"
	      "<th>cycles</th><th>%</th><th class=\"l\">went to</th><th>executions</th>"
	      "<th>CPI</th><th></th><th class=\"l\">address</th>"
	      "<th class=\"l\">instruction</th></tr></thead>\n<tbody>\n",
	      page->file);
	for (size_t i = 0; i < listing->count; i++) {
		const struct tr_listed *row = &listing->rows[i];
		if (!is_shown_row(is_shown, context, row))
			continue;
		if (!tr_listed_same_place(before, row) && (row->line || row->ncalls))
			put_source(page, row);
		put_insn(page, listing, row, most, func);
		before = row;
	}
	fputs("</tbody></table></div>\n", page->file);
	put_function_foot(page, listing->func);
	return TR_OK;
}

/* ------------------------------------------------------------ source files */

void tr_page_source(struct tr_page *page, const struct tr_file_lines *lines)
{
	FILE *file = page->file;
	struct tr_file_cursor at = {0};
	struct tr_file_line line;
	uint64_t most = 0;
	page->files++;
	for (uint32_t i = 0; i < lines->count; i++) {
		const uint64_t slots =
		    tr_page_slots(&lines->lines[i].count, page->parts->classes);
		most = slots > most ? slots : most;
	}
	fputs("<section>\n<h2>", file);
	tr_flame_xml(file, tr_listing_file(lines->path));
	fputs("</h2>\n<p>", file);
	tr_page_number(file, lines->sum.cycles);
	fprintf(file, " cycles, %.2f %% of %s; ",
		page_percent(lines->sum.cycles, page->cycles),
		page->parts->is_part ? "those chosen" : "the run");
	tr_page_number(file, lines->sum.executions);
	fputs(" instructions</p>\n", file);
	tr_page_bar(page, &lines->sum, 100, " all");
	tr_page_key(page, &lines->sum);
	fputs("<div class=\"code\"><svg class=\"arrows\"></svg><table><thead><tr>"
	      "<th>cycles</th><th>%</th><th class=\"l\">went to</th>"
	      "<th>instructions</th><th>CPI</th><th>line</th><th class=\"l\">source</th>"
	      "</tr></thead>\n<tbody>\n",
	      file);
	while (tr_file_next(lines, true, &at, &line)) {
		const char *text =
		    tr_sources_line(page->parts->sources, lines->path, line.number);
		fprintf(file, "<tr id=\"l%u-%" PRIu32 "\">", page->files - 1,
			line.number);
		tr_page_cells(page, &line.count, lines->sum.cycles, most);
		fprintf(file, "<td class=\"quiet\">%" PRIu32 "</td><td class=\"l\">",
			line.number);
		put_code_text(file, text ? text : "");
		fputs("</td></tr>\n", file);
	}
	fputs("</tbody></table></div>\n", file);
	if (!lines->source)
		fputs("<p>The source file was not found; see --source.</p>\n", file);
	fputs("</section>\n", file);
}

/* ------------------------------------------------------------ around them */

int tr_page_index(struct tr_page *page, const uint32_t *funcs, size_t count)
{
	FILE *file = page->file;
	int status = TR_OK;
	uint64_t most = 0;
	for (size_t i = 0; i < count; i++) {
		const uint64_t slots =
		    tr_page_slots(&tr_counts_func(page->parts->counts, funcs[i])->sum,
				  page->parts->classes);
		most = slots > most ? slots : most;
	}
	fputs("<div class=\"code\"><table "
	      "class=\"index\"><thead><tr><th>cycles</th><th>%</th>"
	      "<th class=\"l\">went to</th><th>instructions</th><th>CPI</th>"
	      "<th class=\"l\">function</th><th class=\"l\">binary</th></tr></thead>\n"
	      "<tbody>\n",
	      file);
	for (size_t i = 0; i < count; i++) {
		const struct tr_counted_func *f =
		    tr_counts_func(page->parts->counts, funcs[i]);
		char anchor[320];
		status = take_anchor(page, funcs[i], anchor, sizeof(anchor));
		if (status)
			break;
		fputs("<tr>", file);
		tr_page_cells(page, &f->sum, page->cycles, most);
		fprintf(file, "<td class=\"l\"><a href=\"#%s\">", anchor);
		tr_flame_xml(file, f->name);
		fputs("</a></td><td class=\"l\">", file);
		tr_flame_xml(file, f->binary);
		fputs("</td></tr>\n", file);
	}
	fputs("</tbody></table></div>\n", file);
	return status;
}

int tr_page_open(struct tr_page *page)
{
	FILE *file = page->file;
	fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
	      "<link rel=\"icon\" href=\"data:,\">\n<title>",
	      file);
	tr_flame_xml(file, page->title);
	fputs("</title>\n<style>\n", file);
	tr_flame_lines(file, style);
	fputs("</style>\n</head>\n<body>\n<div class=\"tools\"><b>tr-annotate: ", file);
	tr_flame_xml(file, page->title);
	fputs("</b><label><input type=\"checkbox\" name=\"no-source\" checked> source "
	      "lines</label><label><input type=\"checkbox\" name=\"no-idle\" checked> "
	      "code that never ran</label><p id=\"missing\" class=\"bad\" hidden>The "
	      "function that the link is to is not on this page; "
	      "<code>tr-annotate</code> lists it by its name.</p></div>\n",
	      file);
	if (*page->note) {
		fputs("<p class=\"bad\">", file);
		tr_flame_xml(file, page->note);
		fputs("</p>\n", file);
	}
	if (*page->part) {
		fputs("<p>", file);
		tr_flame_xml(file, page->part);
		fputs("</p>\n", file);
	}
	page->whole = file;
	page->file = tr_page_pack(file);
	return page->file ? TR_OK : TR_E_NOMEM;
}

static void put_legend(const struct tr_page *page)
{
	FILE *file = page->file;
	bool by_flag;
	fputs("<details open>\n<summary>How to read this</summary>\n<p><b>Cycles</b> of "
	      "an instruction are those after its hart's commit before, through its own, "
	      "or up to its trap. So a stall is on the instruction that committed late. "
	      "%: of the function's cycles. The darker, the more. Grey: never ran.</p>\n",
	      file);
	if (page->parts->is_untimed)
		fputs("<p>The source has no timing: an instruction counts as a "
		      "cycle.</p>\n",
		      file);
	else if (!page->parts->classes)
		fputs("<p>The source does not tell why cycles were lost.</p>\n", file);
	else
		fprintf(file,
			"<p><b>Went to</b>: the %s of the instruction by reason, as "
			"long as its part of the largest row; point at a bar for the "
			"numbers.</p>\n",
			page->parts->width > 1 ? "slots, of which several are in a cycle,"
					       : "cycles");
	fputs("<p><b>Arrows</b> are jumps within the function, the wider, the more often "
	      "taken; grey: never taken. <b>taken</b>: by where control went on.",
	      file);
	if (!tr_counts_tell_mispredictions(page->parts->counts, &by_flag))
		fputs(" The source does not tell what was mispredicted.", file);
	else if (by_flag)
		fputs(" <b>mispredicted</b>: as the source marks the commit.", file);
	else
		fprintf(file,
			" <b>mispredicted</b>: the next instruction lost %s to that; "
			"they are in its row, and one that cost none is not seen.",
			tr_tma_unit(page->parts->width));
	fputs("</p>\n</details>\n", file);
}

int tr_page_close(struct tr_page *page)
{
	FILE *file = page->whole;
	fflush(page->file);
	const int status = ferror(page->file) ? TR_E_NOMEM : TR_OK;
	fclose(page->file);
	page->file = file;
	put_legend(page);
	fputs("<script>\n\"use strict\";\n", file);
	tr_flame_lines(file, script);
	fputs("</script>\n</body>\n</html>\n", file);
	tr_map_free(&page->index);
	return status;
}
