/* SPDX-License-Identifier: Apache-2.0 */
/* The log of Ibex's tracer (ibex_tracer.sv), with tabs, and of its ancestors and
 * relatives, as CV32E40P's (cv32e40p_tracer.sv), with blanks:
 *
 *     Time\tCycle\tPC\tInsn\tDecoded instruction\tRegister and memory contents
 *     20\t4\t00000080\t00016117\tauipc\tx2,0x16\tx2=0x00016080
 *     142ns 67 00000184 ff810113 addi x2, x2, -8       x2=0003fff8  x2:00040000
 *
 * An instruction of 16 bits has four digits, in some versions after four blanks; others
 * write the 32 bits that it expands to. One of Zcmp has a row for each operation that it
 * is executed as, with "expand_insn: (0xb842 cm.push …)" at the end. In the last column =
 * is a write, whose value may be without 0x. "-->" before the decoded instruction: it
 * trapped, so it did not commit; "==>": it is the first one of a handler. Older versions
 * have neither. The cycle has 32 bits in most versions, and wraps. */
#include "import/import_formats.h"

#include <stdlib.h>

#include "import/import_expansion.h"
#include "import/import_parse.h"
#include "import/import_whole.h"
#include "stream/reader.h"

/* "20", "142ns" or "142.00ns" */
static bool skip_ibex_time(struct import_line *l)
{
	uint64_t time;
	if (!import_decimal(l, &time))
		return false;
	while (l->at < l->end && ((*l->at >= '0' && *l->at <= '9') || *l->at == '.' ||
				  (*l->at >= 'a' && *l->at <= 'z')))
		l->at++;
	return true;
}

/* A counter of 32 bits may be printed as signed. */
static bool parse_ibex_cycle(struct import_line *l, uint64_t *cycle)
{
	const bool is_negative = import_text(l, "-");
	if (!import_decimal(l, cycle) || (is_negative && *cycle > INT32_MAX + 1U))
		return false;
	if (is_negative)
		*cycle = (uint32_t) - *cycle;
	return true;
}

static bool ends_column(struct import_line *l)
{
	if (l->at < l->end && *l->at != ' ' && *l->at != '\t')
		return false;
	import_blanks(l);
	return true;
}

static bool parse_ibex_row(struct import_line *l, struct import_token *token)
{
	import_blanks(l);
	if (!skip_ibex_time(l) || !ends_column(l) ||
	    !parse_ibex_cycle(l, &token->cycle) || !ends_column(l))
		return false;
	const char *at = l->at;
	return import_hex(l, &token->pc) && l->at - at == 8 && ends_column(l) &&
	       import_hex(l, &token->bits) && ends_column(l);
}

static bool is_head(const struct import_line *line)
{
	struct import_line l = *line;
	import_blanks(&l);
	return import_text(&l, "Time");
}

static bool ibex_recognises(const struct import_line *line)
{
	struct import_line l = *line;
	struct import_token token;
	return is_head(line) || parse_ibex_row(&l, &token);
}

static struct import_expansion *ibex_expansion(struct tr_import *im)
{
	if (!im->own)
		im->own = calloc(1, sizeof(struct import_expansion));
	if (!im->own)
		im->status = TR_E_NOMEM;
	return im->own;
}

static void ibex_release(struct tr_import *im)
{
	free(im->own);
}

/* Returns true for a row of an operation of Zcmp; then *insn is the instruction. */
static bool take_expansion(const struct import_line *line, uint64_t *insn)
{
	static const char text[] = "expand_insn: (";
	struct import_line l = *line;
	l.at = memmem(l.at, (size_t)(l.end - l.at), text, sizeof(text) - 1);
	if (!l.at)
		return false;
	l.at += sizeof(text) - 1;
	return import_0x(&l, insn) && *insn <= UINT16_MAX;
}

static void ibex_look(struct tr_import *im, struct import_line *line)
{
	struct import_expansion *e = ibex_expansion(im);
	struct import_token token;
	uint64_t insn;
	im->xlen = 32;
	im->has_sp = true;
	if (e && !take_expansion(line, &insn) && parse_ibex_row(line, &token))
		tr_import_look_at_expansion(e, &token);
}

static const char *ibex_lacks(const struct tr_import *im)
{
	const struct import_expansion *e = im->own;
	return e && e->is_found ? "insn,priv,satp,traps,classes"
				: "priv,satp,traps,classes";
}

/* Finds a write of a register, as "x2=0x00016080" or "x2=00016080". */
static bool find_reg(const struct import_line *line, const char *text, uint64_t *value)
{
	struct import_line l = *line;
	const char *at = memmem(l.at, (size_t)(l.end - l.at), text, strlen(text));
	if (!at)
		return false;
	l.at = at + strlen(text);
	import_text(&l, "0x");
	return import_hex(&l, value);
}

/* Takes an operation of Zcmp. Returns true if it is the last one: then the token is that
 * of the instruction, and the write of sp that of any of them. */
static bool take_zcmp_step(struct tr_import *im, const struct import_line *line,
			   uint64_t insn, struct import_token *token)
{
	struct import_steps *steps = &im->steps;
	const bool is_last =
	    tr_import_step(steps, token->pc, (uint16_t)insn, (uint32_t)token->bits);
	steps->has_sp |= find_reg(line, "x2=", &steps->sp);
	token->bits = insn;
	return is_last;
}

static void put_sp(struct tr_import *im)
{
	const struct import_write write = {.reg = TR_REG_SP, .value = im->steps.sp};
	if (im->steps.has_sp)
		tr_import_reg(im, im->first_hart, &write);
}

/* Takes "x2=0x00016080", "x2=00016080" or "sp=00016080", and the same of tp. */
static void take_regs(struct tr_import *im, const struct import_line *line)
{
	struct import_line l = *line;
	struct import_write write;
	while ((l.at = memchr(l.at, '=', (size_t)(l.end - l.at)))) {
		const char *name = l.at++ - 2;
		if (memcmp(name, "x2", 2) == 0 || memcmp(name, "sp", 2) == 0)
			write.reg = TR_REG_SP;
		else if (memcmp(name, "x4", 2) == 0 || memcmp(name, "tp", 2) == 0)
			write.reg = TR_REG_TP;
		else
			continue;
		import_text(&l, "0x");
		if (import_hex(&l, &write.value))
			tr_import_reg(im, im->first_hart, &write);
	}
}

/* Returns true for ecall, ebreak and c.ebreak. */
static bool always_traps(uint64_t bits)
{
	return bits == 0x73 || bits == 0x100073 || bits == 0x9002;
}

static bool ibex_take_line(struct tr_import *im, struct import_line *line)
{
	struct import_token token = {.hart = im->first_hart,
				     .has_bits = true,
				     .has_cycle = true,
				     .priv = IMPORT_PRIV_UNKNOWN};
	struct import_expansion *e = ibex_expansion(im);
	uint64_t insn;
	if (!e || is_head(line) || line->at == line->end)
		return true;
	if (!parse_ibex_row(line, &token))
		return tr_import_expect(im, line, "time, cycle, pc and instruction");
	if (!tr_insn_length((unsigned)token.bits & 0xffff))
		return tr_import_expect(im, line, "an instruction of a defined length");
	if (token.cycle <= UINT32_MAX
		? !tr_import_widen(im, token.hart, token.cycle, &token.cycle)
		: !tr_import_time_good(im, token.hart, token.cycle))
		return tr_import_expect(im, line, "a later cycle");
	if (import_text(line, "-->") || always_traps(token.bits))
		return true;
	if (take_expansion(line, &insn) && !take_zcmp_step(im, line, insn, &token))
		return true;
	tr_import_expanded_token(im, e, &token);
	take_regs(im, line);
	put_sp(im);
	im->steps = (struct import_steps){.count = 0};
	return true;
}

/* Returns true if a write is there, if the instruction makes it. */
static bool has_write(const struct import_line *line, const struct import_token *token,
		      unsigned reg)
{
	static const char *const names[][2] = {
	    [TR_REG_SP] = {"x2=", "sp="}, [TR_REG_TP] = {"x4=", " tp="}};
	if (!tr_import_writes_reg(token->bits, reg, 32))
		return true;
	for (unsigned i = 0; i < 2; i++) {
		const char *text = names[reg][i];
		struct import_line l = *line;
		uint64_t value;
		l.at = memmem(l.at, (size_t)(l.end - l.at), text, strlen(text));
		if (!l.at)
			continue;
		l.at += strlen(text);
		import_text(&l, "0x");
		const char *digits = l.at;
		return import_hex(&l, &value) && l.at - digits == 8;
	}
	return false;
}

/* The text of the instruction does not count, but its mark. */
static bool ibex_is_whole(const struct tr_import *im, const struct import_line *line)
{
	struct import_line l = *line;
	struct import_token token;
	(void)im;
	if (is_head(line))
		return true;
	if (!parse_ibex_row(&l, &token) || l.end - l.at < 3)
		return false;
	return import_text(&l, "-->") ||
	       (has_write(&l, &token, TR_REG_SP) && has_write(&l, &token, TR_REG_TP));
}

const struct import_kind tr_import_ibex = {
    .format = {"ibex", "Ibex's and CV32E40P's tracers, trace_core_*.log"},
    .has_cycles = true,
    .in_order = true,
    .recognises = ibex_recognises,
    .look = ibex_look,
    .lacks = ibex_lacks,
    .take = ibex_take_line,
    .is_whole = ibex_is_whole,
    .release = ibex_release,
};
