/* SPDX-License-Identifier: Apache-2.0 */
/* The logs of CVA6: of its tracer of RVFI (rvfi_tracer.sv), two lines for an instruction,
 * and one for a trap,
 *
 *     core   0: 0x0000000080000024 (0x00016117) DASM(00016117)
 *     3 0x0000000080000024 (0x00016117) x 2 0x0000000080016024
 *     core   INTERRUPT 0: 0x0000000080000024 (0x00016117) DASM(00016117)
 *     LOAD_PAGE_FAULT exception @ 0x0000000080000100 (0x0007b703)
 *
 * or of the core itself when Verilated (cva6.sv), with the time and without traps:
 *
 *                      266 0x80000000 M (0x0c00006f) DASM(0c00006f)
 *
 * INTERRUPT marks the first instruction of the handler. ECALL and EBREAK are written as
 * if they had committed. Addresses have 16 digits, and registers those of XLEN.
 * spike-dasm replaces DASM(…) by the text of the instruction. */
#include "import/import_formats.h"

#include "import/import_commit.h"
#include "import/import_parse.h"
#include "stream/reader.h"

enum { CAUSE_BREAKPOINT = 3, CAUSE_ECALL_U = 8 };
enum { ECALL = 0x73, EBREAK = 0x100073, C_EBREAK = 0x9002 };

/* "  266 0x80000000 M (0x0c00006f)" */
static bool take_row(struct import_line *l, struct import_token *token)
{
	static const char modes[] = "US?MD";
	import_blanks(l);
	if (!import_decimal(l, &token->cycle) || !import_text(l, " ") ||
	    !import_0x(l, &token->pc) || !import_text(l, " ") || l->end - l->at < 2)
		return false;
	const char *mode = *l->at ? strchr(modes, *l->at) : NULL;
	token->priv = mode ? (uint8_t)(mode - modes) : IMPORT_PRIV_UNKNOWN;
	if (token->priv == 4)
		token->priv = TR_PRIV_D | TR_PRIV_M;
	l->at++;
	return import_text(l, " (") && import_0x(l, &token->bits) && import_text(l, ")");
}

/* Returns true for "3 0x", as a line begins. */
static bool begins_commit(const char *at)
{
	return at[0] >= '0' && at[0] <= '3' && memcmp(at + 1, " 0x", 3) == 0;
}

/* The line of an instruction is like one of Spike's, but that of its commit is not. */
static bool recognises(const struct import_line *line)
{
	struct import_line l = *line;
	struct import_token token;
	if (take_row(&l, &token))
		return true;
	l = *line;
	return import_text(&l, "core ") &&
	       (memmem(l.at, (size_t)(l.end - l.at), "DASM(", 5) ||
		(l.end[0] == '\n' && begins_commit(l.end + 1)));
}

/* Learns XLEN from a register, "x 2 0x…", which is behind the instruction. */
static void look_at_register(struct tr_import *im, const struct import_line *line)
{
	const char *at = memmem(line->at, (size_t)(line->end - line->at), ") x", 3);
	struct import_line l = {.start = line->start, .at = at, .end = line->end};
	uint64_t number;
	if (!at)
		return;
	l.at += 3;
	import_blanks(&l);
	if (!import_decimal(&l, &number))
		return;
	import_blanks(&l);
	tr_import_look_at_pc(im, &l);
}

static void look(struct tr_import *im, struct import_line *line)
{
	struct import_token token;
	struct import_line l = *line;
	if (tr_import_is_commit(line)) {
		im->has_commits = im->has_sp = true;
		im->has_cycles = false;
		look_at_register(im, line);
	} else if (take_row(&l, &token) && token.bits) {
		im->has_insns = true;
	}
}

static const char *lacks(const struct tr_import *im)
{
	if (im->has_commits)
		return "satp,classes";
	return im->has_insns ? "satp,traps,classes" : "insn,satp,traps,classes";
}

static const struct {
	const char *name;
	uint8_t cause;
} traps[] = {
    {"INSTR_ADDR_MISALIGNED", 0}, {"INSTR_ACCESS_FAULT", 1},
    {"ILLEGAL_INSTR", 2},	  {"BREAKPOINT", 3},
    {"LD_ADDR_MISALIGNED", 4},	  {"LD_ACCESS_FAULT", 5},
    {"ST_ADDR_MISALIGNED", 6},	  {"ST_ACCESS_FAULT", 7},
    {"ENV_CALL_UMODE", 8},	  {"ENV_CALL_SMODE", 9},
    {"ENV_CALL_MMODE", 11},	  {"INSTR_PAGE_FAULT", 12},
    {"LOAD_PAGE_FAULT", 13},	  {"STORE_PAGE_FAULT", 15},
};

static bool take_exception(struct tr_import *im, struct import_line *line)
{
	uint64_t epc;
	for (unsigned i = 0; i < sizeof(traps) / sizeof(*traps); i++) {
		if (!import_text(line, traps[i].name))
			continue;
		if (!import_text(line, " exception @ ") || !import_0x(line, &epc))
			return tr_import_expect(im, line, "\" exception @ 0x…\"");
		tr_import_trap(im, 0, traps[i].cause, epc);
		return true;
	}
	return tr_import_expect(im, line, "a commit or an exception");
}

/* A line of a commit, which ECALL and EBREAK have as well. */
static bool take_commit(struct tr_import *im, struct import_line *line)
{
	const uint8_t priv = (uint8_t)(*line->at - '0');
	struct import_line l = *line;
	struct import_token token;
	if (!tr_import_commit(im, 0, line))
		return false;
	l.at += 2;
	if (!tr_import_insn(im, &l, &token))
		return false;
	const bool is_ecall = token.bits == ECALL;
	if (is_ecall || token.bits == EBREAK || token.bits == C_EBREAK) {
		tr_import_retract(im, 0, token.pc);
		tr_import_trap(im, 0, is_ecall ? CAUSE_ECALL_U + priv : CAUSE_BREAKPOINT,
			       token.pc);
	}
	return true;
}

/* A line with the time; some configurations of the core have no bits in it. */
static bool take_timed(struct tr_import *im, struct import_line *line)
{
	struct import_token token = {.has_cycle = true};
	if (!take_row(line, &token))
		return tr_import_expect(im, line, "cycle, pc, mode and instruction");
	token.has_bits = token.bits != 0;
	if (!tr_insn_length((unsigned)token.bits & 0xffff))
		return tr_import_expect(im, line, "an instruction of a defined length");
	if (!tr_import_time_good(im, 0, token.cycle))
		return tr_import_expect(im, line, "a later cycle");
	tr_import_token(im, &token);
	return true;
}

static bool take(struct tr_import *im, struct import_line *line)
{
	if (line->at < line->end && *line->at == ' ')
		return take_timed(im, line);
	if (line->at < line->end && *line->at >= '0' && *line->at <= '3')
		return take_commit(im, line);
	if (import_text(line, "core   INTERRUPT ")) {
		tr_import_trap(im, 0, TR_CAUSE_UNKNOWN | TR_CAUSE_INTERRUPT,
			       tr_import_next(im, 0));
		return true;
	}
	if (import_text(line, "core ") || import_text(line, "***") ||
	    import_text(line, "Exception Cause: ") || line->at == line->end)
		return true;
	return take_exception(im, line);
}

const struct import_kind tr_import_cva6 = {
    .format = {"cva6", "CVA6: trace_rvfi_hart_*.dasm, trace_hart_*.dasm"},
    .has_cycles = true,
    .recognises = recognises,
    .look = look,
    .lacks = lacks,
    .take = take,
};
