/* SPDX-License-Identifier: Apache-2.0 */
/* Tries prof-inject on inject_victim, on the target. Prints a line for each case.
 *
 *     inject_check FOLDER CASE...
 */
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "copied_file.h"
#include "inject_follow.h"
#include "inject_victims.h"

#define AS_USER "as-user" /* instead of a case */

enum { ATTACHMENTS = 100, USER = 1000 };

/* --- cases */

static void try_plain(void)
{
	CHECK(check_run(NULL, victim_folder) == 0);
	CHECK(check_run("-g", victim_folder) == 0);
	CHECK(check_run("-g", victim_folder) == 0);
}

static void try_attach(void)
{
	pid_t victim = start_victim();

	for (unsigned i = 0; i < ATTACHMENTS; i++) {
		pid_t injector = attach_victim(victim);

		release_run(injector);
		pause_for(i * 37 % 1000);
		detach_victim(victim);
		CHECK(end_run(injector) == 0);
	}
	end_victim(victim);
}

/* The injector of a program is killed: the program, then a child of this process, ends as
 * without. */
static void try_run_kills(void)
{
	char *argv[] = {INJECT, victim_folder, VICTIM, "1", NULL};
	enum run_stop stop = RUN_STOPPED;
	unsigned point;

	prctl(PR_SET_CHILD_SUBREAPER, 1);
	for (point = 1; stop == RUN_STOPPED; point++) {
		pid_t injector, child;
		int status = 0;

		stop = run_up_to(argv, point, 0, &injector);
		if (stop == RUN_STOPPED)
			kill_run(injector);
		while ((child = waitpid(-1, &status, 0)) > 0)
			CHECK(WIFEXITED(status));
		const char *text = read_text(RUN_OUTPUT, 0);

		/* Before the fork there is no program. */
		CHECK(strcmp(text, victim_output) == 0 || (point < 60 && !*text));
		empty_run_folder();
	}
	CHECK(point > 200);
}

/* The injector of a program that maps its text is killed: what it has mapped by then is
 * taken out, and the program ends as without. */
static void try_image_kills(void)
{
	enum run_stop stop = RUN_STOPPED;
	unsigned point, waits = 1;

	prctl(PR_SET_CHILD_SUBREAPER, 1);
	for (point = 1; stop == RUN_STOPPED; point++) {
		pid_t victim = kill_starter(victim_folder, point, &waits, &stop);

		if (!victim)
			continue;
		unsigned entries = check_entries(victim);

		CHECK(entries == 0 || entries == victim_stubs.function_count);
		CHECK(!entries || has_mapping(victim, "/injected.o"));
		end_started(victim);
	}
	CHECK(point > 150);
}

/* The victim runs with the files in /tmp/damaged, and maps none of them. */
static void check_written(void)
{
	enum run_stop stop;
	unsigned waits = 1;

	CHECK(check_run(NULL, "/tmp/damaged") == 0);
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	pid_t victim = kill_starter("/tmp/damaged", 0, &waits, &stop);

	CHECK(!has_mapping(victim, "/injected.o"));
	end_started(victim);
}

/* Writes another data.bin into /tmp/damaged. */
static void write_plan(const struct tr_stubs *plan)
{
	size_t size;
	uint8_t *bytes = tr_stubs_encode(plan, &size);
	FILE *file = fopen("/tmp/damaged" VICTIM "/data.bin", "w");

	CHECK(bytes && file && fwrite(bytes, 1, size, file) == size);
	fclose(file);
	free(bytes);
}

/* Without an image the entries are written, also before the program begins. */
static void try_written(void)
{
	struct tr_stubs plan = victim_stubs;

	damage_file(VICTIM, 0, -1, -1);
	plan.image = (struct tr_stubs_image){0};
	write_plan(&plan);
	check_written();
}

/* So they are if the process may not execute what is in FOLDER. */
static void try_noexec(void)
{
	mkdir("/tmp/damaged", 0755);
	CHECK(mount("none", "/tmp/damaged", "tmpfs", MS_NOEXEC, NULL) == 0);
	damage_file(VICTIM, 0, -1, -1);
	check_written();
	CHECK(umount("/tmp/damaged") == 0);
}

/* A process of another user who may not read FOLDER is written to. */
static void try_unreadable(void)
{
	char *argv[] = {INJECT,	       victim_folder, "/bin/inject_check",
			victim_folder, AS_USER,	      NULL};

	CHECK(chmod(victim_folder, 0700) == 0);
	CHECK(run_whole(argv) == BLOCKS_STATUS);
	CHECK(!*read_text(RUN_ERRORS, 0) &&
	      strcmp(read_text(RUN_OUTPUT, 1), victim_output) == 0);
	CHECK(chmod(victim_folder, 0755) == 0);
	DIR *run = opendir("/tmp/prof-1000");
	unsigned written = 0;

	for (struct dirent *entry; run && (entry = readdir(run));)
		written += strstr(entry->d_name, ".from") != NULL;
	closedir(run);
	CHECK(written > 0);
}

/* Before each system call of the injector, injected.o is replaced by a file that has no
 * stubs: the program has those that were there before, or none. */
static void try_swapped(void)
{
	static char *argv[] = {INJECT, "/tmp/damaged", VICTIM, "1", NULL};
	unsigned point = 0;

	for (;;) {
		pid_t injector;

		damage_file(VICTIM, 0, -1, -1);
		copy_file("/tmp/damaged" VICTIM "/shmem.dat", "/tmp/damaged/new", -1, -1);
		if (run_up_to(argv, ++point, 0, &injector) != RUN_STOPPED)
			break;
		CHECK(rename("/tmp/damaged/new", "/tmp/damaged" VICTIM "/injected.o") ==
		      0);
		release_run(injector);
		CHECK(end_run(injector) == BLOCKS_STATUS);
		CHECK(strcmp(read_text(RUN_OUTPUT, 1), victim_output) == 0);
		empty_run_folder();
	}
	CHECK(point > 100);
}

/* A process cannot open files of a FOLDER with a long name, and is written to. */
static void try_long_folder(void)
{
	char path[3 * PATH_ROOM] = "/tmp";

	for (unsigned i = 0; i < 3; i++) {
		size_t end = strlen(path);

		snprintf(path + end, sizeof(path) - end, "/%0200u", i);
		CHECK(i == 2 || mkdir(path, 0755) == 0);
	}
	damage_file(VICTIM, 0, -1, -1);
	CHECK(rename("/tmp/damaged", path) == 0);
	CHECK(check_run(NULL, path) == 0);
}

static _Noreturn void run_as_user(void)
{
	static char *argv[] = {VICTIM, "48", NULL};

	CHECK(setgid(USER) == 0 && setuid(USER) == 0);
	execv(VICTIM, argv);
	_exit(1);
}

/* What is sent to the injector of a program reaches the program. */
static void try_signals(void)
{
	char *argv[] = {INJECT, victim_folder, VICTIM, "0", NULL};

	for (unsigned i = 0; i < 20; i++) {
		pid_t injector = start_run(argv, RUN_OUTPUT), victim;

		while (!(victim = find_victim()) || !check_entries(victim))
			pause_for(100);
		pause_for(1000 + i * 500);
		kill(injector, SIGTERM);
		CHECK(end_run(injector) == BLOCKS_STATUS);
		CHECK(strcmp(read_text(RUN_OUTPUT, 0), victim_output) == 0);
		CHECK(!find_victim());
	}
}

/* What was mapped is taken out: as one mapping with the stubs, as with -g, and of text
 * that has several. */
static void try_locked(void)
{
	char *whole[] = {INJECT, "-g", victim_folder, VICTIM, "0", NULL};
	char *locked[] = {INJECT, victim_folder, VICTIM, "0", "locked", NULL};
	pid_t victim, injector = start_profiled(whole, &victim);

	detach_victim(victim);
	end_profiled(injector);
	injector = start_profiled(locked, &victim);
	while (count_mappings(victim, "/injected.o") < 3)
		pause_for(100);
	detach_victim(victim);
	end_profiled(injector);
}

/* A process that cannot open its program gets a copy of the text. */
static void try_no_files(void)
{
	static const struct rlimit none = {0, 64}, some = {64, 64};
	char *argv[] = {INJECT, victim_folder, VICTIM, "0", NULL};
	pid_t victim, injector = start_profiled(argv, &victim);

	CHECK(prlimit(victim, RLIMIT_NOFILE, &none, NULL) == 0);
	detach_victim(victim);
	CHECK(prlimit(victim, RLIMIT_NOFILE, &some, NULL) == 0);
	end_profiled(injector);
}

/* Other files are in FOLDER while a process runs: it executes its program again, and its
 * stubs are taken out. */
static void try_replaced(void)
{
	static const char object[] = "/tmp/damaged" VICTIM "/injected.o";
	char *argv[] = {INJECT, "/tmp/damaged", VICTIM, "0", NULL}, *detach[8];
	struct tr_stubs plan = victim_stubs;
	pid_t victim, injector;

	damage_file(VICTIM, 0, -1, -1);
	injector = start_profiled(argv, &victim);
	CHECK(rename(object, "/tmp/object") == 0);
	copy_file("/tmp/object", object, TR_STUBS_PAGE, -1);
	pause_for(50000);
	CHECK(rename("/tmp/object", object) == 0);
	plan.image.code_checksum ^= 1;
	write_plan(&plan);
	detach_arguments(detach, victim);
	CHECK(run_whole(detach) == TROUBLE &&
	      strstr(read_text(RUN_ERRORS, 0), "not the stubs"));
	write_plan(&victim_stubs);
	detach_victim(victim);
	end_profiled(injector);
}

/* What takes out an image is killed: the text is the program's or has all entries, and
 * what is left is taken out by the next one. */
static void try_image_detach_kills(void)
{
	char *argv[] = {INJECT, victim_folder, VICTIM, "0", NULL}, *detach[8];
	enum run_stop stop = RUN_STOPPED;
	unsigned point;

	prctl(PR_SET_CHILD_SUBREAPER, 1);
	for (point = 1; stop == RUN_STOPPED; point++) {
		pid_t victim, injector = start_profiled(argv, &victim), remover;

		kill_run(injector);
		detach_arguments(detach, victim);
		stop = run_up_to(detach, point, 0, &remover);
		if (stop == RUN_STOPPED)
			kill_run(remover);
		settle();
		unsigned entries = check_entries(victim);

		CHECK(entries == 0 || entries == victim_stubs.function_count);
		end_started(victim);
	}
	CHECK(point > 150);
}

static void try_attach_kills(void)
{
	pid_t victim = start_victim();
	enum run_stop stop = RUN_STOPPED;
	unsigned point, partly = 0;

	for (point = 1; stop == RUN_STOPPED; point++) {
		pid_t injector;
		char *argv[8];

		attach_arguments(argv, victim);
		stop = run_up_to(argv, point, 1, &injector);
		CHECK(stop != RUN_ENDED);
		kill_run(injector);
		settle();
		unsigned entries = check_entries(victim);

		partly += entries && entries < victim_stubs.function_count;
		if (has_mapping(victim, "/injected"))
			detach_victim(victim);
	}
	CHECK(point > 200 && partly > 0);
	end_victim(victim);
}

static void try_detach_kills(void)
{
	pid_t victim = start_victim();
	enum run_stop stop = RUN_STOPPED;
	unsigned point;

	for (point = 1; stop == RUN_STOPPED; point++) {
		pid_t injector = attach_victim(victim);
		char *argv[8];

		kill_run(injector);
		detach_arguments(argv, victim);
		stop = run_up_to(argv, point, 0, &injector);
		if (stop == RUN_STOPPED)
			kill_run(injector);
		settle();
		check_entries(victim);
		if (has_mapping(victim, "/injected"))
			detach_victim(victim);
	}
	CHECK(point > 150);
	end_victim(victim);
}

/* The victim dies at any point of the injection. */
static void try_deaths(void)
{
	enum run_stop stop = RUN_STOPPED;

	for (unsigned point = 1; stop == RUN_STOPPED; point += 7) {
		pid_t victim = start_victim(), injector;
		char *argv[8];

		attach_arguments(argv, victim);
		stop = run_up_to(argv, point, 1, &injector);
		kill(victim, SIGKILL);
		release_run(injector);
		int status = end_run(injector);

		CHECK(end_run(victim) == SIGNALLED + SIGKILL);

		CHECK(status == TROUBLE || status == 0);
	}
}

/* --- damaged files */

static long file_length(unsigned which)
{
	char path[PATH_ROOM];
	struct stat about;

	snprintf(path, sizeof(path), "%s%s/%s", victim_folder, VICTIM,
		 victim_files[which]);
	CHECK(stat(path, &about) == 0);
	return about.st_size;
}

static void try_damaged(void)
{
	for (unsigned which = 0; which < 3; which++) {
		long length = file_length(which);
		const long sizes[] = {0, 1, 8, 20, 100, length / 3, length / 2};

		for (unsigned i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
			damage_file(VICTIM, which, sizes[i], -1);
			CHECK(check_run(NULL, "/tmp/damaged") == 1);
		}
		for (long flip = 0; flip < length; flip += length / 24) {
			damage_file(VICTIM, which, -1, flip);
			CHECK(check_run(NULL, "/tmp/damaged") <= 1);
		}
	}
	damage_file("/bin/inject_check", 0, -1, -1);
	CHECK(check_run(NULL, "/tmp/damaged") == 1);
	CHECK(check_run(NULL, "/tmp/nowhere") == 1);
	CHECK(check_run(NULL, "/tmp") == 1);
}

/* --- no place */

static void try_limits(void)
{
	setenv("TMPDIR", "/tmp/nowhere", 1);
	CHECK(check_run(NULL, victim_folder) == 1);
	mkdir("/tmp/small", 0755);
	CHECK(mount("none", "/tmp/small", "tmpfs", 0, "size=8k") == 0);
	setenv("TMPDIR", "/tmp/small", 1);
	CHECK(check_run(NULL, victim_folder) == 1);
	umount("/tmp/small");
	CHECK(symlink("/tmp", "/tmp/small/prof-0") == 0);
	CHECK(check_run(NULL, victim_folder) == 1);
	unlink("/tmp/small/prof-0");
	mkdir("/tmp/small/prof-0", 0777);
	chmod("/tmp/small/prof-0", 0777);
	CHECK(check_run(NULL, victim_folder) == 1);
	unsetenv("TMPDIR");
}

/* Another tracer is there, and what is no process. */
static void try_refused(void)
{
	pid_t victim = start_victim(), injector = attach_victim(victim);
	char *argv[8];

	release_run(injector);
	attach_arguments(argv, victim);
	CHECK(run_whole(argv) == TROUBLE &&
	      strstr(read_text(RUN_ERRORS, 0), "cannot be traced"));
	detach_victim(victim);
	CHECK(end_run(injector) == 0);
	detach_arguments(argv, victim);
	CHECK(run_whole(argv) == TROUBLE &&
	      strstr(read_text(RUN_ERRORS, 0), "is not profiled"));
	end_victim(victim);
	CHECK(run_whole(argv) == TROUBLE);
	attach_arguments(argv, victim);
	CHECK(run_whole(argv) == TROUBLE);
}

static const struct {
	const char *name;
	void (*try)(void);
} cases[] = {
    {"plain", try_plain},
    {"attach", try_attach},
    {"written", try_written},
    {"noexec", try_noexec},
    {"unreadable", try_unreadable},
    {"swapped", try_swapped},
    {"long-folder", try_long_folder},
    {"signals", try_signals},
    {"locked", try_locked},
    {"no-files", try_no_files},
    {"replaced", try_replaced},
    {"run-kills", try_run_kills},
    {"image-kills", try_image_kills},
    {"image-detach-kills", try_image_detach_kills},
    {"attach-kills", try_attach_kills},
    {"detach-kills", try_detach_kills},
    {"deaths", try_deaths},
    {"damaged", try_damaged},
    {"limits", try_limits},
    {"refused", try_refused},
    {"new", try_new},
    {"not-new", try_not_new},
    {"over-kills", try_over_kills},
    {"children", try_children},
    {"sharers", try_sharers},
    {"modes", try_modes},
    {"prepared", try_prepared},
    {"many", try_many},
};

int main(int argc, char **argv)
{
	static char *plain[] = {VICTIM, "48", NULL};

	CHECK(argc > 2);
	if (strcmp(argv[2], AS_USER) == 0)
		run_as_user();
	victim_folder = argv[1];
	read_victim_stubs();
	CHECK(run_whole(plain) == BLOCKS_STATUS);
	strcpy(victim_output, read_text(RUN_OUTPUT, 0));
	fputs(victim_output, stdout);
	for (int i = 2; i < argc; i++)
		for (unsigned c = 0; c < sizeof(cases) / sizeof(*cases); c++)
			if (strcmp(argv[i], cases[c].name) == 0) {
				cases[c].try();
				printf("%s: as without\n", argv[i]);
				fflush(stdout);
			}
	return 0;
}
