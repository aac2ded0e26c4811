/* SPDX-License-Identifier: Apache-2.0 */
/* prof-extract: writes what the injector needs to count the calls of a program. */
#include <getopt.h>

#include "command_line.h"

static const char extract_usage[] =
    "usage: prof-extract [-s | -u] [-o FOLDER] [--why | --list] PROGRAM\n"
    "Write the files that prof-inject needs to count the calls of a program's "
    "functions.\n";

#define DEFAULT_FOLDER "/var/lib/prof"

struct extract_request {
	bool stop, go, why, list;
	const char *folder, *program;
};

static void check_request(const struct prof_command *command,
			  const struct extract_request *request)
{
	if (request->stop && request->go)
		prof_end_with(command, "--stop cannot be used with --undo-stop");
	if (request->why && request->list)
		prof_end_with(command, "--why cannot be used with --list");
}

int main(int argc, char **argv)
{
	struct extract_request request = {.folder = DEFAULT_FOLDER};
	const struct prof_option options[] = {
	    {"stop", 's', .flag = &request.stop,
	     .help = "let the program's first instruction jump to itself"},
	    {"undo-stop", 'u', .flag = &request.go, .help = "undo what --stop did"},
	    {"folder", 'o', .argument = "FOLDER", .text = &request.folder,
	     .help = "write below FOLDER instead of " DEFAULT_FOLDER},
	    {"why", .flag = &request.why,
	     .help = "print how each function is entered, or why it is not counted"},
	    {"list", .flag = &request.list, .help = "print the functions as CSV"},
	    {0}};
	const struct prof_command command = {"prof-extract", extract_usage, options,
					     .in_order = false};

	prof_parse_options(&command, argc, argv);
	check_request(&command, &request);
	if (argc - optind != 1)
		prof_end_with(&command, "one program is expected");
	request.program = argv[optind];
	prof_end_with(&command, "%s: not yet extracted", request.program);
}
