/* SPDX-License-Identifier: Apache-2.0 */
/* What is in doubt in the output of tr-timeline. The functions warn, or die where the
 * output would be wrong, with the name of the input. */
#ifndef TR_CLI_TIMELINE_CHECKS_H
#define TR_CLI_TIMELINE_CHECKS_H

#include "cli/timeline_options.h"
#include "timeline/deadlines.h"
#include "timeline/switches.h"

/* What a stream has. All stays the caller's. */
struct tr_timeline_found {
	const struct tr_timeline_settings *settings;
	const struct tr_tasks *tasks;	    /* NULL: the stream has no probes */
	const struct tr_switches *switches; /* NULL: not of that table */
	const struct tr_marks *marks;
	const struct tr_timeline *timeline;
};

/* Before the first frame: dies if the stream has no probe that the table needs. `tasks`
 * is all that is known. */
void tr_timeline_check_probes(const struct tr_timeline_found *found);
/* After the last one: checks that each cycle is of a task, and says what the hits of
 * probes lack, which switches are not in their table, and which marks are no pairs. */
void tr_timeline_check_hits(const struct tr_timeline_found *found);
/* Dies if figures of deadlines would not be those of all regions, or of the right tasks,
 * or if no row has the name of an assertion, which may be misspelt; one that there is
 * none may hold, with a warning. */
void tr_timeline_check_deadlines(const struct tr_timeline_found *found,
				 const struct tr_deadlines *deadlines);

#endif
