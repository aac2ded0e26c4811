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
 * if they had committed, as are other instructions that trap in some versions. Addresses
 * have 16 digits, and registers those of XLEN. spike-dasm replaces DASM(…) by the text of
 * the instruction.
 *
 * The tracer has names for some causes only: other exceptions have no name, or that of
 * the exception before (openhwgroup/cva6#3239). So a name counts only if the instruction
 * can raise it. Some versions write the 32 bits that a compressed instruction expands to,
 * while the pc advances by 2: then bits tell neither the length of an instruction nor
 * what is in memory, and are left out, but for those that have no compressed form. */
#include "import/import_formats.h"

#include <stdlib.h>

#include "import/import_commit.h"
#include "import/import_expansion.h"
#include "import/import_parse.h"
#include "import/import_spike_pairs.h"
#include "import/import_whole.h"
#include "stream/insn.h"
#include "stream/reader.h"

enum { CAUSE_BREAKPOINT = 3, CAUSE_ECALL_U = 8, CAUSE_ECALL_M = 11 };

struct cva6 {
	struct import_expansion expansion;
	bool trapped; /* at `epc`, since the last instruction */
	uint64_t epc;
};

static struct cva6 *cva6_state(struct tr_import *im)
{
	if (!im->own)
		im->own = calloc(1, sizeof(struct cva6));
	if (!im->own)
		im->status = TR_E_NOMEM;
	return im->own;
}

static void cva6_release(struct tr_import *im)
{
	free(im->own);
}

static void put_token(struct tr_import *im, struct import_token *token)
{
	struct cva6 *c = cva6_state(im);
	if (!c)
		return;
	c->trapped = false;
	tr_import_expanded_token(im, &c->expansion, token);
}

static void put_cva6_trap(struct tr_import *im, uint64_t cause, uint64_t epc)
{
	struct cva6 *c = cva6_state(im);
	if (!c)
		return;
	c->expansion.known = false;
	c->trapped = true;
	c->epc = epc;
	tr_import_trap(im, im->first_hart, cause, epc);
}

/* "  266 0x80000000 M (0x0c00006f)" */
static bool parse_cva6_row(struct import_line *l, struct import_token *token)
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

/* The line of an instruction is like one of Spike's, but that of its commit is like those
 * of older versions only. */
static bool cva6_recognises(const struct import_line *line)
{
	struct import_line l = *line;
	struct import_token token;
	if (parse_cva6_row(&l, &token))
		return true;
	l = *line;
	return import_text(&l, "core ") &&
	       (memmem(l.at, (size_t)(l.end - l.at), "DASM(", 5) ||
		(l.end[0] == '\n' && begins_commit(l.end + 1) &&
		 !tr_import_is_spike_pair(line)));
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

static void cva6_look(struct tr_import *im, struct import_line *line)
{
	struct cva6 *c = cva6_state(im);
	struct import_token token = {0};
	struct import_line l = *line;
	if (tr_import_is_commit(line)) {
		im->has_commits = im->has_sp = true;
		im->has_cycles = false;
		look_at_register(im, line);
		l.at += 2;
		tr_import_insn(im, &l, &token);
	} else if (parse_cva6_row(&l, &token) && token.bits) {
		im->has_insns = true;
	}
	if (c && token.bits)
		tr_import_look_at_expansion(&c->expansion, &token);
}

static const char *cva6_lacks(const struct tr_import *im)
{
	const struct cva6 *c = im->own;
	const bool has_bits =
	    (im->has_commits || im->has_insns) && c && !c->expansion.is_found;
	if (im->has_commits)
		return has_bits ? "satp,classes" : "insn,satp,classes";
	return has_bits ? "satp,traps,classes" : "insn,satp,traps,classes";
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

/* Returns false for a cause that the instruction cannot have. An illegal one may be any
 * but a load or store of integers. */
static bool may_raise(uint64_t bits, unsigned cause)
{
	const unsigned quadrant = bits & 3, group = bits >> 13 & 7;
	const unsigned opcode = tr_insn_opcode(bits);
	const bool is_short = quadrant != 3, is_popped = quadrant == 2 && group == 5;
	const bool is_load =
	    is_short ? is_popped || (quadrant != 1 && group && group <= 3 + !quadrant)
		     : opcode == TR_OPCODE_LOAD;
	const bool is_store = is_short ? quadrant != 1 && group >= 5 - !quadrant
				       : opcode == TR_OPCODE_STORE;
	const bool is_fp =
	    is_short ? group == 1 || group == 5
		     : opcode == TR_OPCODE_LOAD_FP || opcode == TR_OPCODE_STORE_FP;
	const bool is_atomic = opcode == TR_OPCODE_AMO;
	const bool is_jump = is_short ? (quadrant == 1 && group != 0 && group != 2 &&
					 group != 3 && group != 4) ||
					    (quadrant == 2 && group == 4)
				      : opcode == TR_OPCODE_BRANCH ||
					    opcode == TR_OPCODE_JALR ||
					    opcode == TR_OPCODE_JAL;
	switch (cause) {
	case 0:
		return is_jump;
	case 2:
		return is_fp || !(is_load || is_store);
	case CAUSE_BREAKPOINT:
		return bits == TR_INSN_EBREAK || bits == TR_INSN_C_EBREAK;
	case 4:
	case 5:
	case 13:
		return is_load || is_atomic || (!is_short && is_fp);
	case 6:
	case 7:
	case 15:
		return is_store || is_atomic || (!is_short && is_fp);
	case CAUSE_ECALL_U:
	case CAUSE_ECALL_U + 1:
	case CAUSE_ECALL_M:
		return bits == TR_INSN_ECALL;
	default:
		return bits != TR_INSN_ECALL;
	}
}

/* "LOAD_PAGE_FAULT exception @ 0x0000000080000100 (0x0007b703)". The name may be missing
 * or wrong, and in older versions the instruction is. */
static bool take_cva6_exception(struct tr_import *im, struct import_line *line)
{
	const size_t count = sizeof(traps) / sizeof(*traps);
	const struct cva6 *c = cva6_state(im);
	uint64_t epc, bits = 0, cause = TR_CAUSE_UNKNOWN;
	unsigned i = 0;
	while (i < count && !import_text(line, traps[i].name))
		i++;
	if (!import_text(line, " exception @ "))
		return tr_import_expect(im, line,
					i < count ? "\" exception @ 0x…\""
						  : "a commit or an exception");
	if (!import_0x(line, &epc))
		return tr_import_expect(im, line, "the pc, 0x…");
	const bool has_bits = import_text(line, " (") && import_0x(line, &bits);
	if (i < count && (!has_bits || may_raise(bits, traps[i].cause)))
		cause = traps[i].cause;
	if (!c || (c->trapped && c->epc == epc))
		return true; /* that of an ECALL, which has been reported */
	tr_import_retract(im, im->first_hart, epc);
	put_cva6_trap(im, cause, epc);
	return true;
}

/* A line of a commit, which ECALL and EBREAK have as well. */
static bool take_cva6_commit(struct tr_import *im, struct import_line *line)
{
	struct import_token token = {.hart = im->first_hart};
	if (!tr_import_commit_token(im, line, &token))
		return false;
	const uint64_t bits = token.bits;
	const bool is_ecall = bits == TR_INSN_ECALL;
	put_token(im, &token);
	tr_import_commit_writes(im, token.hart, line);
	if (is_ecall || bits == TR_INSN_EBREAK || bits == TR_INSN_C_EBREAK) {
		tr_import_retract(im, token.hart, token.pc);
		put_cva6_trap(im,
			      is_ecall ? CAUSE_ECALL_U + token.priv : CAUSE_BREAKPOINT,
			      token.pc);
	}
	return true;
}

/* A line with the time; some configurations of the core have no bits in it. */
static bool take_cva6_timed(struct tr_import *im, struct import_line *line)
{
	struct import_token token = {.hart = im->first_hart, .has_cycle = true};
	if (!parse_cva6_row(line, &token))
		return tr_import_expect(im, line, "cycle, pc, mode and instruction");
	token.has_bits = token.bits != 0;
	if (!tr_insn_length((unsigned)token.bits & 0xffff))
		return tr_import_expect(im, line, "an instruction of a defined length");
	if (!tr_import_time_good(im, token.hart, token.cycle))
		return tr_import_expect(im, line, "a later cycle");
	put_token(im, &token);
	return true;
}

static bool cva6_take_line(struct tr_import *im, struct import_line *line)
{
	struct import_line l = *line;
	if (import_text(&l, " exception @ "))
		return take_cva6_exception(im, line);
	if (line->at < line->end && *line->at == ' ')
		return take_cva6_timed(im, line);
	if (line->at < line->end && *line->at >= '0' && *line->at <= '3')
		return take_cva6_commit(im, line);
	if (import_text(line, "core   INTERRUPT ")) {
		put_cva6_trap(im, TR_CAUSE_UNKNOWN | TR_CAUSE_INTERRUPT,
			      tr_import_next(im, im->first_hart));
		return true;
	}
	if (import_text(line, "core ") || import_text(line, "***") ||
	    import_text(line, "Exception Cause: ") || line->at == line->end)
		return true;
	return take_cva6_exception(im, line);
}

/* The text of an instruction does not count. */
static bool cva6_is_whole(const struct tr_import *im, const struct import_line *line)
{
	struct import_line l = *line;
	struct import_token token;
	if (tr_import_is_commit(&l))
		return tr_import_commit_is_whole(im, &l);
	if (parse_cva6_row(&l, &token))
		return true;
	l = *line;
	const char *at = memmem(l.at, (size_t)(l.end - l.at), ": 0x", 4);
	if (!at || !import_text(&l, "core "))
		return l.end[-1] == ')' &&
		       memmem(line->at, (size_t)(l.end - line->at), " exception @ ", 13);
	l.at = at + 2;
	return import_0x(&l, &token.pc) && import_text(&l, " (") &&
	       import_0x(&l, &token.bits) && import_text(&l, ") ");
}

const struct import_kind tr_import_cva6 = {
    .format = {"cva6", "CVA6: trace_rvfi_hart_*.dasm, trace_hart_*.dasm"},
    .has_cycles = true,
    .in_order = true,
    .recognises = cva6_recognises,
    .look = cva6_look,
    .lacks = cva6_lacks,
    .take = cva6_take_line,
    .is_whole = cva6_is_whole,
    .release = cva6_release,
};
