/* SPDX-License-Identifier: Apache-2.0 */
/* Finds problems in the run and in the filters' results that precede a graph. */
#include "info/findings.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"

enum {
	CODE_CEILING = 10000,	/* one in this many instructions may be lost */
	DOUBT_CEILING = 100000, /* one in this many cycles may be in doubt */
};

void tr_find(struct tr_findings *findings, bool empty, const char *format, ...)
{
	va_list arguments;
	char *text = NULL;
	va_start(arguments, format);
	int size = vasprintf(&text, format, arguments);
	va_end(arguments);
	findings->empty |= empty;
	if (size < 0) {
		findings->failed = true;
		return;
	}
	tr_report_say(findings->report, "%s%s\n",
		      findings->count++ ? "  " : "findings\n  ", text);
	if (findings->table)
		findings->failed |=
		    (tr_table_cell(findings->table, empty ? "true" : "false") |
		     tr_table_cell(findings->table, "%s", text)) != TR_OK;
	free(text);
}

/* Reports instructions that a filter lost, but for `others` of them, if they are too
 * many.
 */
static void find_lost_instructions(struct tr_findings *findings,
				   const struct tr_header *end, const char *key,
				   const char *what, uint64_t others)
{
	uint64_t all = tr_header_get_u64(end, "instructions", 0);
	uint64_t lost = tr_header_get_u64(end, key, 0);
	if (lost > all)
		lost = all;
	lost -= others < lost ? others : lost;
	if (lost > all / CODE_CEILING)
		tr_find(findings, lost >= all, "%s: %.3f %% of the instructions %s", key,
			100.0 * (double)lost / (double)all, what);
}

static void find_in_work(struct tr_findings *findings, const struct tr_header *end)
{
	static const char *const unknown = "are in no binary: another build, or a file "
					   "is missing; see tr-info --bins on "
					   "the captured stream";
	static const char *const ambiguous =
	    "fit several binaries, or are too few to tell: list each program once, "
	    "with its role";
	uint64_t doubted = tr_header_get_u64(end, "unwind_doubted_cycles", 0);
	uint64_t cycles = tr_header_get_u64(end, "cycles", 0);
	uint64_t deep = tr_header_get_u64(end, "unwind_depth_refused", 0);
	bool matched = tr_header_get(end, "match_unknown_instructions");
	uint64_t jit = tr_header_get_u64(end, "unwind_jit_instructions", 0);
	find_lost_instructions(findings, end,
			       matched ? "match_unknown_instructions"
				       : "unwind_unknown_instructions",
			       unknown, matched ? jit : 0);
	find_lost_instructions(findings, end, "unwind_jit_instructions",
			       "are [JIT code]: --perf-map of tr-match names it, if the "
			       "program tells of it",
			       0);
	find_lost_instructions(findings, end,
			       matched ? "match_ambiguous_instructions"
				       : "unwind_ambiguous_instructions",
			       ambiguous, 0);
	find_lost_instructions(
	    findings, end, "unwind_nameless_instructions",
	    "are in no function of their file: if it is stripped, list the "
	    "unstripped one",
	    0);
	if (tr_header_get_u64(end, "match_kernel_refused", 0))
		tr_find(findings, false,
			"match_kernel_refused: another build of the kernel ran than the "
			"listed one; list the vmlinux of the one that ran");
	if (doubted > cycles / DOUBT_CEILING)
		tr_find(findings, false,
			"unwind_doubted_cycles: %.3f %% of the cycles are on stacks in "
			"doubt; see Doubt in tr-unwind(1)",
			100.0 * (double)doubted / (double)cycles);
	if (deep)
		tr_find(findings, false,
			"unwind_depth_refused: calls too deep for a frame of their own, "
			"which no number of calls includes: %" PRIu64 "; see Limits in "
			"tr-unwind(1)",
			deep);
}

void tr_find_in_end(struct tr_findings *findings, const struct tr_header *header,
		    const struct tr_header *end)
{
	const char *how = tr_header_get(end, "end");
	const char *trigger = tr_header_get(end, "trigger");
	const char *satp = tr_header_get(header, "split.satp");
	bool nothing = tr_header_get_u64(end, "instructions", 0) == 0;
	if (tr_header_cut_off(end))
		tr_find(findings, false, "the run was cut off: %s", how);
	if (how && strncmp(how, "endless traps", strlen("endless traps")) == 0)
		tr_find(findings, false,
			"the run ended in %s: no handler there, or a wrong one; is the "
			"right firmware loaded?",
			how);
	if (trigger && strcmp(trigger, "never met") == 0)
		tr_find(findings, nothing,
			"the start trigger was never met: check the symbol, address or "
			"cycle that was given, and that the run got there");
	if (satp && nothing)
		tr_find(findings, true,
			"no such address space: %s; those of the source: "
			"tr-split-by-satp --list",
			satp);
	find_in_work(findings, findings->found ? findings->found->end : end);
}

/* Reports missing information that identifies programs and threads. */
static void find_in_contexts(struct tr_findings *findings, const struct tr_header *header,
			     const struct tr_usage *usage)
{
	bool user = false, kernel = false, satp = false;
	const char *watch = tr_header_get(header, "watch");
	for (size_t i = 0; i < usage->count; i++) {
		user |= tr_mode_is_user(tr_mode_of(usage->uses[i].priv));
		kernel |= tr_mode_is_supervisor(tr_mode_of(usage->uses[i].priv));
		satp |= usage->uses[i].space.satp != 0;
	}
	if (tr_header_lacks(header, "priv"))
		tr_find(findings, false,
			"no privilege: the source cannot supply it, so firmware, kernel "
			"and programs are told apart by their code alone");
	if (tr_header_lacks(header, "satp") || (user && !satp))
		tr_find(findings, false,
			"no satp: address spaces cannot be told apart by it, and "
			"programs at the same addresses may be mixed up");
	if (user && kernel && (watch || tr_header_lacks(header, "tp")) &&
	    !tr_header_watches_tp(header))
		tr_find(findings, false,
			tr_header_watches_sp(header)
			    ? "no tp: the threads of a kernel are told apart by their "
			      "stacks alone, and have no names of their own"
			    : "no sp and no tp: switches between threads are inferred; "
			      "see Doubt in tr-unwind(1)");
}

void tr_find_in_rows(struct tr_findings *findings, const struct tr_header *header,
		     const struct tr_header *end, const struct tr_usage *usage)
{
	uint64_t untraced = usage->gaps[TR_GAP_UNTRACED].cycles;
	if (usage->instructions == 0)
		tr_find(findings, true,
			"nothing was captured: there are no instructions");
	if (usage->instructions == 0 && untraced && usage->trigger_starts == 0 &&
	    !tr_header_get(end, "trigger") && !tr_header_get(header, "split.satp"))
		tr_find(findings, true,
			"the trigger never fired: %" PRIu64 " cycle%s went by untraced",
			untraced, tr_plural(untraced));
	if (usage->no_bits)
		tr_find(findings, false,
			"no instruction bits: %" PRIu64 " of %" PRIu64
			" instructions are matched by their addresses alone; programs "
			"at the same addresses cannot be told apart",
			usage->no_bits, usage->instructions);
	find_in_contexts(findings, header, usage);
}
