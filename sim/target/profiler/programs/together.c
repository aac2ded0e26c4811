/* SPDX-License-Identifier: Apache-2.0 */
/* Runs the five programs at the same time, as the program of the thesis's appendix B: one
 * child for each, and waits for all. Files are in the current folder, inputs in the root.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ARGUMENTS = 8, SATISFIABLE = 10 };

static const struct program {
	const char *path;
	const char *arguments[ARGUMENTS];
	int status; /* with which it ends if all is well */
} programs[] = {
    {"/bin/minisat", {"minisat", "-verb=0", "/formula", "model"}, SATISFIABLE},
    {"/bin/kernels-O2", {"kernels-O2"}, 0},
    {"/bin/denoise", {"denoise"}, 0},
    {"/bin/x264",
     {"x264", "--quiet", "--no-progress", "--input-res", "96x80", "-o", "clip.264",
      "/clip"},
     0},
    {"/bin/multiply", {"multiply"}, 0},
};
enum { PROGRAMS = sizeof(programs) / sizeof(programs[0]) };

static pid_t start_program(const struct program *program)
{
	char *arguments[ARGUMENTS + 1] = {0};
	pid_t child = fork();

	if (child != 0)
		return child;
	for (int i = 0; i < ARGUMENTS; i++)
		arguments[i] = (char *)program->arguments[i];
	execv(program->path, arguments);
	_exit(127);
}

static const struct program *find_program(const pid_t *children, pid_t child)
{
	for (int i = 0; i < PROGRAMS; i++)
		if (children[i] == child)
			return &programs[i];
	return NULL;
}

/* Returns whether the program ended as it should. */
static bool report_end(const struct program *program, int status)
{
	bool right =
	    program && WIFEXITED(status) && WEXITSTATUS(status) == program->status;

	if (program && !right)
		printf("together: %s ended with status 0x%x\n", program->path, status);
	return right;
}

int main(void)
{
	pid_t children[PROGRAMS];
	bool right = true;

	for (int i = 0; i < PROGRAMS; i++) {
		children[i] = start_program(&programs[i]);
		if (children[i] < 0)
			abort();
	}
	for (int left = PROGRAMS; left > 0; left--) {
		int status;
		pid_t child = wait(&status);

		if (!report_end(find_program(children, child), status))
			right = false;
	}
	return right ? 0 : 1;
}
