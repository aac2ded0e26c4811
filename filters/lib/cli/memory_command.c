/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/memory_command.h"

#include <inttypes.h>
#include <regex.h>

#include "cli/cli_accesses.h"
#include "cli/cli_report.h"
#include "cli/cli_unwind.h"
#include "cli/unwound.h"
#include "memory/memory_report.h"

enum { LINE = 64, SHOWN = 40, EVERY = 1000000 };

static const char *const by_names[] = {"object", "member", "line", "time", "heap", NULL};
enum by { BY_OBJECT, BY_MEMBER, BY_LINE, BY_TIME, BY_HEAP };
/* Those of tables, in the order of enum tr_report_as, and one more. */
static const char *const format_names[] = {"text", "csv", "json", "folded", NULL};
enum { FOLDED = 3 };
static const char *const unit_names[] = {"accesses", "missed", "lost", NULL};
enum { HIDES = 16 };

struct state {
	struct tr_cli *cli;
	unsigned format, unit; /* of enum tr_memory_unit */
	const char *has_unit;
	unsigned by, line;
	regex_t hides[HIDES];
	unsigned nhides;
	uint64_t limit, every;
	const char *has_every;
	struct tr_cli_unwind in; /* an unwinder only with --by heap */
	struct tr_classes classes;
	bool has_classes;
	struct tr_accesses *accesses;
	struct tr_places *places;
	struct tr_lines *lines;	       /* --by line */
	struct tr_working_set *slices; /* --by time */
	struct tr_heap *heap;
	struct tr_heap_forks *forks;
	struct tr_heap_stacks *stacks; /* --by heap */
	struct tr_heap_sites *sites;
	struct tr_typed *typed; /* --by member */
	struct tr_memory *memory;
};

static void take_hide(void *context, const struct tr_option *option, const char *regex)
{
	struct state *s = context;
	char message[160];
	if (!*regex)
		tr_die(s->cli, "--%s: no regular expression", option->name);
	if (s->nhides == HIDES)
		tr_die(s->cli, "--%s: more than %d regular expressions", option->name,
		       HIDES);
	const int failed = regcomp(&s->hides[s->nhides], regex, REG_EXTENDED | REG_NOSUB);
	if (failed) {
		regerror(failed, &s->hides[s->nhides], message, sizeof(message));
		tr_die(s->cli, "--%s: %s: %s", option->name, regex, message);
	}
	s->nhides++;
}

static bool hides_function(void *user, const char *function)
{
	const struct state *s = user;
	for (unsigned i = 0; i < s->nhides; i++)
		if (regexec(&s->hides[i], function, 0, NULL, 0) == 0)
			return true;
	return false;
}

static void parse_memory_options(struct state *s)
{
	const struct tr_option options[] = {
	    {"by", .choice = {&s->by, by_names},
	     .help = "a table of what is at the addresses (object), of the members of "
		     "structures as well, of cache lines and the harts that use them, "
		     "of the working set over time, or of what has allocated memory"},
	    {"every", .argument = "CYCLES", .number = &s->every, .seen = &s->has_every,
	     .help = "with --by time, the length of a slice (1M)"},
	    {"line", .argument = "BYTES", .range = {&s->line, 8, LINE},
	     .help = "size of a cache line, a power of 2 (64)"},
	    {"limit", .argument = "N", .number = &s->limit,
	     .help = "number of rows, 0 for all (40)"},
	    TR_CLI_UNWIND_PATH(&s->in),
	    {"hide", .argument = "RE", .take = take_hide,
	     .help = "with --by heap, without functions that match this extended regular "
		     "expression: their callers allocate; may be repeated"},
	    {"unit", .choice = {&s->unit, unit_names}, .seen = &s->has_unit,
	     .help = "with --format folded, what to sum: accesses, those that missed, or "
		     "what they lost"},
	    {"format", .choice = {&s->format, format_names},
	     .help = "format of the tables (text); folded: the stacks of --by heap"},
	    {0}};
	tr_options_parse(s->cli, options, s);
	if (s->format == FOLDED && s->by != BY_HEAP)
		tr_die(s->cli, "--format folded needs --by heap");
	if (s->nhides && s->by != BY_HEAP)
		tr_die(s->cli, "--hide needs --by heap");
	if (s->has_unit && s->format != FOLDED)
		tr_die(s->cli, "--unit needs --format folded");
	if (s->line & (s->line - 1))
		tr_die(s->cli, "--line: %u is no power of 2", s->line);
	if (s->has_every && s->by != BY_TIME)
		tr_die(s->cli, "--every needs --by time");
	if (s->every < TR_SLICE_LEAST)
		tr_die(s->cli, "--every: less than %d cycles", TR_SLICE_LEAST);
}

/* What allocates, and with --by heap its stacks. */
static void open_heap(struct state *s)
{
	const struct tr_probe_names *probes = tr_reader_probes(s->in.reader);
	s->heap = tr_heap_new(probes);
	tr_cli_need(s->cli, s->heap);
	s->forks = tr_heap_forks_new(probes, s->heap);
	tr_cli_need(s->cli, s->forks);
	if (s->by == BY_HEAP && !tr_heap_is_reported(s->heap))
		tr_die(s->cli,
		       "%s: no probe tells of allocations; tr-replay --stream --accesses "
		       "--probes malloc.probes adds them",
		       s->in.input);
	if (s->by == BY_HEAP) {
		s->stacks = tr_heap_stacks_new(s->heap);
		tr_cli_need(s->cli, s->stacks);
		const struct tr_unwind_sink sink = tr_heap_stacks_sink(s->stacks);
		tr_cli_unwind_start(&s->in, &sink, false);
	}
	const struct tr_heap_sites_options options = {.places = s->places,
						      .symbols = s->in.symbols,
						      .stacks = s->stacks,
						      .whole = s->format == FOLDED,
						      .hides = hides_function,
						      .user = s};
	s->sites = tr_heap_sites_new(&options);
	tr_cli_need(s->cli, s->sites);
}

static void open_memory(struct state *s)
{
	s->in.cli = s->cli;
	s->in.is_quiet = true;
	s->in.names.functions = s->in.names.lines = true;
	s->in.names.scopes = s->in.has_virtual = s->by == BY_HEAP;
	tr_cli_unwind_open(&s->in, tr_cli_input(s->cli, NULL));
	const struct tr_header *header = tr_reader_header(s->in.reader);
	if (!tr_header_get(header, "accesses"))
		tr_die(s->cli,
		       "%s: the stream has no addresses of accesses; tr-replay --stream "
		       "--accesses adds them",
		       s->in.input);
	const int status = tr_classes_read(&s->classes, header);
	if (status && status != TR_E_ARGUMENT)
		tr_die(s->cli, "%s: header: classes: %s", s->in.input,
		       tr_status_text((enum tr_status)status));
	s->has_classes = !status;
	s->accesses = tr_accesses_new();
	s->places = tr_places_new(s->in.symbols, s->by == BY_MEMBER);
	tr_cli_need(s->cli, s->accesses);
	tr_cli_need(s->cli, s->places);
	open_heap(s);
	if (s->by == BY_LINE) {
		s->lines = tr_lines_new(s->line);
		tr_cli_need(s->cli, s->lines);
	}
	if (s->by == BY_MEMBER) {
		s->typed = tr_typed_new(s->places);
		tr_cli_need(s->cli, s->typed);
	}
	if (s->by == BY_TIME) {
		s->slices = tr_working_set_new(s->line, s->every);
		tr_cli_need(s->cli, s->slices);
	}
	const struct tr_memory_options options = {
	    .header = header,
	    .classes = status ? NULL : &s->classes,
	    .places = s->places,
	    .lines = s->lines,
	    .slices = s->slices,
	    .typed = s->typed,
	    .heap = tr_heap_is_reported(s->heap) ? s->heap : NULL,
	    .sites = s->sites,
	    .forks = s->forks,
	    .line = s->line};
	s->memory = tr_memory_new(&options);
	tr_cli_need(s->cli, s->memory);
}

static bool take_memory_frame(void *context, const struct tr_frame *frame)
{
	struct state *s = context;
	tr_cli_accesses_frame(s->cli, s->in.input, s->accesses, frame);
	if (s->stacks) {
		tr_heap_stacks_begin(s->stacks);
		tr_cli_check(s->cli, tr_cli_unwind_frame(&s->in, frame));
	}
	const int status = tr_memory_frame(s->memory, s->in.reader, frame, s->accesses);
	if (status == TR_E_CORRUPT)
		tr_die(s->cli,
		       "%s: frame %" PRIu64 ": a note refers to an unknown binary",
		       s->in.input, frame->number);
	if (status == TR_E_UNSUPPORTED && s->slices)
		tr_die(s->cli, "%s: more than 1,048,576 slices; use a longer --every",
		       s->in.input);
	if (status == TR_E_UNSUPPORTED && s->lines)
		tr_die(s->cli, "%s: --by line: more than 32 harts", s->in.input);
	if (status && status != TR_E_NOMEM)
		tr_die(s->cli, "%s", tr_symbols_message(s->in.symbols));
	tr_cli_check(s->cli, status);
	return true;
}

/* Dies unless the sums over the objects are those over all accesses. */
static void check_memory_sums(const struct state *s)
{
	struct tr_memory_sum total;
	uint64_t without, accesses = 0, missed = 0;
	tr_memory_total(s->memory, &total, &without);
	for (size_t i = 0; i < tr_memory_objects(s->memory); i++) {
		const struct tr_memory_sum *sum = &tr_memory_object(s->memory, i)->sum;
		accesses += tr_memory_accesses(sum);
		missed += sum->missed;
	}
	if (accesses != tr_memory_accesses(&total) || missed != total.missed)
		tr_die(s->cli, "%s: %" PRIu64 " accesses, but %" PRIu64 " of objects",
		       s->in.input, tr_memory_accesses(&total), accesses);
}

static void write_folded(const struct state *s)
{
	FILE *file = tr_cli_text(s->cli);
	tr_cli_check(s->cli, tr_memory_write_folded(s->memory, s->unit, file));
	tr_cli_text_close(s->cli, file);
}

/* Says of which binaries members are missing, all or those that pointers lead to. */
static void tell_unread_types(const struct state *s)
{
	for (uint32_t i = 0; s->typed && i < tr_places_binaries(s->places); i++) {
		const struct tr_data_members *members = tr_places_members(s->places, i);
		const char *all = members ? tr_data_members_message(members) : "";
		const char *pointers = tr_typed_message(s->typed, i);
		if (*all)
			tr_warn(s->cli, "%s: no members", all);
		else if (pointers)
			tr_warn(s->cli, "%s: no members by pointers", pointers);
	}
}

static void report_memory(const struct state *s)
{
	const unsigned width =
	    s->has_classes ? tr_header_commit_width(tr_reader_header(s->in.reader)) : 1;
	struct tr_cli_report out =
	    tr_cli_report_open(s->cli, s->format, s->cli->program, s->by == BY_LINE);
	if (s->by == BY_LINE)
		tr_cli_check(s->cli, tr_memory_report_lines(s->memory, s->lines, width,
							    s->limit, out.report));
	else if (s->by == BY_TIME)
		tr_cli_check(s->cli, tr_memory_report_slices(s->memory, s->slices, width,
							     out.report));
	else
		tr_cli_check(s->cli,
			     tr_memory_report_objects(
				 s->memory, s->has_classes ? &s->classes : NULL, width,
				 s->by == BY_MEMBER, s->limit, out.report));
	tr_cli_report_close(&out);
}

/* Says what of the stacks is in doubt. */
static void finish_stacks(struct state *s)
{
	struct tr_unwind_totals totals;
	if (!s->stacks)
		return;
	tr_cli_check(s->cli, tr_cli_unwind_finish(&s->in));
	tr_cli_unwind_totals(&s->in, &totals);
	tr_unwound_report(s->cli, &totals,
			  tr_header_watches_sp(tr_reader_header(s->in.reader)));
}

void tr_memory_command(struct tr_cli *cli)
{
	struct state s = {.cli = cli, .limit = SHOWN, .line = LINE, .every = EVERY};
	const struct tr_cli_frames take = {.rows = take_memory_frame, .context = &s};
	parse_memory_options(&s);
	open_memory(&s);
	if (tr_cli_each_frame(cli, s.in.reader, &take) != TR_END)
		tr_die(cli, "%s", tr_reader_message(s.in.reader));
	finish_stacks(&s);
	tr_cli_check(cli, tr_memory_finish(s.memory));
	check_memory_sums(&s);
	tell_unread_types(&s);
	tr_cli_tell_cut_off(cli, s.in.input, tr_reader_end(s.in.reader));
	if (s.format == FOLDED)
		write_folded(&s);
	else
		report_memory(&s);
	tr_memory_free(s.memory);
	tr_lines_free(s.lines);
	tr_working_set_free(s.slices);
	tr_heap_sites_free(s.sites);
	tr_heap_forks_free(s.forks);
	tr_heap_stacks_free(s.stacks);
	tr_heap_free(s.heap);
	for (unsigned i = 0; i < s.nhides; i++)
		regfree(&s.hides[i]);
	tr_typed_free(s.typed);
	tr_places_free(s.places);
	tr_accesses_free(s.accesses);
	tr_classes_release(&s.classes);
	tr_cli_unwind_release(&s.in);
}
