/* SPDX-License-Identifier: Apache-2.0 */
/* Windows of the trace: opens and closes them by triggers, and passes their contents
 * on. */
#ifndef RUN_WINDOW_H
#define RUN_WINDOW_H

#include "console.h"
#include "machine.h"
#include "sampler.h"
#include "snapshot.h"
#include "trace.h"
#include "trigger.h"

struct windows {
	/* Inputs, to be set by the caller. */
	struct machine *machine;
	const struct trigger *start, *stop;
	struct trace *trace;	 /* NULL: none */
	struct sampler *sampler; /* NULL: no counters */
	struct console *console; /* receives the UART's output */
	/* Outputs. */
	bool on;       /* a window is open */
	bool met;      /* a window has been opened */
	bool finished; /* the stop trigger has fired for the last time */
	uint64_t step; /* instret after the token to check; UINT64_MAX: none */
	uint64_t late; /* instret of windows_snapshot(); UINT64_MAX: none is due */
	/* Private to window.c. */
	uint64_t begin;	    /* cycle at which the run began */
	bool foresees_exit; /* the machine can: --start exit needs no last token */
	bool starting;	    /* a window opens with the next token */
	bool stopping;	    /* it closes after the next token */
	bool lacks_state;   /* the open window has no snapshot yet */
	struct snapshot snapshot;
	/* Before that token, and then of each hart: */
	struct machine_state state;
	struct machine_state harts[SOC_HARTS_MAX];
	struct {
		unsigned hart;
		uint64_t pc;
		uint8_t code[4];
		uint8_t bytes;
	} last; /* token, for --start exit */
};

/* Begins, before the run: installs the machine's hooks. */
void windows_begin(struct windows *w);

/* Returns the next cycle after the machine's that a trigger names, and at which
 * windows_poll() must be called, or UINT64_MAX if there is none. */
uint64_t windows_next_cycle(const struct windows *w);
/* Checks the triggers at the current cycle. */
void windows_poll(struct windows *w);

/* Checks a token that may match a trigger, before it commits; the effect follows its
 * commit. */
void windows_consider(struct windows *w);
/* Called when that token has committed, or a trap was taken instead. */
void windows_conclude(struct windows *w);
/* Takes the snapshot of an open window that could not be taken before. */
void windows_snapshot(struct windows *w);
/* Called when the last token has powered the machine off. */
void windows_power_off(struct windows *w);

/* Ends tracing after the run, and frees what `w` owns. Returns the cycle at which the
 * open window ends, or 0 if none is open. */
uint64_t windows_end(struct windows *w);

#endif
