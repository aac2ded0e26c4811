/* SPDX-License-Identifier: Apache-2.0 */
/* Runs programs as the stages of a pipe, as a shell does, and prints the command that
 * does the same. */
#ifndef TR_STAGES_H
#define TR_STAGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum { TR_MAX_STAGES = 8 };

/* One pipe. The standard output of its last stage is this program's. */
struct tr_stages {
	char **command[TR_MAX_STAGES]; /* each ends with NULL; owned by the caller */
	size_t count;
	/* Folder in which programs are looked for first, and last in PATH; may be NULL.
	 */
	const char *folder;
	/* Descriptors for the input of the first stage and the output of the last one, in
	 * place of this program's; 0: none. */
	int input, output;
	/* How many of the first stages complete their output on a signal: the others read
	 * on to its end. 0: a signal ends all stages. */
	size_t graceful;
};

/* How a pipe ended. */
struct tr_stages_end {
	int status[TR_MAX_STAGES]; /* of each stage, as waitpid() encodes it */
	int signal;		   /* that ended the stages, or 0 */
};

/* Starts all stages and waits for them. With graceful stages SIGINT, which a terminal
 * sends to the whole process group, is left to these, and the first one gets a SIGTERM
 * for each SIGTERM and SIGHUP. Else these signals end all stages. SIGQUIT always does.
 * Returns TR_OK; TR_E_IO if a stage could not be started: errno is set, *failed its
 * index, and the stages before it were ended. */
int tr_stages_run(const struct tr_stages *stages, struct tr_stages_end *end,
		  size_t *failed);

/* Prints the pipe as a command for a shell, with quotes where they are needed, and a
 * newline. */
void tr_stages_print(const struct tr_stages *stages, FILE *out);

#endif
