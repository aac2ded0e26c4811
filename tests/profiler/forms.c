/* SPDX-License-Identifier: Apache-2.0 */
/* Every instruction of RV64GC that neither jumps nor traps by design. In its operands a
 * letter after % stands for a register or an immediate; the first of a line that is
 * written is read before, where the form says so. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "body.h"

/*	d written; A of auipc; e written, not x0; w written, neither x0 nor sp; s read; n
 *read, not x0; p written, q read, of x8 to x15; y read and written, not x0; x read and
 *written, of x8 to x15; b a pointer; B a pointer of x8 to x15; D F of floating point,
 *any; Q of f8 to f15; r the rounding mode; i immediate of 12 bits; u of 20; k of 6,
 *signed; j the same, not 0; h 0 to 63; H 1 to 63; v 0 to 31; U that of c.lui; o offset, 8
 *bytes aligned; O that of c.lw; L of c.ld; W of c.lwsp; X of c.ldsp; a of c.addi4spn; z
 *of c.addi16sp */
static const char *const forms_long[] = {
    "lui %d, %u",
    "auipc %A, %u",
    "addi %d, %s, %i",
    "slti %d, %s, %i",
    "sltiu %d, %s, %i",
    "xori %d, %s, %i",
    "ori %d, %s, %i",
    "andi %d, %s, %i",
    "slli %d, %s, %h",
    "srli %d, %s, %h",
    "srai %d, %s, %h",
    "add %d, %s, %s",
    "sub %d, %s, %s",
    "sll %d, %s, %s",
    "slt %d, %s, %s",
    "sltu %d, %s, %s",
    "xor %d, %s, %s",
    "srl %d, %s, %s",
    "sra %d, %s, %s",
    "or %d, %s, %s",
    "and %d, %s, %s",
    "addiw %d, %s, %i",
    "slliw %d, %s, %v",
    "srliw %d, %s, %v",
    "sraiw %d, %s, %v",
    "addw %d, %s, %s",
    "subw %d, %s, %s",
    "sllw %d, %s, %s",
    "srlw %d, %s, %s",
    "sraw %d, %s, %s",
    "lb %d, %o(%b)",
    "lh %d, %o(%b)",
    "lw %d, %o(%b)",
    "ld %d, %o(%b)",
    "lbu %d, %o(%b)",
    "lhu %d, %o(%b)",
    "lwu %d, %o(%b)",
    "sb %s, %o(%b)",
    "sh %s, %o(%b)",
    "sw %s, %o(%b)",
    "sd %s, %o(%b)",
    "fence rw, rw",
    "fence.tso",
    "fence.i",
    "mul %d, %s, %s",
    "mulh %d, %s, %s",
    "mulhsu %d, %s, %s",
    "mulhu %d, %s, %s",
    "div %d, %s, %s",
    "divu %d, %s, %s",
    "rem %d, %s, %s",
    "remu %d, %s, %s",
    "mulw %d, %s, %s",
    "divw %d, %s, %s",
    "divuw %d, %s, %s",
    "remw %d, %s, %s",
    "remuw %d, %s, %s",
    "lr.w %d, (%b)",
    "lr.d.aq %d, (%b)",
    "sc.w %d, %s, (%b)",
    "sc.d.rl %d, %s, (%b)",
    "amoswap.w %d, %s, (%b)",
    "amoadd.w %d, %s, (%b)",
    "amoxor.w.aq %d, %s, (%b)",
    "amoand.w %d, %s, (%b)",
    "amoor.w %d, %s, (%b)",
    "amomin.w %d, %s, (%b)",
    "amomax.w %d, %s, (%b)",
    "amominu.w.rl %d, %s, (%b)",
    "amomaxu.w %d, %s, (%b)",
    "amoswap.d %d, %s, (%b)",
    "amoadd.d.aqrl %d, %s, (%b)",
    "amoxor.d %d, %s, (%b)",
    "amoand.d %d, %s, (%b)",
    "amoor.d %d, %s, (%b)",
    "amomin.d %d, %s, (%b)",
    "amomax.d %d, %s, (%b)",
    "amominu.d %d, %s, (%b)",
    "amomaxu.d %d, %s, (%b)",
    "flw %D, %o(%b)",
    "fsw %F, %o(%b)",
    "fld %D, %o(%b)",
    "fsd %F, %o(%b)",
    "fmadd.s %D, %F, %F, %F%r",
    "fmsub.s %D, %F, %F, %F%r",
    "fnmsub.s %D, %F, %F, %F%r",
    "fnmadd.s %D, %F, %F, %F%r",
    "fadd.s %D, %F, %F%r",
    "fsub.s %D, %F, %F%r",
    "fmul.s %D, %F, %F%r",
    "fdiv.s %D, %F, %F%r",
    "fsqrt.s %D, %F%r",
    "fsgnj.s %D, %F, %F",
    "fsgnjn.s %D, %F, %F",
    "fsgnjx.s %D, %F, %F",
    "fmin.s %D, %F, %F",
    "fmax.s %D, %F, %F",
    "fcvt.w.s %d, %F%r",
    "fcvt.wu.s %d, %F%r",
    "fmv.x.w %d, %F",
    "feq.s %d, %F, %F",
    "flt.s %d, %F, %F",
    "fle.s %d, %F, %F",
    "fclass.s %d, %F",
    "fcvt.s.w %D, %s%r",
    "fcvt.s.wu %D, %s%r",
    "fmv.w.x %D, %s",
    "fcvt.l.s %d, %F%r",
    "fcvt.lu.s %d, %F%r",
    "fcvt.s.l %D, %s%r",
    "fcvt.s.lu %D, %s%r",
    "fmadd.d %D, %F, %F, %F%r",
    "fmsub.d %D, %F, %F, %F%r",
    "fnmsub.d %D, %F, %F, %F%r",
    "fnmadd.d %D, %F, %F, %F%r",
    "fadd.d %D, %F, %F%r",
    "fsub.d %D, %F, %F%r",
    "fmul.d %D, %F, %F%r",
    "fdiv.d %D, %F, %F%r",
    "fsqrt.d %D, %F%r",
    "fsgnj.d %D, %F, %F",
    "fsgnjn.d %D, %F, %F",
    "fsgnjx.d %D, %F, %F",
    "fmin.d %D, %F, %F",
    "fmax.d %D, %F, %F",
    "fcvt.s.d %D, %F%r",
    "fcvt.d.s %D, %F",
    "feq.d %d, %F, %F",
    "flt.d %d, %F, %F",
    "fle.d %d, %F, %F",
    "fclass.d %d, %F",
    "fcvt.w.d %d, %F%r",
    "fcvt.wu.d %d, %F%r",
    "fcvt.d.w %D, %s",
    "fcvt.d.wu %D, %s",
    "fcvt.l.d %d, %F%r",
    "fcvt.lu.d %d, %F%r",
    "fmv.x.d %d, %F",
    "fcvt.d.l %D, %s%r",
    "fcvt.d.lu %D, %s%r",
    "fmv.d.x %D, %s",
    "frcsr %d",
    "frflags %d",
    "fsflags %d, %s",
    "fsflagsi %d, %v",
    "csrrc %d, fflags, %s",
    "csrrsi %d, fflags, %v",
};
static const char *const forms_short[] = {
    "c.addi4spn %p, sp, %a", "c.fld %Q, %L(%B)",
    "c.lw %p, %O(%B)",	     "c.ld %p, %L(%B)",
    "c.fsd %Q, %L(%B)",	     "c.sw %q, %O(%B)",
    "c.sd %q, %L(%B)",	     "c.nop",
    "c.addi %y, %j",	     "c.addiw %y, %k",
    "c.li %e, %k",	     "c.addi16sp sp, %z",
    "c.lui %w, %U",	     "c.srli %x, %H",
    "c.srai %x, %H",	     "c.andi %x, %k",
    "c.sub %x, %q",	     "c.xor %x, %q",
    "c.or %x, %q",	     "c.and %x, %q",
    "c.subw %x, %q",	     "c.addw %x, %q",
    "c.slli %y, %H",	     "c.fldsp %D, %X(sp)",
    "c.lwsp %e, %W(sp)",     "c.ldsp %e, %X(sp)",
    "c.mv %e, %n",	     "c.add %y, %n",
    "c.fsdsp %F, %X(sp)",    "c.swsp %s, %W(sp)",
    "c.sdsp %s, %X(sp)",
};
enum {
	LONG = sizeof(forms_long) / sizeof(*forms_long),
	SHORT = sizeof(forms_short) / sizeof(*forms_short),
	OPERANDS_MAX = 128,
};
#define ALL    UINT32_MAX
#define MIDDLE UINT32_C(0xff00) /* x8 to x15 */

unsigned form_count(void)
{
	return LONG + SHORT;
}

const char *form_text(unsigned form)
{
	return form < LONG ? forms_long[form] : forms_short[form - LONG];
}

/* Returns a pointer into the window, sometimes another register, but none that may have
 * an address of code, which is not the same with stubs. */
static unsigned pick_pointer(struct body *b, uint32_t among)
{
	uint32_t pointers = b->pointers & among;

	if (!pointers || rng_chance(b->rng, 4))
		pointers = among & ~(SCRATCH | b->written);
	return pointers ? rng_bit(b->rng, pointers) : 8;
}

/* Returns the register of an operand; *written says whether it is a result. */
static unsigned pick_register(struct body *b, char letter, bool *written)
{
	*written = strchr("Adepwxy", letter);
	switch (letter) {
	case 'd':
		return rng_chance(b->rng, 3) ? 0 : body_written(b, ALL & ~1U);
	case 'A': /* x8 may have to be a pointer */
		return rng_chance(b->rng, 3) ? 0 : body_written(b, ALL & ~(1U | 1U << 8));
	case 'e':
		return body_written(b, ALL & ~1U);
	case 'w':
		return body_written(b, ALL & ~5U);
	case 'p':
		return body_written(b, MIDDLE);
	case 's':
		return body_read(b, ALL);
	case 'n':
		return body_read(b, ALL & ~1U);
	case 'q':
		return body_read(b, MIDDLE);
	case 'x':
		return body_written(b, MIDDLE);
	case 'y':
		return body_written(b, b->readable & ~1U);
	case 'b':
		return pick_pointer(b, ALL);
	default:
		return pick_pointer(b, MIDDLE);
	}
}

static int pick_immediate(struct body *b, char letter)
{
	struct rng *rng = b->rng;
	int value;

	switch (letter) {
	case 'i':
		return (int)rng_below(rng, 4096) - 2048;
	case 'u':
		return (int)rng_below(rng, 1 << 20);
	case 'k':
		return (int)rng_below(rng, 64) - 32;
	case 'j':
		value = (int)rng_below(rng, 63) - 31;
		return value ? value : -32;
	case 'h':
		return (int)rng_below(rng, 64);
	case 'H':
		return (int)rng_range(rng, 1, 63);
	case 'v':
		return (int)rng_below(rng, 32);
	case 'U':
		value = (int)rng_range(rng, 1, 31);
		return rng_chance(rng, 50) ? value : 0xfffff - value;
	case 'o':
		return rng_chance(rng, 3) ? (int)rng_below(rng, 4096) - 2048
					  : ((int)rng_below(rng, 256) - 128) * 8;
	case 'O':
		return (int)rng_below(rng, 32) * 4;
	case 'L':
		return (int)rng_below(rng, 32) * 8;
	case 'W':
		return (int)rng_below(rng, 64) * 4;
	case 'X':
		return (int)rng_below(rng, 64) * 8;
	case 'a':
		return (int)rng_range(rng, 1, 255) * 4;
	default:
		value = (int)rng_below(rng, 8) - 4;
		return (value ? value : 4) * 16;
	}
}

/* Writes the operand of a letter to `out`; returns the register that it writes, or 0. */
static unsigned write_operand(struct body *b, char letter, char *out, size_t size)
{
	static const char *const modes[] = {"",	     "",      "",      ", rne",
					    ", rtz", ", rdn", ", rup", ", rmm"};
	bool written = false;
	unsigned reg;

	if (strchr("AdepwxysnqbB", letter)) {
		reg = pick_register(b, letter, &written);
		snprintf(out, size, "x%u", reg);
		return written ? reg : 0;
	}
	if (letter == 'D' || letter == 'F')
		snprintf(out, size, "f%u", rng_below(b->rng, 32));
	else if (letter == 'Q')
		snprintf(out, size, "f%u", rng_range(b->rng, 8, 15));
	else if (letter == 'r')
		snprintf(out, size, "%s", RNG_PICK(b->rng, modes));
	else
		snprintf(out, size, "%d", pick_immediate(b, letter));
	return 0;
}

void form_append(struct body *b, unsigned form)
{
	char text[OPERANDS_MAX];
	size_t length = 0;
	unsigned result = 0;

	for (const char *p = form_text(form); *p; p++) {
		if (*p != '%') {
			text[length++] = *p;
			continue;
		}
		unsigned reg =
		    write_operand(b, *++p, text + length, sizeof(text) - length);
		result = reg ? reg : result;
		length += strlen(text + length);
	}
	text[length] = '\0';
	body_insn(b, form < LONG ? 4 : 2, REASON_NONE, "\t%s", text);
	if (strncmp(text, "auipc", 5) == 0) /* with x0 it is lpad, of Zicfilp */
		b->perhaps |= 1U << REASON_REACH | (result ? 0 : 1U << REASON_UNKNOWN);
	if (result)
		body_writes(b, result);
}
