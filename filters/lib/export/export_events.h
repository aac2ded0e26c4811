/* SPDX-License-Identifier: Apache-2.0 */
/* All values of a profile's stacks: cycles, instructions and every hardware counter, each
 * as tr-fold --unit has it; and their parts by address. */
#ifndef TR_EXPORT_EVENTS_H
#define TR_EXPORT_EVENTS_H

#include "export/export_code.h"

enum { TR_EXPORT_CYCLES = 0, TR_EXPORT_INSTRUCTIONS = 1, TR_EXPORT_EVENTS = 66 };

/* All zero is empty. */
struct tr_export_events {
	struct tr_profile *profiles[TR_EXPORT_EVENTS]; /* own; NULL: export->profile */
	struct tr_counters counters;
	const char *names[TR_EXPORT_EVENTS];
	unsigned count;
	struct tr_export_code code;
	bool is_split; /* counts by address are a part of the stacks */
};

/* Reads the counters of the header. Returns TR_OK, TR_E_NOMEM, or TR_E_ARGUMENT, with
 * export->message, if there are too many. Call tr_export_events_release() in any case. */
int tr_export_events_begin(struct tr_export_events *events,
			   const struct tr_export *export);
/* Takes a frame. Returns a status, perhaps with export->message. */
int tr_export_events_take(struct tr_export_events *events, const struct tr_export *export,
			  const struct tr_reader *reader, const struct tr_sframe *frame);
/* Completes the sums after the last frame. Returns a status, perhaps with
 * export->message. */
int tr_export_events_end(struct tr_export_events *events, const struct tr_export *export);
/* Gets the values of the i-th stack of the profile, events->count of them, and sets
 * *stack, of which only the group and the node are valid. Returns false after the
 * last. */
bool tr_export_events_stack(const struct tr_export_events *events,
			    const struct tr_export *export, uint32_t i,
			    struct tr_profile_stack *stack, uint64_t *values);
void tr_export_events_release(struct tr_export_events *events);

/* Returns the node of the function that contains an inlined call or a line, or the node
 * itself. */
uint32_t tr_export_base(const struct tr_profile *profile, uint32_t node);

/* Instructions of one place in the source that ran with a stack. */
struct tr_export_part {
	uint32_t node;
	uint32_t spot;	   /* the first of them, or TR_NO_SPOT: not by address */
	const char *group; /* as in struct tr_profile_stack */
	uint64_t values[TR_EXPORT_EVENTS];
};
/* Passes all parts of all stacks, in order, until `take` returns another status than
 * TR_OK. The values of a stack are those of its parts; counters are distributed in
 * proportion to cycles. Returns a status; TR_E_CORRUPT if more is counted by address than
 * by stack. */
int tr_export_events_parts(const struct tr_export_events *events,
			   const struct tr_export *export,
			   int (*take)(void *context, const struct tr_export_part *part),
			   void *context);

#endif
