/* SPDX-License-Identifier: Apache-2.0 */
/* Uses the injector as a daemon does, for inject_check: follows the processes that are
 * named until SIGTERM, and after SIGHUP those that it follows in the other mode. Who
 * begins and ends goes to standard output.
 *
 *     inject_driver [-g] FOLDER [new|over|find|prepare=PID]...
 */
#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "check.h"
#include "target/profiler/inject/inject.h"
#include "target/profiler/inject/tracee_stops.h"

enum { FOLLOWED_MAX = 4096 };

static pid_t followed[FOLLOWED_MAX];
static unsigned followed_count;
static const char *folder;

static void tell_line(const char *text)
{
	fprintf(stderr, "%s\n", text);
}

static unsigned find_followed(pid_t id)
{
	unsigned i = 0;

	while (i < followed_count && followed[i] != id)
		i++;
	return i;
}

static void print_process(const char *what, const struct injected_process *process)
{
	printf("%s %d in %d %s\n", what, (int)process->id, (int)process->counts_in,
	       process->counts);
}

/* What is told is what the process has. */
static void take_begin(void *context, const struct injected_process *process)
{
	struct injected_process found;
	char found_folder[PATH_MAX];
	struct trouble trouble = {{0}};

	CHECK(context == followed && followed_count < FOLLOWED_MAX);
	CHECK(find_followed(process->id) == followed_count);
	followed[followed_count++] = process->id;
	print_process("begins", process);
	CHECK(find_injected_process(process->id, &found, found_folder, &trouble));
	CHECK(found.id == process->id && found.started == process->started &&
	      found.counts_in == process->counts_in && found.has_stubs &&
	      process->has_stubs && strcmp(found_folder, process->folder) == 0 &&
	      strcmp(found.counts, process->counts) == 0 &&
	      memcmp(&found.places, &process->places, sizeof(found.places)) == 0);
}

static void take_end(void *context, pid_t process)
{
	unsigned i = find_followed(process);

	CHECK(context == followed && i < followed_count);
	followed[i] = followed[--followed_count];
	printf("ends %d\n", (int)process);
}

static struct injector *start_injector(bool global)
{
	struct injector *injector = make_injector(folder, global, tell_line);
	const struct injector_watch watch = {followed, take_begin, take_end};

	CHECK(injector);
	watch_injector(injector, &watch);
	return injector;
}

static void run_command(struct injector *injector, const char *command)
{
	struct injected_process process;
	struct trouble trouble = {{0}};
	char where[PATH_MAX];
	const char *number = strchr(command, '=');

	CHECK(number);
	pid_t pid = (pid_t)atoi(number + 1);
	bool describes = *command == 'f' || *command == 'p', done;

	if (*command == 'n')
		done = attach_new_process(injector, pid, &trouble);
	else if (*command == 'o')
		done = take_over_process(injector, pid, &trouble);
	else if (*command == 'f')
		done = find_injected_process(pid, &process, where, &trouble);
	else
		done = prepare_process(injector, pid, &process, where, &trouble);
	if (!done)
		printf("none %d %s\n", (int)pid, trouble.text);
	else if (describes)
		print_process(process.has_stubs ? "stubs" : "prepared", &process);
}

/* Returns one of the processes that the injector follows, or 0. */
static pid_t any_followed(const struct injector *injector)
{
	for (unsigned i = 0; i < followed_count; i++)
		if (follows_process(injector, followed[i]))
			return followed[i];
	return 0;
}

static struct injector *change_mode(struct injector *old, bool global)
{
	struct injector *new = start_injector(global);
	pid_t process;

	while ((process = any_followed(old))) {
		struct trouble trouble = {{0}};

		release_process(old, process);
		if (!take_over_process(new, process, &trouble) && trouble.text[0])
			tell_line(trouble.text);
	}
	free_injector(old);
	return new;
}

int main(int argc, char **argv)
{
	bool global = argc > 1 && strcmp(argv[1], "-g") == 0;
	int first = global ? 2 : 1, status, number;
	sigset_t waits;
	pid_t id;

	CHECK(argc > first);
	folder = argv[first];
	sigemptyset(&waits);
	sigaddset(&waits, SIGCHLD);
	sigaddset(&waits, SIGHUP);
	sigaddset(&waits, SIGTERM);
	sigprocmask(SIG_BLOCK, &waits, NULL);
	setvbuf(stdout, NULL, _IOLBF, 0);
	struct injector *injector = start_injector(global);

	for (int i = first + 1; i < argc; i++)
		run_command(injector, argv[i]);
	do {
		while ((id = next_tracee_status(&status)) > 0)
			take_process_event(injector, id, status);
		number = sigwaitinfo(&waits, NULL);
		if (number == SIGHUP)
			injector = change_mode(injector, global = !global);
	} while (number != SIGTERM);
	free_injector(injector);
	CHECK(followed_count == 0);
	return 0;
}
