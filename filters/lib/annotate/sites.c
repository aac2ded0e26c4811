/* SPDX-License-Identifier: Apache-2.0 */
/* Tables of sites. */
#include "annotate/sites.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/number.h"
#include "profile/tma.h"

struct site {
	size_t insn; /* in the counts */
	uint64_t slots, count;
	uint64_t address;
};

/* The sites, and what they are of. */
struct sites {
	const struct tr_listing_parts *parts;
	enum tr_sites_of of;
	bool class[TR_MAX_CLASSES]; /* that some site lost slots to */
	struct site *list;
	size_t count, room;
	uint64_t slots;	    /* of all */
	uint64_t located;   /* mispredictions, of all */
	uint64_t elsewhere; /* lost to mispredictions behind no known transfer */
	struct tr_table *table;
	int failed;
};

static bool is_of_sites(const struct sites *s, unsigned class)
{
	return s->of == TR_SITES_MISSES ? tr_tma_is_miss(s->parts->classes, class)
					: tr_tma_is_mispredict(s->parts->classes, class);
}

static int by_slots(const void *left, const void *right)
{
	const struct site *a = left, *b = right;
	if (a->slots != b->slots)
		return a->slots > b->slots ? -1 : 1;
	if (a->count != b->count)
		return a->count > b->count ? -1 : 1;
	return (a->insn > b->insn) - (a->insn < b->insn);
}

static int add_site(struct sites *s, size_t i, const struct tr_counted *insn,
		    uint64_t lost)
{
	const struct tr_count *c = &insn->count;
	const bool is_miss = s->of == TR_SITES_MISSES;
	const struct site site = {.insn = i,
				  .slots = is_miss ? lost : c->penalty,
				  .count = is_miss ? c->missed : c->mispredicted};
	if (!site.slots && !site.count)
		return TR_OK;
	if (!tr_grow(&s->list, &s->room, s->count + 1, sizeof(*s->list)))
		return TR_E_NOMEM;
	s->list[s->count++] = site;
	s->slots += site.slots;
	s->located += site.count;
	return TR_OK;
}

static int find_sites(struct sites *s)
{
	const struct tr_classes *classes = s->parts->classes;
	uint64_t all = 0;
	int status = TR_OK;
	for (size_t i = 0; i < tr_counts_insns(s->parts->counts) && !status; i++) {
		struct tr_counted insn;
		uint64_t lost = 0;
		tr_counts_insn(s->parts->counts, i, &insn);
		for (unsigned c = 1; classes && c <= classes->count; c++)
			if (is_of_sites(s, c)) {
				lost += insn.count.lost[c];
				s->class[c] |= insn.count.lost[c] != 0;
			}
		all += lost;
		status = add_site(s, i, &insn, lost);
	}
	if (s->count)
		qsort(s->list, s->count, sizeof(*s->list), by_slots);
	s->elsewhere = all > s->slots ? all - s->slots : 0;
	return status;
}

/* ------------------------------------------------------------ the table */

static struct tr_table *open_sites_table(const struct sites *s)
{
	const struct tr_classes *classes = s->parts->classes;
	const char *headings[TR_MAX_CLASSES + 16] = {0}, *keys[TR_MAX_CLASSES + 16] = {0};
	const char *const unit = tr_tma_unit(s->parts->width);
	const char *const count = s->of == TR_SITES_MISSES ? "missed" : "mispredicted";
	const char *const all[][2] = {{unit, "lost_*"},
				      {"%", "percent"},
				      {count, count},
				      {"executions", "executions"},
				      {"rate %", "rate_percent"}};
	static const char *const place[][2] = {{"<binary", "binary"},
					       {"<function", "function"},
					       {"<address", "address"},
					       {"<line", "line"},
					       {"<instruction", "instruction"}};
	unsigned n = 0;
	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++, n++) {
		headings[n] = all[i][0];
		keys[n] = all[i][1];
	}
	for (unsigned c = 1; classes && c <= classes->count; c++)
		if (s->class[c] && s->of == TR_SITES_MISSES) {
			headings[n] = classes->name[c];
			keys[n++] = classes->name[c];
		}
	for (size_t i = 0; i < sizeof(place) / sizeof(*place); i++, n++) {
		headings[n] = place[i][0];
		keys[n] = place[i][1];
	}
	return tr_table_new_keyed(headings, keys, unit);
}

static void put_site_number(struct sites *s, uint64_t value)
{
	s->failed |= tr_table_cell(s->table, "%" PRIu64, value);
}

static void put_share(struct sites *s, uint64_t part, uint64_t all)
{
	s->failed |=
	    tr_table_cell(s->table, "%.2f", all ? 100.0 * (double)part / (double)all : 0);
}

static void put_place(struct sites *s, const struct tr_counted *insn)
{
	const struct tr_counted_func *f = tr_counts_func(s->parts->counts, insn->func);
	const char *path;
	char text[TR_DISASSEMBLED] = "-", *tab;
	const uint32_t line =
	    tr_listing_line(s->parts->symbols, insn->binary, insn->address, &path);
	if (insn->has_code)
		tr_disassemble(insn->code, insn->bytes, s->parts->isa, insn->address,
			       text);
	if ((tab = strchr(text, '\t')))
		*tab = ' ';
	s->failed |= tr_table_cell(s->table, "%s", *f->binary ? f->binary : "-");
	s->failed |= tr_table_cell(s->table, "%s", f->name);
	if (insn->binary < tr_symbols_count(s->parts->symbols))
		s->failed |= tr_table_cell(s->table, "0x%" PRIx64, insn->address);
	else
		s->failed |= tr_table_cell(s->table, "-");
	if (path)
		s->failed |=
		    tr_table_cell(s->table, "%s:%" PRIu32, tr_listing_file(path), line);
	else
		s->failed |= tr_table_cell(s->table, "-");
	s->failed |= tr_table_cell(s->table, "%s", text);
}

static void put_site(struct sites *s, const struct site *site)
{
	const struct tr_classes *classes = s->parts->classes;
	struct tr_counted insn;
	tr_counts_insn(s->parts->counts, site->insn, &insn);
	put_site_number(s, site->slots);
	put_share(s, site->slots, s->slots + s->elsewhere);
	put_site_number(s, site->count);
	put_site_number(s, insn.count.executions);
	put_share(s, site->count, insn.count.executions);
	for (unsigned c = 1; classes && c <= classes->count; c++)
		if (s->class[c] && s->of == TR_SITES_MISSES)
			put_site_number(s, insn.count.lost[c]);
	put_place(s, &insn);
}

/* Compares with what the core counted itself. Its counter has instructions of wrong paths
 * as well. */
static void say_counted(const struct sites *s, struct tr_report *report)
{
	const uint64_t counted = s->parts->counted;
	tr_report_fact_u64(report, "counted", counted);
	tr_report_fact_u64(report, "located", s->located);
	tr_report_say(report,
		      "Located: %" PRIu64 " of %" PRIu64
		      " misprediction%s that the core counted (branch_miss)",
		      s->located, counted, tr_plural(counted));
	if (s->located < counted)
		tr_report_say(report, ".\nThe others cost nothing at commit, or did not "
				      "commit, or a trap came first");
	else if (s->located > counted)
		tr_report_say(report, ", whose samples are not of the whole run");
	tr_report_say(report, ".\n");
}

static void say_sites(const struct sites *s, size_t shown, struct tr_report *report)
{
	const char *const unit = tr_tma_unit(s->parts->width);
	tr_report_say(report, "\n%zu of %zu site%s; %" PRIu64 " %s in all", shown,
		      s->count, tr_plural(s->count), s->slots + s->elsewhere, unit);
	if (s->elsewhere)
		tr_report_say(report, ", %" PRIu64 " of them behind no known branch",
			      s->elsewhere);
	tr_report_say(report, "\n");
	if (s->of == TR_SITES_MISPREDICTS && s->parts->has_counted)
		say_counted(s, report);
}

int tr_sites_report(const struct tr_listing_parts *parts, enum tr_sites_of of,
		    uint64_t limit, struct tr_report *report)
{
	struct sites s = {.parts = parts, .of = of};
	int status = find_sites(&s);
	size_t shown = s.count;
	if (limit && shown > limit)
		shown = (size_t)limit;
	if (!status)
		s.table = open_sites_table(&s);
	for (size_t i = 0; s.table && i < shown; i++)
		put_site(&s, &s.list[i]);
	if (!status)
		status = tr_report_table(
		    report, of == TR_SITES_MISSES ? "misses" : "mispredicts", s.table);
	say_sites(&s, shown, report);
	free(s.list);
	return status || s.failed ? TR_E_NOMEM : TR_OK;
}
