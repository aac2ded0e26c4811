/* SPDX-License-Identifier: Apache-2.0 */
/* Usage of the cycles in a stream of rows: contexts, traps and gaps. */
#ifndef TR_USAGE_H
#define TR_USAGE_H

#include "base/map.h"
#include "base/report.h"
#include "stream/reader.h"

enum {
	TR_USAGE_MAX = 65536, /* distinct contexts; further ones are merged */
	TR_USAGE_GAPS = TR_GAP_LIMIT + 1,
	TR_USAGE_KINDS = TR_EV_LAST + 1,
};

/* The cycles of a context are those of its instructions and of the traps that interrupted
 * it. */
struct tr_use {
	struct tr_space_id space;
	uint32_t hart;
	uint8_t priv;
	bool others; /* all contexts beyond TR_USAGE_MAX */
	uint64_t instructions, cycles;
	uint64_t first_cycle, last_cycle; /* [first, last) */
};

struct tr_usage {
	struct tr_use *uses;
	size_t count, room;
	struct tr_map index;
	struct {
		uint64_t events, cycles, instructions;
	} gaps[TR_USAGE_GAPS];
	uint64_t events[TR_USAGE_KINDS]; /* by kind; 0: unknown kinds */
	uint64_t trigger_starts;
	uint64_t rows, instructions, cycles;
	uint64_t no_bits; /* instructions without bits */
};

/* Returns TR_OK or TR_E_NOMEM. */
int tr_usage_add(struct tr_usage *usage, const struct tr_reader *reader,
		 const struct tr_frame *frame);
/* Sorts by hart, satp and privilege; tr_usage_add() must not follow. */
void tr_usage_sort(struct tr_usage *usage);
/* Report tables: "contexts"; "gaps", in text if there are any; "events". Return TR_OK or
 * TR_E_NOMEM. */
int tr_usage_report(const struct tr_usage *usage, struct tr_report *report);
int tr_usage_report_gaps(const struct tr_usage *usage, struct tr_report *report);
int tr_usage_report_events(const struct tr_usage *usage, struct tr_report *report);
void tr_usage_release(struct tr_usage *usage);

#endif
