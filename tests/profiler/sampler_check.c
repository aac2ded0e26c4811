/* SPDX-License-Identifier: Apache-2.0 */
/* Tries the kernel's sampler and its notices, on the target. Prints a line for each case.
 *
 *     sampler_check CASE...
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "sampler_child.h"
#include "sampler_notices.h"
#include "sampler_samples.h"

/* --- registering */

/* Returns what register_self() returns in another process. */
static int register_other(void)
{
	int status;
	pid_t pid = fork();

	if (pid == 0) {
		int daemon = register_self();

		_exit(daemon < 0 ? -daemon : 0);
	}
	CHECK(waitpid(pid, &status, 0) == pid && WIFEXITED(status));
	return -WEXITSTATUS(status);
}

static void try_register(void)
{
	static const char *const wrong[] = {"\n",  "1\n",   "0\n",	    "-1\n",
					    "x\n", "1 2\n", "99999999999\n"};
	struct prof_notice notice;
	char own[16];

	CHECK(strcmp(read_file("daemon"), "") == 0);
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
		CHECK(write_file("daemon", wrong[i]) == EINVAL);
	CHECK(strcmp(read_file("daemon"), "") == 0);
	int daemon = register_self();

	CHECK(daemon >= 0);
	snprintf(own, sizeof(own), "%d\n", getpid());
	CHECK(strcmp(read_file("daemon"), own) == 0);
	CHECK(write_file("daemon", own) == EBUSY);
	CHECK(register_other() == -EBUSY);
	CHECK(read(daemon, &notice, sizeof(notice) - 1) < 0 && errno == EINVAL);
	CHECK(read_notices(daemon, &notice, 1) == 1 && notice.kind == PROF_NOTICE_FORK);
	close(daemon);
	CHECK(strcmp(read_file("daemon"), "") == 0);
	CHECK(register_other() == 0);
}

/* A user who is not root opens none of the files. */
static void try_user(void)
{
	static const char *const files[] = {
	    "/proc/profiler/daemon", "/proc/profiler/samples", "/proc/profiler/rate"};
	pid_t pid = fork();

	if (pid == 0) {
		CHECK(setuid(1000) == 0);
		for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++)
			CHECK(open(files[i], O_RDONLY) < 0 && errno == EACCES);
		_exit(0);
	}
	end_process(pid);
}

static void try_rate(void)
{
	static const char *const wrong[] = {
	    "\n",
	    "tick\n",
	    "tick 0\n",
	    "tick 2049\n",
	    "tick 256 jitter\n",
	    "0 256\n",
	    "100001 256\n",
	    "-1 256\n",
	    "1000 256 jitters\n",
	    "1000 256 jitter 1\n",
	    "1000 256 \n",
	    "1000  256\n",
	    "1e3 256\n",
	    "1000 x\n",
	    "4294967297 256\n",
	    "tick 256 250                                                         \n"};

	CHECK(strcmp(read_file("rate"), "tick 256 250\n") == 0);
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
		CHECK(write_file("rate", wrong[i]) == EINVAL);
	CHECK(strcmp(read_file("rate"), "tick 256 250\n") == 0);
	set_rate("1000 100 jitter");
	CHECK(strcmp(read_file("rate"), "1000 128 1000 jitter\n") == 0);
	set_rate("100000 2048\n");
	CHECK(strcmp(read_file("rate"), "100000 2048 100000\n") == 0);
	set_rate("tick 1\n");
	CHECK(strcmp(read_file("rate"), "tick 1 250\n") == 0);
	set_rate("tick 256");
}

static const struct {
	const char *name;
	void (*run)(void);
} cases[] = {
    {"register", try_register}, {"user", try_user},	    {"rate", try_rate},
    {"hold", try_hold},		{"timeout", try_timeout},   {"signal", try_signal},
    {"traced", try_traced},	{"threads", try_threads},   {"deaths", try_deaths},
    {"flood", try_flood},	{"overflow", try_overflow}, {"ticks", try_ticks},
    {"ring", try_ring},		{"change", try_change},	    {"jitter", try_jitter},
    {"fast", try_fast},		{"harts", try_harts},
};

static void try_case(const char *name)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		if (strcmp(cases[i].name, name) != 0)
			continue;
		/* The process of a case is the registered one, and ends with it. */
		pid_t pid = fork();

		if (pid == 0) {
			cases[i].run();
			exit(0);
		}
		end_process(pid);
		printf("%s: as specified\n", name);
		return;
	}
	fprintf(stderr, "sampler_check: %s: no such case\n", name);
	exit(2);
}

int main(int argc, char **argv)
{
	if (argc == 4 && strcmp(argv[1], AS_CHILD) == 0)
		return run_as_child(argv[2], argv[3]);
	for (int i = 1; i < argc; i++)
		try_case(argv[i]);
	return 0;
}
