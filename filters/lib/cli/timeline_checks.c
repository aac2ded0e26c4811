/* SPDX-License-Identifier: Apache-2.0 */
/* What is in doubt in the output of tr-timeline. */
#include "cli/timeline_checks.h"

#include <inttypes.h>

#include "base/number.h"

void tr_timeline_check_probes(const struct tr_timeline_found *found)
{
	const struct tr_timeline_settings *s = found->settings;
	struct tr_tasks_lack lack;
	if (s->table == TR_TIMELINE_SWITCHES || s->table == TR_TIMELINE_MARKS)
		return;
	if (!found->tasks ||
	    (s->table < TR_TIMELINE_TALLIES && !tr_tasks_has_switches(found->tasks)))
		tr_die(
		    s->cli,
		    "%s: no probe \"switch\" tells of tasks: tr-replay --stream --probes "
		    "linux.probes adds one, or the probes of another kernel",
		    s->input_name);
	if (s->table < TR_TIMELINE_TALLIES ||
	    !tr_tasks_lacks(found->tasks,
			    tr_tally_table_kind(s->table - TR_TIMELINE_TALLIES), &lack))
		return;
	if (lack.field)
		tr_die(s->cli,
		       "%s: no table: neither the field %s of the probe \"%s\" nor a "
		       "probe \"blocks\" tells which tasks block",
		       s->input_name, lack.field, lack.probe);
	if (lack.absence)
		tr_die(s->cli, "%s: no table: no place for the probe \"%s\": %s",
		       s->input_name, lack.probe, lack.absence);
	const bool is_stack =
	    tr_tally_table_kind(s->table - TR_TIMELINE_TALLIES) == TR_TALLY_STACKS;
	tr_die(s->cli,
	       "%s: no table: no probe \"%s\", which tr-replay --stream --probes "
	       "%s adds, or those of another kernel",
	       s->input_name, lack.probe, is_stack ? "freertos.probes" : "linux.probes");
}

/* Checks that each cycle is of a process, and reports what the hits of probes lack. */
static void check_tasks(const struct tr_timeline_found *found)
{
	const struct tr_timeline_settings *s = found->settings;
	uint64_t ran = 0;
	if (!found->tasks || !tr_tasks_has_switches(found->tasks))
		return;
	for (uint32_t i = 0; i < tr_tasks_count(found->tasks); i++)
		ran += tr_tasks_at(found->tasks, i)->ran;
	const uint64_t cycles = tr_timeline_sums(found->timeline).cycles;
	if (ran != cycles)
		tr_die(s->cli,
		       "%s: %" PRIu64 " of %" PRIu64
		       " cycles are of tasks: not conserved",
		       s->input_name, ran, cycles);
	const struct tr_tasks_sums sums = tr_tasks_sums(found->tasks);
	if (sums.unseen || sums.incomplete)
		tr_warn(s->cli,
			"%s: %" PRIu64 " of %" PRIu64
			" hit%s of probes on tasks %s a number, and %" PRIu64
			" switch%s had no hit: who runs is in doubt",
			s->input_name, sums.incomplete, sums.hits, tr_plural(sums.hits),
			sums.incomplete == 1 ? "lacks" : "lack", sums.unseen,
			sums.unseen == 1 ? "" : "es");
	if (sums.left_out)
		tr_warn(s->cli,
			"%s: %" PRIu64 " hit%s of the probe \"%s\"%s %s a number, and %s "
			"left out",
			s->input_name, sums.left_out, tr_plural(sums.left_out),
			sums.left_out_probe, sums.are_several ? " and others" : "",
			sums.left_out == 1 ? "lacks" : "lack",
			sums.left_out == 1 ? "is" : "are");
	if (sums.unseen_states)
		tr_warn(s->cli,
			"%s: %" PRIu64 " change%s of goroutines' states %s in doubt",
			s->input_name, sums.unseen_states, tr_plural(sums.unseen_states),
			sums.unseen_states == 1 ? "is" : "are");
}

/* Says how many switches are not in their table. */
static void check_switches(const struct tr_timeline_found *found)
{
	const struct tr_timeline_settings *s = found->settings;
	const uint64_t unknown =
	    found->switches ? tr_switches_unknown(found->switches) : 0;
	if (unknown)
		tr_warn(s->cli,
			"%s: %" PRIu64 " switch%s not in the table: where %s or ended is "
			"not known; see TABLES in tr-timeline(1)",
			s->input_name, unknown, unknown == 1 ? " is" : "es are",
			unknown == 1 ? "it began" : "they began");
}

/* Reports what is wrong with the marks of the program. */
static void check_marks(const struct tr_timeline_found *found)
{
	const struct tr_timeline_settings *s = found->settings;
	const struct tr_marks_sums sums = tr_marks_sums(found->marks);
	const char *name = s->input_name;
	const bool is_cut = s->window.from_text || s->window.to_text;
	const char *where = is_cut ? " in the window" : "";
	if (sums.refused)
		tr_warn(
		    s->cli,
		    "%s: %" PRIu64
		    " hit%s of the probe mark lack%s a name, or a kind that is point, "
		    "begin or end",
		    name, sums.refused, tr_plural(sums.refused),
		    sums.refused == 1 ? "s" : "");
	if (sums.strays)
		tr_warn(s->cli,
			"%s: %" PRIu64
			" end%s of a region without a begin on %s thread%s",
			name, sums.strays, tr_plural(sums.strays),
			sums.strays == 1 ? "its" : "their", where);
	if (sums.open)
		tr_warn(s->cli, "%s: %" PRIu64 " region%s without an end%s", name,
			sums.open, tr_plural(sums.open), where);
	if (sums.deep)
		tr_warn(s->cli,
			"%s: %" PRIu64
			" region%s left out: more than %d inside each other",
			name, sums.deep, tr_plural(sums.deep), TR_MARKS_DEPTH);
}

void tr_timeline_check_hits(const struct tr_timeline_found *found)
{
	const struct tr_timeline_settings *s = found->settings;
	check_tasks(found);
	check_switches(found);
	if (!s->has_table || s->table == TR_TIMELINE_MARKS)
		check_marks(found);
}

/* A name that no row has may be misspelt. An assertion that there is none may hold, with
 * a warning. */
static void check_deadline_names(const struct tr_timeline_found *found,
				 const struct tr_deadlines *of)
{
	const struct tr_timeline_settings *s = found->settings;
	const char *where =
	    s->window.from_text || s->window.to_text ? " in the window" : "";
	for (size_t i = 0; i < of->count; i++) {
		const struct tr_assertion *a = &of->assertions[i];
		const char *what = of->marks ? "mark" : "activation of a task";
		if (tr_deadlines_have_name(of, a))
			continue;
		if (!tr_deadline_forbids(a))
			tr_die(s->cli, "%s: --assert '%s': no %s has this name%s",
			       s->input_name, a->text, what, where);
		tr_warn(s->cli, "%s: warning: --assert '%s': no %s has this name%s",
			s->input_name, a->text, what, where);
	}
}

/* Ends if the figures would not be those of all regions, or of the right tasks. */
static void check_deadline_doubt(const struct tr_timeline_found *found)
{
	const struct tr_timeline_settings *s = found->settings;
	const bool is_deep = tr_marks_sums(found->marks).deep != 0;
	const struct tr_tasks_sums none = {0}, sums = found->tasks
							  ? tr_tasks_sums(found->tasks)
							  : none;
	if (s->table == TR_TIMELINE_MARKS
		? is_deep
		: sums.unseen || sums.incomplete || sums.left_out)
		tr_die(s->cli, "%s: --assert cannot be checked in doubt", s->input_name);
}

void tr_timeline_check_deadlines(const struct tr_timeline_found *found,
				 const struct tr_deadlines *deadlines)
{
	check_deadline_doubt(found);
	check_deadline_names(found, deadlines);
}
