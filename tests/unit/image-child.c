/* SPDX-License-Identifier: Apache-2.0 */
/* Whatever a child process does, the parent continues and reports the reason. */
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>

#include "fixture.h"
#include "image/image_child.h"

static void answer(void *context, struct tr_buffer *out)
{
	tr_buffer_add(out, context, strlen(context));
}

static void answer_much(void *context, struct tr_buffer *out)
{
	for (int i = 0; i < 200000; i++)
		tr_buffer_add(out, context, strlen(context));
}

static void crash(void *context, struct tr_buffer *out)
{
	tr_buffer_add(out, "lost", 4);
	raise(*(const int *)context);
}

static void leave(void *context, struct tr_buffer *out)
{
	(void)out;
	_exit(*(const int *)context);
}

static void hang(void *context, struct tr_buffer *out)
{
	(void)context, (void)out;
	for (;;)
		pause();
}

static void eat(void *context, struct tr_buffer *out)
{
	(void)context;
	while (tr_buffer_room(out, (size_t)1 << 20))
		out->size += (size_t)1 << 20;
}

static void spin(void *context, struct tr_buffer *out)
{
	(void)context, (void)out;
	for (volatile unsigned i = 0;; i++)
		;
}

/* Checks that none of the parent's files are open. */
static void look(void *context, struct tr_buffer *out)
{
	int fd = *(const int *)context;
	const char *text = fcntl(fd, F_GETFD) < 0 ? "closed" : "open";
	tr_buffer_add(out, text, strlen(text));
}

static void check(void (*work)(void *, struct tr_buffer *), void *context,
		  const char *result, const char *problem)
{
	/* A waiting child uses no CPU time. */
	const struct image_child_limits limits = {1, work == hang ? 1 : 60,
						  UINT64_C(64) << 20, 1000000};
	struct tr_buffer out = {0};
	struct image_child child;
	tr_image_child_start(&child, work, context, &limits);
	CHECK_EQ(tr_image_child_finish(&child, &out), result != NULL);
	CHECK_STR(child.problem, problem);
	if (result) {
		CHECK_EQ(out.size, strlen(result));
		CHECK(memcmp(out.data, result, out.size) == 0);
	}
	tr_buffer_free(&out);
}

int main(void)
{
	char text[] = "an answer";
	int signals[] = {SIGABRT, SIGSEGV}, seven = 7;
	int fd = open("/dev/null", O_RDONLY);
	int high = fcntl(fd, F_DUPFD, 50);
	check(answer, text, "an answer", "");
	check(answer_much, text, NULL, "result too large");
	check(answer, text + strlen(text), "", "");
	check(crash, &signals[0], NULL, "killed by signal 6");
	check(crash, &signals[1], NULL, "killed by signal 11");
	check(leave, &seven, NULL, "exit status 7");
	check(hang, NULL, NULL, "no answer within 1 s");
	check(spin, NULL, NULL, "no answer after 1 s of work");
	check(look, &high, "closed", "");
#ifndef __SANITIZE_ADDRESS__ /* which aborts when memory runs out */
	check(eat, NULL, NULL, "out of memory");
	/* The user's limits, which a process cannot raise, apply as well. */
	const struct rlimit little = {UINT64_C(32) << 20, UINT64_C(32) << 20};
	CHECK_EQ(setrlimit(RLIMIT_AS, &little), 0);
	check(answer, text, "an answer", "");
	check(eat, NULL, NULL, "out of memory: the limit is 32768 KiB (ulimit -v)");
#else
	(void)eat;
#endif
	close(high);
	close(fd);
	return check_done();
}
