/* SPDX-License-Identifier: Apache-2.0 */
/* Does a known number of system calls, page faults, wake-ups and waits for locks, in
 * children of its own, and prints lines of what tables of the run must have:
 *
 *     expect syscalls PID NAME CALLS ERRORS
 *     expect faults PID NAME FAULTS MAJOR, as wait4() reports them
 *     expect file PID NAME FAULTS
 *     expect wakers WAKER PID WAKE-UPS
 *     expect mutex|futex PID HOLDER WAITS
 *
 * What the kernel itself counted follows: /proc/interrupts and /proc/softirqs. */
#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

enum {
	PAGE = 4096,
	PARENTS = 37,
	SEEKS = 11,
	MASKS = 5,
	ODD = 3,
	PAGES = 20,
	ROUNDS = 50,
	TRIES = 7
};

/* Waits for a child, and prints its page faults as the kernel has counted them. */
static void end_child(const char *name, pid_t child)
{
	struct rusage usage;
	int status;

	CHECK(wait4(child, &status, 0, &usage) == child);
	CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
	printf("expect faults %d %s %ld %ld\n", (int)child, name,
	       usage.ru_minflt + usage.ru_majflt, usage.ru_majflt);
}

/* Numbers of calls, and of errors among them. */
static void call_often(void)
{
	for (int i = 0; i < PARENTS; i++)
		getppid();
	for (int i = 0; i < SEEKS; i++)
		CHECK(lseek(99, i, SEEK_SET) == -1 && errno == EBADF);
	for (int i = 0; i < MASKS; i++)
		umask(022);
	for (int i = 0; i < ODD; i++)
		CHECK(syscall(1023) == -1 && errno == ENOSYS);
	_exit(0);
}

/* A page of a file is faulted in alone when it is written. */
static void fault_pages(void)
{
	int file = open("/tmp/pages", O_RDWR | O_CREAT, 0600);
	char *pages;

	CHECK(file >= 0 && ftruncate(file, PAGES * PAGE) == 0);
	pages = mmap(NULL, PAGES * PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
	CHECK(pages != MAP_FAILED);
	for (int i = 0; i < PAGES; i++)
		pages[i * PAGE] = 1;
	_exit(0);
}

/* Each message wakes the one that waits for it. */
static void answer_messages(int from, int to)
{
	char byte;

	while (read(from, &byte, 1) == 1)
		CHECK(write(to, &byte, 1) == 1);
	_exit(0);
}

static void send_messages(void)
{
	int there[2], back[2];
	char byte = 1;
	pid_t child;

	CHECK(pipe(there) == 0 && pipe(back) == 0);
	child = fork();
	CHECK(child >= 0);
	if (child == 0) {
		close(there[1]);
		answer_messages(there[0], back[1]);
	}
	close(there[0]);
	for (int i = 0; i < ROUNDS; i++)
		CHECK(write(there[1], &byte, 1) == 1 && read(back[0], &byte, 1) == 1);
	close(there[1]);
	/* Its end wakes this process, too. */
	printf("expect wakers %d %d %d\n", (int)child, (int)getpid(), ROUNDS + 1);
	fflush(stdout);
	end_child("answers", child);
}

/* --- locks: a futex that one thread waits for again and again */

static uint32_t word;
static int turns;

static void *take_turns(void *unused)
{
	for (; turns < TRIES; turns++) {
		long result = syscall(SYS_futex, &word, FUTEX_WAIT | FUTEX_PRIVATE_FLAG,
				      0, NULL, NULL, 0);

		CHECK(result == 0);
	}
	return unused;
}

static void contend_for_futex(void)
{
	pthread_t thread;

	CHECK(pthread_create(&thread, NULL, take_turns, NULL) == 0);
	for (int i = 0; i < TRIES; i++)
		while (syscall(SYS_futex, &word, FUTEX_WAKE | FUTEX_PRIVATE_FLAG, 1, NULL,
			       NULL, 0) == 0)
			usleep(1000);
	CHECK(pthread_join(thread, NULL) == 0);
}

/* The mutex of a terminal's readers: the first one sleeps with it. */
static void be_interrupted(int signal)
{
	(void)signal;
}

static void read_console(void)
{
	char byte;
	const struct sigaction action = {.sa_handler = be_interrupted};

	sigaction(SIGUSR1, &action, NULL);
	for (;;)
		CHECK(read(STDIN_FILENO, &byte, 1) == -1 && errno == EINTR);
}

static pid_t start_reader(void)
{
	pid_t child = fork();

	CHECK(child >= 0);
	if (child == 0)
		read_console();
	usleep(20000);
	return child;
}

static void contend_for_console(void)
{
	pid_t holder = start_reader(), waiter = start_reader();

	for (int i = 1; i < TRIES; i++) {
		kill(waiter, SIGUSR1);
		usleep(20000);
	}
	printf("expect mutex %d %d %d\n", (int)waiter, (int)holder, TRIES);
	fflush(stdout);
	kill(waiter, SIGKILL);
	waitpid(waiter, NULL, 0);
	kill(holder, SIGKILL);
	waitpid(holder, NULL, 0);
}

/* --- */

static pid_t start(void (*work)(void))
{
	pid_t child;

	fflush(stdout);
	child = fork();
	CHECK(child >= 0);
	if (child == 0)
		work();
	return child;
}

static void copy_file(const char *path)
{
	char text[4096];
	ssize_t size;
	int file = open(path, O_RDONLY);

	CHECK(file >= 0);
	while ((size = read(file, text, sizeof(text))) > 0)
		CHECK(write(STDOUT_FILENO, text, (size_t)size) == size);
	close(file);
}

static void wait_for_futex(void)
{
	contend_for_futex();
	exit(0);
}

int main(void)
{
	pid_t child = start(call_often);

	end_child("calls", child);
	printf("expect syscalls %d getppid %d 0\n", (int)child, PARENTS);
	printf("expect syscalls %d lseek %d %d\n", (int)child, SEEKS, SEEKS);
	printf("expect syscalls %d umask %d 0\n", (int)child, MASKS);
	printf("expect syscalls %d ni_syscall %d %d\n", (int)child, ODD, ODD);
	child = start(fault_pages);
	end_child("pages", child);
	printf("expect file %d pages %d\n", (int)child, PAGES);
	send_messages();
	child = start(wait_for_futex);
	end_child("futex", child);
	printf("expect futex %d %d %d\n", (int)child + 1, (int)child, TRIES);
	contend_for_console();
	fflush(stdout);
	copy_file("/proc/interrupts");
	copy_file("/proc/softirqs");
	return 0;
}
