/* SPDX-License-Identifier: Apache-2.0 */
/* tr-annotate: what each instruction and source line of a function cost. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "annotate/counts.h"
#include "annotate/file_report.h"
#include "annotate/listing_report.h"
#include "annotate/page.h"
#include "annotate/redirects.h"
#include "annotate/sites.h"
#include "annotate/slices.h"
#include "base/near.h"
#include "base/number.h"
#include "cli/cli_annotated.h"
#include "cli/cli_contexts.h"
#include "cli/cli_report.h"
#include "cli/cli_selection.h"
#include "cli/cli_unwind.h"
#include "cli/unwound.h"

enum { TEXT = 400 }; /* bytes of a sentence about the run */

static const char USAGE[] =
    "usage: tr-annotate [options] FUNCTION|FILE:LINE|FILE|0xADDRESS [STREAM]\n"
    "       tr-annotate [options] --all|--mispredicts|--misses [STREAM]\n"
    "Show what each instruction and source line cost, in a stream from tr-match.\n";

enum { SITES = 40 };

/* Where the wanted goes: a page, or a report. */
struct shown {
	struct tr_page *page;
	struct tr_report *report;
};

struct state {
	struct tr_cli cli;
	struct tr_cli_unwind unwinding;
	struct tr_cli_selection selection;
	struct tr_texts folders; /* with sources */
	const char *wanted;
	const char *html;   /* file for a page in place of a report, or NULL */
	const char *slices; /* file for the counts by slice, or NULL */
	const char *stacks; /* of the same run, or NULL */
	struct tr_cli_contexts contexts;
	enum tr_report_as as;
	bool wants_all, has_mispredicts, has_misses;
	uint64_t limit; /* of sites */
	struct tr_classes classes;
	struct tr_counts *counts;
	struct tr_sources *sources;
	struct tr_redirects redirects;
};

static void take_focus(void *context, const struct tr_option *option, const char *regex)
{
	struct state *s = context;
	tr_stack_take_focus(&s->selection.stacks, option, regex);
}

static void parse_args(struct state *s, int argc, char **argv)
{
	struct tr_image_options *names = &s->unwinding.names;
	const struct tr_option options[] = {
	    {"all", .flag = &s->wants_all, .excludes = "mispredicts misses",
	     .help = "all functions that ran, those with most cycles of their own first"},
	    {"mispredicts", .flag = &s->has_mispredicts, .excludes = "misses",
	     .help = "instead, the branches and jumps that lose most to mispredictions"},
	    {"misses", .flag = &s->has_misses,
	     .help = "instead, the instructions that lose most to misses of caches and "
		     "TLBs"},
	    {"limit", .argument = "N", .number = &s->limit,
	     .needs = "all mispredicts misses",
	     .help = "number of these, 0 for all (all functions, 40 others)"},
	    {"html", .argument = "FILE", .text = &s->html,
	     .excludes = "mispredicts misses format output",
	     .help = "write a page of HTML, instead of text (-: standard output)"},
	    {"slices", .argument = "FILE", .text = &s->slices, .needs = "all",
	     .excludes = "from to focus process thread",
	     .help = "also write the counts of each part of the run, for tr-explore"},
	    {"stacks", .argument = "FILE", .text = &s->stacks, .needs = "slices",
	     .help = "by process and thread as well, which these stacks tell, from "
		     "tr-unwind and of the same run"},
	    TR_CLI_UNWIND_PATH(&s->unwinding),
	    {"source", .argument = "FOLDER", .texts = &s->folders,
	     .help = "also search this folder for source files; may be repeated"},
	    TR_STACK_WINDOW_OPTIONS(&s->selection.stacks),
	    {"focus", .argument = "RE", .take = take_focus,
	     .help = "only stacks with a frame that matches this extended regular "
		     "expression; may be repeated"},
	    {"process", .argument = "NAME", .text = &s->selection.process,
	     .excludes = "thread",
	     .help = "only processes of this name, as tr-fold --by process shows it"},
	    {"thread", .argument = "NAME", .text = &s->selection.thread,
	     .help = "only threads of this name, as tr-fold --by thread shows it"},
	    TR_CLI_REPORT_OPTION(&s->as),
	    {0}};
	names->functions = names->scopes = names->paths = true;
	s->unwinding.cli = &s->cli;
	tr_cli_init(&s->cli, TR_CLI_TEXT, "tr-annotate", USAGE, argc, argv);
	s->limit = UINT64_MAX;
	s->selection.stacks.cli = &s->cli;
	tr_options_parse(&s->cli, options, s);
	tr_cli_selection_check(&s->selection, &s->cli);
	if (s->html)
		s->cli.output = s->html;
	if (s->slices)
		tr_cli_two_outputs(&s->cli, s->slices, s->cli.output);
	if (s->limit == UINT64_MAX)
		s->limit = s->wants_all ? 0 : SITES;
	if (s->wants_all || s->has_mispredicts || s->has_misses)
		return;
	if (optind == argc)
		tr_die(&s->cli, "no function; try --help");
	s->wanted = argv[optind++];
}

/* ------------------------------------------------------------ counting */

static void open_stream(struct state *s)
{
	const char *path = tr_cli_input(&s->cli, NULL);
	tr_cli_select(&s->selection, &s->unwinding, path);
	if (s->stacks)
		tr_cli_contexts_read(&s->contexts, &s->cli, s->stacks);
	tr_cli_unwind_open(&s->unwinding, path);
	const struct tr_header *header = tr_reader_header(s->unwinding.reader);
	const int status = tr_classes_read(&s->classes, header);
	if (status && status != TR_E_ARGUMENT)
		tr_die(&s->cli, "%s: header: classes: %s", s->unwinding.input,
		       tr_status_text((enum tr_status)status));
	const struct tr_counts_options options = {
	    .header = header,
	    .classes = status ? NULL : &s->classes,
	    .probes = tr_reader_probes(s->unwinding.reader),
	    .symbols = s->unwinding.symbols,
	    .selection = s->selection.selection,
	    .from = s->selection.from,
	    .to = s->selection.to,
	    .has_slices = s->slices != NULL,
	    .contexts = s->contexts.keys};
	s->counts = tr_counts_new(&options);
	tr_cli_need(&s->cli, s->counts);
	s->redirects.counters = tr_reader_counters(s->unwinding.reader);
	s->sources = tr_sources_new(s->folders.text, s->folders.count);
	tr_cli_need(&s->cli, s->sources);
	const struct tr_unwind_sink sink = tr_counts_sink(s->counts);
	tr_cli_unwind_start(&s->unwinding, &sink, false);
}

static bool count_frame(void *context, const struct tr_frame *frame)
{
	struct state *s = context;
	tr_counts_frame(s->counts, frame);
	tr_cli_check(&s->cli, tr_redirects_frame(&s->redirects, frame));
	tr_cli_check(&s->cli, tr_cli_unwind_frame(&s->unwinding, frame));
	return true;
}

static void count_stream(struct state *s)
{
	const struct tr_cli_frames take = {
	    .rows = count_frame, .context = s, .is_ahead = true};
	struct tr_reader *reader = s->unwinding.reader;
	struct tr_unwind_totals totals;
	char message[400];
	if (tr_cli_each_frame(&s->cli, reader, &take) != TR_END)
		tr_die(&s->cli, "%s", tr_reader_message(reader));
	tr_cli_check(&s->cli, tr_cli_unwind_finish(&s->unwinding));
	tr_cli_unwind_totals(&s->unwinding, &totals);
	const int status = tr_counts_finish(s->counts, message, sizeof(message));
	if (status == TR_E_CORRUPT)
		tr_die(&s->cli, "%s: %s", s->unwinding.input, message);
	tr_cli_check(&s->cli, status);
	tr_cli_tell_cut_off(&s->cli, s->unwinding.input, tr_reader_end(reader));
	tr_unwound_report(&s->cli, &totals,
			  tr_header_watches_sp(tr_reader_header(reader)));
}

/* Dies if nothing ran in the part of the run that was chosen. */
static void check_selection(const struct state *s)
{
	uint64_t left_out;
	if (tr_cli_selects(&s->selection) && !tr_counts_cycles(s->counts, &left_out))
		tr_die(&s->cli, "%s: nothing ran in what is chosen", s->unwinding.input);
}

static void describe_part(const struct state *s, char *text, size_t size)
{
	struct tr_unwind_totals totals;
	uint64_t left_out;
	const uint64_t cycles = tr_counts_cycles(s->counts, &left_out);
	tr_unwind_totals(s->unwinding.unwind, &totals);
	tr_cli_selection_text(&s->selection,
			      &(struct tr_cli_selected){.cycles = cycles,
							.of = totals.cycles,
							.left_out = left_out},
			      text, size);
}

/* ------------------------------------------------------------ what is wanted */

/* Returns what follows "BINARY:" in the operand if that is the function's binary, or the
 * operand. */
static const char *name_wanted(const struct state *s, const struct tr_counted_func *f)
{
	const size_t length = strlen(f->binary);
	const bool has_binary = length && strncmp(s->wanted, f->binary, length) == 0 &&
				s->wanted[length] == ':';
	return has_binary ? s->wanted + length + 1 : s->wanted;
}

static bool is_named(const struct state *s, uint32_t func)
{
	const struct tr_counted_func *f = tr_counts_func(s->counts, func);
	return tr_counted_is_code(f) && (tr_is_name_of(s->wanted, f->name) ||
					 tr_is_name_of(name_wanted(s, f), f->name));
}

/* Returns true if the function has code at the address that is wanted. */
static bool is_at(const struct state *s, uint32_t func)
{
	const struct tr_counted_func *f = tr_counts_func(s->counts, func);
	const char *text = name_wanted(s, f);
	uint64_t address;
	const char *end =
	    strncmp(text, "0x", 2) == 0 ? tr_parse_address(text, &address) : NULL;
	if (!end || *end || !tr_counted_is_code(f))
		return false;
	for (size_t i = tr_counts_first(s->counts, func);
	     i < tr_counts_first(s->counts, func + 1); i++) {
		struct tr_counted insn;
		tr_counts_insn(s->counts, i, &insn);
		const struct tr_image *image =
		    insn.binary < tr_symbols_count(s->unwinding.symbols)
			? tr_symbols_image(s->unwinding.symbols, insn.binary)
			: NULL;
		const struct tr_function *at =
		    image ? tr_image_function_at(image, address) : NULL;
		if (insn.address == address || (at && at->entry == f->address))
			return true;
	}
	return false;
}

/* Splits "FILE:LINE". Returns false if the operand is none. */
static bool split_line(const struct state *s, char *file, size_t size, uint32_t *line)
{
	const char *colon = strrchr(s->wanted, ':');
	uint64_t number;
	const char *end = colon ? tr_parse_number(colon + 1, &number) : NULL;
	if (!end || *end || !number || number >= UINT32_MAX ||
	    (size_t)(colon - s->wanted) >= size)
		return false;
	memcpy(file, s->wanted, (size_t)(colon - s->wanted));
	file[colon - s->wanted] = '\0';
	*line = (uint32_t)number;
	return true;
}

static _Noreturn void report_unknown(const struct state *s)
{
	struct tr_near near;
	char text[256];
	tr_near_init(&near, s->wanted);
	for (uint32_t i = 0; i < tr_counts_funcs(s->counts); i++)
		if (tr_counted_is_code(tr_counts_func(s->counts, i)))
			tr_near_offer(&near, tr_counts_func(s->counts, i)->name);
	tr_near_text(&near, text, sizeof(text));
	tr_die(&s->cli, "%s: no function, file, line or address %s ran%s%s",
	       s->unwinding.input, s->wanted, *text ? "; there is " : "", text);
}

/* ------------------------------------------------------------ reports */

static struct tr_listing_parts listing_parts(const struct state *s)
{
	const struct tr_header *header = tr_reader_header(s->unwinding.reader);
	const char *precision = tr_header_get(header, "precision");
	uint64_t counted;
	const bool has_counted = tr_redirects_counted(&s->redirects, &counted) &&
				 !tr_cli_selects(&s->selection);
	return (struct tr_listing_parts){
	    .has_counted = has_counted,
	    .counted = counted,
	    .is_part = tr_cli_selects(&s->selection),
	    .counts = s->counts,
	    .symbols = s->unwinding.symbols,
	    .sources = s->sources,
	    .classes = s->classes.count ? &s->classes : NULL,
	    .isa = tr_header_isa(header),
	    .is_untimed = precision && strcmp(precision, "instructions") == 0,
	    .width = s->classes.count ? tr_header_commit_width(header) : 1};
}

static uint64_t sum_all_cycles(const struct state *s)
{
	struct tr_unwind_totals totals;
	uint64_t left_out;
	if (tr_cli_selects(&s->selection))
		return tr_counts_cycles(s->counts, &left_out);
	tr_unwind_totals(s->unwinding.unwind, &totals);
	return totals.cycles;
}

/* A line that is wanted. */
struct line_wanted {
	char file[1024];
	uint32_t line;
};

static bool is_of_line(const void *context, const struct tr_listed *row)
{
	const struct line_wanted *wanted = context;
	return row->path && row->line == wanted->line &&
	       tr_file_is(row->path, wanted->file) &&
	       (row->insn.count.executions || row->insn.count.traps);
}

static bool has_shown(const struct tr_listing *listing, const struct line_wanted *line)
{
	for (size_t i = 0; line && i < listing->count; i++)
		if (is_of_line(line, &listing->rows[i]))
			return true;
	return !line;
}

/* Shows a function, or its instructions of one line. Returns false if it has none. */
static bool show_function(const struct state *s, uint32_t func,
			  const struct line_wanted *line, const struct shown *out)
{
	const struct tr_listing_parts parts = listing_parts(s);
	struct tr_listing listing;
	tr_cli_check(&s->cli, tr_listing_make(&listing, &parts, func));
	const bool is_shown = has_shown(&listing, line);
	if (is_shown && out->page)
		tr_cli_check(&s->cli, tr_page_function(out->page, &listing,
						       line ? is_of_line : NULL, line));
	if (is_shown && out->report) {
		tr_listing_head(&listing, &parts, sum_all_cycles(s), out->report);
		tr_cli_check(&s->cli,
			     tr_listing_report(&listing, &parts, line ? is_of_line : NULL,
					       line, out->report));
		if (!line)
			tr_listing_foot(&listing, out->report);
		tr_report_say(out->report, "\n");
	}
	tr_listing_release(&listing);
	return is_shown;
}

/* Shows all functions that `is_wanted`. Returns the number of them. */
static uint32_t show_functions(const struct state *s,
			       bool (*is_wanted)(const struct state *, uint32_t),
			       const struct shown *out)
{
	uint32_t count = 0;
	for (uint32_t i = 0; i < tr_counts_funcs(s->counts); i++)
		if (is_wanted(s, i))
			count += show_function(s, i, NULL, out);
	return count;
}

static const struct tr_counts *ordered; /* qsort() has no argument */

static int by_cycles(const void *left, const void *right)
{
	const uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
	const uint64_t x = tr_counts_func(ordered, a)->sum.cycles,
		       y = tr_counts_func(ordered, b)->sum.cycles;
	return x != y ? (x > y ? -1 : 1) : (a > b) - (a < b);
}

/* Writes what is of no function of a file; an empty text if nothing is. */
static void describe_rest(const struct state *s, char *text, size_t size)
{
	uint64_t code = 0;
	for (uint32_t i = 0; i < tr_counts_funcs(s->counts); i++)
		if (tr_counted_is_code(tr_counts_func(s->counts, i)))
			code += tr_counts_func(s->counts, i)->sum.cycles;
	const uint64_t all = sum_all_cycles(s), rest = all > code ? all - code : 0;
	*text = '\0';
	if (rest)
		snprintf(
		    text, size,
		    "%" PRIu64 " of %" PRIu64
		    " cycles (%.2f %%) are in no function of a known binary: unknown "
		    "code, traps, untraced time",
		    rest, all, 100.0 * (double)rest / (double)all);
}

/* Shows all functions, in the tables for programs also what is charged to none. */
static void show_all(const struct state *s, const struct shown *out)
{
	const uint32_t funcs = tr_counts_funcs(s->counts);
	const bool has_rest = out->report && !tr_report_text(out->report);
	uint32_t *order = calloc(funcs + 1UL, sizeof(*order)), count = 0;
	bool has_code = false;
	tr_cli_need(&s->cli, order);
	for (uint32_t i = 0; i < funcs; i++) {
		const struct tr_counted_func *f = tr_counts_func(s->counts, i);
		const bool is_code = tr_counted_is_code(f);
		if ((!is_code && !has_rest) || !(f->sum.cycles || f->sum.executions))
			continue;
		has_code |= is_code;
		order[count++] = i;
	}
	if (!has_code)
		tr_die(&s->cli, "%s: no function of a known binary ran",
		       s->unwinding.input);
	ordered = s->counts;
	qsort(order, count, sizeof(*order), by_cycles);
	if (s->limit && count > s->limit)
		count = (uint32_t)s->limit;
	if (out->page)
		tr_cli_check(&s->cli, tr_page_index(out->page, order, count));
	for (uint32_t i = 0; i < count; i++)
		show_function(s, order[i], NULL, out);
	char rest[TEXT];
	describe_rest(s, rest, sizeof(rest));
	if (out->report && *rest)
		tr_report_say(out->report, "%s\n\n", rest);
	free(order);
}

/* Shows the instructions of a line in all functions. Returns the number of these. */
static uint32_t show_line(const struct state *s, const struct shown *out)
{
	struct line_wanted line;
	uint32_t count = 0;
	if (!split_line(s, line.file, sizeof(line.file), &line.line))
		return 0;
	for (uint32_t i = 0; i < tr_counts_funcs(s->counts); i++)
		if (tr_counted_is_code(tr_counts_func(s->counts, i)))
			count += show_function(s, i, &line, out);
	return count;
}

/* Shows the files of that name. Returns the number of them. */
static size_t show_files(const struct state *s, const struct shown *out)
{
	const struct tr_listing_parts parts = listing_parts(s);
	const char **paths;
	size_t count;
	tr_cli_check(&s->cli, tr_file_paths(&parts, s->wanted, &paths, &count));
	for (size_t i = 0; i < count; i++) {
		struct tr_file_lines lines;
		tr_cli_check(&s->cli, tr_file_sum(&lines, &parts, paths[i]));
		if (out->page)
			tr_page_source(out->page, &lines);
		if (out->report) {
			tr_cli_check(&s->cli,
				     tr_file_report(&lines, &parts, out->report));
			tr_report_say(out->report, "\n");
		}
		tr_file_release(&lines);
	}
	free(paths);
	return count;
}

static void show_wanted(const struct state *s, const struct shown *out)
{
	if (s->wants_all)
		show_all(s, out);
	else if (!show_functions(s, is_named, out) && !show_functions(s, is_at, out) &&
		 !show_line(s, out) && !show_files(s, out))
		report_unknown(s);
}

static void check_sites(const struct state *s)
{
	bool by_flag;
	if (s->has_mispredicts && !tr_counts_tell_mispredictions(s->counts, &by_flag))
		tr_die(&s->cli,
		       "%s: --mispredicts: the source tells neither classes of lost "
		       "cycles nor what was mispredicted",
		       s->unwinding.input);
	if (s->has_misses && !s->classes.count)
		tr_die(&s->cli,
		       "%s: --misses: the source tells no classes of lost cycles",
		       s->unwinding.input);
}

static void say_selection(const struct state *s, struct tr_report *report)
{
	char text[TEXT];
	describe_part(s, text, sizeof(text));
	if (*text)
		tr_report_say(report, "%s\n", text);
}

static void report_sites(const struct state *s)
{
	const struct tr_listing_parts parts = listing_parts(s);
	check_sites(s);
	struct tr_cli_report out =
	    tr_cli_report_open(&s->cli, s->as, s->cli.program, false);
	tr_cli_check(&s->cli, tr_sites_report(&parts,
					      s->has_misses ? TR_SITES_MISSES
							    : TR_SITES_MISPREDICTS,
					      s->limit, out.report));
	tr_listing_legend(&parts, out.report);
	say_selection(s, out.report);
	tr_cli_report_close(&out);
}

static void report_wanted(const struct state *s)
{
	const struct tr_listing_parts parts = listing_parts(s);
	struct tr_cli_report out =
	    tr_cli_report_open(&s->cli, s->as, s->cli.program, false);
	show_wanted(s, &(struct shown){.report = out.report});
	tr_listing_legend(&parts, out.report);
	say_selection(s, out.report);
	tr_cli_report_close(&out);
}

static void write_page(const struct state *s)
{
	const struct tr_listing_parts parts = listing_parts(s);
	const char *how = tr_header_cut_off(tr_reader_end(s->unwinding.reader));
	char part[TEXT], rest[TEXT] = "", note[2 * TEXT] = "";
	describe_part(s, part, sizeof(part));
	if (s->wants_all)
		describe_rest(s, rest, sizeof(rest));
	if (how || *rest)
		snprintf(note, sizeof(note), "%s%s%s%s%s",
			 how ? "The run was cut off: " : "", how ? how : "",
			 how ? *rest ? ". " : "." : "", rest, *rest ? "." : "");
	char *title = tr_cli_selection_title(&s->selection, &s->cli,
					     s->wants_all ? "all functions" : s->wanted);
	FILE *file = tr_cli_text(&s->cli);
	struct tr_page page = {.file = file,
			       .parts = &parts,
			       .title = title,
			       .note = note,
			       .part = part,
			       .cycles = sum_all_cycles(s)};
	tr_cli_check(&s->cli, tr_page_open(&page));
	show_wanted(s, &(struct shown){.page = &page});
	tr_cli_check(&s->cli, tr_page_close(&page));
	tr_cli_text_close(&s->cli, file);
	free(title);
}

/* Writes the counts by slice to a file of their own. */
static void write_slices(const struct state *s)
{
	if (s->stacks && !tr_selection_is_used_up(s->contexts.keys))
		tr_die(&s->cli, "--stacks %s: they are not of the run in %s", s->stacks,
		       s->unwinding.input);
	const struct tr_listing_parts parts = listing_parts(s);
	struct tr_unwind_totals totals;
	struct tr_cli to = s->cli;
	to.output = s->slices;
	tr_unwind_totals(s->unwinding.unwind, &totals);
	FILE *file = tr_cli_text(&to);
	tr_cli_check(&s->cli,
		     tr_slices_write(&parts, s->stacks ? &s->contexts.contexts : NULL,
				     totals.instructions, totals.cycles, file));
	tr_cli_text_close(&to, file);
}

int main(int argc, char **argv)
{
	struct state s = {0};
	parse_args(&s, argc, argv);
	open_stream(&s);
	count_stream(&s);
	const struct tr_cli_annotated annotated = {.cli = &s.cli,
						   .counts = s.counts,
						   .symbols = s.unwinding.symbols,
						   .sources = s.sources};
	tr_cli_protect_sources(&annotated);
	check_selection(&s);
	if (s.slices)
		write_slices(&s);
	if (s.html)
		write_page(&s);
	else if (s.wanted || s.wants_all)
		report_wanted(&s);
	else
		report_sites(&s);
	tr_cli_warn_of_sources(&annotated);
	tr_counts_free(s.counts);
	tr_redirects_release(&s.redirects);
	tr_cli_selection_release(&s.selection);
	tr_cli_contexts_release(&s.contexts);
	tr_sources_free(s.sources);
	tr_classes_release(&s.classes);
	tr_cli_unwind_release(&s.unwinding);
	free(s.folders.text);
	return TR_EXIT_OK;
}
