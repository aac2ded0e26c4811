/* SPDX-License-Identifier: Apache-2.0 */
/* tr-replay: follows a trace with the functional model. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/number.h"
#include "cli/options.h"
#include "cli/shared_files.h"
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

static const char usage_text[] =
    "usage: tr-replay [options] RUN.tr FILE.elf|FILE@ADDRESS...\n"
    "       tr-replay --resume CHECKPOINT RUN.tr\n"
    "Execute a trace again on the functional model, with the files that the simulator\n"
    "ran, and compare each instruction.\n";

struct settings {
	struct tr_cli cli;
	struct setup machine;
	struct tr_texts probe_files;
	struct tr_reader *reader;
	const struct tr_header *header;
	struct soc *soc;
	struct replay *replay;
	struct tr_probes *probes;    /* NULL: none */
	struct replay_place *places; /* of the probes: replay_resolve() */
	bool streams;		     /* --stream */
	bool has_accesses;	     /* --accesses */
	struct tr_texts functions;   /* --accesses-of */
	struct chosen *chosen;
	struct addresses *addresses;
	const char *has_mark_page; /* --mark-page, or NULL */
	uint64_t mark_page;
	struct page_marks *page_marks;
	struct tr_output stream;
	struct annotate *annotate;
	/* Names of options that were given, or NULL */
	const char *has_at, *has_gdb;
	struct inspection_options at;
	struct tr_texts expressions;
	struct inspection *inspection;
	struct indexing index;
	unsigned port; /* --gdb */
	FILE *out;     /* NULL if the output is a stream */
};

/* Returns the probes, to which others are added; a status is an error of theirs. */
static struct tr_probes *get_probes(struct settings *s)
{
	if (!s->probes)
		s->probes = tr_probes_new();
	tr_cli_need(&s->cli, s->probes);
	return s->probes;
}

static void check_probes(const struct settings *s, int status)
{
	if (status)
		tr_die(&s->cli, "%s", tr_probes_message(s->probes));
}

static void take_probes(void *context, const struct tr_option *option, const char *file)
{
	struct settings *s = context;
	char path[PATH_MAX];
	(void)option;
	tr_options_add_text(&s->cli, &s->probe_files, file);
	if (!strchr(file, '/') && access(file, F_OK) != 0 && tr_shared_probes(file, path))
		file = path;
	check_probes(s, tr_probes_read(get_probes(s), file));
}

static void take_probe(void *context, const struct tr_option *option, const char *text)
{
	struct settings *s = context;
	(void)option;
	check_probes(s, tr_probes_read_text(get_probes(s), "--probe", text));
}

static void take_stream(void *context, const struct tr_option *option,
			const char *argument)
{
	struct settings *s = context;
	(void)option, (void)argument;
	s->streams = true;
	tr_cli_promise(&s->cli);
}

static void take_mark_page(void *context, const struct tr_option *option,
			   const char *text)
{
	struct settings *s = context;
	const char *end = tr_parse_address(text, &s->mark_page);
	char message[160];

	(void)option;
	if (!end || *end) {
		tr_address_trouble(text, message, sizeof(message));
		tr_die(&s->cli, "--mark-page: %s", message);
	}
	if (s->mark_page % PAGE_MARKS_SIZE)
		tr_die(&s->cli, "--mark-page: %s is not where a page of %d bytes begins",
		       text, PAGE_MARKS_SIZE);
}

static void parse_options(struct settings *s)
{
	struct setup *m = &s->machine;
	const struct tr_option options[] = {
	    {"dtb", .argument = "FILE[@ADDRESS]", .text = &m->boot.dtb,
	     .help = "as it was given to the simulator"},
	    {"initrd", .argument = "FILE[@ADDRESS]", .text = &m->boot.initrd,
	     .help = "as it was given to the simulator"},
	    {"resume", .argument = "FILE", .text = &m->resume,
	     .help = "the trace begins at this checkpoint"},
	    {"at", .argument = "CYCLE", .number = &s->at.cycle, .seen = &s->has_at,
	     .excludes = "probes probe",
	     .help = "print where a hart is in this cycle, and its registers"},
	    {"gdb", .argument = "PORT", .range = {&s->port, 0, 65535},
	     .seen = &s->has_gdb, .excludes = "probes probe print",
	     .help = "serve gdb, forwards and backwards"},
	    {"hart", .argument = "N", .range = {&s->at.hart, 0, TR_MAX_HARTS - 1},
	     .needs = "at gdb", .help = "of this hart (0)"},
	    {"index", .argument = "FILE", .text = &s->index.source.index,
	     .help = "write an index of the trace; with --at or --gdb, use it"},
	    {"print", .argument = "EXPRESSION", .texts = &s->expressions,
	     .needs = "at gdb",
	     .help = "in place of the registers, print this there, as in "
		     "'current->comm'; may be repeated"},
	    {"probes", .argument = "FILE", .take = take_probes,
	     .help = "print a line for each hit of the probes in FILE"},
	    {"probe", .argument = "TEXT", .take = take_probe,
	     .help = "the same for probes in TEXT, as in "
		     "'exit: vmlinux:do_exit { pid = current->pid }'"},
	    {"accesses", .flag = &s->has_accesses, .needs = "stream",
	     .help = "with --stream, write the addresses of loads and stores, too"},
	    {"accesses-of", .argument = "FUNCTION", .texts = &s->functions,
	     .excludes = "accesses", .needs = "stream",
	     .help = "the same, but of the code of this function in a matched trace; may "
		     "be repeated"},
	    {"mark-page", .argument = "ADDRESS", .take = take_mark_page,
	     .seen = &s->has_mark_page, .excludes = "accesses accesses-of",
	     .needs = "stream",
	     .help = "with --stream, stores to this physical page are marks: at 0, 8 and "
		     "16 a point, begin and end with the number stored"},
	    {"stream", .take = take_stream,
	     .needs = "probes probe accesses accesses-of mark-page", .excludes = "at gdb",
	     .help = "write the trace with events at the hits, not lines"},
	    {"uncompressed", 'u', .flag = &s->cli.plain, .needs = "stream",
	     .help = "with --stream, do not compress a stream in a file"},
	    {"no-provenance", .flag = &s->cli.no_provenance, .needs = "stream",
	     .help = "with --stream, do not add this run to the header"},
	    {0}};
	tr_options_parse(&s->cli, options, s);
	s->at.nexpressions = s->expressions.count;
	s->has_accesses |= s->functions.count != 0;
}

static void parse_args(struct settings *s)
{
	struct setup *m = &s->machine;

	parse_options(s);
	if (optind == s->cli.argc)
		tr_die(&s->cli, "no trace given; try --help");
	m->trace = s->cli.argv[optind++];
	m->programs = s->cli.argv + optind;
	m->nprograms = s->cli.argc - optind;
	if ((s->index.source.index || s->has_gdb) && strcmp(m->trace, "-") == 0)
		tr_die(&s->cli, "--index and --gdb: the trace must be a file");
	if (m->resume && (m->nprograms || m->boot.dtb || m->boot.initrd))
		tr_die(&s->cli, "--resume: the checkpoint has the memory's contents");
	if (!m->resume && !m->nprograms)
		tr_die(&s->cli,
		       "no programs given: name the files that the simulator ran, or "
		       "--resume CHECKPOINT");
}

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
	for (unsigned i = 0; i < s->probe_files.count; i++)
		tr_cli_protect_input(&s->cli, output, s->probe_files.text[i]);
}

static void check_replay_outputs(const struct settings *s)
{
	keep_inputs(s, s->cli.output);
	if (!s->index.source.index || s->has_at || s->has_gdb)
		return;
	keep_inputs(s, s->index.source.index);
	tr_cli_two_outputs(&s->cli, s->index.source.index, s->cli.output);
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
	s->places = replay_resolve(s->probes, s->header, programs, n, message);
	free(programs);
	if (!s->places)
		tr_die(&s->cli, "%s", message);
	for (size_t i = 0; (note = tr_probes_note(s->probes, i)) != NULL; i++)
		tr_warn(&s->cli, "note: %s", note);
	/* The header of a stream has these. */
	for (size_t i = 0; !s->streams && i < tr_probes_count(s->probes); i++)
		if ((note = tr_probes_absence(s->probes, i)) != NULL)
			tr_warn(&s->cli, "note: %s: %s", tr_probes_name(s->probes, i),
				note);
}

static void choose_functions(struct settings *s)
{
	char message[CHOSEN_MESSAGE];

	s->chosen = chosen_new(s->header, s->functions.text, s->functions.count, message);
	if (!s->chosen)
		tr_die(&s->cli, "--accesses-of: %s", message);
}

static void put_page_mark(void *context, const struct page_mark *mark)
{
	struct settings *s = context;
	const int status = annotate_mark(s->annotate, s->probes, mark);

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
	status = annotate_header(header, s->probes, s->has_mark_page != NULL);
	if (s->has_accesses && !status)
		status = tr_header_set(header, "accesses",
				       s->functions.count ? "some" : "all");
	if (status == TR_E_ARGUMENT)
		tr_die(&s->cli, "more than %d probes, or than %d fields of one",
		       TR_MAX_PROBES, TR_MAX_PROBE_FIELDS);
	tr_cli_check(&s->cli, status);
	tr_cli_writer(&s->stream, &s->cli, header);
	tr_header_free(header);
	if (s->has_accesses) {
		if (s->functions.count)
			choose_functions(s);
		const struct addresses_choice choice =
		    s->chosen ? chosen_rows(s->chosen)
			      : (struct addresses_choice){.user = NULL};
		s->addresses = addresses_new(s->replay, &choice);
		tr_cli_need(&s->cli, s->addresses);
	}
	s->annotate = annotate_new(s->replay, s->reader, s->stream.writer, s->addresses);
	tr_cli_need(&s->cli, s->annotate);
	if (s->has_mark_page) {
		s->page_marks = page_marks_new(s->replay, s->mark_page, put_page_mark, s);
		tr_cli_need(&s->cli, s->page_marks);
	}
}

static void put_probe_hit(void *context, const struct replay_reached *at,
			  const struct tr_probe_hit *hit)
{
	struct settings *s = context;
	int status;

	if (s->out) {
		probing_print(s->out, s->probes, at, hit);
		return;
	}
	status = annotate_hit(s->annotate, s->probes, at, hit);
	if (status == TR_E_UNSUPPORTED)
		tr_die(&s->cli,
		       "cycle %" PRIu64 ", hart %u: a hit of %s has more than 1 MiB of "
		       "values, or those of its frame more than 32 MiB",
		       at->cycle, at->hart, tr_probes_name(s->probes, hit->probe));
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
		       s->machine.trace, instructions, cycles,
		       annotate_hits_written(s->annotate), annotate_hits(s->annotate));
	if (s->addresses && addresses_left(s->addresses))
		tr_die(&s->cli,
		       "%s: %" PRIu64 " of %" PRIu64 " addresses written: not all",
		       s->machine.trace, addresses_written(s->addresses),
		       addresses_seen(s->addresses));
	if (s->chosen && chosen_missing(s->chosen) < s->functions.count)
		tr_warn(&s->cli, "note: --accesses-of: no code of %s ran",
			s->functions.text[chosen_missing(s->chosen)]);
	if (s->page_marks && page_marks_others(s->page_marks))
		tr_warn(&s->cli,
			"note: %s: %" PRIu64 " write%s to the page of --mark-page %s no "
			"mark%s",
			s->machine.trace, page_marks_others(s->page_marks),
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
	tr_die(&s->cli, "%s: %s", s->machine.trace, replay_message(s->replay));
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
	s->index.source.soc = s->soc;
	s->index.source.reader = s->reader;
	s->index.source.replay = s->replay;
	s->index.source.trace = s->machine.trace;
	s->index.source.returns = s->index.source.shares = s->has_gdb;
	if (s->has_at && !s->has_gdb && tr_header_get(s->header, "bin.0")) {
		tr_warn(
		    &s->cli,
		    "note: %s: not used: it has no binaries of tr-match, which %s has",
		    s->index.source.index, s->machine.trace);
	} else if (s->has_at || s->has_gdb) {
		/* The debugger may go to any place. */
		done = indexing_open(&s->index, s->at.hart,
				     s->has_gdb ? UINT64_MAX : s->at.cycle, &trouble);
		if (done && !s->has_gdb)
			done = indexing_go(&s->index, s->at.hart, s->at.cycle, &trouble);
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
					  .trace = s->machine.trace,
					  .index = s->index.index,
					  .port = s->port,
					  .hart = s->at.hart,
					  .cycle = s->at.cycle,
					  .out = s->out};
	char message[DEBUG_MESSAGE];

	if (!debug_replay(&how, message))
		tr_die(&s->cli, "%s", message);
}

static void begin_inspection(struct settings *s)
{
	s->at.soc = s->soc;
	s->at.replay = s->replay;
	s->at.header = s->header;
	s->at.expressions = s->expressions.text;
	s->at.programs = (const char *const *)s->machine.programs;
	s->at.nprograms = (size_t)s->machine.nprograms;
	s->at.out = s->out;
	s->inspection = inspection_new(&s->at);
	tr_cli_need(&s->cli, s->inspection);
}

/* Dies if the cycle was not reached, or an expression could not be evaluated. */
static void end_inspection(struct settings *s)
{
	if (!inspection_found(s->inspection))
		tr_die(&s->cli, "%s: the trace ends before cycle %" PRIu64,
		       s->machine.trace, s->at.cycle);
	if (inspection_message(s->inspection))
		tr_die(&s->cli, "%s", inspection_message(s->inspection));
	inspection_free(s->inspection);
}

static void print_replay_counts(const struct settings *s)
{
	const struct replay_counts *c = replay_counts(s->replay);

	bool is_quiet = s->streams || s->probes || s->has_at || s->has_gdb;
	FILE *out = is_quiet ? stderr : s->out;

	if ((s->probes || s->page_marks) && c->before)
		tr_warn(
		    &s->cli,
		    "note: %s: no probe is hit in %" PRIu64
		    " instructions at the beginning of windows, before the state of the "
		    "machine",
		    s->machine.trace, c->before);
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

	if (s->at.hart >= soc_harts(s->soc))
		tr_die(&s->cli, "--hart: %s has no hart %u", s->machine.trace,
		       s->at.hart);
	s->replay = replay_new(s->soc, s->reader);
	tr_cli_need(&s->cli, s->replay);
	if (s->streams)
		open_stream(s);
	if (s->has_gdb) {
		if (s->index.source.index)
			begin_index(s);
		debug_trace(s);
		return;
	}
	if (s->has_at)
		begin_inspection(s);
	if (s->probes) {
		const struct probing_options given = {.soc = s->soc,
						      .replay = s->replay,
						      .probes = s->probes,
						      .places = s->places,
						      .hit = put_probe_hit,
						      .user = s};

		probing = probing_new(&given);
		tr_cli_need(&s->cli, probing);
	}
	if (s->index.source.index)
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
	tr_cli_tell_cut_off(&s->cli, s->machine.trace, tr_reader_end(s->reader));
}

int main(int argc, char **argv)
{
	struct settings s = {0};
	struct trouble trouble = {""};

	tr_cli_init(&s.cli, TR_CLI_TEXT, "tr-replay", usage_text, argc, argv);
	parse_args(&s);
	check_replay_outputs(&s);
	s.reader = tr_cli_reader_of(&s.cli, s.machine.trace, TR_CONTENT_ROWS);
	s.header = s.machine.header = tr_reader_header(s.reader);
	s.soc = setup_machine(&s.machine, &trouble);
	require_done(&s, s.soc, &trouble);
	if (s.probes)
		resolve_probes(&s);
	if (!s.streams)
		s.out = tr_cli_text(&s.cli);
	replay_whole_trace(&s);
	print_replay_counts(&s);
	if (s.out)
		tr_cli_text_close(&s.cli, s.out);
	tr_probes_free(s.probes);
	free(s.places);
	free(s.expressions.text);
	indexing_free(&s.index);
	free(s.probe_files.text);
	addresses_free(s.addresses);
	page_marks_free(s.page_marks);
	chosen_free(s.chosen);
	free(s.functions.text);
	replay_free(s.replay);
	soc_free(s.soc);
	setup_close(&s.machine);
	tr_reader_close(s.reader);
	return TR_EXIT_OK;
}
