/* SPDX-License-Identifier: Apache-2.0 */
/* The console of a program for Linux: what it prints is passed on byte by byte, up to the
 * line with the exit status, however it arrives, and no other line is taken for it. */
#include <stdlib.h>
#include <unistd.h>

#include "check.h"
#include "cli/linux_console.h"

#define MARK   "0123456789abcdef"
#define STATUS "\x1e" MARK " "

static char file[] = "/tmp/linux-console-XXXXXX";

/* Prints a text in pieces of `step` bytes. Checks what is passed on, and the status. */
static void check_console(const char *text, size_t size, size_t step, const char *want,
			  int status)
{
	int error = -1;
	struct tr_linux_console *console = tr_linux_console_start(MARK, file);
	CHECK(console);
	const int input = tr_linux_console_input(console);
	for (size_t at = 0; at < size; at += step)
		CHECK(write(input, text + at, size - at < step ? size - at : step) > 0);
	CHECK_EQ((uint64_t)(int64_t)tr_linux_console_finish(console, &error),
		 (uint64_t)(int64_t)status);
	CHECK_EQ((uint64_t)error, 0);
	char got[20000];
	FILE *copy = fopen(file, "re");
	const size_t length = fread(got, 1, sizeof(got) - 1, copy);
	got[length] = '\0';
	fclose(copy);
	CHECK_STR(got, want);
}

static void check_all(const char *text, const char *want, int status)
{
	for (size_t step = 1; step < 40; step += 6)
		check_console(text, strlen(text), step, want, status);
	check_console(text, strlen(text), strlen(text) + 1, want, status);
}

static void check_long(void)
{
	static char text[10000], want[10000];
	memset(text, 'x', sizeof(text) - 30);
	memcpy(want, text, sizeof(text));
	strcat(text, STATUS "0\n");
	check_console(text, strlen(text), sizeof(text), want, 0);
}

int main(void)
{
	const int standard = dup(STDOUT_FILENO), made = mkstemp(file);
	CHECK(made >= 0 && freopen("/dev/null", "w", stdout));
	check_all(STATUS "0\n", "", 0);
	check_all("hello\n" STATUS "3\n", "hello\n", 3);
	check_all("no end of line" STATUS "255\r\nreboot: Power down\n", "no end of line",
		  255);
	check_all("", "", -1);
	check_all("cut " STATUS, "cut " STATUS, -1);
	check_all("cut " STATUS "1", "cut " STATUS "1", -1);
	check_all("\x1e\x1e" STATUS "7\n", "\x1e\x1e", 7);
	check_all("\x1e"
		  "0123\n" STATUS "7\n",
		  "\x1e"
		  "0123\n",
		  7);
	check_all(STATUS "256\n" STATUS "x\n" STATUS "\n" STATUS "1 \n" STATUS "2\n",
		  STATUS "256\n" STATUS "x\n" STATUS "\n" STATUS "1 \n", 2);
	check_all("\x1e"
		  "0123456789abcdee 0\n" STATUS "9\n",
		  "\x1e"
		  "0123456789abcdee 0\n",
		  9);
	check_long();
	/* Longer than any such line. */
	check_all(
	    STATUS "0000000000000000000000000000000000000000000000000000000000000000"
		   "0000000000000000000000000000000000000000000000000000000000000000\n",
	    STATUS "0000000000000000000000000000000000000000000000000000000000000000"
		   "0000000000000000000000000000000000000000000000000000000000000000\n",
	    -1);
	CHECK(tr_linux_console_start(MARK, "/nosuch/file") == NULL);
	int error;
	struct tr_linux_console *full = tr_linux_console_start(MARK, "/dev/full");
	CHECK(write(tr_linux_console_input(full), "x\n", 2) == 2);
	CHECK_EQ((uint64_t)(int64_t)tr_linux_console_finish(full, &error), UINT64_MAX);
	CHECK(error != 0);
	unlink(file);
	close(made);
	dup2(standard, STDOUT_FILENO);
	return check_done();
}
