/* SPDX-License-Identifier: Apache-2.0 */
/* Spike's logs: of commits (--log-commits), of instructions and traps (-l), or both.
 *
 *     core   0: 3 0x0000000080000024 (0x00016117) x2  0x0000000080016024
 *     core   0: 0x0000000080000024 (0x00016117) auipc   sp, 0x16
 *     core   0: Executed 3 times
 *     core   0: >>>>  main
 *     core   0: exception trap_machine_ecall, epc 0x0000000080000100
 *     core   0:           tval 0x0000000000000000
 *
 * Older versions pad the numbers of registers; those of 2019 are in import_spike_pairs.h.
 * "Executed" counts the executions of the last instruction that had a line, also behind
 * the line of a trap that followed it; the commits list them one by one.
 *
 * With both, a commit comes after the line of its instruction. A log of instructions
 * alone has those that trap, too. */
#include "import/import_formats.h"

#include <stdlib.h>

#include "import/import_commit.h"
#include "import/import_parse.h"
#include "import/import_spike_pairs.h"
#include "import/import_whole.h"

enum { MOST_EXECUTED = 1 << 24 };

static bool take_core(struct import_line *l, uint64_t *hart)
{
	if (!import_text(l, "core"))
		return false;
	import_blanks(l);
	return import_hart(l, hart) && import_text(l, ": ");
}

static bool spike_recognises(const struct import_line *line)
{
	struct import_line l = *line;
	uint64_t hart;
	return take_core(&l, &hart);
}

static void spike_look(struct tr_import *im, struct import_line *line)
{
	uint64_t hart;
	if (!take_core(line, &hart)) {
		if (!tr_import_is_commit(line))
			return;
		im->has_pairs = true;
	}
	if (tr_import_is_commit(line)) {
		im->has_commits = im->has_sp = true;
		line->at += 2;
	} else if (*line->at == '0') {
		im->has_insns = true;
		if (im->has_commits) /* they tell XLEN */
			return;
	}
	tr_import_look_at_pc(im, line);
}

static const char *spike_lacks(const struct tr_import *im)
{
	if (!im->has_commits)
		return "priv,satp,classes";
	if (im->has_pairs)
		return "satp,classes";
	return im->has_insns ? "classes" : "traps,classes";
}

struct cause {
	const char *name;
	uint8_t cause;
};

/* Names of traps in riscv/trap.h, also of older versions. */
static const struct cause traps[] = {
    {"instruction_address_misaligned", 0},
    {"instruction_access_fault", 1},
    {"illegal_instruction", 2},
    {"breakpoint", 3},
    {"load_address_misaligned", 4},
    {"load_access_fault", 5},
    {"store_address_misaligned", 6},
    {"store_access_fault", 7},
    {"user_ecall", 8},
    {"supervisor_ecall", 9},
    {"virtual_supervisor_ecall", 10},
    {"hypervisor_ecall", 10},
    {"machine_ecall", 11},
    {"instruction_page_fault", 12},
    {"load_page_fault", 13},
    {"store_page_fault", 15},
    {"double_trap", 16},
    {"software_check", 18},
    {"hardware_error", 19},
    {"instruction_guest_page_fault", 20},
    {"load_guest_page_fault", 21},
    {"virtual_instruction", 22},
    {"store_guest_page_fault", 23},
    {NULL, 0},
};

/* Spike prints the numbers of interrupts; forks of it, names of the privileged
 * specification. */
static const struct cause interrupts[] = {
    {"supervisor_software", 1},	     {"virtual_supervisor_software", 2},
    {"machine_software", 3},	     {"supervisor_timer", 5},
    {"virtual_supervisor_timer", 6}, {"machine_timer", 7},
    {"supervisor_external", 9},	     {"virtual_supervisor_external", 10},
    {"machine_external", 11},	     {"supervisor_guest_external", 12},
    {"counter_overflow", 13},	     {NULL, 0},
};

/* Takes a name that ends with a comma. Returns its cause, or TR_CAUSE_UNKNOWN if it is
 * none of `causes`. */
static uint64_t take_cause_name(struct import_line *line, const struct cause *causes)
{
	const char *start = line->at;
	while (line->at < line->end && *line->at != ',')
		line->at++;
	const size_t size = (size_t)(line->at - start);
	for (; causes->name; causes++)
		if (strlen(causes->name) == size &&
		    memcmp(causes->name, start, size) == 0)
			return causes->cause;
	return TR_CAUSE_UNKNOWN;
}

static bool take_cause(struct import_line *line, uint64_t *cause)
{
	if (import_text(line, "interrupt #")) {
		bool good = import_decimal(line, cause);
		*cause |= TR_CAUSE_INTERRUPT;
		return good;
	}
	if (import_text(line, "trap #"))
		return import_decimal(line, cause);
	if (import_text(line, "interrupt_"))
		*cause = TR_CAUSE_INTERRUPT | take_cause_name(line, interrupts);
	else if (import_text(line, "trap_"))
		*cause = take_cause_name(line, traps);
	else
		return false;
	return true;
}

/* Only with lines of instructions: a trap, until it is sure that none was executed more
 * often before it; and the commits without a hart. */
struct spike {
	struct spike_pairs *pairs;
	uint64_t cause, epc, tval;
	uint32_t hart;
	bool has_trap;
};

static bool has_own(struct tr_import *im)
{
	struct spike *own = im->own;
	if (!own && (own = im->own = calloc(1, sizeof(*own))) && im->has_pairs &&
	    !(own->pairs = tr_spike_pairs_new()))
		own = NULL;
	if (!own)
		im->status = TR_E_NOMEM;
	return own;
}

static inline void put_held_trap(struct tr_import *im)
{
	struct spike *own = im->own;
	if (!own->has_trap)
		return;
	own->has_trap = false;
	tr_import_trap(im, own->hart, own->cause, own->epc);
	tr_import_tval(im, own->hart, own->tval);
}

static bool take_spike_exception(struct tr_import *im, uint32_t hart,
				 struct import_line *line)
{
	uint64_t cause, epc;
	if (!take_cause(line, &cause))
		return tr_import_expect(im, line, "the name of a trap");
	if (!import_text(line, ", epc ") || !import_0x(line, &epc))
		return tr_import_expect(im, line, "\", epc 0x…\"");
	if (im->has_commits && !im->has_pairs) {
		tr_import_trap(im, hart, cause, epc);
		return true;
	}
	struct spike *own = im->own;
	put_held_trap(im);
	if (im->has_pairs)
		tr_spike_pairs_trap(im, own->pairs, hart, cause & TR_CAUSE_INTERRUPT,
				    epc);
	else if (!(cause & TR_CAUSE_INTERRUPT))
		tr_import_retract(im, hart, epc);
	own->has_trap = true;
	own->hart = hart;
	own->cause = cause;
	own->epc = epc;
	own->tval = 0;
	return true;
}

static void take_tval(struct tr_import *im, uint32_t hart, uint64_t tval)
{
	struct spike *own = im->own;
	if (own->has_trap && own->hart == hart)
		own->tval = tval;
	else
		tr_import_tval(im, hart, tval);
}

/* "Executed 3 times" */
static bool take_executed(struct tr_import *im, uint32_t hart, struct import_line *line)
{
	const struct spike *own = im->own;
	uint64_t count;
	if (!import_decimal(line, &count) || !count || count > MOST_EXECUTED)
		return tr_import_expect(im, line, "1 to 16777216 executions");
	if (im->has_pairs)
		tr_spike_pairs_repeat(im, own->pairs, hart, count);
	else if (!im->has_commits)
		tr_import_repeat(im, hart, count - 1);
	return true;
}

/* A commit without a hart. */
static bool take_commit_pair(struct tr_import *im, struct import_line *line)
{
	if (!im->own && !has_own(im))
		return true;
	put_held_trap(im);
	return tr_spike_pairs_commit(im, ((struct spike *)im->own)->pairs, line);
}

static bool spike_take_line(struct tr_import *im, struct import_line *line)
{
	struct import_token token = {.priv = IMPORT_PRIV_UNKNOWN};
	uint64_t hart, tval;
	if (im->has_pairs && tr_import_is_commit(line))
		return take_commit_pair(im, line);
	if (!take_core(line, &hart))
		return tr_import_expect(im, line, "\"core   N: \"");
	if (im->has_commits && line->at[1] == ' ' && *line->at != ' ')
		return tr_import_commit(im, (uint32_t)hart, line);
	if (!im->own && !has_own(im))
		return true;
	if (import_text(line, ">>>>"))
		return true;
	if (import_text(line, "exception "))
		return take_spike_exception(im, (uint32_t)hart, line);
	if (*line->at == ' ') {
		import_blanks(line);
		if (import_text(line, "tval ") && import_0x(line, &tval))
			take_tval(im, (uint32_t)hart, tval);
		return true;
	}
	if (*line->at == 'E' && import_text(line, "Executed "))
		return take_executed(im, (uint32_t)hart, line);
	if (!tr_import_insn(im, line, &token))
		return false;
	put_held_trap(im);
	token.hart = (uint32_t)hart;
	if (im->has_pairs)
		tr_spike_pairs_insn(im, ((struct spike *)im->own)->pairs, &token);
	else if (!im->has_commits)
		tr_import_token(im, &token);
	return true;
}

static void spike_end(struct tr_import *im)
{
	const struct spike *own = im->own;
	if (own && own->pairs)
		tr_spike_pairs_end(im, own->pairs);
	if (own)
		put_held_trap(im);
}

static void spike_release(struct tr_import *im)
{
	struct spike *own = im->own;
	if (own)
		tr_spike_pairs_free(own->pairs);
	free(own);
}

/* The text of an instruction and names of symbols do not count. */
static bool spike_is_whole(const struct tr_import *im, const struct import_line *line)
{
	struct import_line l = *line;
	struct import_token token;
	uint64_t hart, number;
	if (im->has_pairs && tr_import_is_commit(&l))
		return tr_import_commit_is_whole(im, &l);
	if (!take_core(&l, &hart))
		return false;
	if (tr_import_is_commit(&l))
		return tr_import_commit_is_whole(im, &l);
	if (import_text(&l, ">>>>"))
		return true;
	if (import_text(&l, "Executed "))
		return import_decimal(&l, &number) && import_text(&l, " ");
	if (import_text(&l, "exception "))
		return take_cause(&l, &number) && import_text(&l, ", epc ") &&
		       tr_import_whole_0x(im, &l);
	if (*l.at == ' ') {
		import_blanks(&l);
		return import_text(&l, "tval ") && tr_import_whole_0x(im, &l);
	}
	return import_0x(&l, &token.pc) && import_text(&l, " (") &&
	       import_0x(&l, &token.bits) && import_text(&l, ") ");
}

const struct import_kind tr_import_spike = {
    .format = {"spike", "Spike's -l, --log-commits, or both"},
    .recognises = spike_recognises,
    .look = spike_look,
    .lacks = spike_lacks,
    .take = spike_take_line,
    .end = spike_end,
    .release = spike_release,
    .is_whole = spike_is_whole,
};
