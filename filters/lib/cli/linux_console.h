/* SPDX-License-Identifier: Apache-2.0 */
/* The console of a machine that runs a program for tr-profile --linux. */
#ifndef TR_LINUX_CONSOLE_H
#define TR_LINUX_CONSOLE_H

/* Copies what the machine prints to standard output and a file, in a thread, up to the
 * line that tells the exit status (sim/target/linux/first/first.c). */
struct tr_linux_console;

/* Starts; `mark` begins that line, and `path` is the file. Returns NULL with errno set on
 * failure. */
struct tr_linux_console *tr_linux_console_start(const char *mark, const char *path);
/* Returns the descriptor to which the machine has to print. */
int tr_linux_console_input(const struct tr_linux_console *console);
/* Closes the descriptor, waits for the end of what was printed, and frees the console.
 * Returns the exit status, or -1 if there was none. *error is 0, or the errno of a write
 * that failed. */
int tr_linux_console_finish(struct tr_linux_console *console, int *error);

#endif
