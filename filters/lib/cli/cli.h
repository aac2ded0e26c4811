/* SPDX-License-Identifier: Apache-2.0 */
/* Command-line interface shared by all programs: messages, exit status, input and
 * output. The options are in options.h. */
#ifndef TR_CLI_H
#define TR_CLI_H

#include <getopt.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>

#include "stream/header.h"
#include "stream/reader.h"
#include "stream/writer.h"

#define TR_VERSION "0.1.0"

enum { TR_EXIT_OK = 0, TR_EXIT_NO = 1, TR_EXIT_TROUBLE = 2 };

/* Kind of a program's output, which determines the shared options in --help. */
enum tr_cli_kind {
	TR_CLI_PLAIN,	  /* -h and -V */
	TR_CLI_SIMULATOR, /* and --no-provenance */
	TR_CLI_TEXT,	  /* -o, -@ and -v, -h and -V */
	TR_CLI_STREAM	  /* all */
};

/* The shared options: -h -V -o FILE -u -@ N -v and --no-provenance. */
struct tr_cli {
	const char *program; /* "tr-match" */
	const char *usage;   /* first lines of --help: "usage: ..." and what it does */
	const char *notes;   /* its last lines, or NULL */
	enum tr_cli_kind kind;
	int argc;
	char **argv;
	const char *output; /* NULL or "-": stdout */
	unsigned threads;
	bool plain; /* -u */
	/* zstd level, also for pipes; 0: level 3 for regular files only */
	unsigned level;
	unsigned group; /* frames in a zstd frame; 0 is 1 */
	bool verbose;	/* -v */
	bool no_provenance;
	bool informs;	    /* the output informs: a reader that closes the pipe has seen
			     * enough, exit status 0 */
	bool keeps_part;    /* a partial text output is kept, since it is recognisably
			     * incomplete */
	bool is_source;	    /* the output is checked for continuity, as a source's */
	bool takes_sampled; /* streams of sampled runs, too: tr-stream(5) */
	bool in_order;	    /* options end at the first operand: a command follows */
};

/* Initialises *cli, sets the locale to C, and ignores SIGPIPE, so that writes fail with
 * EPIPE. */
void tr_cli_init(struct tr_cli *cli, enum tr_cli_kind kind, const char *program,
		 const char *usage, int argc, char **argv);
/* Prints "program: message" as one line on standard error. */
void tr_warn(const struct tr_cli *cli, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Prints such a line and exits 2. */
_Noreturn void tr_die(const struct tr_cli *cli, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Dies with the status's text if it is an error. */
void tr_cli_check(const struct tr_cli *cli, int status);
/* Dies, out of memory, if `memory` is NULL. */
void tr_cli_need(const struct tr_cli *cli, const void *memory);
/* Parses a decimal number with an optional suffix k, M or G for powers of 1000. Returns
 * NULL, or the error. */
const char *tr_cli_number(const char *text, uint64_t *number);
/* Returns such a number; dies with a usage error. */
uint64_t tr_cli_u64(const struct tr_cli *cli, const char *option, const char *text);
/* Returns such a number from `low` to `high`; dies with a usage error. */
unsigned tr_cli_range(const struct tr_cli *cli, const char *option, const char *text,
		      unsigned low, unsigned high);

/* Returns "PROGRAM<tab>VERSION<tab>command line", which the caller frees: the value of
 * "pg" in a header. Dies when out of memory. */
char *tr_cli_provenance(const struct tr_cli *cli);

/* A filter's binary output. A terminal is refused; a regular file gets zstd level 3, a
 * pipe the plain form, as does a file with -u. The provenance line "pg" is added to
 * `header`. */
struct tr_output {
	const struct tr_cli *cli;
	struct tr_writer *writer;
	const char *name; /* for messages */
	int fd;
	/* After tr_cli_finish() */
	struct tr_breaks breaks;
	uint64_t instructions;
};
/* Warns if the run of this end record was cut off; `name` is the input's. */
void tr_cli_tell_cut_off(const struct tr_cli *cli, const char *name,
			 const struct tr_header *end);
/* Call before reading `path` ("-" is standard input) other than by tr_cli_reader(). If it
 * is a pipe, the first SIGINT, SIGTERM or SIGHUP does not end the program, which reads to
 * the end of the input. */
void tr_cli_reads(const struct tr_cli *cli, const char *path);
/* Dies if the header is of a sampled run. */
void tr_cli_not_sampled(const struct tr_cli *cli, const char *path,
			const struct tr_header *header);
/* Returns a reader of the stream; the functions below die on failure. EPIPE: exits 2
 * quietly. Of a sampled run it dies, too, unless the program takes such. */
struct tr_reader *tr_cli_reader(const struct tr_cli *cli, const char *path);
/* Returns a reader of a stream that holds `content`; dies if it holds the other
 * content. */
struct tr_reader *tr_cli_reader_of(const struct tr_cli *cli, const char *path,
				   enum tr_content content);
/* Dies if `path` is "-" and standard input is a terminal, as tr_cli_reader() does. */
void tr_cli_not_typed(const struct tr_cli *cli, const char *path);
/* Announces that standard output will be a stream, unless -o names a file. If the program
 * exits before the stream begins, a pipe gets an excuse in its place, and the filter
 * behind it exits 2 (tr_cli_reader()) without another message. `cli` must outlive the
 * program. */
void tr_cli_promise(const struct tr_cli *cli);
void tr_cli_writer(struct tr_output *out, const struct tr_cli *cli,
		   struct tr_header *header);
/* Dies with the output's name and errno if `status` is an error. */
void tr_cli_wrote(const struct tr_output *out, int status);
/* After truncated or damaged input: writes what is complete, without an end record, and
 * dies with the reader's message. */
_Noreturn void tr_cli_bad_input(const struct tr_output *out,
				const struct tr_reader *reader);
/* Writes the end record, flushes and closes; dies on failure. */
void tr_cli_finish(struct tr_output *out, const struct tr_header *end);

/* Returns a text output: the file of -o, or standard output. tr_cli_text_close() dies if
 * a write failed. A regular file that is not completely written, also because of a
 * signal, is truncated to its initial size; see keeps_part. */
FILE *tr_cli_text(const struct tr_cli *cli);
/* Returns standard output for what --help and its like print in place of the program's
 * output; its reader may close it early. */
FILE *tr_cli_information(struct tr_cli *cli);
void tr_cli_text_close(const struct tr_cli *cli, FILE *file);

/* Die, naming the output, if two paths are the same file; "-" and NULL are standard
 * output. tr_cli_writer() and tr_cli_text() compare with the operands and standard input
 * themselves; these functions are for a second input, a second output, and any other
 * reason `why`. */
void tr_cli_protect_input(const struct tr_cli *cli, const char *output,
			  const char *input);
/* The same for the output of `cli`. Dies as well if the path has a control character, so
 * that the header of a stream cannot record it. */
void tr_cli_check_path(const struct tr_cli *cli, const char *path);
void tr_cli_two_outputs(const struct tr_cli *cli, const char *output, const char *other);
void tr_cli_apart(const struct tr_cli *cli, const char *output, const char *other,
		  const char *why);
/* Returns whether they are the same file, for which tr_cli_apart() dies. */
bool tr_cli_is_same_file(const char *output, const char *other);
/* Returns the name of an output for messages. */
const char *tr_cli_output_name(const char *output);
#define TR_CLI_IS_INPUT "the output is the input"

/* Returns the single input operand, "-" by default; dies if there are more, with `hint`
 * (may be NULL) added to the message. */
const char *tr_cli_input(const struct tr_cli *cli, const char *hint);

/* A program's handlers for the frames of a stream of rows or stacks. They return false
 * when no more frames are needed. */
struct tr_cli_frames {
	bool (*rows)(void *context, const struct tr_frame *frame);
	bool (*stacks)(void *context, const struct tr_sframe *frame);
	void *context;
	bool is_silent; /* no progress line */
	bool is_ahead;	/* tr_reader_decode_ahead() */
};
/* Passes each frame to its handler, with progress. Returns TR_OK if a handler returned
 * false, TR_END, or an error with tr_reader_message() set. */
int tr_cli_each_frame(const struct tr_cli *cli, struct tr_reader *reader,
		      const struct tr_cli_frames *take);

/* Prints a line such as "tr-match: 812 M instructions, 103 M/s, 41 %, 12 s left" on
 * standard error about twice a second if that is a terminal, unless standard output is a
 * pipe: the last filter of a pipe prints for all. Call for each frame;
 * tr_progress_done() erases the line. */
struct tr_progress {
	bool on;
	uint64_t start_ns, last_ns;
};
void tr_progress_init(struct tr_progress *progress);
void tr_progress_show(struct tr_progress *progress, const struct tr_cli *cli,
		      uint64_t instructions, const struct tr_reader *reader);
/* The same, for an input that is not a stream: `offset` of its `size` bytes were read; 0
 * if the size is not known. */
void tr_progress_show_at(struct tr_progress *progress, const struct tr_cli *cli,
			 uint64_t instructions, uint64_t offset, uint64_t size);
void tr_progress_done(struct tr_progress *progress);

#endif
