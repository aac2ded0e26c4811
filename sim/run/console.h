/* SPDX-License-Identifier: Apache-2.0 */
/* The other end of the UART: standard input and output. */
#ifndef RUN_CONSOLE_H
#define RUN_CONSOLE_H

#include "machine.h"

struct console {
	struct machine *machine;
	bool open;   /* standard input is not at its end */
	bool raw;    /* standard input is a terminal, now in raw mode */
	bool prefix; /* ctrl-a was typed */
	bool quit;   /* ctrl-a x was typed */
	bool typed;  /* input arrived since the last console_pace() */
	bool shared; /* with the progress lines of tr-capture and the filters */
	bool begun;  /* the output ends in an incomplete line */
	int error;   /* errno of a failed write */
	struct {
		uint64_t cycle, us; /* target and wall-clock time of one moment */
		uint64_t input;	    /* cycle of the last input */
	} pace;
	size_t in_first, in_count, out_count;
	uint8_t in[64], out[4096];
};

void console_init(struct console *console, struct machine *machine);
void console_put(struct console *console, uint8_t byte);
/* Moves pending bytes in both directions; with `wait`, sleeps for input up to half a
 * second. Returns whether the UART took a byte. */
bool console_poll(struct console *console, bool wait);
/* Paces the machine, which is at this cycle. If input is a terminal, target time must not
 * run ahead of wall-clock time, as it would in WFI: sleeps for the difference, or until
 * input arrives. */
void console_pace(struct console *console, uint64_t cycle);
void console_flush(struct console *console);
/* Redirects the UART's output to standard error. Returns a descriptor of the previous
 * standard output, or -1 with errno set. */
int console_leave_stdout(void);
/* Restores the terminal's settings. */
void console_restore(void);

#endif
