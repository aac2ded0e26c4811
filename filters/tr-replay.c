/* SPDX-License-Identifier: Apache-2.0 */
/* tr-replay: follows a trace with the functional model. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "cli/replay_options.h"
#include "replay/annotate.h"
#include "replay/chosen.h"
#include "replay/debug.h"
#include "replay/indexing.h"
#include "replay/inspect.h"
#include "replay/page_marks.h"
#include "replay/probing.h"
#include "replay/replay.h"
#include "replay/resolve.h"
#include "replay/setup.h"

struct settings {
	struct tr_cli cli;
	struct tr_replay_options given;
	struct setup machine;
	struct tr_reader *reader;
	const struct tr_header *header;
	struct soc *soc;
	struct replay *replay;
	struct replay_place *places; /* of the probes: replay_resolve() */
	struct chosen *chosen;
	struct addresses *addresses;
	struct page_marks *page_marks;
	struct tr_output stream;
	struct annotate *annotate;
	struct inspection *inspection;
	struct indexing index;
	FILE *out; /* NULL if the output is a stream */
};

/* Dies of the trouble that a module tells of, unless it is `done`. */
static void require_done(const struct settings *s, bool done,
			 const struct trouble *trouble)
{
	if (!done)
		tr_die(&s->cli, "%s", trouble->text);
}

/* Dies if the output is an input, which opening it would truncate. */
static void keep_inputs(const struct settings *s, const char *output)
{
	struct trouble trouble = {""};

	require_done(s, setup_protect_inputs(&s->machine, output, &trouble), &trouble);
	for (unsigned i = 0; i < s->given.probe_files.count; i++)
		tr_cli_protect_input(&s->cli, output, s->given.probe_files.text[i]);
}

static void check_replay_outputs(const struct settings *s)
{
	keep_inputs(s, s->cli.output);
	if (!s->given.index || s->given.has_at || s->given.has_gdb)
		return;
	keep_inputs(s, s->given.index);
	tr_cli_two_outputs(&s->cli, s->given.index, s->cli.output);
}

/* Refuses what a sampled run has no answer to: its time is that of the model, and the
 * addresses of its accesses would lack those in windows. */
static void check_sampled(const struct settings *s)
{
	const struct tr_replay_options *o = &s->given;
	const char *option = o->has_at		? "at"
			     : o->has_gdb	? "gdb"
			     : o->index		? "index"
			     : o->has_mark_page ? "mark-page"
			     : o->has_accesses	? "accesses"
						: NULL;

	if (option && tr_header_get(s->header, "sampled_hart"))
		tr_die(&s->cli,
		       "%s: --%s: a sampled run, which is replayed for probes alone",
		       strcmp(o->trace, "-") == 0 ? "<stdin>" : o->trace, option);
}

/* Finds the places of the probes in the programs. */
static void resolve_probes(struct settings *s)
{
	const struct setup *m = &s->machine;
	const char **programs = calloc((size_t)m->nprograms + 1, sizeof(*programs)),
		   *note;
	char message[REPLAY_RESOLVE_MESSAGE];
	size_t n = 0;

	tr_cli_need(&s->cli, programs);
	for (int i = 0; i < m->nprograms; i++) {
		struct trouble trouble = {""};
		char *path = NULL;
		uint64_t address;
		bool placed;

		require_done(
		    s, boot_split(m->programs[i], &path, &address, &placed, &trouble),
		    &trouble);
		if (!placed)
			programs[n++] = m->programs[i];
		free(path);
	}
	s->places = replay_resolve(s->given.probes, s->header, programs, n, message);
	free(programs);
	if (!s->places)
		tr_die(&s->cli, "%s", message);
	for (size_t i = 0; (note = tr_probes_note(s->given.probes, i)) != NULL; i++)
		tr_warn(&s->cli, "note: %s", note);
	/* The header of a stream has these. */
	for (size_t i = 0; !s->given.streams && i < tr_probes_count(s->given.probes); i++)
		if ((note = tr_probes_absence(s->given.probes, i)) != NULL)
			tr_warn(&s->cli, "note: %s: %s",
				tr_probes_name(s->given.probes, i), note);
}

static void choose_functions(struct settings *s)
{
	char message[CHOSEN_MESSAGE];

	s->chosen = chosen_new(s->header, s->given.functions.text,
			       s->given.functions.count, message);
	if (!s->chosen)
		tr_die(&s->cli, "--accesses-of: %s", message);
}

static void put_page_mark(void *context, const struct page_mark *mark)
{
	struct settings *s = context;
	const int status = annotate_mark(s->annotate, s->given.probes, mark);

	if (status == TR_E_UNSUPPORTED)
		tr_die(&s->cli, "hart %u: the hits of a frame have more than 32 MiB",
		       mark->hart);
	tr_cli_wrote(&s->stream, status);
}

/* Opens the output as a stream whose header has the probes. */
static void open_stream(struct settings *s)
{
	struct tr_header *header = tr_header_copy(s->header);
	int status;

	tr_cli_need(&s->cli, header);
	status = annotate_header(header, s->given.probes, s->given.has_mark_page != NULL);
	if (s->given.has_accesses && !status)
		status = tr_header_set(header, "accesses",
				       s->given.functions.count ? "some" : "all");
	if (status == TR_E_ARGUMENT)
		tr_die(&s->cli, "more than %d probes, or than %d fields of one",
		       TR_MAX_PROBES, TR_MAX_PROBE_FIELDS);
	tr_cli_check(&s->cli, status);
	tr_cli_writer(&s->stream, &s->cli, header);
	tr_header_free(header);
	if (s->given.has_accesses) {
		if (s->given.functions.count)
			choose_functions(s);
		const struct addresses_choice choice =
		    s->chosen ? chosen_rows(s->chosen)
			      : (struct addresses_choice){.user = NULL};
		s->addresses = addresses_new(s->replay, &choice);
		tr_cli_need(&s->cli, s->addresses);
	}
	s->annotate = annotate_new(s->replay, s->reader, s->stream.writer, s->addresses);
	tr_cli_need(&s->cli, s->annotate);
	if (s->given.has_mark_page) {
		s->page_marks =
		    page_marks_new(s->replay, s->given.mark_page, put_page_mark, s);
		tr_cli_need(&s->cli, s->page_marks);
	}
}

static void put_probe_hit(void *context, const struct replay_reached *at,
			  const struct tr_probe_hit *hit)
{
	struct settings *s = context;
	int status;

	if (s->out) {
		probing_print(s->out, s->given.probes, at, hit);
		return;
	}
	status = annotate_hit(s->annotate, s->given.probes, at, hit);
	if (status == TR_E_UNSUPPORTED)
		tr_die(&s->cli,
		       "cycle %" PRIu64 ", hart %u: a hit of %s has more than 1 MiB of "
		       "values, or those of its frame more than 32 MiB",
		       at->cycle, at->hart, tr_probes_name(s->given.probes, hit->probe));
	tr_cli_wrote(&s->stream, status);
}

/* Writes the end record, and checks that nothing is missing. */
static void end_stream(struct settings *s)
{
	const struct tr_header *end = tr_reader_end(s->reader);
	uint64_t instructions, cycles;

	tr_cli_wrote(&s->stream, annotate_write(s->annotate));
	instructions = tr_writer_instructions(s->stream.writer);
	cycles = tr_writer_cycles(s->stream.writer);
	if (instructions != tr_header_get_u64(end, "instructions", 0) ||
	    cycles != tr_header_get_u64(end, "cycles", 0) ||
	    annotate_hits(s->annotate) != annotate_hits_written(s->annotate))
		tr_die(&s->cli,
		       "%s: %" PRIu64 " instructions, %" PRIu64 " cycles and %" PRIu64
		       " of %" PRIu64 " hits written: not all",
		       s->given.trace, instructions, cycles,
		       annotate_hits_written(s->annotate), annotate_hits(s->annotate));
	if (s->addresses && addresses_left(s->addresses))
		tr_die(&s->cli,
		       "%s: %" PRIu64 " of %" PRIu64 " addresses written: not all",
		       s->given.trace, addresses_written(s->addresses),
		       addresses_seen(s->addresses));
	if (s->chosen && chosen_missing(s->chosen) < s->given.functions.count)
		tr_warn(&s->cli,
			"note: --accesses-of: no code of %s ran, unless it was "
			"inlined",
			s->given.functions.text[chosen_missing(s->chosen)]);
	if (s->page_marks && page_marks_others(s->page_marks))
		tr_warn(&s->cli,
			"note: %s: %" PRIu64 " write%s to the page of --mark-page %s no "
			"mark%s",
			s->given.trace, page_marks_others(s->page_marks),
			tr_plural(page_marks_others(s->page_marks)),
			page_marks_others(s->page_marks) == 1 ? "is" : "are",
			tr_plural(page_marks_others(s->page_marks)));
	tr_cli_finish(&s->stream, end);
	annotate_free(s->annotate);
}

/* Reports a difference; a stream ends before its frame, without an end record. */
static void die_of_difference(const struct settings *s)
{
	if (s->annotate)
		tr_cli_wrote(&s->stream, tr_writer_drain(s->stream.writer));
	tr_die(&s->cli, "%s: %s", s->given.trace, replay_message(s->replay));
}

static bool replay_trace_frame(void *context, const struct tr_frame *frame)
{
	struct settings *s = context;

	if (s->annotate)
		tr_cli_wrote(&s->stream, annotate_take(s->annotate, frame));
	if (!replay_frame(s->replay, frame) ||
	    (s->inspection && inspection_found(s->inspection)))
		return false;
	if (s->annotate)
		tr_cli_wrote(&s->stream, annotate_write(s->annotate));
	return indexing_frame(&s->index);
}

/* Writes the index, or continues at its last place before the cycle. */
static void begin_index(struct settings *s)
{
	struct trouble trouble = {""};
	bool done = true;

	s->index.cli = &s->cli;
	s->index.source.index = s->given.index;
	s->index.source.soc = s->soc;
	s->index.source.reader = s->reader;
	s->index.source.replay = s->replay;
	s->index.source.trace = s->given.trace;
	s->index.source.returns = s->index.source.shares = s->given.has_gdb;
	if (s->given.has_at && !s->given.has_gdb && tr_header_get(s->header, "bin.0")) {
		tr_warn(
		    &s->cli,
		    "note: %s: not used: it has no binaries of tr-match, which %s has",
		    s->given.index, s->given.trace);
	} else if (s->given.has_at || s->given.has_gdb) {
		/* The debugger may go to any place. */
		done = indexing_open(&s->index, s->given.hart,
				     s->given.has_gdb ? UINT64_MAX : s->given.cycle,
				     &trouble);
		if (done && !s->given.has_gdb)
			done = indexing_go(&s->index, s->given.hart, s->given.cycle,
					   &trouble);
	} else {
		done = indexing_create(&s->index, &trouble);
	}
	require_done(s, done, &trouble);
}

static void debug_trace(struct settings *s)
{
	const struct debug_options how = {.cli = &s->cli,
					  .soc = s->soc,
					  .reader = s->reader,
					  .replay = s->replay,
					  .trace = s->given.trace,
					  .index = s->index.index,
					  .port = s->given.port,
					  .hart = s->given.hart,
					  .cycle = s->given.cycle,
					  .out = s->out};
	char message[DEBUG_MESSAGE];

	if (!debug_replay(&how, message))
		tr_die(&s->cli, "%s", message);
}

static void begin_inspection(struct settings *s)
{
	const struct inspection_options at = {.soc = s->soc,
					      .replay = s->replay,
					      .hart = s->given.hart,
					      .cycle = s->given.cycle,
					      .expressions = s->given.expressions.text,
					      .nexpressions = s->given.expressions.count,
					      .programs =
						  (const char *const *)s->given.programs,
					      .nprograms = (size_t)s->given.nprograms,
					      .header = s->header,
					      .out = s->out};

	s->inspection = inspection_new(&at);
	tr_cli_need(&s->cli, s->inspection);
}

/* Dies if the cycle was not reached, or an expression could not be evaluated. */
static void end_inspection(struct settings *s)
{
	if (!inspection_found(s->inspection))
		tr_die(&s->cli, "%s: the trace ends before cycle %" PRIu64,
		       s->given.trace, s->given.cycle);
	if (inspection_message(s->inspection))
		tr_die(&s->cli, "%s", inspection_message(s->inspection));
	inspection_free(s->inspection);
}

static void print_replay_counts(const struct settings *s)
{
	const struct replay_counts *c = replay_counts(s->replay);

	bool is_quiet =
	    s->given.streams || s->given.probes || s->given.has_at || s->given.has_gdb;
	FILE *out = is_quiet ? stderr : s->out;

	if ((s->given.probes || s->page_marks) && c->before)
		tr_warn(
		    &s->cli,
		    "note: %s: no probe is hit in %" PRIu64
		    " instructions at the beginning of windows, before the state of the "
		    "machine",
		    s->given.trace, c->before);
	if (is_quiet && !s->cli.verbose)
		return;

	fprintf(out,
		"%" PRIu64 " instructions, %" PRIu64 " traps, %" PRIu64
		" interrupts: no difference\n"
		"%" PRIu64 " device loads, %" PRIu64 " CSR reads, %" PRIu64
		" failed SCs, %" PRIu64 " device writes (%" PRIu64 " bytes), %" PRIu64
		" hashes of the registers\n",
		c->instructions, c->traps, c->interrupts, c->loads, c->csrs, c->atomics,
		c->writes, c->written, c->hashes);
	if (c->old_code)
		fprintf(out, "%" PRIu64 " instructions that memory no longer had\n",
			c->old_code);
	if (c->old_translations)
		fprintf(out,
			"%" PRIu64
			" translations that page tables in memory no longer gave\n",
			c->old_translations);
	if (s->addresses)
		fprintf(out,
			"%" PRIu64 " addresses of loads and stores, of %" PRIu64 "\n",
			addresses_written(s->addresses), addresses_seen(s->addresses));
	if (c->windows)
		fprintf(out,
			"%" PRIu64 " windows that begin with a state; %" PRIu64
			" instructions before it, which were not compared\n",
			c->windows, c->before);
}

static void tell_masked_at_end(const struct settings *s, const struct probing *probing)
{
	unsigned hart;
	uint64_t from, to;

	if (probing && probing_masked_at_end(probing, &hart, &from, &to))
		tr_warn(&s->cli,
			"note: hart %u took no interrupts from cycle %" PRIu64
			" up to the end, which no hit tells; it is %" PRIu64
			" cycles, the longest time",
			hart, from, to - from);
}

static void replay_whole_trace(struct settings *s)
{
	const struct tr_cli_frames take = {.rows = replay_trace_frame, .context = s};
	struct probing *probing = NULL;
	struct trouble trouble = {""};
	int status;

	if (s->given.hart >= soc_harts(s->soc))
		tr_die(&s->cli, "--hart: %s has no hart %u", s->given.trace,
		       s->given.hart);
	s->replay = replay_new(s->soc, s->reader);
	tr_cli_need(&s->cli, s->replay);
	if (s->given.streams)
		open_stream(s);
	if (s->given.has_gdb) {
		if (s->given.index)
			begin_index(s);
		debug_trace(s);
		return;
	}
	if (s->given.has_at)
		begin_inspection(s);
	if (s->given.probes) {
		const struct probing_options given = {.soc = s->soc,
						      .replay = s->replay,
						      .probes = s->given.probes,
						      .places = s->places,
						      .hit = put_probe_hit,
						      .user = s};

		probing = probing_new(&given);
		tr_cli_need(&s->cli, probing);
	}
	if (s->given.index)
		begin_index(s);
	status = tr_cli_each_frame(&s->cli, s->reader, &take);
	require_done(s, indexing_check(&s->index, &trouble), &trouble);
	if (status != TR_OK && status != TR_END && s->annotate)
		tr_cli_bad_input(&s->stream, s->reader);
	if (status != TR_OK && status != TR_END)
		tr_die(&s->cli, "%s", tr_reader_message(s->reader));
	if (s->inspection && inspection_found(s->inspection)) {
		end_inspection(s);
		return;
	}
	if (status == TR_OK || !replay_end(s->replay))
		die_of_difference(s);
	require_done(s, indexing_end(&s->index, &trouble), &trouble);
	if (probing && !probing_done(probing))
		tr_cli_need(&s->cli, NULL);
	tell_masked_at_end(s, probing);
	probing_free(probing);
	if (s->inspection)
		end_inspection(s);
	if (s->annotate)
		end_stream(s);
	tr_cli_tell_cut_off(&s->cli, s->given.trace, tr_reader_end(s->reader));
}

int main(int argc, char **argv)
{
	struct settings s = {0};
	struct trouble trouble = {""};

	tr_replay_options_take(&s.given, &s.cli, argc, argv);
	s.cli.takes_sampled = true;
	s.machine = (struct setup){.trace = s.given.trace,
				   .programs = s.given.programs,
				   .nprograms = s.given.nprograms,
				   .boot = {.dtb = s.given.dtb, .initrd = s.given.initrd},
				   .resume = s.given.resume};
	check_replay_outputs(&s);
	s.reader = tr_cli_reader_of(&s.cli, s.given.trace, TR_CONTENT_ROWS);
	s.header = s.machine.header = tr_reader_header(s.reader);
	check_sampled(&s);
	s.soc = setup_machine(&s.machine, &trouble);
	require_done(&s, s.soc, &trouble);
	if (s.given.probes)
		resolve_probes(&s);
	if (!s.given.streams)
		s.out = tr_cli_text(&s.cli);
	replay_whole_trace(&s);
	print_replay_counts(&s);
	if (s.out)
		tr_cli_text_close(&s.cli, s.out);
	free(s.places);
	indexing_free(&s.index);
	addresses_free(s.addresses);
	page_marks_free(s.page_marks);
	chosen_free(s.chosen);
	tr_replay_options_release(&s.given);
	replay_free(s.replay);
	soc_free(s.soc);
	setup_close(&s.machine);
	tr_reader_close(s.reader);
	return TR_EXIT_OK;
}
