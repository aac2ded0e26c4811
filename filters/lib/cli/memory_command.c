/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/memory_command.h"

#include <inttypes.h>

#include "cli/cli_accesses.h"
#include "cli/cli_report.h"
#include "cli/cli_unwind.h"
#include "memory/memory_report.h"

enum { LINE = 64, SHOWN = 40, EVERY = 1000000 };

static const char *const by_names[] = {"object", "member", "line", "time", NULL};
enum by { BY_OBJECT, BY_MEMBER, BY_LINE, BY_TIME };

struct state {
	struct tr_cli *cli;
	enum tr_report_as as;
	unsigned by, line;
	uint64_t limit, every;
	const char *has_every;
	struct tr_cli_unwind in; /* the stream and its binaries; there is no unwinder */
	struct tr_classes classes;
	bool has_classes;
	struct tr_accesses *accesses;
	struct tr_places *places;
	struct tr_lines *lines;	  /* --by line */
	struct tr_slices *slices; /* --by time */
	struct tr_heap *heap;
	struct tr_memory *memory;
};

static void parse_memory_options(struct state *s)
{
	const struct tr_option options[] = {
	    {"by", .choice = {&s->by, by_names},
	     .help = "a table of what is at the addresses (object), of the members of "
		     "structures as well, of cache lines and the harts that use them, or "
		     "of the working set over time"},
	    {"every", .argument = "CYCLES", .number = &s->every, .seen = &s->has_every,
	     .help = "with --by time, the length of a slice (1M)"},
	    {"line", .argument = "BYTES", .range = {&s->line, 8, LINE},
	     .help = "size of a cache line, a power of 2 (64)"},
	    {"limit", .argument = "N", .number = &s->limit,
	     .help = "number of rows, 0 for all (40)"},
	    TR_CLI_UNWIND_PATH(&s->in),
	    TR_CLI_REPORT_OPTION(&s->as),
	    {0}};
	tr_options_parse(s->cli, options, s);
	if (s->line & (s->line - 1))
		tr_die(s->cli, "--line: %u is no power of 2", s->line);
	if (s->has_every && s->by != BY_TIME)
		tr_die(s->cli, "--every needs --by time");
	if (s->every < TR_SLICE_LEAST)
		tr_die(s->cli, "--every: less than %d cycles", TR_SLICE_LEAST);
}

static void open_memory(struct state *s)
{
	s->in.cli = s->cli;
	s->in.is_quiet = true;
	s->in.names.functions = s->in.names.lines = true;
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
	s->heap = tr_heap_new(tr_reader_probes(s->in.reader));
	tr_cli_need(s->cli, s->heap);
	if (s->by == BY_LINE) {
		s->lines = tr_lines_new(s->line);
		tr_cli_need(s->cli, s->lines);
	}
	if (s->by == BY_TIME) {
		s->slices = tr_slices_new(s->line, s->every);
		tr_cli_need(s->cli, s->slices);
	}
	const struct tr_memory_options options = {
	    .header = header,
	    .classes = status ? NULL : &s->classes,
	    .places = s->places,
	    .lines = s->lines,
	    .slices = s->slices,
	    .heap = tr_heap_is_reported(s->heap) ? s->heap : NULL,
	    .line = s->line};
	s->memory = tr_memory_new(&options);
	tr_cli_need(s->cli, s->memory);
}

static bool take_memory_frame(void *context, const struct tr_frame *frame)
{
	struct state *s = context;
	tr_cli_accesses_frame(s->cli, s->in.input, s->accesses, frame);
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

static void report_memory(const struct state *s)
{
	const unsigned width =
	    s->has_classes ? tr_header_commit_width(tr_reader_header(s->in.reader)) : 1;
	struct tr_cli_report out =
	    tr_cli_report_open(s->cli, s->as, s->cli->program, s->by == BY_LINE);
	if (s->by == BY_LINE)
		tr_cli_check(s->cli, tr_memory_report_lines(s->memory, s->lines, width,
							    s->limit, out.report));
	else if (s->by == BY_TIME)
		tr_cli_check(s->cli, tr_memory_report_slices(s->memory, s->slices, width,
							     out.report));
	else
		tr_cli_check(s->cli, tr_memory_report_objects(
					 s->memory, s->has_classes ? &s->classes : NULL,
					 width, s->limit, out.report));
	tr_cli_report_close(&out);
}

void tr_memory_command(struct tr_cli *cli)
{
	struct state s = {.cli = cli, .limit = SHOWN, .line = LINE, .every = EVERY};
	const struct tr_cli_frames take = {.rows = take_memory_frame, .context = &s};
	parse_memory_options(&s);
	open_memory(&s);
	if (tr_cli_each_frame(cli, s.in.reader, &take) != TR_END)
		tr_die(cli, "%s", tr_reader_message(s.in.reader));
	tr_memory_finish(s.memory);
	check_memory_sums(&s);
	tr_cli_tell_cut_off(cli, s.in.input, tr_reader_end(s.in.reader));
	report_memory(&s);
	tr_memory_free(s.memory);
	tr_lines_free(s.lines);
	tr_slices_free(s.slices);
	tr_heap_free(s.heap);
	tr_places_free(s.places);
	tr_accesses_free(s.accesses);
	tr_classes_release(&s.classes);
	tr_cli_unwind_release(&s.in);
}
