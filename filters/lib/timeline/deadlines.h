/* SPDX-License-Identifier: Apache-2.0 */
/* Deadlines: assertions (profile/assertions.h) about the rows of the tables "marks" and
 * "activations", by their names. The figures are those of the tables, and the cycles in
 * which a hart ran the thread. */
#ifndef TR_DEADLINES_H
#define TR_DEADLINES_H

#include "base/report.h"
#include "profile/assertions.h"
#include "timeline/marks.h"
#include "timeline/tasks.h"

/* What the assertions are about; one of both is NULL. The slowest of their tallies are
 * kept: tr_marks_keep_slowest(), tr_tasks_keep_slowest(). */
struct tr_deadlines {
	const struct tr_marks *marks;
	const struct tr_tasks *tasks;
	const struct tr_assertion *assertions;
	size_t count;
};

/* Parses an assertion about the table of marks, or of activations. Returns the same as
 * tr_assertion_parse(). */
int tr_deadline_parse(struct tr_assertion *, const char *text, bool is_of_marks,
		      char *message, size_t size);

/* Returns true if a row has the name of an assertion. */
bool tr_deadlines_have_name(const struct tr_deadlines *, const struct tr_assertion *);
/* Returns true if an assertion without a row holds: there is none. */
bool tr_deadline_forbids(const struct tr_assertion *);

/* Reports the table "assertions", with a row for each row that an assertion is about, and
 * "slowest", those of the names of assertions that do not hold. A figure without a value
 * does not hold. Sets *failed to the number of assertions that do not hold for all their
 * rows. Returns TR_OK or TR_E_NOMEM. */
int tr_deadlines_report(const struct tr_deadlines *, struct tr_report *, size_t *failed);

#endif
