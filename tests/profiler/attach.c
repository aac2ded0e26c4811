/* SPDX-License-Identifier: Apache-2.0 */
/* Runs a program again and again, with the injector called at a random time of each run;
 * or once, with the injector called and told to take all out again, many times:
 *
 *     attach runs|again TIMES SEED PROGRAM [ARGUMENT...]
 *
 * The injector has priority, so that the program does not end while it starts.
 * Each time the program must print the same as without the injector, and end with status
 * 0; its counters are then handed over. If the program ends before the injector has come,
 * nothing is counted. Exit status 1 if anything is wrong.
 */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MOST = 1 << 16, BILLION = 1000000000 };
/* How long a program is left alone between calls of the injector, in nanoseconds. */
enum { PAUSE = 150000 };

static const char output_path[] = "/tmp/attach.out";
static uint64_t random_state;
static char expected[MOST];
static ssize_t expected_size;
static unsigned wrong, missed;

static uint64_t draw_number(uint64_t below)
{
	random_state = random_state * UINT64_C(6364136223846793005) + 1442695040888963407;
	return (random_state >> 32) * below >> 32;
}

static uint64_t clock_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * BILLION + (uint64_t)now.tv_nsec;
}

static void sleep_randomly(uint64_t most)
{
	struct timespec time = {.tv_nsec = (long)draw_number(most)};

	nanosleep(&time, NULL);
}

/* musl's sched_setscheduler() does nothing. */
static void choose_priority(int policy, int priority)
{
	struct sched_param parameter = {.sched_priority = priority};

	if (syscall(SYS_sched_setscheduler, 0, policy, &parameter) != 0)
		exit(2);
}

/* Starts a program whose output is `output`. Returns when it has begun. */
static pid_t start_program(char **argv, int output)
{
	int begun[2];
	char none;

	if (pipe(begun) != 0)
		exit(2);
	pid_t pid = fork();
	if (pid == 0) {
		fcntl(begun[1], F_SETFD, FD_CLOEXEC);
		close(begun[0]);
		if (output != STDOUT_FILENO && output != STDERR_FILENO) {
			dup2(output, STDOUT_FILENO);
			choose_priority(SCHED_OTHER, 0);
		}
		execvp(argv[0], argv);
		_exit(127);
	}
	if (pid < 0)
		exit(2);
	close(begun[1]);
	while (read(begun[0], &none, 1) < 0 && errno == EINTR)
		;
	close(begun[0]);
	return pid;
}

static int wait_for_program(pid_t pid)
{
	int status;

	if (waitpid(pid, &status, 0) != pid)
		exit(2);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* `option` is -i or -d. */
static pid_t start_injector(const char *option, pid_t pid)
{
	char number[16], letters[3];
	char *attaches[] = {"prof-inject", "/prof", letters, number, NULL};
	char *removes[] = {"prof-inject", letters, number, NULL};

	snprintf(number, sizeof(number), "%d", (int)pid);
	snprintf(letters, sizeof(letters), "%s", option);
	return start_program(strcmp(option, "-d") == 0 ? removes : attaches,
			     STDERR_FILENO);
}

static pid_t start_measured(char **argv)
{
	int output = open(output_path, O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0600);

	if (output < 0)
		exit(2);
	pid_t pid = start_program(argv, output);
	close(output);
	return pid;
}

static ssize_t read_output(char *bytes)
{
	int file = open(output_path, O_RDONLY);
	ssize_t size = read(file, bytes, MOST);

	close(file);
	return size;
}

/* Gives the counters of a run to whoever traces, and makes room. */
static void give_counts(pid_t pid)
{
	char path[64];
	char *argv[] = {"hand_over", path, NULL};

	snprintf(path, sizeof(path), "/tmp/prof-0/%05d.dat", (int)pid);
	wrong += access(path, R_OK) != 0;
	wrong += wait_for_program(start_program(argv, STDOUT_FILENO)) != 0;
	unlink(path);
}

/* Checks a run that has ended. */
static void check_run(pid_t pid, int status, int injector)
{
	static char bytes[MOST];
	ssize_t size = read_output(bytes);

	missed += injector != 0;
	if (status != 0 || size != expected_size ||
	    memcmp(bytes, expected, (size_t)expected_size) != 0) {
		wrong++;
		fprintf(stderr, "attach: process %d: status %d, or another output\n",
			(int)pid, status);
	}
	if (injector == 0)
		give_counts(pid);
}

/* Whether a child still runs. */
static int is_running(pid_t pid)
{
	siginfo_t info = {.si_pid = 0};

	return waitid(P_PID, (id_t)pid, &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
	       info.si_pid == 0;
}

/* Runs in which the program ends before the injector has come do not count. */
static void inject_into_runs(unsigned times, char **argv, uint64_t length)
{
	for (unsigned i = 0; i < times + missed && missed <= 2 * times; i++) {
		pid_t pid = start_measured(argv);

		sleep_randomly(length);
		pid_t injector = start_injector("-i", pid);
		int status = wait_for_program(pid);
		check_run(pid, status, wait_for_program(injector));
	}
	wrong += missed > 2 * times;
}

/* Waits until a tracer has a process. Returns 0 if there is none for a second. */
static int wait_for_tracer(pid_t pid)
{
	char path[64], bytes[1024];

	snprintf(path, sizeof(path), "/proc/%d/status", (int)pid);
	for (int i = 0; i < 10000; i++) {
		struct timespec time = {.tv_nsec = 100000};
		int file = open(path, O_RDONLY);
		ssize_t size = read(file, bytes, sizeof(bytes) - 1);

		close(file);
		bytes[size < 0 ? 0 : size] = '\0';
		const char *tracer = strstr(bytes, "TracerPid:\t");
		if (tracer && atoi(tracer + 11))
			return 1;
		nanosleep(&time, NULL);
	}
	return 0;
}

static void inject_again(unsigned times, char **argv)
{
	pid_t pid = start_measured(argv);
	unsigned i;

	for (i = 0; i < times && is_running(pid); i++) {
		sleep_randomly(PAUSE);
		pid_t injector = start_injector("-i", pid);
		if (!wait_for_tracer(pid))
			break;
		sleep_randomly(PAUSE);
		pid_t remover = start_injector("-d", pid);
		wrong += wait_for_program(remover) != 0;
		wrong += wait_for_program(injector) != 0;
	}
	fprintf(stderr, "attach: %u times in and out\n", i);
	wrong += i != times;
	check_run(pid, wait_for_program(pid), 0);
}

int main(int argc, char **argv)
{
	if (argc < 5)
		return 2;
	unsigned times = (unsigned)atoi(argv[2]);
	random_state = (uint64_t)atoi(argv[3]);
	choose_priority(SCHED_FIFO, 1);

	/* The second run takes as long as those that follow. */
	uint64_t length = 0;
	for (int i = 0; i < 2; i++) {
		pid_t pid = start_measured(argv + 4);
		uint64_t start = clock_now();
		if (wait_for_program(pid) != 0)
			return 2;
		length = clock_now() - start;
		expected_size = read_output(expected);
	}
	if (expected_size < 0)
		return 2;
	if (strcmp(argv[1], "again") == 0)
		inject_again(times, argv + 4);
	else
		inject_into_runs(times, argv + 4, length);
	fprintf(stderr, "attach: %s: %u times, %u too late, %u wrong\n", argv[4], times,
		missed, wrong);
	return wrong != 0;
}
