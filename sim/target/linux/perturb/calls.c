/* SPDX-License-Identifier: Apache-2.0 */
/* System calls of all kinds, the same ones in each run: with errors, interrupted by
 * signals and restarted, that do not return, without a name; by threads and children. Who
 * waits for somebody else does so much longer than that takes, also under strace.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "../programs/check.h"

static char *const no_environment[] = {NULL};

/* Expects a result of -1 with this error. */
#define FAIL(error, call) CHECK((call) == -1 && errno == (error))

static void sleep_ms(long ms)
{
	const struct timespec time = {0, ms * 1000000};

	nanosleep(&time, NULL);
}

static void errors(void)
{
	static const struct sockaddr_in nobody = {.sin_family = AF_INET,
						  .sin_port = 0x100};
	char byte = 0, *none[] = {NULL};
	int ends[2], s;

	FAIL(ENOENT, open("/none", O_RDONLY));
	FAIL(ENOTDIR, chdir("/bin/calls"));
	FAIL(EEXIST, mkdir("/tmp", 0700));
	FAIL(EBADF, close(1000));
	FAIL(EBADF, read(-1, &byte, 1));
	FAIL(EFAULT, syscall(SYS_chdir, (void *)16));
	FAIL(EINVAL, munmap((void *)1, 1));
	FAIL(ECHILD, wait(NULL));
	FAIL(ESRCH, kill(30000, 0));
	FAIL(ENOENT, execve("/none", none, no_environment));
	CHECK(pipe2(ends, O_NONBLOCK) == 0);
	FAIL(EAGAIN, read(ends[0], &byte, 1));
	FAIL(ESPIPE, lseek(ends[0], 0, SEEK_SET));
	close(ends[0]);
	signal(SIGPIPE, SIG_IGN);
	FAIL(EPIPE, write(ends[1], "x", 1));
	close(ends[1]);
	CHECK((s = socket(AF_INET, SOCK_STREAM, 0)) >= 0);
	FAIL(ENETUNREACH, connect(s, (const struct sockaddr *)&nobody, sizeof(nobody)));
	close(s);
}

/* Numbers that no system call has. */
static void nameless(void)
{
	static const long numbers[] = {244, 500, 600, 0x7fffffff, 1L << 40, -2};

	for (unsigned i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		FAIL(ENOSYS, syscall(numbers[i], 1L, 2L, 3L));
}

/* --- signals that interrupt calls */

static volatile sig_atomic_t signals;

static void on_signal(int number)
{
	(void)number;
	signals++;
}

static void install(int number, int flags)
{
	struct sigaction action = {.sa_handler = on_signal, .sa_flags = flags};

	CHECK(sigaction(number, &action, NULL) == 0);
}

static void alarm_in_ms(int ms)
{
	const struct itimerval once = {.it_value.tv_usec = ms * 1000};

	CHECK(setitimer(ITIMER_REAL, &once, NULL) == 0);
}

/* Calls that end with EINTR, one that is made again (SA_RESTART) and ends with what a
 * child writes. */
static void interrupted(void)
{
	const struct timespec second = {1, 0};
	sigset_t none;
	char byte;
	int ends[2];

	sigemptyset(&none);
	CHECK(pipe(ends) == 0);
	install(SIGALRM, 0);
	alarm_in_ms(2);
	FAIL(EINTR, read(ends[0], &byte, 1));
	alarm_in_ms(2);
	FAIL(EINTR, nanosleep(&second, NULL));
	alarm_in_ms(2);
	FAIL(EINTR, pause());
	alarm_in_ms(2);
	FAIL(EINTR, sigsuspend(&none));
	alarm_in_ms(2);
	FAIL(EINTR, ppoll(NULL, 0, &second, NULL));
	install(SIGALRM, SA_RESTART);
	alarm_in_ms(2);
	if (fork() == 0) {
		sleep_ms(8);
		write(ends[1], "x", 1);
		_exit(0);
	}
	CHECK(read(ends[0], &byte, 1) == 1 && signals == 6);
	CHECK(wait(NULL) > 0);
	close(ends[0]);
	close(ends[1]);
}

/* A sleep that goes on with restart_syscall after its process was stopped. SIGCHLD is
 * blocked, since it interrupts calls of a process that is traced, also if it is ignored.
 */
static void stopped(void)
{
	sigset_t blocked;
	pid_t child;
	int status;

	sigemptyset(&blocked);
	sigaddset(&blocked, SIGCHLD);
	CHECK(sigprocmask(SIG_BLOCK, &blocked, NULL) == 0);
	child = fork();
	if (child == 0) {
		sleep_ms(12);
		_exit(0);
	}
	sleep_ms(2);
	CHECK(kill(child, SIGSTOP) == 0);
	CHECK(waitpid(child, &status, WUNTRACED) == child && WIFSTOPPED(status));
	CHECK(kill(child, SIGCONT) == 0);
	CHECK(waitpid(child, &status, 0) == child && status == 0);
	CHECK(sigprocmask(SIG_UNBLOCK, &blocked, NULL) == 0);
}

/* --- threads and children */

static int last_pipe[2];

static void *thread(void *number)
{
	sleep_ms(4 * (intptr_t)number);
	for (intptr_t i = 0; i < (intptr_t)number; i++) {
		getppid();
		close(-1);
	}
	return NULL;
}

static void threads(void)
{
	pthread_t ids[3];

	for (intptr_t i = 0; i < 3; i++)
		CHECK(pthread_create(&ids[i], NULL, thread, (void *)(i + 1)) == 0);
	for (unsigned i = 0; i < 3; i++)
		CHECK(pthread_join(ids[i], NULL) == 0);
}

static void *read_forever(void *unused)
{
	char byte;

	(void)unused;
	read(last_pipe[0], &byte, 1);
	return NULL;
}

static void *become_another(void *path)
{
	char *argv[] = {path, (char[]){"child"}, NULL};

	sleep_ms(4);
	execve(path, argv, no_environment);
	return NULL;
}

/* A thread of a process whose first thread waits takes its place. */
static void exec_of_thread(char *path)
{
	pthread_t id;
	int status;
	const pid_t child = fork();

	if (child == 0) {
		CHECK(pthread_create(&id, NULL, become_another, path) == 0);
		read_forever(NULL);
	}
	CHECK(waitpid(child, &status, 0) == child && WEXITSTATUS(status) == 7);
}

static void children(char *path)
{
	char *argv[] = {path, (char[]){"child"}, NULL};
	/* As struct clone_args: a child with SIGCHLD, as fork() makes it. */
	uint64_t arguments[8] = {[4] = SIGCHLD};
	int status;
	pid_t child = vfork();

	if (child == 0) {
		execve(path, argv, no_environment);
		_exit(1);
	}
	CHECK(waitpid(child, &status, 0) == child && WEXITSTATUS(status) == 7);
	FAIL(EINVAL, syscall(SYS_clone3, arguments, 8));
	child = (pid_t)syscall(SYS_clone3, arguments, sizeof(arguments));
	if (child == 0) {
		read_forever(NULL);
		_exit(1);
	}
	sleep_ms(4);
	CHECK(kill(child, SIGKILL) == 0);
	CHECK(waitpid(child, &status, 0) == child && WTERMSIG(status) == SIGKILL);
}

int main(int argc, char **argv)
{
	pthread_t id;

	if (argc > 1) {
		sched_yield();
		return 7;
	}
	errors();
	nameless();
	interrupted();
	stopped();
	threads();
	CHECK(pipe(last_pipe) == 0);
	exec_of_thread(argv[0]);
	children(argv[0]);
	/* This thread is in a call when the process ends. */
	CHECK(pthread_create(&id, NULL, read_forever, NULL) == 0);
	sleep_ms(4);
	return 0;
}
