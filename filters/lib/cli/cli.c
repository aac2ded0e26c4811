/* SPDX-License-Identifier: Apache-2.0 */
/* Options, messages and exit status, shared by all programs. */
#include "cli/cli.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <locale.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Opens closed standard descriptors, so that a file opened later does not become standard
 * error. As before, using them fails. */
static void keep_standard_files(void)
{
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		if (fcntl(fd, F_GETFD) < 0 &&
		    open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY) != fd)
			exit(TR_EXIT_TROUBLE);
}

void tr_cli_init(struct tr_cli *cli, enum tr_cli_kind kind, const char *program,
		 const char *usage, int argc, char **argv)
{
	static char name[64];
	keep_standard_files();
	setlocale(LC_ALL, "C");
	signal(SIGPIPE, SIG_IGN);
	/* getopt's messages and the provenance must not contain a path of this
	 * machine. */
	snprintf(name, sizeof(name), "%s", program);
	if (argc > 0)
		argv[0] = name;
	*cli = (struct tr_cli){.program = program,
			       .usage = usage,
			       .kind = kind,
			       .argc = argc,
			       .argv = argv,
			       .threads = 1};
}

static void print_message(const struct tr_cli *cli, const char *format, va_list arguments)
    __attribute__((format(printf, 2, 0)));
static void print_message(const struct tr_cli *cli, const char *format, va_list arguments)
{
	char text[2048];
	int head = snprintf(text, sizeof(text), "%s: ", cli->program);
	vsnprintf(text + head, sizeof(text) - (size_t)head, format, arguments);
	for (char *c = text; *c; c++)
		if ((unsigned char)*c < 0x20 || *c == 0x7f)
			*c = '?';
	fprintf(stderr, "%s\n", text);
}

void tr_warn(const struct tr_cli *cli, const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	print_message(cli, format, arguments);
	va_end(arguments);
}

void tr_die(const struct tr_cli *cli, const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	print_message(cli, format, arguments);
	va_end(arguments);
	exit(TR_EXIT_TROUBLE);
}

void tr_cli_check(const struct tr_cli *cli, int status)
{
	if (status < 0)
		tr_die(cli, "%s", tr_status_text((enum tr_status)status));
}

void tr_cli_need(const struct tr_cli *cli, const void *memory)
{
	if (!memory)
		tr_cli_check(cli, TR_E_NOMEM);
}

/* The shared options; simulators have only the first ones. */
static const struct option shared[] = {
    {"help", no_argument, NULL, 'h'},
    {"version", no_argument, NULL, 'V'},
    {"no-provenance", no_argument, NULL, TR_CLI_NO_PROVENANCE},
    {"output", required_argument, NULL, 'o'},
    {"uncompressed", no_argument, NULL, 'u'},
    {"threads", required_argument, NULL, '@'},
    {"verbose", no_argument, NULL, 'v'},
};
enum { SHARED = sizeof(shared) / sizeof(*shared), OF_SIMULATORS = 3 };

/* Help for them, and the kinds of program that have them. */
static const struct {
	const char *text;
	bool of[TR_CLI_STREAM + 1];
} shared_help[] = {
    {"\nOptions of all filters:\n"
     "  -o, --output FILE        write to FILE instead of standard output\n",
     {[TR_CLI_TEXT] = true, [TR_CLI_STREAM] = true}},
    {"  -u, --uncompressed       do not compress the stream in a file\n"
     "  -@, --threads N          read ahead and compress in N threads (1)\n",
     {[TR_CLI_STREAM] = true}},
    {"  -@, --threads N          read ahead in a thread if N is 2 or more\n",
     {[TR_CLI_TEXT] = true}},
    {"  -v, --verbose            print more on standard error\n",
     {[TR_CLI_TEXT] = true, [TR_CLI_STREAM] = true}},
    {"      --no-provenance      do not add this run to the header\n",
     {[TR_CLI_STREAM] = true}},
    {"  -h, --help               show this help and exit\n"
     "  -V, --version            show the version and exit\n",
     {[TR_CLI_TEXT] = true, [TR_CLI_STREAM] = true}},
};

/* Returns the output of --help and --version. */
static FILE *open_information(struct tr_cli *cli)
{
	cli->output = NULL;
	cli->informs = true;
	return tr_cli_text(cli);
}

static _Noreturn void print_help(struct tr_cli *cli)
{
	FILE *out = open_information(cli);
	fputs(cli->usage, out);
	for (size_t i = 0; i < sizeof(shared_help) / sizeof(*shared_help); i++)
		if (shared_help[i].of[cli->kind])
			fputs(shared_help[i].text, out);
	tr_cli_text_close(cli, out);
	exit(TR_EXIT_OK);
}

static _Noreturn void print_version(struct tr_cli *cli)
{
	FILE *out = open_information(cli);
	fprintf(out, "%s %s\n", cli->program, TR_VERSION);
	tr_cli_text_close(cli, out);
	exit(TR_EXIT_OK);
}

/* Exits after getopt has named the option; prints the first line of the help. */
static _Noreturn void bad_option(const struct tr_cli *cli)
{
	fprintf(stderr, "%.*s\n", (int)strcspn(cli->usage, "\n"), cli->usage);
	exit(TR_EXIT_TROUBLE);
}

/* Returns false for an option of the program's own. */
static bool take_shared(struct tr_cli *cli, int option)
{
	switch (option) {
	case 'h':
		print_help(cli);
	case 'V':
		print_version(cli);
	case 'o':
		cli->output = optarg;
		return true;
	case 'u':
		cli->plain = true;
		return true;
	case '@':
		cli->threads = tr_cli_range(cli, "-@", optarg, 1, 64);
		return true;
	case 'v':
		cli->verbose = true;
		return true;
	case TR_CLI_NO_PROVENANCE:
		cli->no_provenance = true;
		return true;
	case '?':
		bad_option(cli);
	default:
		return false;
	}
}

/* Returns the shared options and the program's own in one table. */
static struct option *join_options(const struct tr_cli *cli, const struct option *own)
{
	const size_t first = cli->kind == TR_CLI_SIMULATOR ? OF_SIMULATORS : SHARED;
	size_t count = 0;
	while (own[count].name)
		count++;
	struct option *all = calloc(first + count + 1, sizeof(*all));
	tr_cli_need(cli, all);
	memcpy(all, shared, first * sizeof(*all));
	memcpy(all + first, own, count * sizeof(*all));
	return all;
}

void tr_cli_parse(struct tr_cli *cli, const struct option *own,
		  void (*take)(void *context, int option), void *context)
{
	static struct option *all; /* static, so that it is reachable if `take` exits */
	char letters[2 * CHAR_MAX + 2], *end = letters;
	all = join_options(cli, own);
	if (cli->in_order)
		*end++ = '+';
	for (const struct option *o = all; o->name; o++) {
		if (o->val > CHAR_MAX)
			continue;
		*end++ = (char)o->val;
		if (o->has_arg == required_argument)
			*end++ = ':';
	}
	*end = '\0';
	for (int option;
	     (option = getopt_long(cli->argc, cli->argv, letters, all, NULL)) != -1;)
		if (!take_shared(cli, option))
			take(context, option);
	free(all);
}

static uint64_t suffix_factor(const char *suffix)
{
	if (strcmp(suffix, "") == 0)
		return 1;
	if (strcmp(suffix, "k") == 0)
		return 1000;
	if (strcmp(suffix, "M") == 0)
		return 1000000;
	return strcmp(suffix, "G") == 0 ? 1000000000 : 0;
}

const char *tr_cli_number(const char *text, uint64_t *number)
{
	char *end;
	errno = 0;
	unsigned long long value = strtoull(text, &end, 10);
	uint64_t factor = suffix_factor(end);
	if (*text < '0' || *text > '9' || factor == 0)
		return "not a number";
	if (errno || value > UINT64_MAX / factor)
		return "too large";
	*number = value * factor;
	return NULL;
}

uint64_t tr_cli_u64(const struct tr_cli *cli, const char *option, const char *text)
{
	uint64_t value;
	const char *why = tr_cli_number(text, &value);
	if (why)
		tr_die(cli, "%s: %s: %s", option, why, text);
	return value;
}

unsigned tr_cli_range(const struct tr_cli *cli, const char *option, const char *text,
		      unsigned low, unsigned high)
{
	uint64_t value = tr_cli_u64(cli, option, text);
	if (value < low || value > high)
		tr_die(cli, "%s: not between %u and %u: %s", option, low, high, text);
	return (unsigned)value;
}

const char *tr_cli_input(const struct tr_cli *cli, const char *hint)
{
	if (optind + 1 < cli->argc)
		tr_die(cli, "more than one input: %s%s%s", cli->argv[optind + 1],
		       hint ? "; " : "", hint ? hint : "");
	return optind < cli->argc ? cli->argv[optind] : "-";
}
