/* SPDX-License-Identifier: Apache-2.0 */
/* Messages, numbers and exit status, shared by all programs. */
#include "cli/cli.h"

#include <errno.h>
#include <fcntl.h>
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
