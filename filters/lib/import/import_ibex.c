/* SPDX-License-Identifier: Apache-2.0 */
/* The log of Ibex's tracer (ibex_tracer.sv), with tabs, and of its ancestors, with
 * blanks:
 *
 *     Time	Cycle	PC	Insn	Decoded instruction	Register and memory
 * contents 20	         4	00000080	00016117	auipc	x2,0x16
 * x2=0x00016080
 *
 * An instruction of 16 bits has four digits. One of Zcmp has a row for each operation
 * that it is executed as, with "expand_insn: (0xb842 cm.push …)" at the end. In the last
 * column = is a write. "-->" before the decoded instruction: it trapped, so it did not
 * commit; "==>": it is the first one of a handler. Older versions have neither. */
#include "import/import_formats.h"

#include "import/import_parse.h"
#include "stream/reader.h"

static bool take_row(struct import_line *l, uint64_t row[4])
{
	import_blanks(l);
	for (unsigned i = 0; i < 4; i++) {
		const char *at = l->at;
		if (!(i < 2 ? import_decimal(l, &row[i]) : import_hex(l, &row[i])))
			return false;
		if (i == 0 && l->at < l->end && *l->at == 'n') /* a unit: ns */
			l->at += 2;
		if (i == 2 && l->at - at != 8)
			return false;
		if (l->at < l->end && *l->at != ' ' && *l->at != '\t')
			return false;
		import_blanks(l);
	}
	return true;
}

static bool is_head(const struct import_line *line)
{
	struct import_line l = *line;
	import_blanks(&l);
	return import_text(&l, "Time");
}

static bool recognises(const struct import_line *line)
{
	struct import_line l = *line;
	uint64_t row[4];
	return is_head(line) || take_row(&l, row);
}

static void look(struct tr_import *im, struct import_line *line)
{
	(void)line;
	im->xlen = 32;
	im->has_sp = true;
}

static const char *lacks(const struct tr_import *im)
{
	(void)im;
	return "priv,satp,traps,classes";
}

/* Finds a write of a register. */
static bool find_reg(const struct import_line *line, const char *text, uint64_t *value)
{
	struct import_line l = *line;
	const char *at = memmem(l.at, (size_t)(l.end - l.at), text, strlen(text));
	if (!at)
		return false;
	l.at = at + strlen(text);
	return import_0x(&l, value);
}

static void take_reg(struct tr_import *im, const struct import_line *line,
		     const char *text, uint8_t reg)
{
	struct import_write write = {.reg = reg};
	if (find_reg(line, text, &write.value))
		tr_import_reg(im, im->first_hart, &write);
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

/* Takes an operation of Zcmp. Returns true if it is the last one: then the token is that
 * of the instruction, and the write of sp that of any of them. */
static bool take_step(struct tr_import *im, const struct import_line *line, uint64_t insn,
		      struct import_token *token)
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

/* Returns true for ecall, ebreak and c.ebreak. */
static bool always_traps(uint64_t bits)
{
	return bits == 0x73 || bits == 0x100073 || bits == 0x9002;
}

static bool take(struct tr_import *im, struct import_line *line)
{
	struct import_token token = {.hart = im->first_hart,
				     .has_bits = true,
				     .has_cycle = true,
				     .priv = IMPORT_PRIV_UNKNOWN};
	uint64_t row[4], insn;
	if (is_head(line) || line->at == line->end)
		return true;
	if (!take_row(line, row))
		return tr_import_expect(im, line, "time, cycle, pc and instruction");
	token.cycle = row[1];
	token.pc = row[2];
	token.bits = row[3];
	if (!tr_insn_length((unsigned)token.bits & 0xffff))
		return tr_import_expect(im, line, "an instruction of a defined length");
	if (!tr_import_time_good(im, token.hart, token.cycle))
		return tr_import_expect(im, line, "a later cycle");
	if (import_text(line, "-->") || always_traps(token.bits))
		return true;
	if (take_expansion(line, &insn) && !take_step(im, line, insn, &token))
		return true;
	tr_import_token(im, &token);
	take_reg(im, line, "x2=", TR_REG_SP);
	take_reg(im, line, "x4=", TR_REG_TP);
	put_sp(im);
	im->steps = (struct import_steps){.count = 0};
	return true;
}

const struct import_kind tr_import_ibex = {
    .format = {"ibex", "Ibex's tracer, trace_core_*.log"},
    .has_cycles = true,
    .recognises = recognises,
    .look = look,
    .lacks = lacks,
    .take = take,
};
