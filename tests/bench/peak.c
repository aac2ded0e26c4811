/* SPDX-License-Identifier: Apache-2.0 */
/* peak FILE COMMAND…: runs the command and appends its name and peak resident memory in
 * KiB to FILE. */
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	if (argc < 3) {
		fprintf(stderr, "usage: peak FILE COMMAND [ARGUMENT ...]\n");
		return 2;
	}
	pid_t child = fork();
	if (child == 0) {
		execvp(argv[2], &argv[2]);
		perror(argv[2]);
		_exit(127);
	}
	int status;
	struct rusage usage;
	if (child < 0 || wait4(child, &status, 0, &usage) < 0)
		return 2;
	FILE *out = fopen(argv[1], "a");
	if (!out || fprintf(out, "%s %ld\n", argv[2], usage.ru_maxrss) < 0 || fclose(out))
		return 2;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}
