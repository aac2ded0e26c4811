/* SPDX-License-Identifier: Apache-2.0 */
/* The victim of inject_check, and runs of prof-inject on it. */
#include "inject_victims.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "check.h"
#include "copied_file.h"

char *victim_folder;
char victim_output[VICTIM_OUTPUT_MAX];

void pause_for(unsigned microseconds)
{
	usleep(microseconds);
}

void settle(void)
{
	pause_for(1000);
}

/* --- the victim */

pid_t start_victim(void)
{
	static char *argv[] = {VICTIM, "0", NULL};
	pid_t pid = start_run(argv, VICTIM_OUTPUT);

	pause_for(1000);
	return pid;
}

/* Ends the victim by a signal to it or to its injector. */
static void terminate(pid_t pid, const char *output)
{
	kill(pid, SIGTERM);
	CHECK(end_run(pid) == BLOCKS_STATUS);
	CHECK(strcmp(read_text(output, 0), victim_output) == 0);
}

void end_victim(pid_t pid)
{
	terminate(pid, VICTIM_OUTPUT);
}

unsigned count_mappings(pid_t pid, const char *name)
{
	char path[PATH_ROOM], line[PATH_ROOM];
	unsigned count = 0;

	snprintf(path, sizeof(path), "/proc/%d/maps", (int)pid);
	FILE *maps = fopen(path, "r");

	while (maps && fgets(line, sizeof(line), maps))
		count += strstr(line, name) != NULL;
	if (maps)
		fclose(maps);
	return count;
}

bool has_mapping(pid_t pid, const char *name)
{
	return count_mappings(pid, name) > 0;
}

struct tr_stubs victim_stubs;

void read_victim_stubs(void)
{
	static uint8_t bytes[1 << 20];
	char path[PATH_ROOM];
	uint64_t at;

	snprintf(path, sizeof(path), "%s%s/data.bin", victim_folder, VICTIM);
	FILE *file = fopen(path, "r");

	CHECK(file);
	CHECK(tr_stubs_decode(bytes, fread(bytes, 1, sizeof(bytes), file), &victim_stubs,
			      &at) == TR_OK);
	fclose(file);
}

unsigned check_entries(pid_t pid)
{
	char path[PATH_ROOM];
	unsigned entries = 0;

	snprintf(path, sizeof(path), "/proc/%d/mem", (int)pid);
	int memory = open(path, O_RDONLY);

	for (uint32_t i = 0; memory >= 0 && i < victim_stubs.function_count; i++) {
		const struct tr_stubs_function *function = &victim_stubs.functions[i];
		uint8_t bytes[TR_STUBS_ENTRY_MAX];

		if (pread(memory, bytes, function->size, (off_t)function->start) ==
		    function->size)
			entries += memcmp(bytes, function->original, function->size) != 0;
	}
	if (memory >= 0)
		close(memory);
	CHECK(!entries || (has_mapping(pid, "/injected") && has_mapping(pid, ".dat")));
	return entries;
}

/* --- runs of prof-inject */

static char number[16];

void attach_arguments(char *argv[8], pid_t pid)
{
	snprintf(number, sizeof(number), "%d", (int)pid);
	memcpy(argv, ((char *[]){INJECT, victim_folder, "-i", number, NULL}),
	       5 * sizeof(*argv));
}

void detach_arguments(char *argv[8], pid_t pid)
{
	snprintf(number, sizeof(number), "%d", (int)pid);
	memcpy(argv, ((char *[]){INJECT, "-d", number, NULL}), 4 * sizeof(*argv));
}

pid_t attach_victim(pid_t victim)
{
	char *argv[8];
	pid_t injector;

	attach_arguments(argv, victim);
	enum run_stop stop = run_up_to(argv, 0, 1, &injector);

	if (stop != RUN_WAITS)
		fputs(read_text(RUN_ERRORS, 0), stderr);
	CHECK(stop == RUN_WAITS);
	CHECK(check_entries(victim) == victim_stubs.function_count);
	return injector;
}

void detach_victim(pid_t victim)
{
	char *argv[8];

	detach_arguments(argv, victim);
	int status = run_whole(argv);

	if (status)
		fputs(read_text(RUN_ERRORS, 0), stderr);
	CHECK(status == 0);
	CHECK(check_entries(victim) == 0 && !has_mapping(victim, "/injected"));
}

unsigned check_run(const char *option, char *where)
{
	char *argv[8] = {INJECT, (char *)option, where, VICTIM, "48", NULL};

	if (!option)
		memmove(argv + 1, argv + 2, 4 * sizeof(*argv));
	int status = run_whole(argv);

	if (status != BLOCKS_STATUS ||
	    strcmp(read_text(RUN_OUTPUT, 0), victim_output) != 0)
		fprintf(stderr, "%s: status %d: %s%s", where, status,
			read_text(RUN_OUTPUT, 0), read_text(RUN_ERRORS, 1));
	CHECK(status == BLOCKS_STATUS &&
	      strcmp(read_text(RUN_OUTPUT, 0), victim_output) == 0);
	unsigned lines = 0;

	for (const char *at = read_text(RUN_ERRORS, 0); (at = strchr(at, '\n')); at++)
		lines++;
	return lines;
}

/* --- copies of the files */

const char *const victim_files[VICTIM_FILES] = {"data.bin", "injected.o", "shmem.dat"};

void damage_file(const char *program, unsigned which, long size, long flip)
{
	char from[PATH_ROOM], to[PATH_ROOM];

	mkdir("/tmp/damaged", 0755);
	mkdir("/tmp/damaged/bin", 0755);
	mkdir("/tmp/damaged" VICTIM, 0755);
	for (unsigned i = 0; i < 3; i++) {
		snprintf(from, sizeof(from), "%s%s/%s", victim_folder, program,
			 victim_files[i]);
		snprintf(to, sizeof(to), "/tmp/damaged" VICTIM "/%s", victim_files[i]);
		copy_file(from, to, i == which ? size : -1, i == which ? flip : -1);
	}
}

void empty_run_folder(void)
{
	DIR *run = opendir(RUN_FOLDER);

	for (struct dirent *entry; run && (entry = readdir(run));)
		if (entry->d_name[0] != '.')
			unlinkat(dirfd(run), entry->d_name, 0);
	if (run)
		closedir(run);
}

pid_t find_victim(void)
{
	DIR *processes = opendir("/proc");
	pid_t found = 0;

	CHECK(processes);
	for (struct dirent *entry; !found && (entry = readdir(processes));) {
		char path[PATH_ROOM], program[PATH_ROOM] = "";

		snprintf(path, sizeof(path), "/proc/%.20s/exe", entry->d_name);
		if (readlink(path, program, sizeof(program) - 1) > 0 &&
		    strcmp(program, VICTIM) == 0)
			found = (pid_t)atoi(entry->d_name);
	}
	closedir(processes);
	return found;
}

void end_started(pid_t victim)
{
	if (has_mapping(victim, "/injected"))
		detach_victim(victim);
	terminate(victim, RUN_OUTPUT);
	empty_run_folder();
}

pid_t kill_starter(char *where, unsigned point, unsigned *waits, enum run_stop *stop)
{
	char *argv[] = {INJECT, where, VICTIM, "0", NULL};
	pid_t injector, victim;

	for (;;) {
		*stop = run_up_to(argv, point, *waits, &injector);
		CHECK(*stop != RUN_ENDED);
		kill_run(injector);
		settle();
		victim = find_victim();
		if (*stop == RUN_STOPPED ||
		    (victim && check_entries(victim) == victim_stubs.function_count))
			return victim;
		if (victim)
			end_started(victim);
		++*waits;
	}
}

pid_t start_profiled(char *const *argv, pid_t *victim)
{
	pid_t injector = start_run(argv, RUN_OUTPUT);

	while (!(*victim = find_victim()) ||
	       check_entries(*victim) < victim_stubs.function_count)
		pause_for(100);
	return injector;
}

void end_profiled(pid_t injector)
{
	terminate(injector, RUN_OUTPUT);
}
