/* SPDX-License-Identifier: Apache-2.0 */
/* Input and output of the filters: streams and text. */
#include "cli/cli.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/output.h"
#include "base/words.h"
#include "cli/cli_signals.h"

enum { ZSTD_LEVEL = 3, PIPE_BYTES = 1 << 20, TEXT_BYTES = 64 << 10 };

/* EPIPE: exit quietly. */
static _Noreturn void output_failed(const struct tr_cli *cli, const char *name, int error)
{
	if (error == EPIPE)
		exit(TR_EXIT_TROUBLE);
	tr_die(cli, "%s: %s", name, strerror(error));
}

static bool is_stdout(const struct tr_cli *cli)
{
	return !cli->output || strcmp(cli->output, "-") == 0;
}

void tr_cli_not_typed(const struct tr_cli *cli, const char *path)
{
	if (strcmp(path, "-") == 0 && isatty(STDIN_FILENO))
		tr_die(cli, "refusing to read a trace stream from a terminal; use a FILE "
			    "or a pipe");
}

void tr_cli_not_sampled(const struct tr_cli *cli, const char *path,
			const struct tr_header *header)
{
	if (tr_header_get(header, "sampled_hart"))
		tr_die(cli,
		       "%s: a sampled run, of which only sums can be estimated: tr-fold, "
		       "tr-report functions, tma and classes",
		       strcmp(path, "-") == 0 ? "<stdin>" : path);
}

struct tr_reader *tr_cli_reader(const struct tr_cli *cli, const char *path)
{
	struct tr_reader *reader;
	tr_cli_not_typed(cli, path);
	tr_cli_reads(cli, path);
	int status = tr_reader_open(&reader, path, cli->threads);
	if (status == TR_E_NO_SOURCE)
		exit(TR_EXIT_TROUBLE);
	if (status)
		tr_die(cli, "%s",
		       reader ? tr_reader_message(reader) : tr_status_text(status));
	if (!cli->takes_sampled)
		tr_cli_not_sampled(cli, path, tr_reader_header(reader));
	return reader;
}

struct tr_reader *tr_cli_reader_of(const struct tr_cli *cli, const char *path,
				   enum tr_content content)
{
	struct tr_reader *reader = tr_cli_reader(cli, path);
	char message[512];
	if (!tr_reader_expect(reader, content))
		return reader;
	snprintf(message, sizeof(message), "%s", tr_reader_message(reader));
	tr_reader_close(reader);
	tr_die(cli, "%s", message);
}

void tr_cli_tell_cut_off(const struct tr_cli *cli, const char *name,
			 const struct tr_header *end)
{
	const char *how = tr_header_cut_off(end);
	if (how)
		tr_warn(cli, "%s: warning: the run was cut off: %s",
			strcmp(name, "-") == 0 ? "<stdin>" : name, how);
}

static bool same_file(const struct stat *a, const struct stat *b)
{
	return S_ISREG(a->st_mode) && a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

/* Opening the input for writing would truncate it, and appending to it would
 * corrupt it. */
static void refuse_input(const struct tr_cli *cli)
{
	const char *name = is_stdout(cli) ? "<stdout>" : cli->output;
	struct stat output, input;
	if ((is_stdout(cli) ? fstat(STDOUT_FILENO, &output)
			    : stat(cli->output, &output)) != 0)
		return;
	bool same = fstat(STDIN_FILENO, &input) == 0 && optind == cli->argc &&
		    same_file(&input, &output);
	for (int i = optind; i < cli->argc && !same; i++)
		same =
		    (strcmp(cli->argv[i], "-") == 0 ? fstat(STDIN_FILENO, &input)
						    : stat(cli->argv[i], &input)) == 0 &&
		    same_file(&input, &output);
	if (same)
		tr_die(cli, "%s: %s", name, TR_CLI_IS_INPUT);
}

bool tr_cli_is_same_file(const char *output, const char *other)
{
	const char *paths[2] = {output ? output : "-", other ? other : "-"};
	struct stat found[2] = {0};
	bool is_stdout[2];
	for (int i = 0; i < 2; i++) {
		is_stdout[i] = strcmp(paths[i], "-") == 0;
		if (is_stdout[i])
			fstat(STDOUT_FILENO, &found[i]);
		else
			stat(paths[i], &found[i]);
	}
	bool is_device = !is_stdout[0] && S_ISCHR(found[0].st_mode);
	return same_file(&found[0], &found[1]) ||
	       (strcmp(paths[0], paths[1]) == 0 && !is_device);
}

const char *tr_cli_output_name(const char *output)
{
	return !output || strcmp(output, "-") == 0 ? "<stdout>" : output;
}

void tr_cli_apart(const struct tr_cli *cli, const char *output, const char *other,
		  const char *why)
{
	if (tr_cli_is_same_file(output, other))
		tr_die(cli, "%s: %s", tr_cli_output_name(output), why);
}

void tr_cli_protect_input(const struct tr_cli *cli, const char *output, const char *input)
{
	tr_cli_apart(cli, output, input, TR_CLI_IS_INPUT);
}

void tr_cli_check_path(const struct tr_cli *cli, const char *path)
{
	for (const char *c = path; *c; c++)
		if ((unsigned char)*c < 0x20)
			tr_die(cli,
			       "a path with a control character, which a stream "
			       "cannot record: %s",
			       path);
	tr_cli_protect_input(cli, cli->output, path);
}

void tr_cli_two_outputs(const struct tr_cli *cli, const char *output, const char *other)
{
	tr_cli_apart(cli, output, other, "two outputs into one file");
}

static const struct tr_cli *promise;

static void write_pipe_excuse(void)
{
	struct stat st;
	if (!promise || !is_stdout(promise) || fstat(STDOUT_FILENO, &st) != 0 ||
	    !S_ISFIFO(st.st_mode))
		return;
	/* Shorter than PIPE_BUF, hence atomic. Errors are ignored: the exit
	 * status tells. */
	ssize_t n = write(STDOUT_FILENO, TR_EXCUSE, sizeof(TR_EXCUSE) - 1);
	(void)n;
}

void tr_cli_promise(const struct tr_cli *cli)
{
	if (!promise)
		atexit(write_pipe_excuse);
	promise = cli;
}

static int open_cli_output(const struct tr_cli *cli)
{
	promise = NULL;
	refuse_input(cli);
	if (is_stdout(cli))
		return STDOUT_FILENO;
	int fd = tr_output_open(cli->output);
	if (fd < 0)
		tr_die(cli, "%s: %s", cli->output, tr_output_problem(errno));
	return fd;
}

char *tr_cli_provenance(const struct tr_cli *cli)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	tr_cli_need(cli, out);
	fprintf(out, "%s\t%s\t%s", cli->program, TR_VERSION, cli->program);
	for (int i = 1; i < cli->argc; i++) {
		putc(' ', out);
		tr_word_print(cli->argv[i], out);
	}
	if (fclose(out) != 0)
		tr_cli_check(cli, TR_E_NOMEM);
	return text;
}

static void add_provenance(const struct tr_cli *cli, struct tr_header *header)
{
	if (cli->no_provenance)
		return;
	char *text = tr_cli_provenance(cli);
	tr_cli_check(cli, tr_header_add(header, "pg", text));
	free(text);
}

void tr_cli_writer(struct tr_output *out, const struct tr_cli *cli,
		   struct tr_header *header)
{
	*out = (struct tr_output){.cli = cli,
				  .name = is_stdout(cli) ? "<stdout>" : cli->output,
				  .fd = open_cli_output(cli)};
	if (isatty(out->fd))
		tr_die(cli,
		       "refusing to write binary to a terminal; use -o FILE or a pipe");
	struct stat st;
	bool regular = fstat(out->fd, &st) == 0 && S_ISREG(st.st_mode);
	/* Room for a frame or two, so that both ends of a pipe can run in parallel. */
	if (!regular)
		fcntl(out->fd, F_SETPIPE_SZ, PIPE_BYTES);
	int level = cli->level ? (int)cli->level : regular ? ZSTD_LEVEL : 0;
	struct tr_writer_options options = {.level = cli->plain ? 0 : level,
					    .group = cli->group,
					    .has_index = true,
					    .threads = cli->threads,
					    .marks_breaks = cli->is_source};
	add_provenance(cli, header);
	tr_cli_wrote(out, tr_writer_open(&out->writer, out->fd, header, &options));
}

void tr_cli_wrote(const struct tr_output *out, int status)
{
	if (status == TR_E_IO)
		output_failed(out->cli, out->name, errno);
	if (status < 0)
		tr_die(out->cli, "%s: %s", out->name, tr_status_text(status));
}

_Noreturn void tr_cli_bad_input(const struct tr_output *out,
				const struct tr_reader *reader)
{
	tr_cli_wrote(out, tr_writer_drain(out->writer));
	tr_die(out->cli, "%s", tr_reader_message(reader));
}

void tr_cli_finish(struct tr_output *out, const struct tr_header *end)
{
	tr_cli_wrote(out, tr_writer_end(out->writer, end));
	out->breaks = tr_writer_breaks(out->writer);
	out->instructions = tr_writer_instructions(out->writer);
	tr_writer_close(out->writer);
	out->writer = NULL;
	if (close(out->fd) != 0)
		output_failed(out->cli, out->name, errno);
}

/* Destination of a text output. */
struct text_sink {
	const struct tr_cli *cli;
	const char *name;
	int fd;
	struct text_sink *next;
};
/* Those that are open: a program that fails with an open output has lost no memory. */
static struct text_sink *open_sinks;

/* Exits at the first failure, while errno is still valid; it is called from inside stdio,
 * which exit() would re-enter. */
static ssize_t write_sink_text(void *cookie, const char *data, size_t size)
{
	const struct text_sink *sink = cookie;
	size_t done = 0;
	while (done < size) {
		ssize_t n = write(sink->fd, data + done, size - done);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0) {
			if (errno == EPIPE && sink->cli->informs)
				_exit(TR_EXIT_OK);
			if (errno != EPIPE)
				tr_warn(sink->cli, "%s: %s", sink->name, strerror(errno));
			tr_cli_drop_text();
			_exit(TR_EXIT_TROUBLE);
		}
		done += (size_t)n;
	}
	return (ssize_t)size;
}

static int close_text(void *cookie)
{
	struct text_sink *sink = cookie;
	struct text_sink **at = &open_sinks;
	while (*at != sink)
		at = &(*at)->next;
	*at = sink->next;
	tr_cli_text_done();
	if (close(sink->fd) != 0)
		output_failed(sink->cli, sink->name, errno);
	free(sink);
	return 0;
}

FILE *tr_cli_text(const struct tr_cli *cli)
{
	struct text_sink *sink = malloc(sizeof(*sink));
	if (!sink)
		tr_cli_check(cli, TR_E_NOMEM);
	*sink = (struct text_sink){.cli = cli,
				   .name = is_stdout(cli) ? "<stdout>" : cli->output,
				   .fd = open_cli_output(cli),
				   .next = open_sinks};
	open_sinks = sink;
	tr_cli_guard_text(cli, sink->fd);
	FILE *file = fopencookie(
	    sink, "w",
	    (cookie_io_functions_t){.write = write_sink_text, .close = close_text});
	tr_cli_need(cli, file);
	setvbuf(file, NULL, _IOFBF, TEXT_BYTES);
	return file;
}

FILE *tr_cli_information(struct tr_cli *cli)
{
	cli->output = NULL;
	cli->informs = true;
	return tr_cli_text(cli);
}

void tr_cli_text_close(const struct tr_cli *cli, FILE *file)
{
	if (fclose(file) != 0)
		output_failed(cli, is_stdout(cli) ? "<stdout>" : cli->output, errno);
}
