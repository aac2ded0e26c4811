/* SPDX-License-Identifier: Apache-2.0 */
/* tr-text: prints a trace stream as text, and encodes text as a stream. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli_accesses.h"
#include "cli/cli_breaks.h"
#include "cli/options.h"
#include "text/perf_script.h"
#include "text/text.h"

static const char usage[] =
    "usage: tr-text [--tokens | --header] [-o FILE] [FILE]\n"
    "       tr-text --perf-script [--period N] [--clock HZ] [-o FILE] [FILE]\n"
    "       tr-text --encode [--force] [-u] [-o FILE] [FILE]\n"
    "Print a trace stream as text, one line per record, or encode such text.\n";

enum mode { MODE_RECORDS, MODE_TOKENS, MODE_HEADER };

struct settings {
	struct tr_cli cli;
	bool tokens, header, encode, force, perf_script;
	const char *clock_seen, *period_seen;
	struct tr_perf_options perf;
};

/* What is shown. */
struct showing {
	const struct tr_cli *cli;
	const char *name; /* of the input */
	struct tr_text text;
	struct tr_accesses *accesses; /* of tokens */
};

static bool show_records(void *context, const struct tr_frame *frame)
{
	struct showing *s = context;
	tr_text_frame(&s->text, frame);
	return true;
}

static bool show_tokens(void *context, const struct tr_frame *frame)
{
	struct showing *s = context;
	tr_cli_accesses_frame(s->cli, s->name, s->accesses, frame);
	tr_text_tokens(&s->text, frame);
	return true;
}

static bool show_stacks(void *context, const struct tr_sframe *frame)
{
	struct showing *s = context;
	tr_text_stacks(&s->text, frame);
	return true;
}

/* Progress is silent if the text goes to the same terminal. */
static int show_frames(const struct tr_cli *cli, const char *name,
		       struct tr_reader *reader, FILE *out, enum mode mode)
{
	struct showing showing = {.cli = cli, .name = name};
	struct tr_text *const text = &showing.text;
	const struct tr_cli_frames take = {.rows = mode == MODE_TOKENS ? show_tokens
								       : show_records,
					   .stacks = show_stacks,
					   .context = &showing,
					   .is_silent = true};
	tr_text_init(text, out, reader);
	tr_text_values(text, "header", tr_reader_header(reader));
	if (mode == MODE_HEADER)
		return TR_OK;
	text->accesses = showing.accesses = tr_accesses_new();
	tr_cli_need(cli, showing.accesses);
	int status = tr_cli_each_frame(cli, reader, &take);
	if (status == TR_END)
		tr_text_values(text, "end", tr_reader_end(reader));
	tr_accesses_free(showing.accesses);
	return status;
}

/* Prints what is complete before the message about an error. */
static void show_stream(const struct tr_cli *cli, enum mode mode)
{
	const char *name = tr_cli_input(cli, NULL);
	struct tr_reader *reader = tr_cli_reader(cli, name);
	FILE *out = tr_cli_text(cli);
	int status =
	    show_frames(cli, strcmp(name, "-") ? name : "<stdin>", reader, out, mode);
	tr_cli_text_close(cli, out);
	if (status < 0)
		tr_die(cli, "%s", tr_reader_message(reader));
	tr_reader_close(reader);
}

/* Sets the clock rate, which the header may not have. */
static void set_clock(struct settings *s, const struct tr_reader *reader)
{
	const struct tr_header *header = tr_reader_header(reader);
	if (!s->clock_seen)
		s->perf.clock_hz = tr_header_get_u64(header, "clock_hz", 0);
	if (!s->clock_seen && !s->perf.clock_hz) {
		s->perf.clock_hz = 1000000000;
		tr_warn(&s->cli, "note: no clock rate in the header: a cycle is 1 ns in "
				 "the samples; --clock sets it");
	}
	if (!s->perf.clock_hz)
		tr_die(&s->cli, "--clock: 0 Hz is no rate");
	if (s->period_seen && !s->perf.period)
		tr_die(&s->cli, "--period: 0 cycles are no period");
}

struct samples {
	const struct tr_cli *cli;
	struct tr_perf_script *script;
	const char *name;
};

static bool show_samples(void *context, const struct tr_sframe *frame)
{
	const struct samples *samples = context;
	char message[160] = "";
	int status =
	    tr_perf_script_take(samples->script, frame, message, sizeof(message));
	if (status)
		tr_die(samples->cli, "%s: %s", samples->name,
		       *message ? message : tr_status_text((enum tr_status)status));
	return true;
}

/* A part of the samples is not recognisably incomplete, so none is kept. */
static void show_perf_script(struct settings *s)
{
	const struct tr_cli *cli = &s->cli;
	const char *name = tr_cli_input(cli, NULL);
	struct tr_reader *reader = tr_cli_reader_of(cli, name, TR_CONTENT_STACKS);
	set_clock(s, reader);
	FILE *out = tr_cli_text(cli);
	struct samples samples = {.cli = cli,
				  .script = tr_perf_script_new(&s->perf, reader, out),
				  .name = strcmp(name, "-") ? name : "<stdin>"};
	const struct tr_cli_frames take = {
	    .stacks = show_samples, .context = &samples, .is_silent = true};
	tr_cli_need(cli, samples.script);
	if (tr_cli_each_frame(cli, reader, &take) < 0)
		tr_die(cli, "%s", tr_reader_message(reader));
	tr_cli_tell_cut_off(cli, samples.name, tr_reader_end(reader));
	tr_cli_text_close(cli, out);
	tr_perf_script_free(samples.script);
	tr_reader_close(reader);
}

struct copy {
	struct tr_reader *reader;
	struct tr_output out;
	const struct tr_text_notes *notes;
	size_t note; /* index of the next one */
};

/* Copies the frame and adds its notes. */
static bool copy_frame_with_notes(void *context, const struct tr_frame *frame)
{
	struct copy *copy = context;
	const struct tr_text_notes *notes = copy->notes;
	const struct tr_event *events[TR_MAX_HARTS];
	uint32_t nevents[TR_MAX_HARTS];
	for (uint32_t i = 0; i < frame->nharts; i++) {
		events[i] = frame->harts[i].events;
		nevents[i] = frame->harts[i].nevents;
	}
	struct tr_pass pass = {.payload = tr_reader_payload(copy->reader),
			       .events = events,
			       .nevents = nevents,
			       .notes = notes->count ? &notes->notes[copy->note] : NULL,
			       .nharts = frame->nharts};
	for (; copy->note < notes->count && notes->frames[copy->note] == frame->number;
	     copy->note++)
		pass.nnotes++;
	tr_cli_wrote(&copy->out, tr_writer_pass(copy->out.writer, &pass));
	return true;
}

/* Returns the exit status. */
static int copy_rows_with_notes(const struct tr_cli *cli, struct tr_header *header,
				int fd, const struct tr_text_notes *notes, bool force)
{
	char path[32];
	struct copy copy = {.notes = notes};
	const struct tr_cli_frames take = {
	    .rows = copy_frame_with_notes, .context = &copy, .is_silent = true};
	snprintf(path, sizeof(path), "/dev/fd/%d", fd);
	copy.reader = tr_cli_reader(cli, path);
	tr_cli_writer(&copy.out, cli, header);
	if (tr_cli_each_frame(cli, copy.reader, &take) < 0)
		tr_die(cli, "%s", tr_reader_message(copy.reader));
	if (copy.note != notes->count)
		tr_die(cli, "%s: notes without rows behind them",
		       tr_cli_input(cli, NULL));
	tr_cli_finish(&copy.out, tr_reader_end(copy.reader));
	const char *name = tr_cli_input(cli, NULL);
	const int status = tr_cli_tell_breaks(cli, strcmp(name, "-") ? name : "<stdin>",
					      &copy.out, header, force);
	tr_reader_close(copy.reader);
	return status;
}

static int encode_row_stream(const struct tr_cli *cli, struct tr_text_source *source,
			     struct tr_header *header, bool force)
{
	struct tr_text_notes notes = {0};
	FILE *plain = tmpfile();
	source->output = "temporary file in " P_tmpdir;
	if (!plain)
		tr_die(cli, "%s: %s", source->output, strerror(errno));
	if (tr_text_encode_rows(source, header, fileno(plain), &notes))
		tr_die(cli, "%s", source->message);
	const int status =
	    copy_rows_with_notes(cli, header, fileno(plain), &notes, force);
	tr_text_notes_release(&notes);
	fclose(plain);
	return status;
}

static void encode_stacks(const struct tr_cli *cli, struct tr_text_source *source,
			  struct tr_header *header)
{
	struct tr_output out;
	struct tr_header *end = tr_header_new();
	tr_cli_need(cli, end);
	tr_cli_writer(&out, cli, header);
	source->output = out.name;
	int status = tr_text_encode_stacks(source, out.writer, end);
	if (status == TR_E_IO && source->error == EPIPE)
		exit(TR_EXIT_TROUBLE);
	if (status)
		tr_die(cli, "%s", source->message);
	tr_cli_finish(&out, end);
	tr_header_free(end);
}

/* Returns the exit status. */
static int encode_stream(struct tr_cli *cli, bool force)
{
	struct tr_text_source source;
	int status = TR_EXIT_OK;
	struct tr_header *header = tr_header_new();
	cli->no_provenance = true;
	tr_cli_promise(cli);
	tr_cli_reads(cli, tr_cli_input(cli, NULL));
	tr_cli_need(cli, header);
	if (tr_text_open(&source, tr_cli_input(cli, NULL)) ||
	    tr_text_read_header(&source, header))
		tr_die(cli, "%s", source.message);
	if (tr_header_content(header) == TR_CONTENT_STACKS)
		encode_stacks(cli, &source, header);
	else
		status = encode_row_stream(cli, &source, header, force);
	tr_header_free(header);
	tr_text_close(&source);
	return status;
}

int main(int argc, char **argv)
{
	static struct settings s;
	const struct tr_option options[] = {
	    {"tokens", .flag = &s.tokens, .excludes = "header encode perf-script",
	     .help = "print a line for each token instead of blocks and rows"},
	    {"header", .flag = &s.header, .excludes = "encode perf-script",
	     .help = "print only the header"},
	    {"perf-script", .flag = &s.perf_script, .excludes = "encode",
	     .help = "print stacks as samples, in the text of Linux's perf script"},
	    {"period", .argument = "N", .number = &s.perf.period, .seen = &s.period_seen,
	     .needs = "perf-script",
	     .help =
		 "a sample each N cycles, for viewers that count samples (one for the "
		 "whole time on a stack, with its cycles as the period)"},
	    {"clock", .argument = "HZ", .number = &s.perf.clock_hz, .seen = &s.clock_seen,
	     .needs = "perf-script",
	     .help = "clock rate of the core, such as 3200M (from the header)"},
	    {"encode", .flag = &s.encode, .help = "encode text as a stream"},
	    {"force", .flag = &s.force,
	     .help = "exit 0 even if many instructions cannot follow the one before"},
	    {0}};
	tr_cli_init(&s.cli, TR_CLI_STREAM, "tr-text", usage, argc, argv);
	s.cli.takes_sampled = true;
	tr_options_parse(&s.cli, options, &s);
	s.cli.keeps_part = !s.perf_script; /* a complete text has a line "end" */
	if (s.encode)
		return encode_stream(&s.cli, s.force);
	if (s.perf_script) {
		show_perf_script(&s);
		return TR_EXIT_OK;
	}
	show_stream(&s.cli, s.tokens   ? MODE_TOKENS
			    : s.header ? MODE_HEADER
				       : MODE_RECORDS);
	return TR_EXIT_OK;
}
