/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/cli_chain.h"

#include "cli/cli_threads.h"
#include "cli/unwound.h"

void tr_cli_chain_init(struct tr_cli_chain *c, const struct tr_cli *cli)
{
	*c = (struct tr_cli_chain){.unwinding = {.cli = cli, .has_virtual = true}};
	c->unwinding.names.functions = true;
	tr_cli_match_init(&c->unwinding.match, cli);
}

bool tr_cli_chain_is_wanted(const struct tr_cli_chain *c)
{
	const struct tr_cli_unwind *u = &c->unwinding;
	const bool is_wanted = tr_cli_match_has_places(&u->match);
	if (!is_wanted && (u->match.maps.count || u->paths.count))
		tr_die(u->cli, "--%s needs --bins FILE or --sysroot DIR",
		       u->match.maps.count ? "perf-map" : "path");
	return is_wanted;
}

static bool unwind_linked_frame(void *context, const struct tr_frame *frame)
{
	struct tr_cli_chain *c = context;
	const struct tr_cli *cli = c->unwinding.cli;
	tr_cli_check(cli, tr_stacks_sink_begin(c->sink, frame));
	tr_cli_check(cli, tr_cli_unwind_frame(&c->unwinding, frame));
	tr_cli_check(cli, tr_stacks_sink_end(c->sink, frame));
	return true;
}

static void *unwind_trace(void *context)
{
	struct tr_cli_chain *c = context;
	struct tr_cli_unwind *u = &c->unwinding;
	const struct tr_cli_frames take = {.rows = unwind_linked_frame,
					   .context = c,
					   .is_silent = true,
					   .is_ahead = true};
	if (tr_cli_unwind_each(u, &take) != TR_END)
		tr_die(u->cli, "%s", tr_reader_message(u->reader));
	tr_cli_check(u->cli, tr_cli_unwind_finish(u));
	tr_cli_unwind_totals(u, &c->totals);
	struct tr_header *end = tr_cli_unwind_end(u);
	tr_unwound_add_totals(end, &c->totals);
	tr_cli_check(u->cli, tr_writer_end(c->writer, end));
	tr_link_end(c->link);
	tr_header_free(end);
	return NULL;
}

struct tr_reader *tr_cli_chain_start(struct tr_cli_chain *c, const char *path)
{
	struct tr_cli_unwind *u = &c->unwinding;
	tr_cli_unwind_open(u, path);
	struct tr_header *header = tr_header_copy(u->header);
	tr_cli_need(u->cli, header);
	tr_cli_check(u->cli, tr_header_set(header, "content", "stacks"));
	c->link = tr_link_new();
	tr_cli_need(u->cli, c->link);
	const struct tr_writer_options options = {.link = c->link};
	tr_cli_check(u->cli, tr_writer_open(&c->writer, -1, header, &options));
	tr_header_free(header);
	tr_cli_check(u->cli, tr_reader_open_link(&c->stacks, c->link, u->input));
	c->sink = tr_stacks_sink_new(tr_reader_probes(u->reader), c->writer);
	tr_cli_need(u->cli, c->sink);
	const struct tr_unwind_sink sink = tr_stacks_sink_calls(c->sink);
	tr_cli_unwind_start(u, &sink, false);
	tr_cli_start_thread(u->cli, &c->thread, unwind_trace, c);
	return c->stacks;
}

void tr_cli_chain_finish(struct tr_cli_chain *c)
{
	const struct tr_cli_unwind *u = &c->unwinding;
	pthread_join(c->thread, NULL);
	tr_cli_unwind_tell(u);
	tr_unwound_report(u->cli, &c->totals, tr_header_watches_sp(u->header));
}

void tr_cli_chain_release(struct tr_cli_chain *c)
{
	if (!c->link)
		return;
	tr_writer_close(c->writer);
	tr_stacks_sink_free(c->sink);
	tr_link_free(c->link);
	tr_cli_unwind_release(&c->unwinding);
}
