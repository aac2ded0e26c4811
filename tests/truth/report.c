/* SPDX-License-Identifier: Apache-2.0 */
/* Prints the table, and checks the limits. */
#include <inttypes.h>

#include "hand.h"
#include "names.h"
#include "score.h"

static const char *const row_names[ROWS] = {
    [PLACE_BODY] = "function with its frame",
    [PLACE_PARTIAL] = "prologue or epilogue",
    [PLACE_LEAF] = "leaf",
    [PLACE_HAND] = "by a hand rule",
    [ROW_RUN] = "all",
    [ROW_TRAP_STACK] = "of these in a trap",
    [ROW_TAIL_STACK] = "of these after a tail call",
    [ROW_SETS] = "near traps",
    [ROW_SETS + 1] = "near switches",
    [ROW_SETS + 2] = "extra: near signals",
    [ROW_SETS + 3] = "first of a task",
    [ROW_SETS + 4] = "called within a function",
    [ROW_SETS + 5] = "near the kernel's traps",
};

static const char *const set_names[SETS] = {"run",
					    "near traps",
					    "near switches",
					    "near signals",
					    "first of a task",
					    "called within a function",
					    "near the kernel's traps"};

static double percent(uint64_t part, uint64_t whole)
{
	return whole ? 100.0 * (double)part / (double)whole : 0.0;
}

static void print_row(const struct score_row *row, const char *name, FILE *out)
{
	uint64_t compared = row->points - row->excluded;

	fprintf(out,
		"%-28s %6" PRIu64 " %6" PRIu64 " %6" PRIu64 " %8" PRIu64
		" %8.3f %7" PRIu64 " %6" PRIu64 "/%" PRIu64 "\n",
		name, row->points, row->equal, compared - row->equal, row->excluded,
		percent(row->equal, compared), row->threads, row->processes, row->users);
}

static void print_class(const struct score_class *class, FILE *out)
{
	for (int set = 0; set < SETS; set++) {
		const char *verdict = class->is_excluded ? "excluded" : "differ";
		if (!class->points[set])
			continue;
		fprintf(out, "%s: %" PRIu64 " %s: ", set_names[set], class->points[set],
			verdict);
		if (class->reason)
			fprintf(out, "%s\n", class->reason);
		else
			fprintf(out, "above %s is %s, tr-unwind has %s\n", class->below,
				class->is, class->has);
	}
}

/* Returns the sum of the sets that are subject to the limits. */
static struct score_row total(const struct score *score)
{
	struct score_row sum = score->rows[ROW_RUN];

	for (unsigned set = 1; set < score->sets; set++) {
		const struct score_row *row = &score->rows[ROW_SETS + set - 1];
		sum.points += row->points;
		sum.equal += row->equal;
		sum.excluded += row->excluded;
		sum.threads += row->threads;
		sum.privileges += row->privileges;
		sum.users += row->users;
		sum.processes += row->processes;
	}
	return sum;
}

bool score_print(const struct score *score, const struct walk_system *system, FILE *out)
{
	struct score_row run = total(score);
	uint64_t compared = run.points - run.excluded;

	fprintf(out, "%-28s %6s %6s %6s %8s %8s %7s %s\n", "where", "points", "equal",
		"differ", "excluded", "percent", "threads", "processes");
	for (unsigned i = 0; i < ROWS; i++)
		if (score->rows[i].points)
			print_row(&score->rows[i], row_names[i], out);
	hand_print(system, out);
	bool ok = names_print(out);
	for (int set = 0; set < SETS; set++)
		if (score->unnamed[set])
			fprintf(out,
				"%s: %" PRIu64
				" taken as equal: __vdso_rt_sigreturn without a name\n",
				set_names[set], score->unnamed[set]);
	for (unsigned i = 0; i < score->nclasses; i++)
		print_class(&score->classes[i], out);
	fprintf(out,
		"truth: %" PRIu64 " points, %" PRIu64 " equal (%.3f %%), %" PRIu64
		" excluded (%.3f %%), threads %" PRIu64 " of %" PRIu64
		", privileges %" PRIu64 ", processes %" PRIu64 " of %" PRIu64 "\n",
		run.points, run.equal, percent(run.equal, compared), run.excluded,
		percent(run.excluded, run.points), run.threads, run.points,
		run.privileges, run.processes, run.users);
	return ok && run.equal * 1000 >= compared * (score->is_strict ? 1000 : 999) &&
	       (score->may_exclude || run.excluded * 1000 <= run.points * 5) &&
	       run.threads == run.points && run.privileges == run.points &&
	       run.processes == run.users;
}
