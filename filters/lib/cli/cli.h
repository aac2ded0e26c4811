/* SPDX-License-Identifier: Apache-2.0 */
/* What all filters share: options, messages, exit status, input and output. */
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

/* What a program writes, which decides the options that --help adds to its own. */
enum tr_cli_kind { TR_CLI_SIMULATOR, TR_CLI_TEXT, TR_CLI_STREAM };

/* -h -V -o FILE -u -@ N -v and --no-provenance, in every filter. */
struct tr_cli {
	const char *program; /* "tr-match" */
	const char *usage;   /* of --help, without these; of a simulator, whole */
	enum tr_cli_kind kind;
	int argc;
	char **argv;
	const char *output; /* NULL or "-": stdout */
	unsigned threads;
	bool plain;   /* -u */
	int level;    /* of zstd, also in a pipe; 0: 3 in a regular file only */
	bool verbose; /* -v */
	bool no_provenance;
	bool informs; /* a reader that closes the pipe has seen enough: exit status 0 */
	bool keeps_part; /* a text that was not written whole tells so by itself */
};

#define TR_CLI_SHORT "hVo:u@:v"
#define TR_CLI_LONG                                                                      \
	{"help", no_argument, NULL, 'h'}, {"version", no_argument, NULL, 'V'},           \
	    {"output", required_argument, NULL, 'o'},                                    \
	    {"uncompressed", no_argument, NULL, 'u'},                                    \
	    {"threads", required_argument, NULL, '@'},                                   \
	    {"verbose", no_argument, NULL, 'v'},                                         \
	{                                                                                \
		"no-provenance", no_argument, NULL, TR_CLI_NO_PROVENANCE                 \
	}
enum { TR_CLI_NO_PROVENANCE = 0x1000, TR_CLI_FIRST_FREE = 0x1001 };

/* Sets up locale (C), SIGPIPE (ignored: writes fail with EPIPE), and *cli. */
void tr_cli_init(struct tr_cli *cli, enum tr_cli_kind kind, const char *program,
		 const char *usage, int argc, char **argv);
/* Handles one of the shared options, or exits 2 with a usage line for an
 * unknown one ('?', ':'). --help and --version print and exit 0. */
void tr_cli_option(struct tr_cli *cli, int option);

/* "program: message" on stderr, one line. */
void tr_warn(const struct tr_cli *cli, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* The same, then exit 2. */
_Noreturn void tr_die(const struct tr_cli *cli, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* A decimal number, with k, M, G for powers of 1000: NULL, or why it is none. */
const char *tr_cli_number(const char *text, uint64_t *number);
/* The same, or a usage error. */
uint64_t tr_cli_u64(const struct tr_cli *cli, const char *option, const char *text);
/* The same, from `low` to `high`. */
unsigned tr_cli_range(const struct tr_cli *cli, const char *option, const char *text,
		      unsigned low, unsigned high);

/* A filter's binary output: refuses a terminal; zstd level 3 to a regular file,
 * plain (-u, or a pipe) otherwise. Adds the provenance line "pg" to `header`. */
struct tr_output {
	const struct tr_cli *cli;
	struct tr_writer *writer;
	const char *name; /* for messages */
	int fd;
};
/* A warning if the run that the end record is of was cut off; `name` is the input's. */
void tr_cli_tell_cut_off(const struct tr_cli *cli, const char *name,
			 const struct tr_header *end);
/* `path` ("-": standard input) is about to be read, by other means than tr_cli_reader. If
 * it is a pipe, the first SIGINT, SIGTERM or SIGHUP does not end the program, which reads
 * on to the end of it. */
void tr_cli_reads(const struct tr_cli *cli, const char *path);
/* These die on failure; a closed pipe exits 2 in silence. */
struct tr_reader *tr_cli_reader(const struct tr_cli *cli, const char *path);
/* The same; dies when the stream does not hold `content`. */
struct tr_reader *tr_cli_reader_of(const struct tr_cli *cli, const char *path,
				   enum tr_content content);
/* Dies when `path` is "-" and standard input is a terminal, as tr_cli_reader does:
 * nobody types a stream. */
void tr_cli_not_typed(const struct tr_cli *cli, const char *path);
/* Standard output will be a stream, unless -o names a file. If the program exits before
 * it has begun, a pipe gets an excuse for it, so that a filter behind it, which
 * tr_cli_reader ends with exit status 2, does not complain as well. `cli` stays. */
void tr_cli_promise(const struct tr_cli *cli);
void tr_cli_writer(struct tr_output *out, const struct tr_cli *cli,
		   struct tr_header *header);
/* Dies with file and errno if status is an error. */
void tr_cli_wrote(const struct tr_output *out, int status);
/* The input broke off or is damaged: writes what came whole, without an end
 * record, then dies with the reader's message. */
_Noreturn void tr_cli_bad_input(const struct tr_output *out,
				const struct tr_reader *reader);
/* End record, flush, close; dies on failure. */
void tr_cli_finish(struct tr_output *out, const struct tr_header *end);

/* A text output: FILE for -o or stdout. tr_cli_text_close dies when anything
 * could not be written. A regular file that is not written whole, also for a signal, is
 * left empty, or as it was before what is appended; see keeps_part. */
FILE *tr_cli_text(const struct tr_cli *cli);
void tr_cli_text_close(const struct tr_cli *cli, FILE *file);

/* Dies, saying "OUTPUT: WHY", when the two paths are one file; "-" and NULL are standard
 * output. For what tr_cli_writer and tr_cli_text do not know: they compare with the
 * operands and standard input. */
void tr_cli_apart(const struct tr_cli *cli, const char *output, const char *other,
		  const char *why);

/* The one input operand, "-" when there is none; dies when there are more. */
const char *tr_cli_input(const struct tr_cli *cli);

/* A line "tr-match: 812 M instructions, 103 M/s, 41 %, 12 s left" on stderr
 * about twice a second when that is a terminal; nothing otherwise. Call as
 * often as frames come; tr_progress_done erases the line. */
struct tr_progress {
	bool on;
	uint64_t start_ns, last_ns;
};
void tr_progress_init(struct tr_progress *progress);
void tr_progress_show(struct tr_progress *progress, const struct tr_cli *cli,
		      uint64_t instructions, const struct tr_reader *reader);
void tr_progress_done(struct tr_progress *progress);

#endif
