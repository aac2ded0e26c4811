/* SPDX-License-Identifier: Apache-2.0 */
/* The UART's other end: standard input and output. */
#ifndef RUN_CONSOLE_H
#define RUN_CONSOLE_H

#include "machine.h"

struct console {
	struct machine *machine;
	bool open;   /* standard input may still give something */
	bool raw;    /* it is a terminal, now in raw mode */
	bool prefix; /* ctrl-a was typed */
	bool quit;   /* ctrl-a x was typed */
	bool typed;  /* something came since the last console_pace() */
	bool shared; /* with the lines of progress of tr-capture and the filters */
	bool begun;  /* a line of output that has not ended */
	int error;   /* errno of a failed write */
	struct {
		uint64_t cycle, us; /* were at the same time */
		uint64_t input;	    /* the cycle of the last */
	} pace;
	size_t in_first, in_count, out_count;
	uint8_t in[64], out[4096];
};

void console_init(struct console *console, struct machine *machine);
void console_put(struct console *console, uint8_t byte);
/* Moves what can be moved now; with `wait`, sleeps for input up to half a
 * second. True when the UART took a byte. */
bool console_poll(struct console *console, bool wait);
/* The machine is at this cycle. With a terminal as input its time passes no faster than
 * that of the wall: what it is ahead, as it may be when it waits, this sleeps, or until
 * there is input. */
void console_pace(struct console *console, uint64_t cycle);
void console_flush(struct console *console);
/* From here on the UART sends to standard error. Returns what has been standard output,
 * or -1 with errno. */
int console_leave_stdout(void);
/* The terminal as it was. */
void console_restore(void);

#endif
