/* SPDX-License-Identifier: Apache-2.0 */
/* A run as a trace stream: windows of rows or tokens, and events. */
#ifndef RUN_TRACE_H
#define RUN_TRACE_H

#include "simulator.h"
#include "stream/writer.h"

struct trace;

struct trace_options {
	const struct simulator *simulator;
	int fd;
	bool triggers;		/* tell in the stream where windows begin and end */
	const char *argv;	/* provenance, NULL for none */
	const char *const *elf; /* paths of the ELF files that were loaded */
	size_t nelf;
	/* Those of the machine's counters that trace_counters() gives. */
	const struct machine_counter *counters;
	const size_t *chosen;
	size_t nchosen;
};

/* NULL: out of memory. Writing begins here: see trace_status(). */
struct trace *trace_new(const struct machine *machine,
			const struct trace_options *options);
void trace_free(struct trace *trace);

/* The first error of the writer, TR_OK if none; *error is its errno. */
int trace_status(const struct trace *trace, int *error);

/* A window opens: the machine was in this state before what follows. */
void trace_open(struct trace *trace, const struct machine_state *state);
void trace_close(struct trace *trace);

void trace_row(struct trace *trace, const struct soc_row *row);
void trace_tokens(struct trace *trace, const struct tr_batch *batch, uint64_t cycle);
void trace_trap(struct trace *trace, const struct soc_trap *trap);
void trace_xret(struct trace *trace, unsigned priv);
void trace_satp(struct trace *trace, uint64_t satp);
void trace_reg(struct trace *trace, unsigned reg, uint64_t value);

/* A sample at `cycle`, in a window, of all that were chosen. */
void trace_counters(struct trace *trace, uint64_t cycle, const uint64_t *values);

struct trace_end {
	const char *how;
	unsigned status;
	uint64_t cycle; /* what is left up to it belongs to no token */
	bool never;	/* the start trigger was not met */
};
void trace_end(struct trace *trace, const struct trace_end *end);

#endif
