/* SPDX-License-Identifier: Apache-2.0 */
/* tr-match: finds the binary and address of every block in every address space. */
#include "cli/cli_match.h"
#include "cli/options.h"

static const char USAGE[] =
    "usage: tr-match {--bins FILE | --sysroot DIR}... [options] [STREAM]\n"
    "Add to a trace stream the binary and the address that each block comes from.\n";

struct state {
	struct tr_cli cli;
	struct tr_cli_match matching;
	struct tr_output out;
};

static void parse_args(struct state *s, int argc, char **argv)
{
	struct tr_match_options *o = &s->matching.options;
	const struct tr_option options[] = {
	    TR_CLI_MATCH_OPTIONS(&s->matching),
	    {"depth", .argument = "N", .range = {&o->depth, 1, UINT32_MAX},
	     .help = "tokens that must agree for a match (3)"},
	    {"history", .argument = "N", .range = {&o->history, 0, UINT32_MAX},
	     .help = "distinct tokens of an address space that may wait for a unique "
		     "match (2048)"},
	    {"no-satp-cache", .flag = &o->no_cache,
	     .help = "search all binaries for each block, even if that of its address "
		     "space is known"},
	    {0}};
	tr_cli_init(&s->cli, TR_CLI_STREAM, "tr-match", USAGE, argc, argv);
	s->cli.takes_sampled = true;
	tr_cli_promise(&s->cli);
	tr_cli_match_init(&s->matching, &s->cli);
	tr_options_parse(&s->cli, options, s);
	if (!tr_cli_match_has_places(&s->matching))
		tr_die(&s->cli, "no --bins FILE or --sysroot DIR given; try --help");
}

static bool match_frame(void *context, const struct tr_frame *frame)
{
	struct state *s = context;
	tr_cli_wrote(&s->out, tr_cli_match_frame(&s->matching, frame));
	return true;
}

static void match_stream(struct state *s)
{
	struct tr_cli_match *m = &s->matching;
	const struct tr_cli_frames take = {
	    .rows = match_frame, .context = s, .is_ahead = true};
	const int status = tr_cli_each_frame(&s->cli, m->reader, &take);
	const int finished = tr_cli_match_finish(m);
	if (status != TR_END)
		tr_cli_bad_input(&s->out, m->reader);
	tr_cli_wrote(&s->out, finished);
	struct tr_header *end = tr_cli_match_end(m);
	tr_cli_finish(&s->out, end);
	tr_header_free(end);
	tr_cli_match_tell(m);
}

int main(int argc, char **argv)
{
	struct state s = {0};
	parse_args(&s, argc, argv);
	tr_cli_match_open(&s.matching, tr_cli_input(&s.cli, NULL));
	tr_cli_writer(&s.out, &s.cli, s.matching.header);
	tr_cli_match_start(&s.matching, s.out.writer);
	match_stream(&s);
	tr_cli_match_release(&s.matching);
	return TR_EXIT_OK;
}
