/* SPDX-License-Identifier: Apache-2.0 */
/* Reaction of filters to SIGINT, SIGTERM and SIGHUP. */
#include "cli/cli_signals.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/interrupt.h"

/* State of the handler. */
static volatile sig_atomic_t reads_on, asked, is_last;
static volatile sig_atomic_t text_fd = -1;
static off_t text_start;
static char note[128];
static volatile ssize_t ignored; /* assigned to ignore the result of write() */

static void handle_cli_signal(int number)
{
	int error = errno;
	bool again = tr_interrupt_again(number);
	if (reads_on && !again) {
		if (!asked && is_last)
			ignored = write(STDERR_FILENO, note, strlen(note));
		asked = 1;
	} else {
		tr_cli_drop_text();
		signal(number, SIG_DFL);
		raise(number); /* takes effect when the handler returns */
	}
	errno = error;
}

static void catch_cli_signals(const struct tr_cli *cli)
{
	struct stat st;
	if (*note)
		return;
	snprintf(note, sizeof(note),
		 "%s: interrupted: reading on to the end of the input; a further signal "
		 "ends this\n",
		 cli->program);
	is_last = fstat(STDOUT_FILENO, &st) != 0 || !S_ISFIFO(st.st_mode);
	if (tr_interrupt_catch(handle_cli_signal, true))
		tr_die(cli, "signals: %s", strerror(errno));
}

void tr_cli_reads(const struct tr_cli *cli, const char *path)
{
	struct stat st;
	bool found =
	    strcmp(path, "-") == 0 ? fstat(STDIN_FILENO, &st) == 0 : stat(path, &st) == 0;
	if (!found || S_ISREG(st.st_mode))
		return;
	reads_on = 1;
	catch_cli_signals(cli);
}

void tr_cli_guard_text(const struct tr_cli *cli, int fd)
{
	struct stat st;
	if (cli->keeps_part || fstat(fd, &st) != 0 || !S_ISREG(st.st_mode))
		return;
	off_t at = lseek(fd, 0, SEEK_CUR);
	text_start = fcntl(fd, F_GETFL) & O_APPEND || at < 0 ? st.st_size : at;
	text_fd = fd;
	catch_cli_signals(cli);
}

void tr_cli_text_done(void)
{
	text_fd = -1;
}

void tr_cli_drop_text(void)
{
	/* best effort */
	if (text_fd >= 0 && ftruncate(text_fd, text_start) != 0)
		text_fd = -1;
	text_fd = -1;
}
