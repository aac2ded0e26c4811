/* SPDX-License-Identifier: Apache-2.0 */
/* tr-unwind: turns the rows of a matched stream into call stacks. */
#include <stdlib.h>

#include "cli/cli_unwind.h"
#include "cli/options.h"
#include "cli/unwound.h"
#include "unwind/stacks_sink.h"

static const char USAGE[] =
    "usage: tr-unwind [options] [STREAM]\n"
    "       tr-unwind {--bins FILE | --sysroot DIR}... [options] [STREAM]\n"
    "Convert a stream from tr-match into one of call stacks, for tr-fold; with "
    "binaries,\n"
    "a trace that is matched first.\n";

struct state {
	struct tr_cli cli;
	struct tr_cli_unwind unwinding;
	struct tr_output out;
	struct tr_stacks_sink *sink;
};

static void parse_args(struct state *s, int argc, char **argv)
{
	struct tr_image_options *names = &s->unwinding.names;
	const struct tr_option options[] = {
	    TR_CLI_MATCH_OPTIONS(&s->unwinding.match),
	    {"addresses", .flag = &names->scopes,
	     .help = "also count instructions, cycles and taken branches by address, for "
		     "tr-fold --format pprof, callgrind, autofdo"},
	    {"inline", .flag = &names->calls,
	     .help = "show inlined calls, as \"f (inlined)\""},
	    {"lines", .flag = &names->lines,
	     .help = "show source lines, as \"f.c:12\" on top"},
	    TR_CLI_UNWIND_PATH(&s->unwinding),
	    {0}};
	names->functions = true;
	s->unwinding.has_virtual = true;
	s->unwinding.cli = &s->cli;
	tr_cli_init(&s->cli, TR_CLI_STREAM, "tr-unwind", USAGE, argc, argv);
	s->cli.takes_sampled = true;
	tr_cli_promise(&s->cli);
	tr_cli_match_init(&s->unwinding.match, &s->cli);
	tr_options_parse(&s->cli, options, s);
	if (s->unwinding.match.maps.count &&
	    !tr_cli_match_has_places(&s->unwinding.match))
		tr_die(&s->cli, "--perf-map needs --bins FILE or --sysroot DIR");
	s->unwinding.has_places = names->calls || names->lines;
}

/* Begins the output, a stream of stacks. */
static void open_unwound(struct state *s)
{
	const struct tr_reader *reader = s->unwinding.reader;
	struct tr_header *header = tr_header_copy(s->unwinding.header);
	tr_cli_need(&s->cli, header);
	tr_cli_check(&s->cli, tr_header_set(header, "content", "stacks"));
	if (s->unwinding.names.scopes)
		tr_cli_check(&s->cli, tr_header_set(header, "addresses", "yes"));
	tr_cli_writer(&s->out, &s->cli, header);
	tr_header_free(header);
	s->sink = tr_stacks_sink_new(tr_reader_probes(reader), s->out.writer);
	tr_cli_need(&s->cli, s->sink);
	const struct tr_unwind_sink sink = tr_stacks_sink_calls(s->sink);
	tr_cli_unwind_start(&s->unwinding, &sink, s->unwinding.names.scopes);
}

static bool unwind_frame(void *context, const struct tr_frame *frame)
{
	struct state *s = context;
	tr_cli_wrote(&s->out, tr_stacks_sink_begin(s->sink, frame));
	tr_cli_wrote(&s->out, tr_cli_unwind_frame(&s->unwinding, frame));
	tr_cli_wrote(&s->out, tr_stacks_sink_end(s->sink, frame));
	return true;
}

static void finish_unwound_stream(struct state *s)
{
	struct tr_unwind_totals totals;
	tr_cli_wrote(&s->out, tr_cli_unwind_finish(&s->unwinding));
	tr_cli_unwind_totals(&s->unwinding, &totals);
	struct tr_header *end = tr_cli_unwind_end(&s->unwinding);
	tr_unwound_add_totals(end, &totals);
	tr_cli_finish(&s->out, end);
	tr_header_free(end);
	tr_cli_unwind_tell(&s->unwinding);
	tr_unwound_report(&s->cli, &totals, tr_header_watches_sp(s->unwinding.header));
}

static void unwind_stream(struct state *s)
{
	const struct tr_cli_frames take = {
	    .rows = unwind_frame, .context = s, .is_ahead = true};
	if (tr_cli_unwind_each(&s->unwinding, &take) != TR_END)
		tr_cli_bad_input(&s->out, s->unwinding.reader);
	finish_unwound_stream(s);
}

int main(int argc, char **argv)
{
	struct state s = {0};
	parse_args(&s, argc, argv);
	tr_cli_unwind_open(&s.unwinding, tr_cli_input(&s.cli, NULL));
	open_unwound(&s);
	unwind_stream(&s);
	tr_cli_unwind_release(&s.unwinding);
	tr_stacks_sink_free(s.sink);
	return TR_EXIT_OK;
}
