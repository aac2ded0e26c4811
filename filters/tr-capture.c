/* SPDX-License-Identifier: Apache-2.0 */
/* tr-capture: runs a simulator and saves its trace stream, however the run ends. */
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "base/child.h"
#include "base/number.h"
#include "cli/cli_breaks.h"
#include "cli/options.h"
#include "import/import_files.h"
#include "stream/chunk.h"
#include "stream/cut.h"

static const char usage[] =
    "usage: tr-capture [-o FILE] [OPTION...] -- COMMAND [ARGUMENT...]\n"
    "       tr-capture [-o FILE] [OPTION...] [FILE...]\n"
    "Save the trace stream of a simulator, or one from a file or a pipe, or convert the\n"
    "log of another simulator or core to one, or the logs of its harts.\n";

static const char notes[] = "N may end in k, M or G, for powers of 1000.\n";

enum { MAX_LEVEL = 19, REASON_BYTES = 400 };
enum { ARCHIVE_LEVEL = 19, ARCHIVE_GROUP = TR_MAX_GROUP };

struct capture {
	struct tr_cli cli;
	char **command;		  /* NULL: the stream is read from `input` */
	const char *input, *name; /* name: for messages */
	const char **inputs;	  /* logs of one run, the first is `input` */
	size_t ninputs;
	uint64_t max_cycles, max_instructions;
	const char *format; /* of a log */
	unsigned xlen;
	uint64_t skip_bad;
	bool force, archive;
	struct tr_texts bins, params;

	struct tr_reader *reader;
	struct tr_output out;
	uint64_t first_cycle;
	bool started; /* a frame was read */
	bool limited; /* the stream exceeds the limits */
	uint32_t harts[TR_MAX_HARTS];
	uint32_t nharts;
};

/* The list is the output, in place of a stream. */
static _Noreturn void list_import_formats(struct tr_cli *cli)
{
	const struct tr_import_format *format;
	FILE *out = tr_cli_information(cli);
	for (unsigned i = 0; (format = tr_import_format(i)); i++)
		fprintf(out, "%-15s %s\n", format->name, format->what);
	tr_cli_text_close(cli, out);
	exit(TR_EXIT_OK);
}

static void take_format(void *context, const struct tr_option *option, const char *name)
{
	struct capture *capture = context;
	(void)option;
	if (strcmp(name, "help") == 0)
		list_import_formats(&capture->cli);
	capture->format = name;
}

static void take_xlen(void *context, const struct tr_option *option, const char *text)
{
	struct capture *capture = context;
	const uint64_t xlen = tr_cli_u64(&capture->cli, "--xlen", text);
	(void)option;
	if (xlen != 32 && xlen != 64)
		tr_die(&capture->cli, "--xlen: 32 or 64: %s", text);
	capture->xlen = (unsigned)xlen;
}

static void parse_options(struct capture *capture)
{
	const struct tr_option options[] = {
	    {"from", .argument = "FORMAT", .take = take_format, .lists_values = true,
	     .help = "FILE is a log in this format; --from help lists them"},
	    {"bins", 'b', .argument = "FILE", .texts = &capture->bins,
	     .help = "the programs that ran, or a list, if FORMAT needs them"},
	    {"encoder", .argument = "PARAMETERS", .texts = &capture->params,
	     .help = "those of a trace encoder: NAME=VALUE,... or a file"},
	    {"xlen", .argument = "N", .take = take_xlen,
	     .help = "32 or 64, if the log in FORMAT does not show it"},
	    {"force", .flag = &capture->force,
	     .help = "exit 0 even if many instructions cannot follow the one before"},
	    {"skip-bad", .argument = "N", .number = &capture->skip_bad,
	     .help = "go on after up to N lines that are not understood"},
	    {"max-cycles", .argument = "N", .number = &capture->max_cycles,
	     .help = "stop at the Nth cycle"},
	    {"max-instructions", .argument = "N", .number = &capture->max_instructions,
	     .help = "stop after the Nth instruction"},
	    {"level", 'l', .argument = "N", .range = {&capture->cli.level, 1, MAX_LEVEL},
	     .help = "compress at zstd level N, 1 to 19"},
	    {"archive", .flag = &capture->archive, .excludes = "uncompressed",
	     .help = "compress at level 19, several frames together"},
	    {0}};
	tr_options_parse(&capture->cli, options, capture);
	if (!capture->archive)
		return;
	capture->cli.group = ARCHIVE_GROUP;
	if (!capture->cli.level)
		capture->cli.level = ARCHIVE_LEVEL;
}

/* Several inputs are logs of one run. */
static void take_inputs(struct capture *capture)
{
	const struct tr_cli *cli = &capture->cli;
	const size_t count = (size_t)(cli->argc - optind);
	capture->inputs = calloc(count + 1, sizeof(*capture->inputs));
	tr_cli_need(cli, capture->inputs);
	capture->inputs[0] = "-";
	for (size_t i = 0; i < count; i++)
		capture->inputs[i] = cli->argv[optind + (int)i];
	capture->ninputs = count ? count : 1;
	capture->name = capture->input = capture->inputs[0];
}

/* "--" ends the options; the command after it has options of its own. */
static void parse_args(struct capture *capture)
{
	struct tr_cli *cli = &capture->cli;
	int argc = cli->argc;
	for (int i = 1; i < argc && !capture->command; i++)
		if (strcmp(cli->argv[i], "--") == 0) {
			capture->command = cli->argv + i + 1;
			cli->argc = i;
		}
	cli->notes = notes;
	parse_options(capture);
	take_inputs(capture);
	if (strcmp(capture->input, "-") == 0)
		capture->name = "<stdin>";
	if (capture->command && optind < cli->argc)
		tr_die(cli, "both an input and a command: %s", capture->input);
	if (capture->command && !*capture->command)
		tr_die(cli, "no command after --");
	if (capture->command && capture->format)
		tr_die(cli, "--from reads a log: COMMAND | tr-capture --from %s",
		       capture->format);
	cli->argc = argc;
}

static bool to_stdout(const struct capture *capture)
{
	const char *output = capture->cli.output;
	return !output || strcmp(output, "-") == 0;
}

static void start_command(struct capture *capture)
{
	const struct tr_cli *cli = &capture->cli;
	if (tr_child_catch_signals())
		tr_die(cli, "signals: %s", strerror(errno));
	if (!capture->command)
		return;
	capture->input = "-";
	capture->name = capture->command[0];
	if (tr_child_start(capture->command, to_stdout(capture)))
		tr_die(cli, "%s: %s", capture->name, strerror(errno));
	atexit(tr_child_stop);
}

/* Returns the reader's message without the file name. */
static const char *reader_reason(const struct capture *capture)
{
	const char *message = tr_reader_message(capture->reader);
	const char *file = strcmp(capture->input, "-") ? capture->input : "<stdin>";
	size_t size = strlen(file);
	if (strncmp(message, file, size) == 0 && strncmp(message + size, ": ", 2) == 0)
		return message + size + 2;
	return message;
}

/* Describes why the stream has no end record, for the key "end"; `where` is its position
 * when the command exited. */
static void describe_end(const struct capture *capture, int status, const char *where,
			 char text[REASON_BYTES])
{
	int wait = capture->command && status == TR_E_TRUNCATED ? tr_child_wait() : 0;
	if (tr_child_interrupted())
		snprintf(text, REASON_BYTES, "interrupted");
	else if (WIFSIGNALED(wait))
		snprintf(text, REASON_BYTES, "killed by signal %d", WTERMSIG(wait));
	else if (status == TR_E_TRUNCATED && capture->command)
		snprintf(text, REASON_BYTES, "exited with status %d%s", WEXITSTATUS(wait),
			 where);
	else if (status == TR_E_TRUNCATED)
		snprintf(text, REASON_BYTES, "truncated");
	else
		snprintf(text, REASON_BYTES, "%s",
			 status == TR_E_IO	      ? "input failed"
			 : status == TR_E_UNSUPPORTED ? "unsupported"
						      : "corrupt");
}

/* Worker threads must not receive the signals that end a read. */
static void open_capture_output(struct capture *capture)
{
	sigset_t all, before;
	struct tr_header *header = tr_header_copy(tr_reader_header(capture->reader));
	tr_cli_need(&capture->cli, header);
	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, &before);
	tr_cli_writer(&capture->out, &capture->cli, header);
	sigprocmask(SIG_SETMASK, &before, NULL);
	tr_header_free(header);
}

static void open_capture_input(struct capture *capture)
{
	char end[REASON_BYTES];
	tr_cli_not_typed(&capture->cli, capture->input);
	int status = tr_reader_open(&capture->reader, capture->input, 1);
	if (status == TR_OK) {
		if (tr_reader_expect(capture->reader, TR_CONTENT_ROWS))
			tr_die(&capture->cli, "%s", tr_reader_message(capture->reader));
		return;
	}
	if (!capture->reader)
		tr_die(&capture->cli, "%s", tr_status_text(status));
	if (status == TR_E_NO_SOURCE && !capture->command)
		exit(TR_EXIT_TROUBLE);
	describe_end(capture, status, "", end);
	if (capture->command && status == TR_E_TRUNCATED)
		tr_die(&capture->cli, "%s: %s before it wrote a stream", capture->name,
		       end);
	const bool is_other = status == TR_E_UNSUPPORTED && !capture->command &&
			      strcmp(capture->input, "-") == 0;
	tr_die(&capture->cli, "%s: %s%s", capture->name, reader_reason(capture),
	       is_other ? "; a log from a pipe needs --from FORMAT" : "");
}

static int pass_frame(struct capture *capture, const struct tr_frame *frame)
{
	const struct tr_event *events[TR_MAX_HARTS];
	uint32_t nevents[TR_MAX_HARTS];
	for (uint32_t i = 0; i < frame->nharts; i++) {
		events[i] = frame->harts[i].events;
		nevents[i] = frame->harts[i].nevents;
	}
	struct tr_pass pass = {.payload = tr_reader_payload(capture->reader),
			       .events = events,
			       .nevents = nevents,
			       .notes = frame->notes,
			       .nharts = frame->nharts,
			       .nnotes = frame->nnotes};
	return tr_writer_pass(capture->out.writer, &pass);
}

static void note_first_cycle(struct capture *capture, const struct tr_frame *frame)
{
	capture->first_cycle = UINT64_MAX;
	for (uint32_t i = 0; i < frame->nharts; i++)
		if (frame->harts[i].start_cycle < capture->first_cycle)
			capture->first_cycle = frame->harts[i].start_cycle;
	capture->started = true;
}

static struct tr_cut remaining_cut(const struct capture *capture)
{
	uint64_t taken = tr_writer_instructions(capture->out.writer);
	uint64_t room = UINT64_MAX - capture->first_cycle;
	struct tr_cut cut = {.tokens = UINT64_MAX,
			     .cycle = UINT64_MAX,
			     .harts = capture->harts,
			     .nharts = capture->nharts};
	if (capture->max_instructions != UINT64_MAX)
		cut.tokens = capture->max_instructions - taken;
	if (capture->max_cycles < room) {
		cut.cycle = capture->first_cycle + capture->max_cycles;
		cut.fill = true;
	}
	return cut;
}

static void add_harts(struct capture *capture, const struct tr_frame *frame)
{
	for (uint32_t i = 0; i < frame->nharts; i++) {
		uint32_t at = 0;
		while (at < capture->nharts && capture->harts[at] != frame->harts[i].hart)
			at++;
		if (at == capture->nharts)
			capture->harts[capture->nharts++] = frame->harts[i].hart;
	}
}

static void cut_frame(struct capture *capture, const struct tr_cut *cut,
		      const struct tr_frame *frame)
{
	if (frame->nnotes || tr_header_get(tr_reader_header(capture->reader), "bin.0"))
		tr_die(&capture->cli, "%s: tr-match has run: limit before it",
		       capture->name);
	capture->limited = true;
	tr_cli_wrote(&capture->out,
		     tr_cut_frame(cut, capture->out.writer, capture->reader, frame));
}

static bool capture_frame(void *context, const struct tr_frame *frame)
{
	struct capture *capture = context;
	if (!capture->started)
		note_first_cycle(capture, frame);
	struct tr_cut cut = remaining_cut(capture);
	if (tr_cut_fits(&cut, frame)) {
		tr_cli_wrote(&capture->out, pass_frame(capture, frame));
		add_harts(capture, frame);
	} else {
		cut_frame(capture, &cut, frame);
	}
	return !capture->limited && (capture->command || !tr_child_interrupted());
}

/* Returns how reading ended: TR_E_TRUNCATED if a signal ended it. */
static int copy_captured_frames(struct capture *capture)
{
	const struct tr_cli_frames take = {.rows = capture_frame, .context = capture};
	int status = tr_cli_each_frame(&capture->cli, capture->reader, &take);
	return status == TR_OK && !capture->limited ? TR_E_TRUNCATED : status;
}

static void finish_capture(struct capture *capture, const char *end, const char *why)
{
	struct tr_header *record = tr_header_new();
	tr_cli_need(&capture->cli, record);
	tr_cli_check(&capture->cli, tr_header_set(record, "end", end));
	if (why)
		tr_cli_check(&capture->cli, tr_header_set(record, "reason", why));
	tr_cli_finish(&capture->out, record);
	tr_header_free(record);
}

/* Truncated stream: writes an end record with that reason after what is complete. Returns
 * the exit status. */
static int finish_broken(struct capture *capture, int status)
{
	char end[REASON_BYTES];
	uint64_t instructions = tr_writer_instructions(capture->out.writer);
	describe_end(capture, status, " in mid-stream", end);
	tr_child_stop();
	finish_capture(capture, end,
		       status == TR_E_TRUNCATED ? NULL : reader_reason(capture));
	if (tr_child_interrupted())
		return TR_EXIT_OK;
	if (status == TR_E_TRUNCATED)
		tr_warn(&capture->cli, "%s: %s, after %" PRIu64 " instruction%s",
			capture->name, end, instructions, tr_plural(instructions));
	else
		tr_warn(&capture->cli, "%s: %s", capture->name, reader_reason(capture));
	return TR_EXIT_TROUBLE;
}

/* Complete stream: the end record has the target's status, which should also be the
 * simulator's. Returns the exit status. */
static int finish_whole(struct capture *capture)
{
	const struct tr_header *end = tr_reader_end(capture->reader);
	uint64_t target = tr_header_get_u64(end, "status", 0);
	const char *how = tr_header_get(end, "end");
	/* not the target's status but the simulator's own */
	if (tr_child_interrupted() && how && strcmp(how, "interrupted") == 0)
		target = 0;
	int wait = capture->command ? tr_child_wait() : 0;
	tr_cli_finish(&capture->out, end);
	if (!tr_child_interrupted())
		tr_cli_tell_cut_off(&capture->cli, capture->name, end);
	if (WIFSIGNALED(wait) && !tr_child_interrupted()) {
		tr_warn(&capture->cli,
			"%s: killed by signal %d after the end of its stream",
			capture->name, WTERMSIG(wait));
		return TR_EXIT_TROUBLE;
	}
	bool failed = WIFEXITED(wait) && WEXITSTATUS(wait) && !tr_child_interrupted();
	return target || failed ? TR_EXIT_NO : TR_EXIT_OK;
}

/* Reports instructions that cannot follow the one before. Returns the exit status, which
 * is at least `exit_status`. */
static int tell_breaks(const struct capture *capture, const struct tr_header *header,
		       int exit_status)
{
	const int status = tr_cli_tell_breaks(&capture->cli, capture->name, &capture->out,
					      header, capture->force);
	return status > exit_status ? status : exit_status;
}

/* Opens the inputs as logs, if they are. Without a format a file is looked at; a pipe
 * cannot be. */
static struct tr_import_files *open_logs(struct capture *capture)
{
	const struct tr_import_options log = {.format = capture->format,
					      .xlen = capture->xlen,
					      .skip_bad = capture->skip_bad,
					      .bins = capture->bins.text,
					      .nbins = capture->bins.count,
					      .params = capture->params.text,
					      .nparams = capture->params.count,
					      .max_instructions =
						  capture->max_instructions,
					      .max_cycles = capture->max_cycles};
	struct tr_import_files *files;
	struct stat file;
	const bool is_file = stat(capture->input, &file) == 0 && S_ISREG(file.st_mode);
	if (!capture->format && !is_file && capture->ninputs == 1)
		return NULL;
	if (capture->format)
		tr_cli_not_typed(&capture->cli, capture->input);
	int status =
	    tr_import_files_open(&files, capture->inputs, capture->ninputs, &log);
	if (status == TR_OK)
		return files;
	if (capture->ninputs > 1 && (status == TR_E_UNSUPPORTED || !is_file))
		tr_die(&capture->cli, "more than one input: %s; a command must follow --",
		       capture->inputs[1]);
	if (files && (capture->format || status == TR_E_ARGUMENT ||
		      capture->ninputs > 1 || tr_import_files_are_no_stream(files) ||
		      (capture->bins.count && status != TR_E_UNSUPPORTED)))
		tr_die(&capture->cli, "%s", tr_import_files_message(files));
	tr_import_files_close(files);
	return NULL;
}

/* Converts the log. Returns as tr_import_some() at its end. */
static int convert_log(struct capture *capture, struct tr_import_files *import)
{
	enum { LINES = 1 << 14 };
	struct tr_header *header = tr_header_copy(tr_import_files_header(import));
	struct tr_progress progress;
	int status = TR_OK;
	tr_cli_need(&capture->cli, header);
	capture->cli.is_source = true;
	tr_cli_writer(&capture->out, &capture->cli, header);
	tr_header_free(header);
	tr_progress_init(&progress);
	while (!status && !tr_child_interrupted()) {
		status = tr_import_files_some(import, capture->out.writer, LINES);
		tr_progress_show_at(
		    &progress, &capture->cli, tr_writer_instructions(capture->out.writer),
		    tr_import_files_offset(import), tr_import_files_size(import));
	}
	tr_progress_done(&progress);
	return status;
}

static void tell_skipped(const struct capture *capture,
			 const struct tr_import_files *import)
{
	const char *first;
	uint64_t skipped = tr_import_files_skipped(import, &first);
	if (skipped)
		tr_warn(&capture->cli, "warning: %" PRIu64 " %s skipped; %s", skipped,
			skipped == 1 ? "line or packet was" : "lines or packets were",
			first);
}

static void tell_remarks(const struct capture *capture, struct tr_import_files *import)
{
	const char *name;
	for (size_t i = 0; i < capture->ninputs; i++) {
		const char *remark = tr_import_files_remark(import, i, &name);
		if (remark)
			tr_warn(&capture->cli, "%s: warning: %s", name, remark);
	}
}

static bool has_stacks(const struct tr_import_files *import)
{
	return tr_header_content(tr_import_files_header(import)) == TR_CONTENT_STACKS;
}

/* Returns the number of instructions, or of cycles on stacks. */
static uint64_t count_converted(const struct capture *capture,
				const struct tr_import_files *import)
{
	return has_stacks(import) ? tr_writer_cycles(capture->out.writer)
				  : tr_writer_instructions(capture->out.writer);
}

/* Converts a log and writes the end record. Returns the exit status. */
static int import_log(struct capture *capture, struct tr_import_files *import)
{
	int status = convert_log(capture, import);
	const bool is_bad = status < 0;
	const uint64_t done = count_converted(capture, import);
	if (status == TR_E_IO || status == TR_E_NOMEM || status == TR_E_ARGUMENT)
		tr_cli_wrote(&capture->out, status);
	tell_skipped(capture, import);
	finish_capture(capture,
		       status == TR_OK			 ? "interrupted"
		       : tr_import_files_limited(import) ? "limit"
		       : status == TR_END		 ? "end of the log"
		       : status == TR_E_TRUNCATED	 ? "truncated"
							 : "corrupt",
		       is_bad ? tr_import_files_message(import) : NULL);
	if (status == TR_E_UNSUPPORTED)
		tr_warn(&capture->cli, "%s", tr_import_files_message(import));
	else if (is_bad)
		tr_warn(&capture->cli, "%s, after %" PRIu64 " %s%s",
			tr_import_files_message(import), done,
			has_stacks(import) ? "cycle" : "instruction", tr_plural(done));
	tell_remarks(capture, import);
	const int exit_status = tell_breaks(capture, tr_import_files_header(import),
					    is_bad ? TR_EXIT_TROUBLE : TR_EXIT_OK);
	tr_import_files_close(import);
	free(capture->bins.text);
	free(capture->params.text);
	free(capture->inputs);
	return exit_status;
}

int main(int argc, char **argv)
{
	struct capture capture = {.max_cycles = UINT64_MAX,
				  .max_instructions = UINT64_MAX};
	tr_cli_init(&capture.cli, TR_CLI_STREAM, "tr-capture", usage, argc, argv);
	tr_cli_promise(&capture.cli);
	parse_args(&capture);
	start_command(&capture);
	struct tr_import_files *log = capture.command ? NULL : open_logs(&capture);
	if (log)
		return import_log(&capture, log);
	if (capture.bins.count)
		tr_die(&capture.cli, "--bins is for a log: %s is none", capture.name);
	if (capture.params.count)
		tr_die(&capture.cli, "--encoder is for a log: %s is none", capture.name);
	open_capture_input(&capture);
	open_capture_output(&capture);
	int exit_status = TR_EXIT_OK;
	int status = copy_captured_frames(&capture);
	if (capture.limited) {
		tr_child_stop();
		finish_capture(&capture, "limit", NULL);
	} else if (status == TR_END) {
		exit_status = finish_whole(&capture);
	} else {
		exit_status = finish_broken(&capture, status);
	}
	exit_status =
	    tell_breaks(&capture, tr_reader_header(capture.reader), exit_status);
	tr_reader_close(capture.reader);
	free(capture.bins.text);
	free(capture.params.text);
	free(capture.inputs);
	return exit_status;
}
