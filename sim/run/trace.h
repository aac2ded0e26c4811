/* SPDX-License-Identifier: Apache-2.0 */
/* Writes a run as a trace stream: windows of rows or tokens, and events. */
#ifndef RUN_TRACE_H
#define RUN_TRACE_H

#include "identity.h"
#include "simulator.h"
#include "stream/writer.h"

struct trace;

struct trace_options {
	const struct simulator *simulator;
	int fd;
	bool triggers; /* record the start and end of windows */
	const struct identity *identity;
	/* The counters whose samples trace_counters() gets. */
	const struct machine_counter *counters;
	const size_t *chosen;
	size_t nchosen;
};

/* Creates a trace and begins to write it. Returns NULL if memory runs out; for errors of
 * writing see trace_status(). */
struct trace *trace_new(const struct machine *machine,
			const struct trace_options *options);
void trace_free(struct trace *trace);

/* Returns the first error of the writer, with its errno in *error, or TR_OK. */
int trace_status(const struct trace *trace, int *error);

/* Gets the instructions of a hart in the trace, and the interrupts that it took there. */
void trace_count(const struct trace *trace, unsigned hart, uint64_t *instructions,
		 uint64_t *interrupts);

/* Gets the last page fault in the trace, and the satp under which it came. Returns false
 * if there is none. */
bool trace_page_fault(const struct trace *trace, struct soc_trap *trap, uint64_t *satp);

/* Returns whether a window can be replayed that begins with a snapshot of the machine. */
bool trace_takes_snapshots(const struct trace *trace);

/* Called before a window opens: what follows is in another frame. */
void trace_begin_window(struct trace *trace);
/* Opens a window for a hart, and for all of them before the first of the functions below;
 * `state` is that of the hart before the window. */
void trace_open(struct trace *trace, unsigned hart, const struct machine_state *state);
void trace_close(struct trace *trace, unsigned hart);
/* Returns whether the window has tokens of the hart. */
bool trace_has_tokens(const struct trace *trace, unsigned hart);

void trace_row(struct trace *trace, unsigned hart, const struct soc_row *row);
void trace_tokens(struct trace *trace, unsigned hart, const struct tr_batch *batch,
		  uint64_t cycle);
void trace_trap(struct trace *trace, unsigned hart, const struct soc_trap *trap);
void trace_xret(struct trace *trace, unsigned hart, unsigned priv);
void trace_satp(struct trace *trace, unsigned hart, uint64_t satp);
void trace_reg(struct trace *trace, unsigned hart, unsigned reg, uint64_t value);
void trace_input(struct trace *trace, unsigned hart, const struct soc_input *input);
void trace_device_write(struct trace *trace, uint64_t cycle, uint64_t address,
			const uint8_t *data, uint32_t size);
void trace_registers(struct trace *trace, unsigned hart, uint64_t hash);

/* What memory has here, and the state of a hart, as the keys of a checkpoint, at this
 * place or, with `back`, before the last token. All of memory comes first. A text of
 * NULL: memory has run out. */
void trace_memory(struct trace *trace, uint64_t address, const uint8_t *data,
		  uint32_t size);
void trace_state(struct trace *trace, unsigned hart, const char *text, uint32_t size,
		 bool back);

/* Adds a sample of all chosen counters, of hart 0, at `cycle`, in a window. */
void trace_counters(struct trace *trace, uint64_t cycle, const uint64_t *values);

struct trace_end {
	const char *how;
	unsigned status;
	uint64_t cycle; /* cycles of a hart between its last token and this are a gap */
	bool never;	/* the start trigger never fired */
};
void trace_end(struct trace *trace, const struct trace_end *end);

#endif
