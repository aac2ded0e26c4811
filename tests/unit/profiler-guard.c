/* SPDX-License-Identifier: Apache-2.0 */
/* Guarded memory: a file that is cut while it is mapped, in two threads; and a SIGBUS
 * that is nobody's to guard does what it does without this module. */
#include "target/profiler/guarded_memory.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

enum { PAGE = 4096, ROUNDS = 2000 };

static uint8_t *map_file(int *file)
{
	char path[] = "/tmp/guard-XXXXXX";
	*file = mkstemp(path);
	unlink(path);
	if (ftruncate(*file, 2 * PAGE) < 0)
		return NULL;
	return mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, *file, 0);
}

static void touch_end(void *context)
{
	volatile uint8_t *end = (uint8_t *)context + PAGE;
	*end = 1;
	end[1] = *end;
}

static void touch_begin(void *context)
{
	*(volatile uint8_t *)context = 1;
}

/* A guard within another one, which still holds behind it. */
static void touch_twice(void *context)
{
	CHECK(!access_guarded(touch_end, context));
	touch_end(context);
	CHECK(!"continued behind an access that failed");
}

static void *cut_and_touch(void *context)
{
	unsigned wrong = 0;
	int file;
	uint8_t *bytes = map_file(&file);
	for (unsigned i = 0; i < ROUNDS; i++) {
		wrong += ftruncate(file, PAGE) < 0;
		wrong += access_guarded(touch_end, bytes);
		wrong += !access_guarded(touch_begin, bytes);
		wrong += ftruncate(file, 2 * PAGE) < 0;
		wrong += !access_guarded(touch_end, bytes);
	}
	munmap(bytes, 2 * PAGE);
	close(file);
	*(unsigned *)context = wrong;
	return NULL;
}

static void check_threads(void)
{
	pthread_t other;
	unsigned wrong[2] = {1, 1};
	CHECK(pthread_create(&other, NULL, cut_and_touch, &wrong[1]) == 0);
	cut_and_touch(&wrong[0]);
	pthread_join(other, NULL);
	CHECK_EQ(wrong[0], 0);
	CHECK_EQ(wrong[1], 0);
}

/* Returns the status with which a process ends that does something with a cut file. */
static int end_of(void (*act)(uint8_t *cut), const struct sigaction *former)
{
	int file, status = 0;
	uint8_t *bytes = map_file(&file);
	const pid_t child = fork();
	if (child == 0) {
		if (former)
			sigaction(SIGBUS, former, NULL);
		if (!access_guarded(touch_end, bytes) || ftruncate(file, PAGE) < 0 ||
		    access_guarded(touch_end, bytes))
			_exit(99);
		act(bytes);
		_exit(0);
	}
	munmap(bytes, 2 * PAGE);
	close(file);
	waitpid(child, &status, 0);
	return status;
}

static void touch_unguarded(uint8_t *cut)
{
	touch_end(cut);
}

static void send_signal(uint8_t *cut)
{
	(void)cut;
	raise(SIGBUS);
}

static void raise_in_access(void *context)
{
	(void)context;
	raise(SIGBUS);
}

static void send_in_access(uint8_t *cut)
{
	if (!access_guarded(raise_in_access, cut))
		_exit(98);
}

static void exit_by_number(int number)
{
	_exit(number);
}

static void exit_by_address(int number, siginfo_t *about, void *state)
{
	(void)number;
	(void)state;
	_exit(about->si_code > 0 && (uintptr_t)about->si_addr % PAGE == 0 ? 55 : 56);
}

static bool is_killed(int status)
{
	return WIFSIGNALED(status) && WTERMSIG(status) == SIGBUS;
}

int main(void)
{
	const struct sigaction standard = {.sa_handler = SIG_DFL};
	const struct sigaction ignore = {.sa_handler = SIG_IGN};
	const struct sigaction plain = {.sa_handler = exit_by_number};
	const struct sigaction full = {.sa_sigaction = exit_by_address,
				       .sa_flags = SA_SIGINFO};
	CHECK(is_killed(end_of(touch_unguarded, &standard)));
	CHECK(is_killed(end_of(send_signal, &standard)));
	CHECK(is_killed(end_of(send_in_access, &standard)));
	CHECK(is_killed(end_of(touch_unguarded, &ignore)));
	CHECK_EQ(end_of(send_signal, &ignore), 0);
	CHECK_EQ(end_of(send_in_access, &ignore), 0);
	CHECK_EQ(WEXITSTATUS(end_of(touch_unguarded, &plain)), SIGBUS);
	CHECK_EQ(WEXITSTATUS(end_of(send_signal, &plain)), SIGBUS);
	CHECK_EQ(WEXITSTATUS(end_of(touch_unguarded, &full)), 55);
	CHECK_EQ(WEXITSTATUS(end_of(send_in_access, &full)), 56);
	int file;
	uint8_t *bytes = map_file(&file);
	CHECK(ftruncate(file, PAGE) == 0);
	CHECK(!access_guarded(touch_twice, bytes));
	check_threads();
	return check_done();
}
