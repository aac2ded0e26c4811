/* SPDX-License-Identifier: Apache-2.0 */
/* The windows of the trace: the triggers that open and close them, and what goes into
 * them. */
#ifndef RUN_WINDOW_H
#define RUN_WINDOW_H

#include "console.h"
#include "machine.h"
#include "sampler.h"
#include "trace.h"
#include "trigger.h"

struct windows {
	/* To be set. */
	struct machine *machine;
	const struct trigger *start, *stop;
	struct trace *trace;	 /* NULL: none */
	struct sampler *sampler; /* of counters, NULL: none */
	struct console *console; /* gets what the UART sends */
	/* To be read. */
	bool on;       /* a window is open */
	bool met;      /* one has been */
	bool finished; /* the stop trigger has fired for the last time */
	uint64_t step; /* instret after the token in question; UINT64_MAX: none is */
	/* window.c's own. */
	bool foresees_exit; /* the machine does: --start exit needs no last token */
	bool starting;	    /* a window opens with the next token */
	bool stopping;	    /* it closes behind the next token */
	struct machine_state state; /* before that token */
	struct {
		uint64_t pc;
		uint8_t code[4];
		uint8_t bytes;
	} last; /* token, for --start exit */
};

/* Before the run: from here on the machine's hooks are these. */
void windows_begin(struct windows *w);

/* The next cycle, after that of the machine, which a trigger names, and at which
 * windows_look() is due; UINT64_MAX: none. */
uint64_t windows_next_cycle(const struct windows *w);
/* A cycle is reached, that one or another. */
void windows_look(struct windows *w);

/* Before a token that may meet a trigger: it decides whether it does, and what follows
 * waits for the commit. */
void windows_consider(struct windows *w);
/* The token has committed, or a trap came in its place. */
void windows_conclude(struct windows *w);
/* The last token has switched the power off. */
void windows_power_off(struct windows *w);

/* After the run. The cycle at which the open window ends; 0: none is open. */
uint64_t windows_end(struct windows *w);

#endif
