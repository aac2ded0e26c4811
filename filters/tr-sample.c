/* SPDX-License-Identifier: Apache-2.0 */
/* tr-sample: saves the trace stream of a run of soc-sim of which only windows are
 * executed on the hardware. */
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/words.h"
#include "cli/options.h"

static const char usage[] =
    "usage: tr-sample [-o FILE] [OPTION...] -- soc-sim [ARGUMENT...]\n"
    "Save the trace stream of a run of soc-sim that executes all instructions on the\n"
    "functional model, and some thousand short windows of them on the hardware.\n";

static const char notes[] = "N may end in k, M or G, for powers of 1000.\n";

enum { MAX_JOBS = 256 };

struct sample {
	struct tr_cli cli;
	char **command;
	const char *windows, *interval, *length, *warm, *seed;
	unsigned jobs;
	bool undilated, archive;
};

static void parse_options(struct sample *s)
{
	const struct tr_option options[] = {
	    {"jobs", 'j', .argument = "N", .range = {&s->jobs, 1, MAX_JOBS},
	     .help = "execute N windows at a time (one for each processor)"},
	    {"windows", .argument = "N", .text = &s->windows, .excludes = "interval",
	     .help = "execute about N windows (3000); a first run on the model counts "
		     "the instructions"},
	    {"interval", .argument = "N", .text = &s->interval,
	     .help = "execute a window in every N instructions"},
	    {"length", .argument = "N", .text = &s->length,
	     .help = "instructions of a window (1k)"},
	    {"warm", .argument = "N", .text = &s->warm,
	     .help = "instructions that the hardware executes before each (20k)"},
	    {"seed", .argument = "N", .text = &s->seed,
	     .help = "choose other places (1)"},
	    {"no-dilation", .flag = &s->undilated,
	     .help = "let an instruction take a cycle of the model's time, and not what "
		     "windows have shown"},
	    {"archive", .flag = &s->archive, .help = "compress as tr-capture --archive"},
	    {0}};
	tr_options_parse(&s->cli, options, s);
}

/* "--" ends the options; the command after it has options of its own. */
static void parse_args(struct sample *s)
{
	struct tr_cli *cli = &s->cli;
	const int argc = cli->argc;
	for (int i = 1; i < argc && !s->command; i++)
		if (strcmp(cli->argv[i], "--") == 0) {
			s->command = cli->argv + i + 1;
			cli->argc = i;
		}
	cli->notes = notes;
	parse_options(s);
	if (optind < cli->argc)
		tr_die(cli, "%s: the simulator follows --", cli->argv[optind]);
	cli->argc = argc;
	if (!s->command || !s->command[0])
		tr_die(cli, "no simulator after --; see --help");
}

/* Returns the text of soc-sim --sample; NULL if memory runs out. */
static char *sample_text(const struct sample *s)
{
	const struct {
		const char *key, *value;
	} given[] = {{"windows", s->windows}, {"interval", s->interval},
		     {"length", s->length},   {"warm", s->warm},
		     {"seed", s->seed},	      {"undilated", s->undilated ? "1" : NULL}};
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	if (!out)
		return NULL;
	const char *separator = "";
	for (size_t i = 0; i < sizeof(given) / sizeof(given[0]); i++) {
		if (!given[i].value)
			continue;
		fprintf(out, "%s%s=%s", separator, given[i].key, given[i].value);
		separator = ",";
	}
	return fclose(out) == 0 ? text : NULL;
}

/* Returns the path of a program in the folder of this one. */
static char *path_beside(const struct sample *s, const char *name)
{
	char folder[PATH_MAX], *path = NULL;
	const ssize_t size = readlink("/proc/self/exe", folder, sizeof(folder) - 1);
	if (size < 0)
		tr_die(&s->cli, "/proc/self/exe: %s", strerror(errno));
	folder[size] = '\0';
	*strrchr(folder, '/') = '\0';
	if (asprintf(&path, "%s/%s", folder, name) < 0)
		tr_cli_need(&s->cli, NULL);
	return path;
}

/* Returns the simulator to run: soc-model stands for the soc-sim beside it. */
static char *find_simulator(const struct sample *s)
{
	const char *name = strrchr(s->command[0], '/');
	const int folder = name ? (int)(name + 1 - s->command[0]) : 0;
	char *path = NULL;
	name = name ? name + 1 : s->command[0];
	const bool is_model = strcmp(name, "soc-model") == 0;
	if (!is_model && strncmp(name, "soc-sim", strlen("soc-sim")) != 0)
		tr_die(&s->cli, "%s: not soc-sim: windows need the state of the model",
		       s->command[0]);
	if (asprintf(&path, "%.*s%s", folder, s->command[0],
		     is_model ? "soc-sim" : name) < 0)
		tr_cli_need(&s->cli, NULL);
	return path;
}

/* The number of jobs is no part of the command, because the stream does not depend on it.
 */
static void set_jobs(const struct sample *s)
{
	const long processors = sysconf(_SC_NPROCESSORS_ONLN);
	long jobs = s->jobs ? (long)s->jobs : processors;
	char text[32];
	if (jobs < 1)
		jobs = 1;
	snprintf(text, sizeof(text), "%ld", jobs > MAX_JOBS ? MAX_JOBS : jobs);
	if (setenv("TR_SAMPLE_JOBS", text, 1) != 0)
		tr_die(&s->cli, "%s", strerror(errno));
}

static void add_word(const struct sample *s, struct tr_words *words, const char *word)
{
	if (word)
		tr_cli_check(&s->cli, tr_words_add(words, word) ? TR_OK : TR_E_NOMEM);
}

int main(int argc, char **argv)
{
	struct sample s = {.jobs = 0};
	struct tr_words words = {0};
	char threads[16];
	tr_cli_init(&s.cli, TR_CLI_STREAM, "tr-sample", usage, argc, argv);
	parse_args(&s);
	set_jobs(&s);
	char *text = sample_text(&s), *capture = path_beside(&s, "tr-capture");
	const char *anonymous = s.cli.no_provenance ? "--no-provenance" : NULL;
	tr_cli_need(&s.cli, text);
	add_word(&s, &words, capture);
	add_word(&s, &words, s.cli.output ? "-o" : NULL);
	add_word(&s, &words, s.cli.output);
	add_word(&s, &words, s.archive ? "--archive" : NULL);
	add_word(&s, &words, s.cli.plain ? "-u" : NULL);
	add_word(&s, &words, anonymous);
	add_word(&s, &words, s.cli.verbose ? "-v" : NULL);
	snprintf(threads, sizeof(threads), "-@%u", s.cli.threads);
	add_word(&s, &words, s.cli.threads > 1 ? threads : NULL);
	add_word(&s, &words, "--");
	add_word(&s, &words, find_simulator(&s));
	add_word(&s, &words, "--sample");
	add_word(&s, &words, text);
	add_word(&s, &words, anonymous);
	for (char **word = s.command + 1; *word; word++)
		add_word(&s, &words, *word);
	execv(capture, words.word);
	tr_die(&s.cli, "%s: %s", capture, strerror(errno));
}
