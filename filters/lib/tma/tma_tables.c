/* SPDX-License-Identifier: Apache-2.0 */
/* Tables of top-down analyses. */
#include "tma/tma_tables.h"

#include <inttypes.h>
#include <string.h>

#include "base/table.h"
#include "flame/flame.h"

static int add_percent(struct tr_table *table, double share, bool is_signed)
{
	double percent = 100 * share;
	if (percent < 0 && percent > -0.005)
		percent = 0; /* avoids "-0.00" */
	return tr_table_cell(table, is_signed ? "%+.2f" : "%.2f", percent);
}

static int add_cycles_share(struct tr_table *table, uint64_t cycles,
			    const struct tr_tma_run *run)
{
	return tr_table_cell(table, "%" PRIu64, cycles) |
	       add_percent(table, (double)cycles / (double)run->slots, false);
}

/* `from` and `to` are below 2^63, as counts of cycles are. */
static int add_difference(struct tr_table *table, uint64_t from, uint64_t to)
{
	return tr_table_cell(table, "%s%" PRIu64, to < from ? "-" : "+",
			     to < from ? from - to : to - from);
}

static int add_head_cells(struct tr_table *table, const struct tr_tma_named *named)
{
	const struct tr_tma_run *run = &named->run;
	uint64_t retired =
	    run->has_classes ? run->sum.retiring : run->events[TR_TMA_RETIRED];
	int failed = tr_table_cell(table, "%s", named->name);
	failed |= tr_table_cell(table, "%" PRIu64, run->cycles);
	if (!retired)
		return failed | tr_table_cell(table, "-");
	return failed |
	       tr_table_cell(table, "%.3f", (double)run->cycles / (double)retired);
}

/* Adds the columns for text, of which only the first row of a run has a value, and those
 * for other formats, which all have. */
static int add_head(struct tr_table *table, const struct tr_tma_named *named, bool first)
{
	if (first)
		return add_head_cells(table, named) | add_head_cells(table, named);
	return tr_table_cell(table, "%s", "") | tr_table_cell(table, "%s", "") |
	       tr_table_cell(table, "%s", "") | add_head_cells(table, named);
}

/* Adds the four shares of table 1, then idle and the rest. */
static int add_top(struct tr_table *table, const char *by, const struct tr_tma_top *top,
		   bool has_idle, bool is_signed)
{
	int failed = tr_table_cell(table, "%s", by);
	failed |= add_percent(table, top->retiring, is_signed);
	failed |= add_percent(table, top->bad, is_signed);
	failed |= add_percent(table, top->frontend, is_signed);
	failed |= add_percent(table, top->backend, is_signed);
	failed |= has_idle ? add_percent(table, top->idle, is_signed)
			   : tr_table_cell(table, "-");
	failed |= add_percent(table, top->rest, is_signed);
	if (top->b_miss < 0)
		return failed | tr_table_cell(table, "-");
	return failed | tr_table_cell(table, "%.3f", top->b_miss);
}

static int add_row(struct tr_table *table, const struct tr_tma_named *named, bool first,
		   const char *by, const struct tr_tma_top *top)
{
	return add_head(table, named, first) | add_top(table, by, top, false, false);
}

static int add_difference_row(struct tr_table *table, const struct tr_tma_named *named,
			      const struct tr_tma_top *exact,
			      const struct tr_tma_top *formula)
{
	const struct tr_tma_top difference = {
	    .retiring = formula->retiring - exact->retiring,
	    .bad = formula->bad - exact->bad,
	    .frontend = formula->frontend - exact->frontend,
	    .backend = formula->backend - exact->backend,
	    .rest = formula->rest - exact->rest,
	    .b_miss = -1,
	};
	return add_head(table, named, false) |
	       add_top(table, "difference", &difference, false, true);
}

static int add_run(struct tr_table *table, const struct tr_tma_named *named)
{
	const struct tr_tma_run *run = &named->run;
	struct tr_tma_top exact = {0}, formula = {0}, other = {0};
	int failed = TR_OK;
	if (run->has_classes) {
		exact = tr_tma_exact(run);
		failed |= add_head(table, named, true) |
			  add_top(table, "classes", &exact, true, false);
	}
	if (!run->has_table1)
		return failed;
	const bool has_slots = tr_tma_has_slots(run);
	if (has_slots) {
		other = tr_tma_slots(run);
		failed |= add_row(table, named, !run->has_classes, "slots", &other);
	}
	formula = tr_tma_table1(run);
	failed |=
	    add_row(table, named, !run->has_classes && !has_slots, "table 1", &formula);
	if (has_slots) {
		other = tr_tma_icicle(run);
		return failed | add_row(table, named, false, "Icicle", &other);
	}
	return run->has_classes
		   ? failed | add_difference_row(table, named, &exact, &formula)
		   : failed;
}

static int finish_table(const char *name, struct tr_table *table, int failed,
			struct tr_report *report)
{
	failed |= tr_report_table(report, name, table);
	return failed ? TR_E_NOMEM : TR_OK;
}

int tr_tma_report_top(const struct tr_tma_named *runs, size_t count,
		      struct tr_report *report)
{
	static const char *const headings[] = {
	    "<run",	  "cycles",	"CPI",
	    "<",	  "",		"",
	    "<by",	  "retiring %", "bad speculation %",
	    "frontend %", "backend %",	"idle %",
	    "rest %",	  "B_Miss",	NULL};
	static const char *const keys[] = {"",
					   "",
					   "",
					   "run",
					   "cycles",
					   "cpi",
					   "by",
					   "retiring_percent",
					   "bad_speculation_percent",
					   "frontend_percent",
					   "backend_percent",
					   "idle_percent",
					   "rest_percent",
					   "b_miss"};
	struct tr_table *table = tr_table_new_keyed(headings, keys, NULL);
	int failed = table ? TR_OK : TR_E_NOMEM;
	for (size_t i = 0; i < count && !failed; i++)
		failed = add_run(table, &runs[i]);
	return finish_table("top", table, failed, report);
}

/* Counters, and the classes most similar to what they claim to measure. */
static const struct {
	const char *name;
	enum tr_tma_event events[2];
	const char *first;	/* first level of the tree, or */
	const char *classes[2]; /* these classes */
	const char *label;	/* of either */
} pairs[] = {
    {"fetch_stall",
     {TR_TMA_FETCH_STALL, TR_TMA_FETCH_STALL},
     "frontend",
     {NULL, NULL},
     "frontend"},
    {"icache_blocked",
     {TR_TMA_ICACHE_BLOCKED, TR_TMA_ICACHE_BLOCKED},
     "frontend",
     {NULL, NULL},
     "frontend"},
    {"recovery",
     {TR_TMA_RECOVERY, TR_TMA_RECOVERY},
     "bad speculation",
     {NULL, NULL},
     "bad speculation"},
    {"dcache_blocked",
     {TR_TMA_DCACHE_BLOCKED, TR_TMA_DCACHE_BLOCKED},
     NULL,
     {"memory.l2", "memory.dram"},
     "memory: l2, dram"},
    {"load_use_interlock, csr_interlock",
     {TR_TMA_LOAD_USE, TR_TMA_CSR},
     NULL,
     {"core.load-use", "core.load-use"},
     "core: load-use"},
    {"mul_div_interlock",
     {TR_TMA_MUL_DIV, TR_TMA_MUL_DIV},
     NULL,
     {"core.mul", "core.div"},
     "core: mul, div"},
    {"fp_interlock",
     {TR_TMA_FLOAT, TR_TMA_FLOAT},
     NULL,
     {"core.float", "core.float"},
     "core: float"},
};
enum { PAIRS = sizeof(pairs) / sizeof(*pairs) };

/* Returns the slots of an event: all of a cycle, unless the event counts slots. */
static uint64_t slots_of_event(const struct tr_tma_run *run, enum tr_tma_event event)
{
	bool counts_slots = event == TR_TMA_FETCH_STALL || event == TR_TMA_RECOVERY;
	return run->events[event] * (counts_slots ? 1 : run->width);
}

/* Counts an event once if both are the same. */
static uint64_t pair_events(const struct tr_tma_run *run, unsigned i)
{
	uint64_t sum = slots_of_event(run, pairs[i].events[0]);
	if (pairs[i].events[1] != pairs[i].events[0])
		sum += slots_of_event(run, pairs[i].events[1]);
	return sum;
}

static uint64_t pair_classes(const struct tr_tma_run *run, unsigned i)
{
	uint64_t sum = 0;
	if (pairs[i].first)
		return tr_tma_first_sum(run, pairs[i].first);
	for (unsigned c = 1; c <= run->classes.count; c++)
		if (strcmp(run->classes.name[c], pairs[i].classes[0]) == 0 ||
		    strcmp(run->classes.name[c], pairs[i].classes[1]) == 0)
			sum += run->sum.lost[c];
	return sum;
}

static int report_pairs(const struct tr_tma_named *named, struct tr_report *report)
{
	const char *unit = tr_tma_unit(named->run.width);
	const char *const headings[] = {unit,	  "%",		"<counter", unit, "%",
					"<class", "difference", "<",	    NULL};
	static const char *const keys[] = {
	    "counter_cycles", "counter_percent", "counter",	      "class_cycles",
	    "class_percent",  "class",		 "difference_cycles", "run"};
	const struct tr_tma_run *run = &named->run;
	struct tr_table *table = tr_table_new_keyed(headings, keys, NULL);
	int failed = table ? TR_OK : TR_E_NOMEM;
	for (unsigned i = 0; i < PAIRS && !failed; i++) {
		if (!run->has[pairs[i].events[0]] || !run->has[pairs[i].events[1]])
			continue;
		uint64_t events = pair_events(run, i), classes = pair_classes(run, i);
		failed |= add_cycles_share(table, events, run);
		failed |= tr_table_cell(table, "%s", pairs[i].name);
		failed |= add_cycles_share(table, classes, run);
		failed |= tr_table_cell(table, "%s", pairs[i].label);
		failed |= add_difference(table, classes, events);
		failed |= tr_table_cell(table, "%s", named->name);
	}
	return finish_table("counters", table, failed, report);
}

static int add_left_out(struct tr_table *table, double cycles,
			const struct tr_tma_named *named, const char *what)
{
	return tr_table_cell(table, "%.0f", cycles) |
	       add_percent(table, cycles / (double)named->run.slots, false) |
	       tr_table_cell(table, "%s", what) | tr_table_cell(table, "%s", named->name);
}

static int report_left_out(const struct tr_tma_named *named, struct tr_report *report)
{
	const char *const headings[] = {tr_tma_unit(named->run.width), "%",
					"<left out of table 1", "<", NULL};
	static const char *const keys[] = {"cycles", "percent", "left_out", "run"};
	const struct tr_tma_run *run = &named->run;
	const uint64_t *n = run->events;
	const struct tr_tma_top top = tr_tma_table1(run);
	double thrown = (double)n[TR_TMA_ISSUED] - (double)n[TR_TMA_RETIRED];
	struct tr_table *table = tr_table_new_keyed(headings, keys, NULL);
	if (!table)
		return TR_E_NOMEM;
	int failed =
	    add_left_out(table, (double)n[TR_TMA_RETIRED], named,
			 "retiring: included in its backend") |
	    add_left_out(table, thrown * (1 - (top.b_miss < 0 ? 0 : top.b_miss)), named,
			 "issued and discarded by flushes, fences and traps: (issued - "
			 "retired) * (1 - B_Miss)");
	if (run->has_classes)
		failed |= add_left_out(table, (double)tr_tma_first_sum(run, "idle"),
				       named, "idle: waiting (WFI) is in its backend");
	return finish_table("left_out", table, failed, report);
}

int tr_tma_report_run(const struct tr_tma_named *named, struct tr_report *report)
{
	const struct tr_tma_run *run = &named->run;
	int failed = TR_OK;
	tr_report_say(report, "\n%s\n", named->name);
	if (run->has_classes)
		failed |=
		    tr_tma_report(&run->sum, &run->classes, "run", named->name, report);
	if (run->has_classes && !failed) {
		tr_report_say(report, "\n");
		failed |= report_pairs(named, report);
	}
	if (run->has_table1 && !failed) {
		tr_report_say(report, "\n");
		failed |= report_left_out(named, report);
	}
	return failed ? TR_E_NOMEM : TR_OK;
}

int tr_tma_report_frontend(const struct tr_tma_named *runs, size_t count,
			   struct tr_report *report)
{
	static const char *const headings[] = {"<run",
					       "cycles",
					       "icache_miss",
					       "icache_blocked",
					       "%",
					       "fetch_stall",
					       "%",
					       "class.frontend.*",
					       "%",
					       "difference",
					       "blocked/class",
					       NULL};
	static const char *const keys[] = {"run",
					   "cycles",
					   "icache_miss",
					   "icache_blocked_cycles",
					   "icache_blocked_percent",
					   "fetch_stall_cycles",
					   "fetch_stall_percent",
					   "class_frontend_cycles",
					   "class_frontend_percent",
					   "difference_cycles",
					   "blocked_per_class"};
	struct tr_table *table = tr_table_new_keyed(headings, keys, NULL);
	int failed = table ? TR_OK : TR_E_NOMEM;
	for (size_t i = 0; i < count && !failed; i++) {
		const struct tr_tma_run *run = &runs[i].run;
		uint64_t blocked = slots_of_event(run, TR_TMA_ICACHE_BLOCKED);
		uint64_t exact = tr_tma_first_sum(run, "frontend");
		failed |= tr_table_cell(table, "%s", runs[i].name);
		failed |= tr_table_cell(table, "%" PRIu64, run->cycles);
		failed |= run->has[TR_TMA_ICACHE_MISS]
			      ? tr_table_cell(table, "%" PRIu64,
					      run->events[TR_TMA_ICACHE_MISS])
			      : tr_table_cell(table, "-");
		failed |= add_cycles_share(table, blocked, run);
		failed |= add_cycles_share(table, run->events[TR_TMA_FETCH_STALL], run);
		failed |= add_cycles_share(table, exact, run);
		failed |= add_difference(table, exact, blocked);
		failed |=
		    exact ? tr_table_cell(table, "%.2f", (double)blocked / (double)exact)
			  : tr_table_cell(table, "-");
	}
	return finish_table("frontend", table, failed, report);
}
