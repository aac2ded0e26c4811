/* SPDX-License-Identifier: Apache-2.0 */
/* The table, and whether the limits hold. */
#include <inttypes.h>

#include "score.h"

static const char *const row_names[ROWS] = {
    [PLACE_BODY] = "function with its frame",
    [PLACE_PARTIAL] = "prologue or epilogue",
    [PLACE_LEAF] = "leaf",
    [PLACE_HAND] = "by a hand rule",
    [ROW_RUN] = "all",
    [ROW_TRAP_STACK] = "of these in a trap",
    [ROW_TAIL_STACK] = "of these after a tail call",
    [ROW_SETS] = "extra: near traps",
    [ROW_SETS + 1] = "extra: near switches",
};

static const char *const difference_names[DIFFERENCES] = {
    [DIFFER_NEW_THREAD] = "thread before its first instruction",
    [DIFFER_HANDED_ON] = "trap that the firmware hands on",
    [DIFFER_UNEXPLAINED] = "not explained",
};

static const char *const set_names[SETS] = {"run", "near traps", "near switches"};

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

static void print_set(const struct score *score, enum point_set set, FILE *out)
{
	for (unsigned i = 0; i < DIFFERENCES; i++)
		if (score->differences[set][i])
			fprintf(out, "%s: %" PRIu64 " differ: %s\n", set_names[set],
				score->differences[set][i], difference_names[i]);
	for (unsigned i = 0; i < sizeof(score->excluded) / sizeof(score->excluded[0]);
	     i++)
		if (score->excluded[i].points[set])
			fprintf(out, "%s: %" PRIu64 " excluded: %s\n", set_names[set],
				score->excluded[i].points[set],
				score->excluded[i].reason);
}

bool score_print(const struct score *score, FILE *out)
{
	const struct score_row *run = &score->rows[ROW_RUN];
	uint64_t compared = run->points - run->excluded;

	fprintf(out, "%-28s %6s %6s %6s %8s %8s %7s %s\n", "where", "points", "equal",
		"differ", "excluded", "percent", "threads", "processes");
	for (unsigned i = 0; i < ROWS; i++)
		print_row(&score->rows[i], row_names[i], out);
	hand_print(out);
	for (int set = 0; set < SETS; set++)
		print_set(score, (enum point_set)set, out);
	fprintf(out,
		"truth: %" PRIu64 " points, %" PRIu64 " equal (%.3f %%), %" PRIu64
		" excluded (%.3f %%), threads %" PRIu64 " of %" PRIu64
		", processes %" PRIu64 " of %" PRIu64 "\n",
		run->points, run->equal, percent(run->equal, compared), run->excluded,
		percent(run->excluded, run->points), run->threads, run->points,
		run->processes, run->users);
	return run->equal * 1000 >= compared * 999 &&
	       run->excluded * 1000 <= run->points * 5 && run->threads == run->points &&
	       run->processes == run->users;
}
