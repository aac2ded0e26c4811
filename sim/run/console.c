/* SPDX-License-Identifier: Apache-2.0 */
/* Connects standard input and output to the UART. */
#include "console.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#include "soc.h"

enum {
	CTRL_A = 1,
	WAIT_MS = 500,
	PACE_US = 10000,
	CYCLES_PER_US = SOC_CLOCK_HZ / 1000000
};
/* Maximum time until a target polls for input: Linux polls every 2 s when there has been
 * none for a while. */
static const uint64_t LOOK_CYCLES = UINT64_C(2) * SOC_CLOCK_HZ;

static struct termios saved;
static bool changed;
static bool left_stdout;

void console_restore(void)
{
	if (changed)
		tcsetattr(STDIN_FILENO, TCSADRAIN, &saved);
	changed = false;
}

/* Leaves output processing on, so that messages are displayed correctly. */
static bool make_raw(void)
{
	if (tcgetattr(STDIN_FILENO, &saved) != 0)
		return false;
	struct termios raw = saved;
	raw.c_iflag &= ~(tcflag_t)(BRKINT | ICRNL | INLCR | IGNCR | ISTRIP | IXON);
	raw.c_lflag &= ~(tcflag_t)(ECHO | ICANON | ISIG | IEXTEN);
	raw.c_cc[VMIN] = 1;
	raw.c_cc[VTIME] = 0;
	changed = true;
	atexit(console_restore);
	return tcsetattr(STDIN_FILENO, TCSADRAIN, &raw) == 0;
}

void console_init(struct console *c, struct machine *machine)
{
	*c = (struct console){.machine = machine,
			      .open = true,
			      .shared = (left_stdout || getenv("TR_CAPTURE_FD")) &&
					isatty(STDOUT_FILENO)};
	if (!isatty(STDIN_FILENO))
		return;
	/* A background process would be stopped by the terminal. */
	if (tcgetpgrp(STDIN_FILENO) != getpgrp())
		c->open = false;
	else
		c->raw = make_raw();
}

int console_leave_stdout(void)
{
	int fd = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0);

	left_stdout = true;
	return fd >= 0 && dup2(STDERR_FILENO, STDOUT_FILENO) >= 0 ? fd : -1;
}

static void write_stdout(struct console *c, const uint8_t *bytes, size_t count)
{
	size_t done = 0;

	while (done < count && !c->error) {
		ssize_t n = write(STDOUT_FILENO, bytes + done, count - done);

		if (n >= 0)
			done += (size_t)n;
		else if (errno != EINTR)
			c->error = errno;
	}
}

/* A new line of output first erases a progress line that may be there. */
void console_flush(struct console *c)
{
	static const uint8_t erase[] = "\r\033[K";

	if (c->out_count && c->shared && !c->begun)
		write_stdout(c, erase, sizeof(erase) - 1);
	write_stdout(c, c->out, c->out_count);
	if (c->out_count)
		c->begun = c->out[c->out_count - 1] != '\n';
	c->out_count = 0;
}

void console_put(struct console *c, uint8_t byte)
{
	c->out[c->out_count++] = byte;
	if (c->out_count == sizeof(c->out))
		console_flush(c);
}

/* Handles ctrl-a x, which ends the run, and ctrl-a ctrl-a, which sends one ctrl-a. */
static void take_typed_byte(struct console *c, uint8_t byte)
{
	bool after = c->prefix;

	c->typed = true;
	c->prefix = c->raw && byte == CTRL_A && !after;
	if (c->prefix)
		return;
	if (after && byte == 'x')
		c->quit = true;
	else
		c->in[c->in_count++] = byte;
}

static void read_input(struct console *c, int wait_ms)
{
	struct pollfd p = {.fd = STDIN_FILENO, .events = POLLIN};
	uint8_t bytes[sizeof(c->in)];

	if (poll(&p, 1, wait_ms) <= 0)
		return;
	ssize_t n = read(STDIN_FILENO, bytes, sizeof(bytes));
	if (n == 0 || (n < 0 && errno != EINTR && errno != EAGAIN))
		c->open = false;
	c->in_first = c->in_count = 0;
	for (ssize_t i = 0; i < n; i++)
		take_typed_byte(c, bytes[i]);
	if (n > 0 && c->raw)
		c->shared = false; /* the line on the screen is the target's */
}

bool console_poll(struct console *c, bool wait)
{
	size_t given = 0;

	if (c->out_count)
		console_flush(c);
	if (c->in_first == c->in_count && c->open)
		read_input(c, wait ? WAIT_MS : 0);
	if (c->in_first < c->in_count)
		given = c->machine->ops->receive(c->machine, c->in + c->in_first,
						 c->in_count - c->in_first);
	c->in_first += given;
	return given > 0;
}

static uint64_t wall_us(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000 + (uint64_t)now.tv_nsec / 1000;
}

void console_pace(struct console *c, uint64_t cycle)
{
	if (!c->raw || !c->open || c->in_first < c->in_count)
		return;
	if (c->typed)
		c->pace.input = cycle;
	c->typed = false;
	uint64_t us = wall_us();
	uint64_t ahead = (cycle - c->pace.cycle) / CYCLES_PER_US - (us - c->pace.us);
	if (ahead > INT64_MAX || cycle - c->pace.input < LOOK_CYCLES) {
		c->pace.cycle = cycle;
		c->pace.us = us;
	} else if (ahead > PACE_US) {
		read_input(c, (int)(ahead / 1000));
	}
}
