/* SPDX-License-Identifier: Apache-2.0 */
/* Writes a checkpoint during a run: before the first token that matches a trigger, or
 * where the run ends; or at the next place from there on at which the state of the
 * machine is known. */
#ifndef RUN_SAVING_H
#define RUN_SAVING_H

#include "checkpoint.h"
#include "cli/cli.h"
#include "machine.h"
#include "trigger.h"

struct saving_options {
	const char *path;	      /* NULL: no checkpoint */
	struct trigger at;	      /* none: where the run ends */
	bool goes_on;		      /* the run does not end with the checkpoint */
	bool keeps_uses;	      /* of RAM: caches are warm after a resume */
	const struct tr_header *keys; /* of identity.h */
};

struct saving {
	/* Inputs, to be set by the caller. */
	const struct saving_options *o;
	const struct tr_cli *cli;
	struct machine *machine;
	bool met; /* the trigger: the state has not been known since */
	/* Outputs. */
	bool done;   /* the checkpoint was written */
	bool failed; /* it could not be; reported on standard error */
};

/* Called before the run. */
void saving_begin(struct saving *s);
/* Returns the next cycle after the machine's at which saving_poll() must be called, or
 * UINT64_MAX if there is none. */
uint64_t saving_next_cycle(const struct saving *s);
/* Writes the checkpoint if the machine, between two tokens, is before one that matches,
 * or behind it and its state was not known there. Returns whether the run ends with it.
 */
bool saving_poll(struct saving *s);
/* Called after the run; `off`: the machine is off. Writes the checkpoint if there is no
 * trigger. Returns the exit status: whether there is one, if it was asked for. */
int saving_end(struct saving *s, bool off);

#endif
