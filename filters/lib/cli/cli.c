/* SPDX-License-Identifier: Apache-2.0 */
/* Options, messages and exit status: the same in all filters. */
#include "cli/cli.h"

#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A file that is opened later must not become standard error, or get what is meant
 * for it: closed descriptors are taken, and fail as before when they are used. */
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
	/* For getopt's messages and the provenance: no path of this machine. */
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

static const char *const common_usage[] = {
    [TR_CLI_SIMULATOR] = "",
    [TR_CLI_TEXT] =
	"\nOptions of all filters:\n"
	"  -o, --output FILE        write to FILE instead of standard output\n"
	"  -@, --threads N          read ahead in a thread if N is 2 or more\n"
	"  -v, --verbose            tell more on standard error\n"
	"  -h, --help               show this help and exit\n"
	"  -V, --version            show the version and exit\n",
    [TR_CLI_STREAM] =
	"\nOptions of all filters:\n"
	"  -o, --output FILE        write to FILE instead of standard output\n"
	"  -u, --uncompressed       do not compress the stream in a file\n"
	"  -@, --threads N          read ahead and compress in N threads (1)\n"
	"  -v, --verbose            tell more on standard error\n"
	"      --no-provenance      leave no line about this run in the header\n"
	"  -h, --help               show this help and exit\n"
	"  -V, --version            show the version and exit\n",
};

static _Noreturn void print_and_exit(struct tr_cli *cli, const char *text,
				     const char *more)
{
	cli->output = NULL;
	cli->informs = true;
	FILE *out = tr_cli_text(cli);
	fputs(text, out);
	fputs(more, out);
	tr_cli_text_close(cli, out);
	exit(TR_EXIT_OK);
}

static _Noreturn void print_version(struct tr_cli *cli)
{
	char text[96];
	snprintf(text, sizeof(text), "%s %s\n", cli->program, TR_VERSION);
	print_and_exit(cli, text, "");
}

/* getopt has named the option; the first line of the help follows. */
static _Noreturn void bad_option(const struct tr_cli *cli)
{
	fprintf(stderr, "%.*s\n", (int)strcspn(cli->usage, "\n"), cli->usage);
	exit(TR_EXIT_TROUBLE);
}

void tr_cli_option(struct tr_cli *cli, int option)
{
	switch (option) {
	case 'h':
		print_and_exit(cli, cli->usage, common_usage[cli->kind]);
	case 'V':
		print_version(cli);
	case 'o':
		cli->output = optarg;
		break;
	case 'u':
		cli->plain = true;
		break;
	case '@':
		cli->threads = tr_cli_range(cli, "-@", optarg, 1, 64);
		break;
	case 'v':
		cli->verbose = true;
		break;
	case TR_CLI_NO_PROVENANCE:
		cli->no_provenance = true;
		break;
	default:
		bad_option(cli);
	}
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

const char *tr_cli_input(const struct tr_cli *cli)
{
	if (optind + 1 < cli->argc)
		tr_die(cli, "more than one input: %s", cli->argv[optind + 1]);
	return optind < cli->argc ? cli->argv[optind] : "-";
}
