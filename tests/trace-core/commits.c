/* SPDX-License-Identifier: Apache-2.0 */
/* Passes commits of an RV32 hart to the trace port, and writes the stream to the file of
 * its first argument; the second one is what the core lacks, TR_TRACE_NO_*, the third one
 * the most commits in a cycle. A line of the input has pc, next pc, instruction, rd, its
 * value, and 1 if the instruction begins the handler of a timer's interrupt, 2 if that of
 * an unknown one; with the third argument also the cycle. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "../../rtl/trace/tr_trace.h"

static const uint64_t timer_interrupt = 0x80000007;

int main(int argc, char **argv)
{
	const struct tr_trace_options options = {
	    .path = argc > 1 ? argv[1] : NULL,
	    .fd = 1,
	    .xlen = 32,
	    .harts = 1,
	    .commit_width = argc > 3 ? (unsigned)strtoul(argv[3], NULL, 10) : 0,
	    .lacks = argc > 2 ? (unsigned)strtoul(argv[2], NULL, 10) : 0};
	struct tr_trace_commit c = {.priv = 3, .cause = timer_interrupt};
	struct tr_trace *trace;
	unsigned rd, intr;
	uint64_t cycle = 0;
	int status = tr_trace_open(&trace, &options);
	while (status == TR_TRACE_OK &&
	       scanf("%" SCNx64 "%" SCNx64 "%" SCNx64 "%u%" SCNx64 "%u", &c.pc,
		     &c.next_pc, &c.insn, &rd, &c.rd_value, &intr) == 6) {
		c.rd = (uint8_t)rd;
		c.intr = intr;
		c.has_cause = intr == 1;
		if (!options.commit_width)
			cycle++;
		else if (scanf("%" SCNu64, &cycle) != 1)
			break;
		status = tr_trace_commit(trace, 0, cycle, &c);
	}
	if (status == TR_TRACE_OK)
		status = tr_trace_end(trace, 0, "power-off");
	if (status != TR_TRACE_OK)
		fprintf(stderr, "commits: %s\n", tr_trace_message(trace));
	tr_trace_close(trace);
	return status == TR_TRACE_OK ? 0 : 2;
}
