/* SPDX-License-Identifier: Apache-2.0 */
/* Processes that begin, are taken over, and are moved to the other mode. */
#include "inject_follow.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "check.h"
#include "inject_victims.h"
#include "stubs/shared_counts.h"

#define DRIVER "/bin/inject_driver"
#define FAMILY "/bin/inject_family"

enum {
	FAMILY_STATUS = 6,
	CALLS = 100,
	COMMAND_ROOM = 32,
	COMMANDS_MAX = 4,
	MOVES = 16,
	TRIES_MAX = 1000,
	HUNDREDS = 4
};

/* --- the driver */

/* Runs the driver up to a point, or if that is 0 until it waits. The commands are as
 * "new=12 over=13". */
static pid_t start_driver(unsigned point, enum run_stop *stop, const char *commands)
{
	char *argv[COMMANDS_MAX + 3] = {DRIVER, victim_folder};
	char words[COMMANDS_MAX * COMMAND_ROOM];
	unsigned count = 2;
	pid_t driver;

	snprintf(words, sizeof(words), "%s", commands);
	for (char *word = strtok(words, " "); word && count < COMMANDS_MAX + 2;
	     word = strtok(NULL, " "))
		argv[count++] = word;
	*stop = run_up_to(argv, point, 1, &driver);
	return driver;
}

/* The same, until it follows what it can. */
static pid_t follow(const char *format, ...)
{
	char commands[COMMANDS_MAX * COMMAND_ROOM];
	enum run_stop stop;
	va_list list;

	va_start(list, format);
	vsnprintf(commands, sizeof(commands), format, list);
	va_end(list);
	pid_t driver = start_driver(0, &stop, commands);

	CHECK(stop == RUN_WAITS);
	release_run(driver);
	return driver;
}

static void end_driver(pid_t driver)
{
	kill(driver, SIGTERM);
	int status = end_run(driver);

	if (status || *read_text(RUN_ERRORS, 0))
		fprintf(stderr, "driver: %d %s\n", status, read_text(RUN_ERRORS, 0));
	CHECK(status == 0 && !*read_text(RUN_ERRORS, 0));
}

static unsigned count_text(const char *text, const char *part)
{
	unsigned count = 0;

	for (; (text = strstr(text, part)); text++)
		count++;
	return count;
}

/* Waits until the driver has told of something `count` times. */
static void await_told(unsigned count, const char *format, ...)
{
	char line[PATH_ROOM];
	va_list list;
	unsigned tries = 0;

	va_start(list, format);
	vsnprintf(line, sizeof(line), format, list);
	va_end(list);
	while (count_text(read_text(RUN_OUTPUT, 0), line) < count) {
		if (++tries == TRIES_MAX)
			fprintf(stderr, "not %s%s%s", line, read_text(RUN_OUTPUT, 0),
				read_text(RUN_ERRORS, 1));
		CHECK(tries < TRIES_MAX);
		pause_for(1000);
	}
}

/* --- what is followed */

/* Starts a program, which something holds at its first instruction until SIGCONT. */
static pid_t start_held(char *const *argv, const char *output)
{
	pid_t pid = fork();
	int status;

	if (pid == 0) {
		int file = open(output, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

		dup2(file, STDOUT_FILENO);
		ptrace(PTRACE_TRACEME, 0, 0, 0);
		execv(argv[0], argv);
		_exit(127);
	}
	CHECK(waitpid(pid, &status, 0) == pid && WIFSTOPPED(status));
	ptrace(PTRACE_DETACH, pid, 0, (long)SIGSTOP);
	CHECK(waitpid(pid, &status, WUNTRACED) == pid && WIFSTOPPED(status));
	return pid;
}

static pid_t start_family(void)
{
	static char *argv[] = {FAMILY, NULL};
	pid_t pid = start_held(argv, "/tmp/family.out");

	kill(pid, SIGCONT);
	pause_for(5000);
	return pid;
}

/* The calls of a function in a file of counters; 0 without a file. */
static uint64_t count_calls(pid_t owner, const char *name)
{
	static uint8_t bytes[1 << 20] __attribute__((aligned(8)));
	char path[PATH_ROOM];
	struct tr_shared shared;
	uint64_t at;

	snprintf(path, sizeof(path), RUN_FOLDER "/%05d.dat", (int)owner);
	FILE *file = fopen(path, "r");

	if (!file)
		return 0;
	size_t size = fread(bytes, 1, sizeof(bytes), file);

	fclose(file);
	CHECK(tr_shared_open(bytes, size, &shared, &at) == TR_OK);
	int64_t index = tr_shared_find(&shared, name);

	CHECK(index != TR_SHARED_NONE);
	return tr_shared_calls(&shared, (uint32_t)index);
}

/* --- cases */

/* A program that begins maps its text: no call is missed. Its children are followed. */
void try_new(void)
{
	static char *argv[] = {VICTIM, "48", NULL};
	enum { COMPUTED = 1 + 3 * 48 };
	pid_t victim = start_held(argv, VICTIM_OUTPUT), driver = follow("new=%d", victim);

	CHECK(check_entries(victim) == victim_stubs.function_count);
	CHECK(has_mapping(victim, "/injected.o"));
	await_told(1, "begins %d in %d " RUN_FOLDER "/%05d.dat\n", victim, victim,
		   victim);
	kill(victim, SIGCONT);
	CHECK(end_run(victim) == BLOCKS_STATUS);
	CHECK(strcmp(read_text(VICTIM_OUTPUT, 0), victim_output) == 0);
	await_told(1, "ends %d\n", victim);
	end_driver(driver);
	const char *told = read_text(RUN_OUTPUT, 0);

	CHECK(count_text(told, "begins ") == 10 && count_text(told, "ends ") == 10);
	CHECK(count_calls(victim, "compute") == COMPUTED);
	empty_run_folder();
}

/* It has gone on; FOLDER has nothing of it; another process traces it; it has ended. */
void try_not_new(void)
{
	static char *other[] = {"/bin/prof-inject", NULL}, *argv[] = {VICTIM, "0", NULL};
	pid_t victim = start_victim(), driver = follow("new=%d", victim);

	CHECK(check_entries(victim) == victim_stubs.function_count);
	CHECK(!has_mapping(victim, "/injected.o"));
	end_driver(driver);
	driver = follow("find=%d over=%d find=1", victim, victim);
	await_told(1, "stubs %d in %d " RUN_FOLDER "/%05d.dat\n", victim, victim, victim);
	await_told(1, "none 1 \n");
	end_driver(driver);
	end_victim(victim);
	driver =
	    follow("new=%d over=%d find=%d prepare=%d", victim, victim, victim, victim);
	await_told(4, "none %d \n", victim);
	end_driver(driver);

	victim = start_held(other, RUN_OUTPUT);
	CHECK(ptrace(PTRACE_SEIZE, victim, 0, 0) == 0);
	driver = follow("new=%d over=%d", victim, victim);
	await_told(2, "none %d \n", victim);
	end_driver(driver);
	kill_run(victim);

	victim = start_held(argv, VICTIM_OUTPUT);
	CHECK(ptrace(PTRACE_SEIZE, victim, 0, 0) == 0);
	driver = follow("new=%d over=%d", victim, victim);
	await_told(2, "none %d process %d is traced by process %d\n", victim, victim,
		   (int)getpid());
	end_driver(driver);
	kill_run(victim);
	empty_run_folder();
}

/* What follows a process is killed at any point; the next one takes it over, and is
 * killed as well. */
void try_over_kills(void)
{
	pid_t victim = start_victim();
	enum run_stop stop = RUN_STOPPED;
	unsigned point, partly = 0, waited = 0;
	uint64_t calls = 0;
	char over[COMMAND_ROOM];

	snprintf(over, sizeof(over), "over=%d", (int)victim);

	/* One of two attaches anew, which has more system calls. */
	for (point = 1; waited < 2; point += 2) {
		pid_t driver = start_driver(point, &stop, over);

		CHECK(stop != RUN_ENDED);
		waited = stop == RUN_WAITS ? waited + 1 : 0;
		kill_run(driver);
		settle();
		unsigned entries = check_entries(victim);

		partly += entries && entries < victim_stubs.function_count;
		driver = follow(over);
		CHECK(check_entries(victim) == victim_stubs.function_count);
		kill_run(driver);
		uint64_t more = count_calls(victim, "compute");

		CHECK(more >= calls);
		calls = more;
		if (point % 4 == 1)
			detach_victim(victim);
		if (point % 32 == 1)
			CHECK(!*read_text(RUN_ERRORS, 0));
	}
	CHECK(point > 200 && partly > 0 && calls > 0);
	end_victim(victim);
	empty_run_folder();
}

static void send_calls(pid_t process, pid_t owner, uint64_t expected)
{
	unsigned tries = 0;

	kill(process, SIGHUP);
	while (count_calls(owner, "count_call") != expected) {
		CHECK(++tries < TRIES_MAX);
		pause_for(1000);
	}
}

/* Returns a process whose parent is that one, or 0; sends all of them a signal. */
static pid_t find_child(pid_t parent, int signal)
{
	DIR *processes = opendir("/proc");
	pid_t found = 0;

	CHECK(processes);
	for (struct dirent *entry; (entry = readdir(processes));) {
		char path[PATH_ROOM];
		int process, its_parent;

		snprintf(path, sizeof(path), "/proc/%.20s/stat", entry->d_name);
		if (sscanf(read_text(path, 1), "%d (%*[^)]) %*c %d", &process,
			   &its_parent) != 2 ||
		    its_parent != parent)
			continue;
		found = process;
		kill(process, signal);
	}
	closedir(processes);
	return found;
}

/* Ends a process of the family with its children. */
static void end_family(pid_t family)
{
	while (find_child(family, SIGTERM))
		pause_for(1000);
	kill(family, SIGTERM);
	CHECK(end_run(family) == FAMILY_STATUS);
}

static pid_t await_child(pid_t parent)
{
	unsigned tries = 0;
	pid_t child;

	while (!(child = find_child(parent, 0))) {
		CHECK(++tries < TRIES_MAX);
		pause_for(1000);
	}
	pause_for(5000);
	return child;
}

/* Children of a process that nobody follows at that time: by fork() with counters of its
 * own from then on, by vfork() with those of the parent. */
void try_children(void)
{
	pid_t family = start_family(), driver = follow("over=%d", family);

	send_calls(family, family, CALLS);
	kill_run(driver);
	kill(family, SIGUSR1);
	pid_t child = await_child(family);

	send_calls(child, family, 2 * CALLS);
	driver = follow("over=%d over=%d", child, family);
	await_told(1, "begins %d in %d ", child, child);
	await_told(1, "begins %d in %d ", family, family);
	send_calls(child, child, CALLS);
	send_calls(family, family, 3 * CALLS);

	/* While they are followed, and without their tracer. */
	kill(child, SIGUSR1);
	pid_t grandchild = await_child(child);

	await_told(1, "begins %d in %d ", grandchild, grandchild);
	send_calls(grandchild, grandchild, CALLS);
	kill(grandchild, SIGUSR2);
	pid_t sharer = await_child(grandchild);

	await_told(1, "begins %d in %d ", sharer, grandchild);
	send_calls(sharer, grandchild, 2 * CALLS);
	kill_run(driver);
	driver = follow("over=%d over=%d", sharer, family);
	await_told(1, "begins %d in %d ", sharer, grandchild);
	send_calls(sharer, grandchild, 3 * CALLS);
	kill(sharer, SIGTERM);
	await_told(1, "ends %d\n", sharer);

	kill(family, SIGALRM);
	await_told(2, "begins %d in %d ", family, family);
	await_told(1, "ends %d\n", family);
	send_calls(family, family, 4 * CALLS);
	CHECK(has_mapping(family, "/injected.o"));
	end_driver(driver);
	kill(grandchild, SIGTERM);
	kill(child, SIGTERM);
	kill(family, SIGTERM);
	CHECK(end_run(family) == FAMILY_STATUS);
	empty_run_folder();
}

/* A process waits for one that shares its memory, and which gets a signal: the driver,
 * which waits for the first to stop, lets the second go on. */
void try_sharers(void)
{
	pid_t family = start_family(), driver = follow("over=%d", family);

	kill(family, SIGUSR2);
	pid_t sharer = await_child(family);

	await_told(1, "begins %d in %d ", sharer, family);
	kill(driver, SIGHUP);
	pause_for(5000);
	kill(sharer, SIGSTOP);
	pause_for(5000);
	kill(sharer, SIGCONT);
	kill(sharer, SIGTERM);
	await_told(1, "begins %d in 0 ", family);
	send_calls(family, 0, CALLS);
	end_driver(driver);
	end_family(family);
	empty_run_folder();
}

/* Waits until the victim counts in a file. */
static void await_mapping(pid_t victim, const char *counts)
{
	unsigned tries = 0;

	while (!has_mapping(victim, counts) ||
	       check_entries(victim) < victim_stubs.function_count) {
		CHECK(++tries < TRIES_MAX);
		pause_for(1000);
	}
}

/* SIGHUP of a daemon: from one mode to the other, and back. Counts are kept. */
void try_modes(void)
{
	pid_t victim = start_victim(), driver = follow("over=%d", victim);
	uint64_t calls[2] = {0};
	char own[PATH_ROOM];

	snprintf(own, sizeof(own), "/%05d.dat", (int)victim);
	for (unsigned i = 1; i < MOVES; i++) {
		const char *counts = i % 2 ? "/00000.dat" : own;
		pid_t owner = i % 2 ? 0 : victim;

		kill(driver, SIGHUP);
		await_mapping(victim, counts);
		uint64_t before = count_calls(owner, "compute");

		CHECK(before >= calls[i % 2]);
		for (unsigned tries = 0;
		     (calls[i % 2] = count_calls(owner, "compute")) == before;
		     pause_for(1000))
			CHECK(++tries < TRIES_MAX);
		pause_for(i * 731 % 5000);
	}
	end_driver(driver);
	end_victim(victim);
	empty_run_folder();
}

/* A process that is only sampled has counters, and no stubs; nothing traces it. */
void try_prepared(void)
{
	pid_t family = start_family(), driver = follow("prepare=%d", family);

	await_told(1, "prepared %d in %d " RUN_FOLDER "/%05d.dat\n", family, family,
		   family);
	CHECK(!has_mapping(family, "/injected") && !has_mapping(family, ".dat"));
	CHECK(count_calls(family, "count_call") == 0);
	CHECK(ptrace(PTRACE_SEIZE, family, 0, 0) == 0);
	kill_run(family);
	end_driver(driver);
	empty_run_folder();
}

/* --- many */

static unsigned count_files(const char *folder, const char *name)
{
	DIR *files = opendir(folder);
	unsigned count = 0;

	for (struct dirent *entry; files && (entry = readdir(files));)
		count += strstr(entry->d_name, name) != NULL;
	if (files)
		closedir(files);
	return count;
}

/* Processor time of a process, in ns: instructions, as the model has no other. */
static uint64_t read_work(pid_t process)
{
	struct timespec time;
	clockid_t clock;

	pause_for(50000);
	CHECK(clock_getcpuclockid(process, &clock) == 0 &&
	      clock_gettime(clock, &time) == 0);
	return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

/* What a process costs its tracer does not depend on how many there are, but for the
 * kernel, which looks through all when it is asked for the next event. */
void try_many(void)
{
	pid_t family = start_family(), driver = follow("over=%d", family);
	uint64_t work[HUNDREDS + 1] = {read_work(driver)};

	for (unsigned i = 1; i <= HUNDREDS; i++) {
		CHECK(sigqueue(family, SIGUSR1, (union sigval){.sival_int = 100}) == 0);
		for (unsigned k = 0; count_files(RUN_FOLDER, ".dat") < 1 + 100 * i; k++) {
			CHECK(k < TRIES_MAX);
			pause_for(10000);
		}
		work[i] = read_work(driver);
	}
	CHECK(work[HUNDREDS] - work[HUNDREDS - 1] < (work[1] - work[0]) * 5 / 4);
	kill(driver, SIGHUP);
	for (uint64_t before = 0, now = work[HUNDREDS]; now != before;) {
		before = now;
		pause_for(100000);
		now = read_work(driver);
	}
	end_driver(driver);
	end_family(family);
	empty_run_folder();
}
