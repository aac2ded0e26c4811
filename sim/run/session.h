/* SPDX-License-Identifier: Apache-2.0 */
/* One run of a machine: limits, triggers, the trace and the console together. */
#ifndef RUN_SESSION_H
#define RUN_SESSION_H

#include "cli/cli.h"
#include "machine.h"
#include "sampler.h"
#include "saving.h"
#include "trace.h"
#include "trigger.h"

struct session_options {
	const struct tr_cli *cli;
	uint64_t max_instructions, max_cycles; /* UINT64_MAX: none */
	struct trigger start, stop;
	struct sampler *sampler; /* NULL: no counters */
	struct saving_options saving;
};

/* Runs to the end and completes the stream. `trace` may be NULL. Returns the exit status;
 * errors are reported on standard error. */
int session_run(const struct session_options *options, struct machine *machine,
		struct trace *trace);

#endif
