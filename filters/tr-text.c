/* SPDX-License-Identifier: Apache-2.0 */
/* Shows a trace stream as text, and makes a stream from text. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"
#include "text/text.h"

static const char usage[] =
    "usage: tr-text [--tokens | --header] [-o FILE] [FILE]\n"
    "       tr-text --encode [-u] [-o FILE] [FILE]\n"
    "Show a trace stream as text, one line a record; or make a stream from text.\n"
    "\n"
    "      --tokens         a line for each token in place of blocks and rows\n"
    "      --header         the header only\n"
    "      --encode         make a stream from text\n";

enum mode { MODE_RECORDS, MODE_TOKENS, MODE_HEADER, MODE_ENCODE };

enum { OPTION_TOKENS = TR_CLI_FIRST_FREE, OPTION_HEADER, OPTION_ENCODE };

static const struct option options[] = {TR_CLI_LONG,
					{"tokens", no_argument, NULL, OPTION_TOKENS},
					{"header", no_argument, NULL, OPTION_HEADER},
					{"encode", no_argument, NULL, OPTION_ENCODE},
					{0}};

static void set_mode(const struct tr_cli *cli, enum mode *mode, enum mode wanted)
{
	if (*mode != MODE_RECORDS && *mode != wanted)
		tr_die(cli, "only one of --tokens, --header and --encode");
	*mode = wanted;
}

static enum mode parse_args(struct tr_cli *cli)
{
	enum mode mode = MODE_RECORDS;
	int option;
	while ((option = getopt_long(cli->argc, cli->argv, TR_CLI_SHORT, options,
				     NULL)) != -1) {
		if (option == OPTION_TOKENS)
			set_mode(cli, &mode, MODE_TOKENS);
		else if (option == OPTION_HEADER)
			set_mode(cli, &mode, MODE_HEADER);
		else if (option == OPTION_ENCODE)
			set_mode(cli, &mode, MODE_ENCODE);
		else
			tr_cli_option(cli, option);
	}
	return mode;
}

static int show_frames(struct tr_reader *reader, FILE *out, enum mode mode)
{
	struct tr_text text;
	const struct tr_frame *frame;
	const struct tr_sframe *stacks;
	bool by_stacks = tr_header_content(tr_reader_header(reader)) == TR_CONTENT_STACKS;
	int status = TR_OK;
	tr_text_init(&text, out, reader);
	tr_text_values(&text, "header", tr_reader_header(reader));
	while (mode != MODE_HEADER && !status) {
		status = by_stacks ? tr_reader_next_stacks(reader, &stacks)
				   : tr_reader_next(reader, &frame);
		if (status)
			break;
		if (by_stacks)
			tr_text_stacks(&text, stacks);
		else if (mode == MODE_TOKENS)
			tr_text_tokens(&text, frame);
		else
			tr_text_frame(&text, frame);
	}
	if (status == TR_END)
		tr_text_values(&text, "end", tr_reader_end(reader));
	return status;
}

/* What arrived whole is shown before the message tells what is wrong. */
static void show(const struct tr_cli *cli, enum mode mode)
{
	struct tr_reader *reader = tr_cli_reader(cli, tr_cli_input(cli));
	FILE *out = tr_cli_text(cli);
	int status = show_frames(reader, out, mode);
	tr_cli_text_close(cli, out);
	if (status < 0)
		tr_die(cli, "%s", tr_reader_message(reader));
	tr_reader_close(reader);
}

/* Copies the frame with the notes that the text has for it. */
static int copy_frame(struct tr_writer *writer, struct tr_reader *reader,
		      const struct tr_frame *frame, const struct tr_text_notes *notes,
		      size_t *note)
{
	const struct tr_event *events[TR_MAX_HARTS];
	uint32_t nevents[TR_MAX_HARTS];
	for (uint32_t i = 0; i < frame->nharts; i++) {
		events[i] = frame->harts[i].events;
		nevents[i] = frame->harts[i].nevents;
	}
	struct tr_pass pass = {.payload = tr_reader_payload(reader),
			       .events = events,
			       .nevents = nevents,
			       .notes = notes->count ? &notes->notes[*note] : NULL,
			       .nharts = frame->nharts};
	for (; *note < notes->count && notes->frames[*note] == frame->number; ++*note)
		pass.nnotes++;
	return tr_writer_pass(writer, &pass);
}

static void copy_rows(const struct tr_cli *cli, struct tr_header *header, int fd,
		      const struct tr_text_notes *notes)
{
	char path[32];
	struct tr_output out;
	const struct tr_frame *frame;
	size_t note = 0;
	int status;
	snprintf(path, sizeof(path), "/dev/fd/%d", fd);
	struct tr_reader *reader = tr_cli_reader(cli, path);
	tr_cli_writer(&out, cli, header);
	while ((status = tr_reader_next(reader, &frame)) == TR_OK)
		tr_cli_wrote(&out, copy_frame(out.writer, reader, frame, notes, &note));
	if (status < 0)
		tr_die(cli, "%s", tr_reader_message(reader));
	if (note != notes->count)
		tr_die(cli, "%s: notes without rows behind them", tr_cli_input(cli));
	tr_cli_finish(&out, tr_reader_end(reader));
	tr_reader_close(reader);
}

static void encode_rows(const struct tr_cli *cli, struct tr_text_source *source,
			struct tr_header *header)
{
	struct tr_text_notes notes = {0};
	FILE *plain = tmpfile();
	source->output = "temporary file in " P_tmpdir;
	if (!plain)
		tr_die(cli, "%s: %s", source->output, strerror(errno));
	if (tr_text_encode_rows(source, header, fileno(plain), &notes))
		tr_die(cli, "%s", source->message);
	copy_rows(cli, header, fileno(plain), &notes);
	tr_text_notes_release(&notes);
	fclose(plain);
}

static void encode_stacks(const struct tr_cli *cli, struct tr_text_source *source,
			  struct tr_header *header)
{
	struct tr_output out;
	struct tr_header *end = tr_header_new();
	if (!end)
		tr_die(cli, "%s", tr_status_text(TR_E_NOMEM));
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

static void encode(struct tr_cli *cli)
{
	struct tr_text_source source;
	struct tr_header *header = tr_header_new();
	cli->no_provenance = true;
	tr_cli_promise(cli);
	tr_cli_reads(cli, tr_cli_input(cli));
	if (!header)
		tr_die(cli, "%s", tr_status_text(TR_E_NOMEM));
	if (tr_text_open(&source, tr_cli_input(cli)) ||
	    tr_text_read_header(&source, header))
		tr_die(cli, "%s", source.message);
	if (tr_header_content(header) == TR_CONTENT_STACKS)
		encode_stacks(cli, &source, header);
	else
		encode_rows(cli, &source, header);
	tr_header_free(header);
	tr_text_close(&source);
}

int main(int argc, char **argv)
{
	struct tr_cli cli;
	tr_cli_init(&cli, TR_CLI_STREAM, "tr-text", usage, argc, argv);
	cli.keeps_part = true; /* a whole text has a line "end" */
	enum mode mode = parse_args(&cli);
	if (mode == MODE_ENCODE)
		encode(&cli);
	else
		show(&cli, mode);
	return TR_EXIT_OK;
}
