/* SPDX-License-Identifier: Apache-2.0 */
/* Passes commits and lost slots to the trace port, and writes the stream to FILE:
 *
 *	reasons FILE WIDTH CLASSES [LACKS]
 *
 * A line of the input is one of
 *	commit HART CYCLE PC INSN [CLASS]	with CLASS: it traps
 *	lose HART CYCLE CLASS SLOTS
 *	end CYCLE				the last line */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "../../rtl/trace/tr_trace.h"

static int take_line(struct tr_trace *trace, const char *line)
{
	struct tr_trace_commit c = {.priv = 3};
	uint64_t cycle, slots;
	unsigned hart, why;
	const int n = sscanf(line, "commit %u %" SCNu64 "%" SCNx64 "%" SCNx64 "%u", &hart,
			     &cycle, &c.pc, &c.insn, &why);
	c.trap = n == 5;
	c.lost_to = c.trap ? (uint8_t)why : 0;
	if (n >= 4)
		return tr_trace_commit(trace, hart, cycle, &c);
	if (sscanf(line, "lose %u %" SCNu64 "%u%" SCNu64, &hart, &cycle, &why, &slots) ==
	    4)
		return tr_trace_lose_slots(trace, hart, cycle, why, slots);
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
	    .lacks = argc > 4 ? (unsigned)strtoul(argv[4], NULL, 10) : 0};
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
