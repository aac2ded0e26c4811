/* SPDX-License-Identifier: Apache-2.0 */
/* Passes commits, lost slots and counters to the trace port, and writes the stream to
 * FILE; PERIOD is that of the counters:
 *
 *	reasons FILE WIDTH CLASSES [LACKS [PERIOD COUNTERS FLAGS]]
 *
 * A line of the input is one of
 *	commit HART CYCLE PC INSN [CLASS]	with CLASS: it traps
 *	mark FLAGS [ADDRESS CYCLES]		of the next commit; its load
 *	sample HART CYCLE A B			two counters
 *	lose HART CYCLE CLASS SLOTS
 *	end CYCLE				the last line */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "../../rtl/trace/tr_trace.h"

static struct tr_trace_commit mark;

static int take_line(struct tr_trace *trace, const char *line)
{
	struct tr_trace_commit c = mark;
	uint64_t cycle, slots, values[2];
	unsigned hart, why;
	const int n = sscanf(line, "commit %u %" SCNu64 "%" SCNx64 "%" SCNx64 "%u", &hart,
			     &cycle, &c.pc, &c.insn, &why);
	c.trap = n == 5;
	c.lost_to = c.trap ? (uint8_t)why : 0;
	c.priv = 3;
	if (n >= 4)
		mark = (struct tr_trace_commit){0};
	if (n >= 4)
		return tr_trace_commit(trace, hart, cycle, &c);
	if (sscanf(line, "lose %u %" SCNu64 "%u%" SCNu64, &hart, &cycle, &why, &slots) ==
	    4)
		return tr_trace_lose_slots(trace, hart, cycle, why, slots);
	if (sscanf(line, "sample %u %" SCNu64 "%" SCNu64 "%" SCNu64, &hart, &cycle,
		   &values[0], &values[1]) == 4)
		return tr_trace_sample_counters(trace, hart, cycle, values);
	const int marks = sscanf(line, "mark %" SCNx32 "%" SCNx64 "%" SCNu64, &mark.flags,
				 &mark.load_address, &mark.load_cycles);
	mark.load = marks == 3;
	if (marks >= 1)
		return TR_TRACE_OK;
	if (sscanf(line, "end %" SCNu64, &cycle) == 1)
		return tr_trace_end(trace, cycle, "power-off");
	fprintf(stderr, "reasons: %s", line);
	return TR_TRACE_FAILED;
}

int main(int argc, char **argv)
{
	if (argc < 4)
		return 2;
	const struct tr_trace_options options = {
	    .path = argv[1],
	    .xlen = 32,
	    .harts = 2,
	    .commit_width = (unsigned)strtoul(argv[2], NULL, 10),
	    .classes = *argv[3] ? argv[3] : NULL,
	    .lacks = argc > 4 ? (unsigned)strtoul(argv[4], NULL, 10) : 0,
	    .counter_period = argc > 7 ? strtoul(argv[5], NULL, 10) : 0,
	    .counters = argc > 7 && *argv[6] ? argv[6] : NULL,
	    .flags = argc > 7 && *argv[7] ? argv[7] : NULL,
	    .tells_loads = argc > 7};
	struct tr_trace *trace;
	char line[256];
	int status = tr_trace_open(&trace, &options);
	while (status == TR_TRACE_OK && fgets(line, sizeof(line), stdin))
		status = take_line(trace, line);
	if (status != TR_TRACE_OK)
		fprintf(stderr, "reasons: %s\n", tr_trace_message(trace));
	tr_trace_close(trace);
	return status == TR_TRACE_OK ? 0 : 2;
}
