/* SPDX-License-Identifier: Apache-2.0 */
/* Processes: a tree by fork, a chain of exec in one process, vfork with exec,
 * posix_spawn, system, and an orphan that ends after its parent.
 *
 *     tree [DEPTH]     `tree chain N` is a link of the chain
 */
#include <spawn.h>
#include <stdint.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

extern char **environ;

static void expect(pid_t child, int code)
{
	int status;

	CHECK(child > 0);
	CHECK(waitpid(child, &status, 0) == child);
	CHECK(WIFEXITED(status) && WEXITSTATUS(status) == code);
}

/* Each process forks two children, which continue on the inherited stack. */
KEEP static unsigned grow(unsigned depth)
{
	unsigned sum = spin(200);

	for (int i = 0; depth > 0 && i < 2; i++) {
		pid_t child = fork();

		if (child == 0)
			_exit((int)(grow(depth - 1) & 1));
		expect(child, (int)(sum & 1));
	}
	return sum;
}

_Noreturn static void chain(const char *self, unsigned links)
{
	char number[12];

	spin(500);
	if (links == 0)
		exit(7);
	snprintf(number, sizeof(number), "%u", links - 1);
	execl(self, self, "chain", number, (char *)NULL);
	exit(1);
}

KEEP static void by_vfork(const char *self)
{
	pid_t child = vfork();

	if (child == 0) {
		execl(self, self, "chain", "1", (char *)NULL);
		_exit(1);
	}
	expect(child, 7);
}

KEEP static void by_spawn(const char *self)
{
	char *arguments[] = {(char *)(uintptr_t)self, "chain", "0", NULL};
	pid_t child;

	CHECK(posix_spawn(&child, self, NULL, NULL, arguments, environ) == 0);
	expect(child, 7);
}

KEEP static void orphan(void)
{
	pid_t child = fork();

	if (child == 0) {
		if (fork() == 0)
			usleep(2000);
		_exit(0);
	}
	expect(child, 0);
}

int main(int argc, char **argv)
{
	const char *self = "/bin/tree";

	if (argc > 2 && strcmp(argv[1], "chain") == 0)
		chain(self, (unsigned)atoi(argv[2]));
	grow(argc > 1 ? (unsigned)atoi(argv[1]) : 3);
	by_vfork(self);
	by_spawn(self);
	orphan();
	CHECK(WEXITSTATUS(system("tree chain 2")) == 7);
	return 0;
}
