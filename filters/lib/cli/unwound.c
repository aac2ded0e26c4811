/* SPDX-License-Identifier: Apache-2.0 */
/* What tr-unwind tells of the totals of an unwinder. */
#include "cli/unwound.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/number.h"

enum { DOUBT_CEILING = 100000 };

static void warn_of_limits(const struct tr_cli *cli, const struct tr_unwind_totals *t)
{
	if (t->depth_refused)
		tr_warn(cli,
			"%" PRIu64 " call%s deeper than %d, or than %d nested stacks, %s "
			"charged to the frame at the limit",
			t->depth_refused, tr_plural(t->depth_refused), TR_UNWIND_DEPTH,
			TR_UNWIND_HEIGHT, t->depth_refused == 1 ? "is" : "are");
	if (t->nodes_refused)
		tr_warn(cli, "more than %d stacks: %" PRIu64 " %s charged to the caller",
			TR_UNWIND_NODES, t->nodes_refused,
			t->nodes_refused == 1 ? "call is" : "calls are");
	/* tr-match repeats its notes for spaces that it forgot itself, and forgets
	 * earlier */
	if (t->spaces_forgotten && t->unknown_instructions)
		tr_warn(cli,
			"%" PRIu64 " least recently used address space%s dropped; "
			"code in %s may be unknown if it ran again",
			t->spaces_forgotten, t->spaces_forgotten == 1 ? " was" : "s were",
			t->spaces_forgotten == 1 ? "it" : "them");
	if (t->virtual_lost)
		tr_warn(cli,
			"%" PRIu64
			" hit%s of probes %s of no virtual frame: the identity "
			"is missing, or no function runs there",
			t->virtual_lost, tr_plural(t->virtual_lost),
			t->virtual_lost == 1 ? "tells" : "tell");
	if (t->threads_refused)
		tr_warn(cli, "more than %d threads: the rest is not distinguished",
			TR_UNWIND_THREAD_IDS);
}

/* Warns of cycles on stacks that may be wrong, if more than 1 in DOUBT_CEILING. */
static void warn_of_doubt(const struct tr_cli *cli, const struct tr_unwind_totals *t,
			  bool has_sp)
{
	const double share =
	    t->cycles ? 100.0 * (double)t->doubted_cycles / (double)t->cycles : 0;
	char text[80] = "";
	if (t->doubted_cycles)
		snprintf(text, sizeof(text),
			 "%" PRIu64 " cycle%s (%.3f %%) %s on stacks in doubt",
			 t->doubted_cycles, tr_plural(t->doubted_cycles), share,
			 t->doubted_cycles == 1 ? "is" : "are");
	if (t->breaks && t->doubted_cycles)
		tr_warn(cli,
			"warning: %s; instructions that cannot follow the one before: "
			"%" PRIu64 "; tr-info --check lists them",
			text, t->breaks);
	else if (!has_sp && (t->switches || t->doubted_cycles))
		tr_warn(cli,
			"warning: the stream does not report sp: switches of stacks are "
			"inferred from calls and returns%s%s; see Doubt in tr-unwind(1)",
			*text ? ", and " : "", text);
	else if (t->doubted_cycles > t->cycles / DOUBT_CEILING)
		tr_warn(cli,
			"warning: %s: functions were left with another sp than they were "
			"entered with; see Doubt in tr-unwind(1)",
			text);
}

void tr_unwound_add_totals(struct tr_header *end, const struct tr_unwind_totals *t)
{
	const struct {
		const char *key;
		uint64_t value;
	} keys[] = {
	    {"unwind_calls", t->calls},
	    {"unwind_returns", t->returns},
	    {"unwind_unmatched", t->unmatched},
	    {"unwind_beyond", t->beyond},
	    {"unwind_tailcalls", t->tailcalls},
	    {"unwind_longjmps", t->longjmps},
	    {"unwind_traps", t->traps},
	    {"unwind_resyncs", t->resyncs},
	    {"unwind_doubted_cycles", t->doubted_cycles},
	    {"unwind_switches", t->switches},
	    {"unwind_unknown_instructions", t->unknown_instructions},
	    {"unwind_unknown_cycles", t->unknown_cycles},
	    {"unwind_ambiguous_instructions", t->ambiguous_instructions},
	    {"unwind_ambiguous_cycles", t->ambiguous_cycles},
	    {"unwind_nameless_instructions", t->nameless_instructions},
	    {"unwind_stacks", t->nodes},
	    {"unwind_depth_refused", t->depth_refused},
	    {"unwind_stacks_refused", t->nodes_refused},
	    {"unwind_threads_refused", t->threads_refused},
	    {"unwind_threads_forgotten", t->threads_forgotten},
	    {"unwind_spaces_forgotten", t->spaces_forgotten},
	};
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		tr_header_set_u64(end, keys[i].key, keys[i].value);
	if (t->virtual_lost)
		tr_header_set_u64(end, "unwind_virtual_lost", t->virtual_lost);
	if (!t->jit_instructions)
		return;
	tr_header_set_u64(end, "unwind_jit_instructions", t->jit_instructions);
	tr_header_set_u64(end, "unwind_jit_cycles", t->jit_cycles);
}

static void print_summary(const struct tr_cli *cli, const struct tr_unwind_totals *t)
{
	tr_warn(
	    cli,
	    "%" PRIu64 " instruction%s, %" PRIu64 " call%s, %" PRIu64
	    " return%s (%" PRIu64 " unmatched, %" PRIu64 " beyond the start), %" PRIu64
	    " tail call%s, %" PRIu64 " longjmp%s, %" PRIu64 " trap%s, %" PRIu64
	    " thread switch%s, %" PRIu64 " stack%s, %" PRIu64
	    " instruction%s unknown, %" PRIu64 " ambiguous, %" PRIu64 " cycle%s in doubt",
	    t->instructions, tr_plural(t->instructions), t->calls, tr_plural(t->calls),
	    t->returns, tr_plural(t->returns), t->unmatched, t->beyond, t->tailcalls,
	    tr_plural(t->tailcalls), t->longjmps, tr_plural(t->longjmps), t->traps,
	    tr_plural(t->traps), t->switches, t->switches == 1 ? "" : "es", t->nodes,
	    tr_plural(t->nodes), t->unknown_instructions,
	    tr_plural(t->unknown_instructions), t->ambiguous_instructions,
	    t->doubted_cycles, tr_plural(t->doubted_cycles));
}

void tr_unwound_report(const struct tr_cli *cli, const struct tr_unwind_totals *t,
		       bool has_sp)
{
	warn_of_limits(cli, t);
	warn_of_doubt(cli, t, has_sp);
	if (cli->verbose)
		print_summary(cli, t);
}
