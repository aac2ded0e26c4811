/* SPDX-License-Identifier: Apache-2.0 */
/* The functions that trace_sink.vhd calls by VHPIDIRECT. The stream goes to the file in
 * $TR_FILE, or to tr-capture. A failure is one line, and ends the simulation. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "tr_trace.h"

int32_t tr_vhdl_open(int32_t xlen, int32_t harts, int32_t lacks);
void tr_vhdl_commit(int32_t hart, int32_t cycle_high, int32_t cycle_low, int32_t pc_high,
		    int32_t pc_low, int32_t next_high, int32_t next_low, int32_t insn,
		    int32_t value_high, int32_t value_low, int32_t satp_high,
		    int32_t satp_low, int32_t cause_high, int32_t cause_low,
		    int32_t flags);

static struct tr_trace *trace;

static void exit_with_failure(void)
{
	fprintf(stderr, "trace_sink: %s\n", tr_trace_message(trace));
	tr_trace_close(trace);
	_Exit(2);
}

/* At the end of the simulation. */
static void complete_trace(void)
{
	if (tr_trace_end(trace, 0, "power-off") == TR_TRACE_FAILED)
		exit_with_failure();
	tr_trace_close(trace);
}

int32_t tr_vhdl_open(int32_t xlen, int32_t harts, int32_t lacks)
{
	const char *file = getenv("TR_FILE"), *fd = getenv("TR_CAPTURE_FD");
	const struct tr_trace_options options = {.path = file,
						 .fd = fd ? atoi(fd) : -1,
						 .xlen = (unsigned)xlen,
						 .harts = (unsigned)harts,
						 .lacks = (unsigned)lacks,
						 .source = "ghdl"};
	if (trace || (!file && !fd))
		return trace != NULL;
	if (tr_trace_open(&trace, &options))
		exit_with_failure();
	atexit(complete_trace);
	return 1;
}

static uint64_t join_halves(int32_t high, int32_t low)
{
	return (uint64_t)(uint32_t)high << 32 | (uint32_t)low;
}

void tr_vhdl_commit(int32_t hart, int32_t cycle_high, int32_t cycle_low, int32_t pc_high,
		    int32_t pc_low, int32_t next_high, int32_t next_low, int32_t insn,
		    int32_t value_high, int32_t value_low, int32_t satp_high,
		    int32_t satp_low, int32_t cause_high, int32_t cause_low,
		    int32_t flags)
{
	const struct tr_trace_commit commit = {
	    .pc = join_halves(pc_high, pc_low),
	    .next_pc = join_halves(next_high, next_low),
	    .insn = (uint32_t)insn,
	    .rd_value = join_halves(value_high, value_low),
	    .satp = join_halves(satp_high, satp_low),
	    .cause = join_halves(cause_high, cause_low),
	    .rd = flags & 31,
	    .priv = flags >> 5 & 3,
	    .trap = flags >> 7 & 1,
	    .intr = flags >> 8 & 1,
	    .has_cause = flags >> 9 & 1};
	if (tr_trace_commit(trace, (unsigned)hart, join_halves(cycle_high, cycle_low),
			    &commit) == TR_TRACE_FAILED)
		exit_with_failure();
}
