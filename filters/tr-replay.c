/* SPDX-License-Identifier: Apache-2.0 */
/* tr-replay: follows a trace with the functional model. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/shared_files.h"
#include "replay/annotate.h"
#include "replay/debug.h"
#include "replay/indexing.h"
#include "replay/look.h"
#include "replay/probing.h"
#include "replay/replay.h"
#include "replay/resolve.h"
#include "replay/setup.h"

static const char usage_text[] =
    "usage: tr-replay [options] RUN.tr FILE.elf|FILE@ADDRESS...\n"
    "       tr-replay --resume CHECKPOINT RUN.tr\n"
    "Execute a trace again on the functional model, with the files that the simulator\n"
    "ran, and compare each instruction.\n"
    "\n"
    "      --dtb FILE[@ADDRESS], --initrd FILE[@ADDRESS]\n"
    "                         as they were given to the simulator\n"
    "      --resume FILE      the trace begins at this checkpoint\n"
    "      --at CYCLE         print where a hart is in this cycle, and its registers\n"
    "      --gdb PORT         serve gdb, forwards and backwards\n"
    "      --hart N           of this hart (0)\n"
    "      --index FILE       write an index of the trace; with --at or --gdb, use it\n"
    "      --print EXPRESSION in place of the registers, print this there, as in\n"
    "                         'current->comm'; may be repeated\n"
    "      --probes FILE      print a line for each hit of the probes in FILE\n"
    "      --probe TEXT       the same for probes in TEXT, as in\n"
    "                         'exit: vmlinux:do_exit { pid = current->pid }'\n"
    "      --stream           write the trace with events at the hits, not lines\n"
    "  -u, --uncompressed     with --stream, do not compress a stream in a file\n"
    "      --no-provenance    with --stream, do not add this run to the header\n";

enum {
	OPT_AT = TR_CLI_FIRST_FREE,
	OPT_DTB,
	OPT_GDB,
	OPT_HART,
	OPT_INDEX,
	OPT_INITRD,
	OPT_PRINT,
	OPT_PROBE,
	OPT_PROBES,
	OPT_RESUME,
	OPT_STREAM
};

static const struct option options[] = {{"at", required_argument, NULL, OPT_AT},
					{"dtb", required_argument, NULL, OPT_DTB},
					{"gdb", required_argument, NULL, OPT_GDB},
					{"hart", required_argument, NULL, OPT_HART},
					{"index", required_argument, NULL, OPT_INDEX},
					{"initrd", required_argument, NULL, OPT_INITRD},
					{"print", required_argument, NULL, OPT_PRINT},
					{"probe", required_argument, NULL, OPT_PROBE},
					{"probes", required_argument, NULL, OPT_PROBES},
					{"resume", required_argument, NULL, OPT_RESUME},
					{"stream", no_argument, NULL, OPT_STREAM},
					{0}};

struct settings {
	struct tr_cli cli;
	struct setup machine;
	const char **probe_files;
	unsigned nprobe_files;
	struct tr_reader *reader;
	const struct tr_header *header;
	struct soc *soc;
	struct replay *replay;
	struct tr_probes *probes;    /* NULL: none */
	struct replay_place *places; /* of the probes: replay_resolve() */
	bool streams;		     /* --stream */
	struct tr_output stream;
	struct annotate *annotate;
	bool looks; /* --at */
	bool picks; /* --hart */
	struct look_options at;
	const char **expressions;
	struct look *look;
	struct indexing index;
	bool debugs; /* --gdb */
	unsigned port;
	FILE *out; /* NULL if the output is a stream */
};

/* Adds the probes of a file, or of a text. */
static void add_probes(struct settings *s, int option, const char *argument)
{
	char path[PATH_MAX];
	int status;

	if (!s->probes)
		s->probes = tr_probes_new();
	tr_cli_need(&s->cli, s->probes);
	if (option == OPT_PROBES)
		s->probe_files[s->nprobe_files++] = argument;
	if (option == OPT_PROBES && !strchr(argument, '/') &&
	    access(argument, F_OK) != 0 && tr_shared_probes(argument, path))
		argument = path;
	status = option == OPT_PROBES
		     ? tr_probes_read(s->probes, argument)
		     : tr_probes_read_text(s->probes, "--probe", argument);
	if (status)
		tr_die(&s->cli, "%s", tr_probes_message(s->probes));
}

static void take_option(void *context, int option)
{
	struct settings *s = context;

	switch (option) {
	case OPT_AT:
		s->looks = true;
		s->at.cycle = tr_cli_u64(&s->cli, "--at", optarg);
		break;
	case OPT_GDB:
		s->debugs = true;
		s->port = tr_cli_range(&s->cli, "--gdb", optarg, 0, 65535);
		break;
	case OPT_HART:
		s->picks = true;
		s->at.hart = tr_cli_range(&s->cli, "--hart", optarg, 0, TR_MAX_HARTS - 1);
		break;
	case OPT_INDEX:
		s->index.source.index = optarg;
		break;
	case OPT_PRINT:
		s->expressions[s->at.nexpressions++] = optarg;
		break;
	case OPT_PROBE:
	case OPT_PROBES:
		add_probes(s, option, optarg);
		break;
	case OPT_STREAM:
		s->streams = true;
		tr_cli_promise(&s->cli);
		break;
	case OPT_DTB:
		s->machine.boot.dtb = optarg;
		break;
	case OPT_INITRD:
		s->machine.boot.initrd = optarg;
		break;
	default:
		s->machine.resume = optarg;
	}
}

static void parse_args(struct settings *s)
{
	struct setup *m = &s->machine;

	s->expressions = calloc((size_t)s->cli.argc, sizeof *s->expressions);
	s->probe_files = calloc((size_t)s->cli.argc, sizeof *s->probe_files);
	tr_cli_need(&s->cli, s->expressions);
	tr_cli_need(&s->cli, s->probe_files);
	tr_cli_parse(&s->cli, options, take_option, s);
	if (s->looks && s->probes)
		tr_die(&s->cli, "--at cannot be used with probes");
	if (s->streams && !s->probes)
		tr_die(&s->cli, "--stream needs --probes or --probe");
	if (!s->streams && (s->cli.plain || s->cli.no_provenance))
		tr_die(&s->cli, "-u and --no-provenance need --stream");
	if (!s->looks && !s->debugs && s->at.nexpressions)
		tr_die(&s->cli, "--print needs --at CYCLE");
	if (!s->looks && !s->debugs && s->picks)
		tr_die(&s->cli, "--hart needs --at CYCLE or --gdb PORT");
	if (optind == s->cli.argc)
		tr_die(&s->cli, "no trace given; try --help");
	m->cli = &s->cli;
	m->trace = s->cli.argv[optind++];
	m->programs = s->cli.argv + optind;
	m->nprograms = s->cli.argc - optind;
	if ((s->index.source.index || s->debugs) && strcmp(m->trace, "-") == 0)
		tr_die(&s->cli, "--index and --gdb: the trace must be a file");
	if (s->debugs && (s->probes || s->at.nexpressions))
		tr_die(&s->cli, "--gdb cannot be used with probes and --print");
	if (m->resume && (m->nprograms || m->boot.dtb || m->boot.initrd))
		tr_die(&s->cli, "--resume: the checkpoint has the memory's contents");
	if (!m->resume && !m->nprograms)
		tr_die(&s->cli,
		       "no programs given: name the files that the simulator ran, or "
		       "--resume CHECKPOINT");
}

/* Dies if the output is an input, which opening it would truncate. */
static void keep_inputs(const struct settings *s, const char *output)
{
	setup_keep(&s->machine, output);
	for (unsigned i = 0; i < s->nprobe_files; i++)
		tr_cli_keep(&s->cli, output, s->probe_files[i]);
}

static void check_outputs(const struct settings *s)
{
	keep_inputs(s, s->cli.output);
	if (!s->index.source.index || s->looks || s->debugs)
		return;
	keep_inputs(s, s->index.source.index);
	tr_cli_two_outputs(&s->cli, s->index.source.index, s->cli.output);
}

/* Finds the places of the probes in the programs. */
static void resolve_probes(struct settings *s)
{
	const struct setup *m = &s->machine;
	const char **programs = calloc((size_t)m->nprograms + 1, sizeof *programs), *note;
	char message[REPLAY_RESOLVE_MESSAGE];
	size_t n = 0;

	tr_cli_need(&s->cli, programs);
	for (int i = 0; i < m->nprograms; i++) {
		char *path = NULL;
		uint64_t address;

		if (!boot_split(&s->cli, m->programs[i], &path, &address))
			programs[n++] = m->programs[i];
		free(path);
	}
	s->places = replay_resolve(s->probes, s->header, programs, n, message);
	free(programs);
	if (!s->places)
		tr_die(&s->cli, "%s", message);
	for (size_t i = 0; (note = tr_probes_note(s->probes, i)) != NULL; i++)
		tr_warn(&s->cli, "note: %s", note);
}

/* Opens the output as a stream whose header has the probes. */
static void open_stream(struct settings *s)
{
	struct tr_header *header = tr_header_copy(s->header);
	int status;

	tr_cli_need(&s->cli, header);
	status = annotate_header(header, s->probes);
	if (status == TR_E_ARGUMENT)
		tr_die(&s->cli, "more than %d probes, or than %d fields of one",
		       TR_MAX_PROBES, TR_MAX_PROBE_FIELDS);
	tr_cli_check(&s->cli, status);
	tr_cli_writer(&s->stream, &s->cli, header);
	tr_header_free(header);
	s->annotate = annotate_new(s->replay, s->reader, s->stream.writer);
	tr_cli_need(&s->cli, s->annotate);
}

static void take_hit(void *context, const struct replay_reached *at,
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
	tr_cli_finish(&s->stream, end);
	annotate_free(s->annotate);
}

/* Reports a difference; a stream ends before its frame, without an end record. */
static void differ(const struct settings *s)
{
	if (s->annotate)
		tr_cli_wrote(&s->stream, tr_writer_drain(s->stream.writer));
	tr_die(&s->cli, "%s: %s", s->machine.trace, replay_message(s->replay));
}

static bool take_frame(void *context, const struct tr_frame *frame)
{
	struct settings *s = context;

	if (s->annotate)
		tr_cli_wrote(&s->stream, annotate_take(s->annotate, frame));
	if (!replay_frame(s->replay, frame) || (s->look && look_found(s->look)))
		return false;
	if (s->annotate)
		tr_cli_wrote(&s->stream, annotate_write(s->annotate));
	return indexing_frame(&s->index);
}

/* Writes the index, or continues at its last place before the cycle. */
static void begin_index(struct settings *s)
{
	s->index.cli = &s->cli;
	s->index.source.soc = s->soc;
	s->index.source.reader = s->reader;
	s->index.source.replay = s->replay;
	s->index.source.trace = s->machine.trace;
	s->index.source.returns = s->index.source.shares = s->debugs;
	if (s->looks && !s->debugs && tr_header_get(s->header, "bin.0")) {
		tr_warn(
		    &s->cli,
		    "note: %s: not used: it has no binaries of tr-match, which %s has",
		    s->index.source.index, s->machine.trace);
	} else if (s->looks || s->debugs) {
		/* The debugger may go to any place. */
		indexing_open(&s->index, s->at.hart,
			      s->debugs ? UINT64_MAX : s->at.cycle);
		if (!s->debugs)
			indexing_go(&s->index, s->at.hart, s->at.cycle);
	} else {
		indexing_create(&s->index);
	}
}

static void debug(struct settings *s)
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

static void begin_look(struct settings *s)
{
	s->at.soc = s->soc;
	s->at.replay = s->replay;
	s->at.header = s->header;
	s->at.expressions = s->expressions;
	s->at.programs = (const char *const *)s->machine.programs;
	s->at.nprograms = (size_t)s->machine.nprograms;
	s->at.out = s->out;
	s->look = look_new(&s->at);
	tr_cli_need(&s->cli, s->look);
}

/* Dies if the cycle was not reached, or an expression could not be evaluated. */
static void end_look(struct settings *s)
{
	if (!look_found(s->look))
		tr_die(&s->cli, "%s: the trace ends before cycle %" PRIu64,
		       s->machine.trace, s->at.cycle);
	if (look_message(s->look))
		tr_die(&s->cli, "%s", look_message(s->look));
	look_free(s->look);
}

static void tell(const struct settings *s)
{
	const struct replay_counts *c = replay_counts(s->replay);

	bool is_quiet = s->probes || s->looks || s->debugs;
	FILE *out = is_quiet ? stderr : s->out;

	if (s->probes && c->before)
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
	if (c->windows)
		fprintf(out,
			"%" PRIu64 " windows that begin with a state; %" PRIu64
			" instructions before it, which were not compared\n",
			c->windows, c->before);
}

static void run(struct settings *s)
{
	const struct tr_cli_frames take = {.rows = take_frame, .context = s};
	struct probing *probing = NULL;
	int status;

	if (s->at.hart >= soc_harts(s->soc))
		tr_die(&s->cli, "--hart: %s has no hart %u", s->machine.trace,
		       s->at.hart);
	s->replay = replay_new(s->soc, s->reader);
	tr_cli_need(&s->cli, s->replay);
	if (s->streams)
		open_stream(s);
	if (s->debugs) {
		if (s->index.source.index)
			begin_index(s);
		debug(s);
		return;
	}
	if (s->looks)
		begin_look(s);
	if (s->probes) {
		const struct probing_options given = {.soc = s->soc,
						      .replay = s->replay,
						      .probes = s->probes,
						      .places = s->places,
						      .hit = take_hit,
						      .user = s};

		probing = probing_new(&given);
		tr_cli_need(&s->cli, probing);
	}
	if (s->index.source.index)
		begin_index(s);
	status = tr_cli_each_frame(&s->cli, s->reader, &take);
	indexing_check(&s->index);
	if (status != TR_OK && status != TR_END && s->annotate)
		tr_cli_bad_input(&s->stream, s->reader);
	if (status != TR_OK && status != TR_END)
		tr_die(&s->cli, "%s", tr_reader_message(s->reader));
	if (s->look && look_found(s->look)) {
		end_look(s);
		return;
	}
	if (status == TR_OK || !replay_end(s->replay))
		differ(s);
	indexing_end(&s->index);
	if (probing && !probing_done(probing))
		tr_cli_need(&s->cli, NULL);
	probing_free(probing);
	if (s->look)
		end_look(s);
	if (s->annotate)
		end_stream(s);
	tr_cli_tell_cut_off(&s->cli, s->machine.trace, tr_reader_end(s->reader));
}

int main(int argc, char **argv)
{
	struct settings s = {0};

	tr_cli_init(&s.cli, TR_CLI_TEXT, "tr-replay", usage_text, argc, argv);
	parse_args(&s);
	check_outputs(&s);
	s.reader = tr_cli_reader_of(&s.cli, s.machine.trace, TR_CONTENT_ROWS);
	s.header = s.machine.header = tr_reader_header(s.reader);
	s.soc = setup_machine(&s.machine);
	if (s.probes)
		resolve_probes(&s);
	if (!s.streams)
		s.out = tr_cli_text(&s.cli);
	run(&s);
	tell(&s);
	if (s.out)
		tr_cli_text_close(&s.cli, s.out);
	tr_probes_free(s.probes);
	free(s.places);
	free(s.expressions);
	indexing_free(&s.index);
	free(s.probe_files);
	replay_free(s.replay);
	soc_free(s.soc);
	setup_close(&s.machine);
	tr_reader_close(s.reader);
	return TR_EXIT_OK;
}
