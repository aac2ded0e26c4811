/* SPDX-License-Identifier: Apache-2.0 */
/* Lines of tr-fold and tr-report about conservation. */
#include "cli/fold_lines.h"

#include <inttypes.h>

#include "base/number.h"
#include "flame/flame.h"

/* Writes " from 5 000 to 9 000", or "". */
static void window_text(const struct tr_cli_stacks *in, char *text, size_t size)
{
	struct tr_profile_window w = tr_profile_window(in->profile);
	char number[2][28];
	*text = '\0';
	if (w.is_cut)
		snprintf(text, size, " from cycle %s to %s",
			 tr_flame_number(w.from, number[0]),
			 tr_flame_number(w.to < w.last ? w.to : w.last, number[1]));
}

static void left_out_text(const struct tr_charge *charge, char *text, size_t size)
{
	char number[2][28];
	*text = '\0';
	if (charge->before || charge->after)
		snprintf(text, size, "; left out: %s before, %s after",
			 tr_flame_number(charge->before, number[0]),
			 tr_flame_number(charge->after, number[1]));
}

/* Writes "7 000 in functions without a name, ", or "". */
static void nameless_text(const struct tr_charge *charge, char *text, size_t size)
{
	char number[28];
	*text = '\0';
	if (charge->nameless)
		snprintf(text, size, "%s in functions without a name, ",
			 tr_flame_number(charge->nameless, number));
}

/* Writes "; 1 200 cycles of the stream are on stacks in doubt", "; calls too deep for a
 * frame of their own: 5 907", both, or "". */
static void doubt_text(const struct tr_cli_stacks *in, char *text, size_t size)
{
	const struct tr_header *end = tr_reader_end(in->reader);
	uint64_t doubted = tr_header_get_u64(end, "unwind_doubted_cycles", 0);
	uint64_t deep = tr_header_get_u64(end, "unwind_depth_refused", 0);
	char number[28];
	size_t used = 0;
	*text = '\0';
	if (doubted)
		used = (size_t)snprintf(
		    text, size, "; %s cycle%s of the stream %s on stacks in doubt",
		    tr_flame_number(doubted, number), tr_plural(doubted),
		    doubted == 1 ? "is" : "are");
	if (deep)
		snprintf(text + used, size - used,
			 "; calls too deep for a frame of their own: %s",
			 tr_flame_number(deep, number));
}

/* Writes ", estimated from 1 014 windows,", or "" for what is exact. */
static void estimated_text(const struct tr_cli_stacks *in, bool is_exact, char *text,
			   size_t size)
{
	const struct tr_estimate *estimate = tr_profile_estimate(in->profile);
	const uint32_t windows = estimate ? tr_estimate_windows(estimate) : 0;
	char number[28];
	*text = '\0';
	if (estimate && !is_exact)
		snprintf(text, size, ", estimated from %s window%s,",
			 tr_flame_number(windows, number), tr_plural(windows));
}

/* Returns what was charged in the unit. The increase of a counter must be charged
 * completely, and not be zero. */
static struct tr_charge charge_in_unit(const struct tr_stack_options *o,
				       const struct tr_cli_stacks *in)
{
	if (!o->counter)
		return tr_profile_charge(in->profile, o->instructions);
	uint64_t rise;
	struct tr_charge charge = tr_profile_counter_charge(in->profile, &rise);
	uint64_t sum = charge.charged + charge.before + charge.after;
	if (sum != rise)
		tr_die(in->cli,
		       "%s: %" PRIu64 " of %" PRIu64
		       " %s charged: no cycle ran where it counted",
		       in->name, sum, rise, o->unit);
	if (!charge.charged)
		tr_warn(in->cli, "%s: warning: %s did not count here", in->name, o->unit);
	return charge;
}

void tr_fold_cut_off(const struct tr_cli_stacks *in, char *text, size_t size)
{
	const char *how = tr_header_cut_off(tr_reader_end(in->reader));
	*text = '\0';
	if (how)
		snprintf(text, size, "the run was cut off (%.80s); ", how);
}

void tr_fold_node(const struct tr_cli_stacks *in, char *text, size_t size)
{
	const char *node = tr_header_get(tr_reader_header(in->reader), "node");
	*text = '\0';
	if (node)
		snprintf(text, size, "node %s: ", node);
}

void tr_fold_conservation(const struct tr_stack_options *o,
			  const struct tr_cli_stacks *in, char *text, size_t size)
{
	const struct tr_charge charge = charge_in_unit(o, in);
	char number[5][28], window[96], nameless[64], left_out[96], doubt[192], node[40];
	char estimated[64];
	estimated_text(in, o->instructions, estimated, sizeof(estimated));
	tr_fold_node(in, node, sizeof(node));
	window_text(in, window, sizeof(window));
	nameless_text(&charge, nameless, sizeof(nameless));
	left_out_text(&charge, left_out, sizeof(left_out));
	doubt_text(in, doubt, sizeof(doubt));
	snprintf(text, size,
		 "%s100.000 %% of %s %s%s%s charged: %s lost, %s in unknown code, "
		 "%s%s ambiguous, %s gap%s%s",
		 node, tr_flame_number(charge.charged, number[0]), o->unit, window,
		 estimated, tr_flame_number(charge.lost, number[1]),
		 tr_flame_number(charge.unknown, number[2]), nameless,
		 tr_flame_number(charge.ambiguous, number[3]),
		 tr_flame_number(charge.gap, number[4]), left_out, doubt);
}

/* Writes "; hart 0 has 1, which counts as 4", for all harts that commit fewer, or "". */
static void narrower_text(const struct tr_cli_stacks *in, unsigned width, char *text,
			  size_t size)
{
	const struct tr_header *header = tr_reader_header(in->reader);
	const uint64_t harts = tr_header_get_u64(header, "harts", TR_MAX_HARTS);
	size_t used = 0;
	*text = '\0';
	/* Those of the windows are those of all. */
	if (tr_profile_estimate(in->profile))
		return;
	for (uint32_t hart = 0; hart < harts && hart < TR_MAX_HARTS && used < size;
	     hart++) {
		const uint32_t own = tr_header_hart_width(header, hart);
		if (own < width && own < tr_header_commit_width(header))
			used += (size_t)snprintf(
			    text + used, size - used,
			    "; hart %" PRIu32 " has %" PRIu32 ", %s as %u", hart, own,
			    own > 1 ? "each of which counts" : "which counts",
			    width / own);
	}
}

void tr_fold_classes(const struct tr_cli_stacks *in, char *text, size_t size)
{
	const struct tr_class_sum of = tr_cli_stacks_class_sum(in);
	const struct tr_tma_sum *sum = &of.sum;
	const uint64_t lost = sum->slots - sum->retiring - sum->untraced - sum->lost[0];
	char number[5][28], slots[320] = "", unclassified[48] = "", fewer[160];
	char estimated[64];
	estimated_text(in, false, estimated, sizeof(estimated));
	if (sum->lost[0])
		snprintf(unclassified, sizeof(unclassified), "%s unclassified, ",
			 tr_flame_number(sum->lost[0], number[0]));
	narrower_text(in, sum->width, fewer, sizeof(fewer));
	if (sum->width > 1)
		snprintf(slots, sizeof(slots), " (%u a cycle%s%s%s%s)", sum->width,
			 of.ahead ? ", and " : "",
			 of.ahead ? tr_flame_number(of.ahead, number[4]) : "",
			 of.ahead ? " of the cycle before" : "", fewer);
	snprintf(text, size,
		 "100.000 %% of %s %s%s%s %s: %s retiring, %s lost, %s%s not traced",
		 tr_flame_number(sum->slots, number[0]), tr_tma_unit(sum->width), slots,
		 estimated, sum->lost[0] ? "charged" : "have a class",
		 tr_flame_number(sum->retiring, number[1]),
		 tr_flame_number(lost, number[2]), unclassified,
		 tr_flame_number(sum->untraced, number[3]));
}

/* Writes "12 blocked, 3 runnable", without what is 0, or "". */
static void reasons_text(const uint64_t cycles[TR_OFF_REASONS], char *text, size_t size)
{
	static const char *const names[TR_OFF_REASONS] = {
	    [TR_OFF_BLOCKED] = "blocked",
	    [TR_OFF_RUNNABLE] = "runnable",
	    [TR_OFF_EITHER] = "blocked or runnable",
	    [TR_OFF_PREEMPTED] = "preempted",
	    [TR_OFF_IDLE] = "of idle tasks",
	    [TR_OFF_NO_THREAD] = "of no thread",
	    [TR_OFF_UNKNOWN] = "for an unknown reason"};
	char number[28];
	size_t used = 0;
	*text = '\0';
	for (unsigned i = 0; i < TR_OFF_REASONS && used < size; i++)
		if (cycles[i])
			used += (size_t)snprintf(
			    text + used, size - used, "%s%s %s", used ? ", " : "",
			    tr_flame_number(cycles[i], number), names[i]);
}

void tr_fold_off_cpu(const struct tr_cli_stacks *in, const struct tr_off_cpu *off_cpu,
		     uint64_t folded, char *text, size_t size)
{
	const struct tr_off_cpu_sums sums = tr_off_cpu_sums(off_cpu);
	char ended[240], at_end[240], number[3][28], window[96];
	uint64_t away = 0, rest = 0;
	for (unsigned i = 0; i < TR_OFF_REASONS; i++) {
		away += sums.cycles[i];
		rest += sums.at_end[i];
	}
	if (away + rest != sums.away || folded != sums.away)
		tr_die(in->cli,
		       "%s: %" PRIu64 " and %" PRIu64 " of %" PRIu64
		       " cycles away: not conserved",
		       in->name, away + rest, folded, sums.away);
	window_text(in, window, sizeof(window));
	reasons_text(sums.cycles, ended, sizeof(ended));
	reasons_text(sums.at_end, at_end, sizeof(at_end));
	int length = snprintf(text, size, "%s cycles%s away in %s wait%s%s%s",
			      tr_flame_number(away, number[0]), window,
			      tr_flame_number(sums.waits, number[1]),
			      tr_plural(sums.waits), *ended ? ": " : "", ended);
	if (sums.threads && length > 0 && (size_t)length < size)
		snprintf(text + length, size - (size_t)length,
			 "; %s thread%s did not run again: %s",
			 tr_flame_number(sums.threads, number[2]),
			 tr_plural(sums.threads), at_end);
}
