/* SPDX-License-Identifier: Apache-2.0 */
/* A tiny supervisor: processes with their own address spaces, a timer, five calls.
 *
 * The firmware enters _start (start.S) at the physical address, which turns the page
 * table on and continues at high addresses. supervisor_main then is thread "init",
 * which runs the scenario: text in a separate section, so that one supervisor makes
 * many images (objcopy --update-section). Each line of it is one of
 *
 * 	name argument …		run a program to its end
 * 	name argument … &	start a program
 * 	wait			wait until all started programs have ended
 * 	repeat			start again, for ever
 *
 * At the end the machine is powered off with the status of the first program that
 * failed, or 0. entry.S has trap entry and thread switch, trap.c their handlers,
 * thread.c the threads, memory.c pages and page tables, program.c the contents of a
 * process's pages. */
#include "supervisor.h"

#include <string.h>

static char scenario[4096] __attribute__((section(".scenario"), used)) = "hello_world\n";

void supervisor_main(void);

static int first_failure;

/* Runs other threads until `pid` has ended; -1: all children. */
static void wait_for(long pid)
{
	long result;

	while ((result = thread_wait()) >= 0) {
		if (first_failure == 0)
			first_failure = (int)(result & 0xff);
		if (result >> 8 == pid)
			break;
	}
}

static void run(char *command)
{
	char *background = strchr(command, '&');
	long pid;

	if (background)
		*background = '\0';
	pid = thread_spawn(command);
	if (pid < 0)
		panic("cannot start a program of the scenario");
	if (!background)
		wait_for(pid);
}

/* Returns false at the end, true at "repeat". */
static bool run_scenario(void)
{
	const char *line = scenario;

	while (*line) {
		char command[COMMAND_SIZE];
		size_t size = strcspn(line, "\n");

		if (size >= COMMAND_SIZE)
			panic("a line of the scenario is too long");
		memcpy(command, line, size);
		command[size] = '\0';
		line += size + (line[size] == '\n');
		if (strcmp(command, "repeat") == 0)
			return true;
		if (strcmp(command, "wait") == 0)
			wait_for(-1);
		else if (size > 0 && command[0] != '#')
			run(command);
	}
	return false;
}

void supervisor_main(void)
{
	memory_init();
	thread_init();
	timer_init();
	while (run_scenario())
		continue;
	wait_for(-1);
	power_off(first_failure);
}
