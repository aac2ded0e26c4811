/* SPDX-License-Identifier: Apache-2.0 */
/* Marks over time: points, and regions from a begin to its end.
 *
 * A region belongs to the thread that began it, also while that does not run, and on
 * whichever hart it runs. Regions of a thread nest: an end is that of the innermost open
 * region of its name; those inside it, which have no end of their own, end there as well
 * and count as open. Memory grows with the number of threads with marks, names, and
 * distinct durations. */
#ifndef TR_TIMELINE_MARKS_H
#define TR_TIMELINE_MARKS_H

#include "base/report.h"
#include "stream/marks.h"
#include "timeline/tallies.h"

enum { TR_MARKS_DEPTH = 256 }; /* deeper regions are left out */

struct tr_mark_event {
	enum tr_mark_kind kind;
	const char *name;      /* valid during the call */
	uint64_t cycle, start; /* `start` of an END */
	uint64_t away;	       /* of an END: cycles in which its thread did not run */
	uint32_t hart, track;  /* of the thread; of an END, where the region began */
	uint32_t thread;       /* number of the stream */
	uint64_t ran;	       /* cycles that the thread had run by then */
	uint32_t depth;	       /* of a region: those around it */
	bool is_open;	       /* of an END: the program has none */
	bool is_stray;	       /* an END that ends no region */
};

/* Where a mark was executed. */
struct tr_mark_place {
	uint32_t hart, thread, track; /* numbers of the stream, and of the timeline */
	uint64_t ran;		      /* cycles that the thread had run by then */
};

struct tr_marks_sums {
	uint64_t marks;	  /* all */
	uint64_t strays;  /* ends that ended no region */
	uint64_t open;	  /* regions without an end of their own */
	uint64_t deep;	  /* regions that were left out */
	uint64_t refused; /* hits whose fields told no mark */
};

struct tr_marks;

/* Returns an empty table, NULL when out of memory; tr_marks_free() accepts NULL. */
struct tr_marks *tr_marks_new(void);
void tr_marks_free(struct tr_marks *);
/* Passes each event to `take`; a status that it returns is passed on. */
void tr_marks_observe(struct tr_marks *,
		      int (*take)(void *context, const struct tr_mark_event *),
		      void *context);
/* Takes a mark; those of a thread come in order of time. Returns a status. */
int tr_marks_take(struct tr_marks *, const struct tr_mark_place *place, uint64_t cycle,
		  const struct tr_mark *mark, const char *name);
/* Counts a hit whose fields tell no mark. */
void tr_marks_refuse(struct tr_marks *);
/* Ends the regions of a thread that are open in `cycle`, at the end of the window.
 * Returns a status. */
int tr_marks_finish(struct tr_marks *, const struct tr_mark_place *place, uint64_t cycle);

struct tr_marks_sums tr_marks_sums(const struct tr_marks *);
/* From now on the slowest regions of each name are kept. */
void tr_marks_keep_slowest(struct tr_marks *);
/* Returns the tallies, of which `what` of the key is "region" or "point". */
const struct tr_tallies *tr_marks_tallies(const struct tr_marks *);
/* Return the cycles of a tally without those of the regions inside, and its ends without
 * a region. */
uint64_t tr_marks_self(const struct tr_marks *, uint32_t tally);
uint64_t tr_marks_stray(const struct tr_marks *, uint32_t tally);
/* Reports the table "marks", the rows with the most cycles first. Returns TR_OK or
 * TR_E_NOMEM. */
int tr_marks_table(const struct tr_marks *, struct tr_report *);

#endif
