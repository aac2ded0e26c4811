/* SPDX-License-Identifier: Apache-2.0 */
/* Tables of options: each kind of target, conditions, and tables that are wrong. A case
 * that exits runs in a child, whose status and first message are compared. */
#include "cli/options.h"

#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

static struct {
	bool flag;
	const char *text, *seen;
	struct tr_texts texts;
	uint64_t number;
	unsigned range, choice;
	char taken[16];
} got;

static void take_any(void *context, const struct tr_option *option, const char *argument)
{
	CHECK(context == &got);
	snprintf(got.taken, sizeof(got.taken), "%s=%s", option->name,
		 argument ? argument : "(none)");
}

static const char *const words[] = {"red", "green", NULL};
static const struct tr_option good[] = {
    {"flag", 'f', .flag = &got.flag, .seen = &got.seen},
    {"text", .argument = "T", .text = &got.text, .excludes = "flag"},
    {"texts", .argument = "T", .texts = &got.texts},
    {"number", .argument = "N", .number = &got.number, .needs = "range choice"},
    {"range", 'r', .argument = "N", .range = {&got.range, 2, 5}},
    {"choice", .choice = {&got.choice, words}},
    {"any", .argument = "A", .take = take_any},
    {"maybe", .argument = "A", .is_optional = true, .take = take_any},
    {"word", .choice = {.words = words}, .take = take_any},
    {"old", .moved_to = "use --text"},
    {0}};
static const struct tr_option no_target[] = {{.name = "none"}, {0}};
static const struct tr_option two_targets[] = {
    {"both", .flag = &got.flag, .text = &got.text}, {0}};
static const struct tr_option bad_name[] = {
    {"flag", .flag = &got.flag, .excludes = "nothing"}, {0}};

/* Parses up to four arguments. */
static void parse(const struct tr_option *table, const char *const *arguments)
{
	static char copy[5][32];
	static char *argv[6];
	struct tr_cli cli;
	int argc = 1;
	argv[0] = copy[0];
	for (; arguments[argc - 1]; argc++) {
		snprintf(copy[argc], sizeof(copy[argc]), "%s", arguments[argc - 1]);
		argv[argc] = copy[argc];
	}
	argv[argc] = NULL;
	optind = 0;
	memset(&got, 0, sizeof(got));
	tr_cli_init(&cli, TR_CLI_PLAIN, "tr-x", "usage: tr-x\n", argc, argv);
	tr_options_parse(&cli, table, &got);
}

/* Returns what the parser prints before it exits with status 2; "" if it does not. */
static const char *refuse(const struct tr_option *table, const char *const *arguments)
{
	static char text[256];
	int ends[2], status;
	CHECK(pipe(ends) == 0);
	pid_t child = fork();
	if (child == 0) {
		dup2(ends[1], STDERR_FILENO);
		parse(table, arguments);
		_exit(0);
	}
	close(ends[1]);
	ssize_t size = read(ends[0], text, sizeof(text) - 1);
	close(ends[0]);
	waitpid(child, &status, 0);
	text[size > 0 ? size : 0] = '\0';
	text[strcspn(text, "\n")] = '\0';
	return WIFEXITED(status) && WEXITSTATUS(status) == 2 ? text : "";
}

#define ARGUMENTS(...) ((const char *const[]){__VA_ARGS__, NULL})

static void set_targets(void)
{
	parse(good, ARGUMENTS("-f", "--texts=a", "--texts", "b"));
	CHECK(got.flag && strcmp(got.seen, "flag") == 0);
	CHECK_EQ(got.texts.count, 2);
	CHECK(strcmp(got.texts.text[0], "a") == 0 && strcmp(got.texts.text[1], "b") == 0);
	free(got.texts.text);
	parse(good, ARGUMENTS("--number", "3k", "-r5"));
	CHECK_EQ(got.number, 3000);
	CHECK_EQ(got.range, 5);
	parse(good, ARGUMENTS("--choice", "green", "--text", ""));
	CHECK_EQ(got.choice, 1);
	CHECK(got.text && !*got.text && !got.seen);
	parse(good, ARGUMENTS("--any", "x"));
	CHECK(strcmp(got.taken, "any=x") == 0);
	parse(good, ARGUMENTS("--maybe=x"));
	CHECK(strcmp(got.taken, "maybe=x") == 0);
	parse(good, ARGUMENTS("--maybe", "x"));
	CHECK(strcmp(got.taken, "maybe=(none)") == 0);
	parse(good, ARGUMENTS("--word", "red"));
	CHECK(strcmp(got.taken, "word=red") == 0);
}

static void refuse_arguments(void)
{
	CHECK(strcmp(refuse(good, ARGUMENTS("-r6")),
		     "tr-x: --range: not between 2 and 5: 6") == 0);
	CHECK(strcmp(refuse(good, ARGUMENTS("--number", "x")),
		     "tr-x: --number: not a number: x") == 0);
	CHECK(strcmp(refuse(good, ARGUMENTS("--word", "blue")),
		     "tr-x: --word: no such choice: blue (there are red, green)") == 0);
	CHECK(strcmp(refuse(good, ARGUMENTS("--flag", "--text", "t")),
		     "tr-x: --text cannot be used with --flag") == 0);
	CHECK(strcmp(refuse(good, ARGUMENTS("--number", "1")),
		     "tr-x: --number needs --range N or --choice") == 0);
	CHECK(strcmp(refuse(good, ARGUMENTS("--old=x")),
		     "tr-x: --old is gone: use --text") == 0);
	CHECK(strcmp(refuse(good, ARGUMENTS("--none")),
		     "tr-x: unrecognized option '--none'") == 0);
}

/* A table that is wrong is found at each start, also if its options are not given. */
static void refuse_tables(void)
{
	CHECK(strstr(refuse(no_target, ARGUMENTS("a")), "table of options is wrong"));
	CHECK(strstr(refuse(two_targets, ARGUMENTS("a")), "table of options is wrong"));
	CHECK(strstr(refuse(bad_name, ARGUMENTS("a")), "table of options is wrong"));
}

int main(void)
{
	set_targets();
	refuse_arguments();
	refuse_tables();
	return check_done();
}
