/* SPDX-License-Identifier: Apache-2.0 */
/* Formulas of top-down analysis beside exact accounts. */
#include "tma/tma_formulas.h"

#include <string.h>

#include "base/status.h"
#include "base/table.h"

enum part { BAD, FRONTEND, LATENCY, BACKEND, MEMORY, PARTS };
static const char *const part_names[PARTS] = {"bad speculation", "frontend",
					      "  fetch latency", "backend", "  memory"};

enum formula { TABLE_1, ICICLE, FORMULAS };
static const char *const formula_names[FORMULAS] = {"Table 1", "Icicle"};

/* Why a formula is wrong. */
enum reason {
	REISSUE,
	UNISSUED,
	CLEARS,
	TWICE,
	REFETCH,
	HIDDEN,
	FIRST,
	BUBBLES,
	OTHERS,
	REASONS
};
static const struct {
	const char *name, *text;
} reasons[REASONS] = {
    [REISSUE] = {"reissue", "issued - dispatched: what issues again counts as discarded"},
    [UNISSUED] = {"unissued",
		  "dispatched - issued: what was discarded before it issued is left out"},
    [CLEARS] = {"clears", "(issued - retired) * the share of other redirects: what they "
			  "discarded is left out"},
    [TWICE] = {"2W", "2 * W * branch_miss: for a recovery that ends at fetch; this one "
		     "lasts until dispatch"},
    [REFETCH] = {"refetch",
		 "recovery_fetch: a new path that is not in the L1I is the frontend's"},
    [HIDDEN] = {"hidden", "fetch waits, and the window has instructions or is full"},
    [FIRST] = {"first", "icache_blocked omits the first cycle of each wait"},
    [BUBBLES] = {"bubbles", "behind the load that waits there are no instructions"},
    [OTHERS] = {"others", "dcache_blocked omits TLB, devices, atomics, stores that loads "
			  "wait for, and cycles with a commit"},
};

/* A formula is called wrong from this share of the slots on. */
static const double WRONG = 0.01;

/* Share of a part that an account or a formula does not have. */
static const double NO_SHARE = -1e9;

struct judged {
	double commit[PARTS], dispatch[PARTS], formula[FORMULAS][PARTS];
};

static void set_top(double shares[PARTS], const struct tr_tma_top *top)
{
	shares[BAD] = top->bad;
	shares[FRONTEND] = top->frontend;
	shares[BACKEND] = top->rest;
	shares[LATENCY] = shares[MEMORY] = NO_SHARE;
}

/* Returns the share of the classes of a group, but for the class `except`. */
static double group_share(const struct tr_tma_run *run, const char *group,
			  const char *except)
{
	uint64_t sum = 0;
	for (unsigned c = 1; c <= run->classes.count; c++)
		if (strcmp(run->classes.group_name[run->classes.group[c]], group) == 0 &&
		    strcmp(run->classes.name[c], except) != 0)
			sum += run->sum.lost[c];
	return (double)sum / (double)run->slots;
}

static double event_share(const struct tr_tma_run *run, enum tr_tma_event event)
{
	return (double)run->events[event] / (double)run->slots;
}

static struct judged judge_run(const struct tr_tma_run *run)
{
	struct judged j;
	const struct tr_tma_top exact = tr_tma_exact(run), slots = tr_tma_slots(run);
	const struct tr_tma_top table1 = tr_tma_table1(run), icicle = tr_tma_icicle(run);
	set_top(j.commit, &exact);
	set_top(j.dispatch, &slots);
	set_top(j.formula[TABLE_1], &table1);
	set_top(j.formula[ICICLE], &icicle);
	j.commit[LATENCY] = group_share(run, "frontend", "frontend.fetch");
	j.commit[MEMORY] = group_share(run, "memory", "");
	if (run->has[TR_TMA_FETCH_LATENCY])
		j.dispatch[LATENCY] = event_share(run, TR_TMA_FETCH_LATENCY) +
				      event_share(run, TR_TMA_RECOVERY_FETCH);
	if (run->has[TR_TMA_ICACHE_BLOCKED])
		j.formula[ICICLE][LATENCY] =
		    run->width * event_share(run, TR_TMA_ICACHE_BLOCKED);
	if (run->has[TR_TMA_DCACHE_BLOCKED])
		j.formula[ICICLE][MEMORY] =
		    run->width * event_share(run, TR_TMA_DCACHE_BLOCKED);
	return j;
}

/* Returns by how much a formula is outside the two accounts; 0 if it is not. */
static double outside_accounts(const struct judged *j, enum formula formula,
			       enum part part)
{
	double low = j->commit[part], high = low, share = j->formula[formula][part];
	const double other = j->dispatch[part];
	if (other != NO_SHARE) {
		low = other < low ? other : low;
		high = other > high ? other : high;
	}
	if (share == NO_SHARE)
		return 0;
	return share > high ? share - high : share < low ? share - low : 0;
}

static bool is_wrong(double off)
{
	return off >= WRONG || off <= -WRONG;
}

/* Sets what each reason adds to the bad speculation of a formula, over that of
 * dispatch. */
static void set_terms(const struct tr_tma_run *run, enum formula formula,
		      double terms[REASONS])
{
	const double issued = event_share(run, TR_TMA_ISSUED);
	const double again = issued - event_share(run, TR_TMA_DISPATCHED);
	const struct tr_tma_top top =
	    formula == TABLE_1 ? tr_tma_table1(run) : tr_tma_icicle(run);
	memset(terms, 0, REASONS * sizeof(*terms));
	terms[again > 0 ? REISSUE : UNISSUED] = again;
	terms[CLEARS] = -(issued - event_share(run, TR_TMA_RETIRED)) *
			(1 - (top.b_miss < 0 ? 0 : top.b_miss));
	if (formula == ICICLE)
		terms[TWICE] = 2 * run->width * event_share(run, TR_TMA_BRANCH_MISS);
	terms[REFETCH] = event_share(run, TR_TMA_RECOVERY_FETCH);
}

/* Returns the reason for `off`, the largest term of its sign. */
static enum reason reason_of(const struct tr_tma_run *run, enum formula formula,
			     enum part part, double off)
{
	double terms[REASONS];
	if (part == LATENCY)
		return off > 0 ? HIDDEN : FIRST;
	if (part == MEMORY)
		return off > 0 ? BUBBLES : OTHERS;
	if (part == FRONTEND)
		return REFETCH;
	set_terms(run, formula, terms);
	/* What bad speculation has too much the rest has too little; what the frontend
	 * has too little is not in the rest either. */
	if (part == BACKEND)
		terms[REFETCH] = 0;
	const double sign = (off > 0) == (part == BAD) ? 1 : -1;
	enum reason most = REISSUE;
	for (enum reason r = REISSUE; r < REASONS; r++)
		if (sign * terms[r] > sign * terms[most])
			most = r;
	return most;
}

/* Returns the name of a part without what shows that it belongs to the one above. */
static const char *bare_name(enum part part)
{
	return part_names[part] + strspn(part_names[part], " ");
}

static int add_share(struct tr_table *table, double share)
{
	return share == NO_SHARE ? tr_table_cell(table, "-")
				 : tr_table_cell(table, "%.2f", 100 * share + 0.0);
}

static int add_formula(struct tr_table *table, const struct tr_tma_run *run,
		       const struct judged *j, enum formula formula, enum part part)
{
	const double off = outside_accounts(j, formula, part);
	int failed = add_share(table, j->formula[formula][part]);
	failed |= is_wrong(off) ? tr_table_cell(table, "%+.2f", 100 * off)
				: tr_table_cell(table, "-");
	return failed |
	       tr_table_cell(table, "%s",
			     is_wrong(off)
				 ? reasons[reason_of(run, formula, part, off)].name
				 : "-");
}

static int add_part(struct tr_table *table, const struct tr_tma_named *named,
		    const struct judged *j, enum part part)
{
	int failed = tr_table_cell(table, "%s", part == BAD ? named->name : "");
	failed |= tr_table_cell(table, "%s", named->name);
	failed |= tr_table_cell(table, "%s", part_names[part]);
	failed |=
	    tr_table_cell(table, "%s", part_names[part] + strspn(part_names[part], " "));
	failed |= add_share(table, j->commit[part]);
	failed |= add_share(table, j->dispatch[part]);
	for (enum formula f = TABLE_1; f < FORMULAS; f++)
		failed |= add_formula(table, &named->run, j, f, part);
	return failed;
}

enum { LINE = 92, INDENT = 28 };

/* Says in which runs a formula is wrong for one reason, if there are any, below a line
 * with its name, unless `has_head`. Returns whether there are. */
static bool say_runs(const struct tr_tma_named *runs, size_t count, enum formula formula,
		     enum part part, enum reason reason, bool has_head,
		     struct tr_report *report)
{
	int column = 0;
	for (size_t i = 0; i < count; i++) {
		const struct judged j = judge_run(&runs[i].run);
		const double off = outside_accounts(&j, formula, part);
		if (!is_wrong(off) ||
		    reason_of(&runs[i].run, formula, part, off) != reason)
			continue;
		char text[300];
		int length =
		    snprintf(text, sizeof(text), "%.200s %+.1f", runs[i].name, 100 * off);
		if (!column && !has_head)
			tr_report_say(
			    report,
			    "\n%s is outside both accounts, in %% of the slots:\n",
			    formula_names[formula]);
		if (!column)
			tr_report_say(report, "  %-15s %-8s  ", bare_name(part),
				      reasons[reason].name);
		else if (column + 2 + length > LINE)
			tr_report_say(report, ",\n%*s", INDENT, "");
		else
			tr_report_say(report, ", ");
		tr_report_say(report, "%s", text);
		column = !column || column + 2 + length > LINE ? INDENT : column + 2;
		column += length;
	}
	if (column)
		tr_report_say(report, "\n");
	return column;
}

/* Says where the formulas are wrong, and why. */
static void say_verdict(const struct tr_tma_named *runs, size_t count,
			struct tr_report *report)
{
	bool is_used[REASONS] = {false}, any = false;
	for (enum formula f = TABLE_1; f < FORMULAS; f++) {
		bool has_head = false;
		for (enum part part = BAD; part < PARTS; part++)
			for (enum reason r = REISSUE; r < REASONS; r++)
				if (say_runs(runs, count, f, part, r, has_head, report))
					is_used[r] = has_head = any = true;
	}
	tr_report_say(report, any ? "\n" : "\nNo formula is outside both accounts.\n");
	for (enum reason r = REISSUE; r < REASONS; r++)
		if (is_used[r])
			tr_report_say(report, "%-8s  %s\n", reasons[r].name,
				      reasons[r].text);
}

int tr_tma_report_formulas(const struct tr_tma_named *runs, size_t count,
			   struct tr_report *report)
{
	static const char *const headings[] = {
	    "<run", "<",	"<part",    "<",   "commit %", "dispatch %", "table 1 %",
	    "off",  "<because", "Icicle %", "off", "<because", NULL};
	static const char *const keys[] = {"",
					   "run",
					   "",
					   "part",
					   "commit_percent",
					   "dispatch_percent",
					   "table_1_percent",
					   "table_1_off",
					   "table_1_because",
					   "icicle_percent",
					   "icicle_off",
					   "icicle_because"};
	struct tr_table *table = tr_table_new_keyed(headings, keys, NULL);
	int failed = table ? TR_OK : TR_E_NOMEM;
	for (size_t i = 0; i < count && !failed; i++) {
		const struct judged j = judge_run(&runs[i].run);
		for (enum part part = BAD; part < PARTS; part++)
			failed |= add_part(table, &runs[i], &j, part);
	}
	failed |= tr_report_table(report, "formulas", table);
	if (!failed)
		say_verdict(runs, count, report);
	return failed ? TR_E_NOMEM : TR_OK;
}
