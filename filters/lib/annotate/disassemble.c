/* SPDX-License-Identifier: Apache-2.0 */
/* Instructions as text. The operands of a form are letters, other characters stand for
 * themselves:
 *
 *     * +     no operand: the form needs a register other than x0 in rd, or, of 16 bits,
 *             in rs2
 *     d s t   x registers rd, rs1, rs2; of 16 bits rd, -, rs2; v w: rs1', rs2'
 *     D S T R f registers rd, rs1, rs2, rs3; of 16 bits D T; W: rs2'; U: rs1, if rs2 is
 *             the same
 *     i u     immediate values of the formats I (CI) and U (CUI)
 *     k K     those of C.ADDI4SPN and C.ADDI16SP
 *     > <     shift of XLEN, of 32 bits
 *     l q p   offset(rs1) of loads, of stores, of prefetches
 *     1 to 6  offset(register) of C.LW, C.LD, C.LWSP, C.LDSP, C.SWSP, C.SDSP
 *     a A     no operand: .aq and .rl are part of the name; (rs1)
 *     b j     targets of branches and jumps
 *     E Z     CSR, immediate value of CSR instructions
 *     m       rounding mode with its comma, unless it is dynamic
 *     P Q     predecessors and successors of a fence */
#include "annotate/disassemble.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "annotate/disassemble_internal.h"
#include "stream/decode.h"

static const char *const x_names[] = {"zero", "ra", "sp",  "gp",  "tp", "t0", "t1", "t2",
				      "s0",   "s1", "a0",  "a1",  "a2", "a3", "a4", "a5",
				      "a6",   "a7", "s2",  "s3",  "s4", "s5", "s6", "s7",
				      "s8",   "s9", "s10", "s11", "t3", "t4", "t5", "t6"};
static const char *const f_names[] = {
    "ft0", "ft1", "ft2", "ft3", "ft4",	"ft5",	"ft6", "ft7", "fs0",  "fs1", "fa0",
    "fa1", "fa2", "fa3", "fa4", "fa5",	"fa6",	"fa7", "fs2", "fs3",  "fs4", "fs5",
    "fs6", "fs7", "fs8", "fs9", "fs10", "fs11", "ft8", "ft9", "ft10", "ft11"};

/* An instruction, and the text as far as it is written. */
struct printed {
	uint32_t insn;
	unsigned bytes, isa;
	const uint8_t *code;
	uint64_t pc;
	char *text;
	size_t used;
	bool is_valid; /* no reserved value so far */
};

static void put_text(struct printed *p, const char *text)
{
	while (*text && p->used < TR_DISASSEMBLED - 1)
		p->text[p->used++] = *text++;
	p->text[p->used] = '\0';
}

static void put_number(struct printed *p, int64_t number, const char *after)
{
	char text[32];
	snprintf(text, sizeof(text), "%" PRId64 "%s", number, after);
	put_text(p, text);
}

static void put_hex(struct printed *p, const char *before, uint64_t number)
{
	char text[32];
	snprintf(text, sizeof(text), "%s%" PRIx64, before, number);
	put_text(p, text);
}

/* Returns bits [high:low] of the instruction, moved to bit `to`. */
static uint32_t take_bits(const struct printed *p, unsigned high, unsigned low,
			  unsigned to)
{
	return (p->insn >> low & ((UINT32_C(2) << (high - low)) - 1)) << to;
}

static int32_t sign_extended(uint32_t value, unsigned bits)
{
	const uint32_t top = UINT32_C(1) << (bits - 1);
	return (int32_t)((value ^ top) - top);
}

static void put_x(struct printed *p, unsigned at)
{
	put_text(p, x_names[p->insn >> at & 31]);
}

static void put_f(struct printed *p, unsigned at)
{
	put_text(p, f_names[p->insn >> at & 31]);
}

/* Puts an offset and its register. */
static void put_based(struct printed *p, int32_t offset, uint32_t reg)
{
	char text[16];
	snprintf(text, sizeof(text), "(%s)", x_names[reg & 31]);
	put_number(p, offset, text);
}

static void put_target(struct printed *p)
{
	uint64_t target = 0;
	p->is_valid &= tr_decode_target(p->code, p->bytes, p->isa, p->pc, &target);
	put_hex(p, "", target);
}

static void put_csr(struct printed *p)
{
	char text[24];
	const char *name = tr_csr_name(p->insn >> 20, text);
	if (name)
		put_text(p, name);
	else
		put_hex(p, "0x", p->insn >> 20);
}

static void put_rounding(struct printed *p)
{
	static const char *const modes[] = {",rne", ",rtz", ",rdn", ",rup",
					    ",rmm", NULL,   NULL,   ""};
	const char *mode = modes[p->insn >> 12 & 7];
	p->is_valid &= mode != NULL;
	put_text(p, mode ? mode : "");
}

static void put_fence(struct printed *p, uint32_t set)
{
	char text[8] = "unknown";
	size_t size = 0;
	for (unsigned i = 0; i < 4; i++)
		if (set >> (3 - i) & 1)
			text[size++] = "iorw"[i];
	if (size)
		text[size] = '\0';
	put_text(p, text);
}

static void put_shift(struct printed *p, uint32_t shift)
{
	p->is_valid &= shift < tr_isa_xlen(p->isa);
	put_hex(p, "0x", shift);
}

static void put_upper(struct printed *p, uint32_t value)
{
	put_hex(p, "0x", value & 0xfffff);
}

/* Puts a register of an instruction of 32 bits. Returns false if it is none. */
static bool put_full_register(struct printed *p, char letter)
{
	const uint32_t insn = p->insn;
	switch (letter) {
	case 's':
		put_x(p, 15);
		return true;
	case 't':
		put_x(p, 20);
		return true;
	case 'U':
		p->is_valid &= (insn >> 15 & 31) == (insn >> 20 & 31);
		put_f(p, 15);
		return true;
	case 'S':
		put_f(p, 15);
		return true;
	case 'T':
		put_f(p, 20);
		return true;
	case 'R':
		put_f(p, 27);
		return true;
	default:
		return false;
	}
}

/* Puts a place in memory of an instruction of 32 bits. Returns false if it is none. */
static bool put_full_place(struct printed *p, char letter)
{
	const uint32_t insn = p->insn;
	switch (letter) {
	case 'l':
		put_based(p, (int32_t)insn >> 20, insn >> 15);
		return true;
	case 'p':
		put_based(p, (int32_t)(insn & 0xfe000000) >> 20, insn >> 15);
		return true;
	case 'q':
		put_based(p, ((int32_t)insn >> 25) * 32 + (int32_t)(insn >> 7 & 31),
			  insn >> 15);
		return true;
	case 'A':
		put_text(p, "(");
		put_x(p, 15);
		put_text(p, ")");
		return true;
	default:
		return false;
	}
}

/* Puts an operand that instructions of 32 bits have. Returns false if it is none. */
static bool put_full_operand(struct printed *p, char letter)
{
	const uint32_t insn = p->insn;
	switch (letter) {
	case 'i':
		put_number(p, (int32_t)insn >> 20, "");
		return true;
	case 'u':
		put_upper(p, insn >> 12);
		return true;
	case '>':
		put_shift(p, insn >> 20 & 63);
		return true;
	case '<':
		put_shift(p, insn >> 20 & 31);
		return true;
	case 'E':
		put_csr(p);
		return true;
	case 'Z':
		put_number(p, insn >> 15 & 31, "");
		return true;
	case 'm':
		put_rounding(p);
		return true;
	case 'P':
		put_fence(p, insn >> 24 & 15);
		return true;
	case 'Q':
		put_fence(p, insn >> 20 & 15);
		return true;
	default:
		return put_full_register(p, letter) || put_full_place(p, letter);
	}
}

/* Puts a value that must not be 0. */
static void put_nonzero(struct printed *p, int32_t value)
{
	p->is_valid &= value != 0;
	put_number(p, value, "");
}

/* Puts the offset and the register of a load or store. */
static void put_compressed_place(struct printed *p, char letter)
{
	const uint32_t base = 8 + take_bits(p, 9, 7, 0);
	switch (letter) {
	case '1':
		put_based(p,
			  (int32_t)(take_bits(p, 12, 10, 3) | take_bits(p, 6, 6, 2) |
				    take_bits(p, 5, 5, 6)),
			  base);
		return;
	case '2':
		put_based(p, (int32_t)(take_bits(p, 12, 10, 3) | take_bits(p, 6, 5, 6)),
			  base);
		return;
	case '3':
		put_based(p,
			  (int32_t)(take_bits(p, 12, 12, 5) | take_bits(p, 6, 4, 2) |
				    take_bits(p, 3, 2, 6)),
			  2);
		return;
	case '4':
		put_based(p,
			  (int32_t)(take_bits(p, 12, 12, 5) | take_bits(p, 6, 5, 3) |
				    take_bits(p, 4, 2, 6)),
			  2);
		return;
	case '5':
		put_based(p, (int32_t)(take_bits(p, 12, 9, 2) | take_bits(p, 8, 7, 6)),
			  2);
		return;
	default:
		put_based(p, (int32_t)(take_bits(p, 12, 10, 3) | take_bits(p, 9, 7, 6)),
			  2);
		return;
	}
}

static void put_compressed_immediate(struct printed *p, char letter)
{
	const uint32_t six = take_bits(p, 12, 12, 5) | take_bits(p, 6, 2, 0);
	switch (letter) {
	case 'i':
		put_number(p, sign_extended(six, 6), "");
		return;
	case 'u':
		p->is_valid &= six != 0;
		put_upper(p, (uint32_t)sign_extended(six, 6));
		return;
	case '>':
		put_shift(p, six);
		return;
	case 'k':
		put_nonzero(p,
			    (int32_t)(take_bits(p, 12, 11, 4) | take_bits(p, 10, 7, 6) |
				      take_bits(p, 6, 6, 2) | take_bits(p, 5, 5, 3)));
		return;
	default: /* K */
		put_nonzero(
		    p, sign_extended(take_bits(p, 12, 12, 9) | take_bits(p, 6, 6, 4) |
					 take_bits(p, 5, 5, 6) | take_bits(p, 4, 3, 7) |
					 take_bits(p, 2, 2, 5),
				     10));
		return;
	}
}

/* Puts an operand that instructions of 16 bits have. Returns false if it is none. */
static bool put_compressed_operand(struct printed *p, char letter)
{
	switch (letter) {
	case 't':
		put_x(p, 2);
		return true;
	case 'T':
		put_f(p, 2);
		return true;
	case 'v':
		put_text(p, x_names[8 + take_bits(p, 9, 7, 0)]);
		return true;
	case 'w':
		put_text(p, x_names[8 + take_bits(p, 4, 2, 0)]);
		return true;
	case 'W':
		put_text(p, f_names[8 + take_bits(p, 4, 2, 0)]);
		return true;
	case 'i':
	case 'u':
	case '>':
	case 'k':
	case 'K':
		put_compressed_immediate(p, letter);
		return true;
	default:
		if (letter < '1' || letter > '6')
			return false;
		put_compressed_place(p, letter);
		return true;
	}
}

static void put_operand(struct printed *p, char letter)
{
	const char other[] = {letter, '\0'};
	switch (letter) {
	case 'd':
		put_x(p, 7);
		return;
	case 'D':
		put_f(p, 7);
		return;
	case 'b':
	case 'j':
		put_target(p);
		return;
	default:
		if (!(p->bytes == 2 ? put_compressed_operand(p, letter)
				    : put_full_operand(p, letter)))
			put_text(p, other);
		return;
	}
}

static bool is_name(const char *operands)
{
	return operands[0] == 's' && operands[1] == 'p';
}

/* Writes the instruction as a form that fits. Returns false if a value is reserved. */
static bool print_form(struct printed *p, const struct insn_form *form)
{
	static const char *const orders[] = {"", ".rl", ".aq", ".aqrl"};
	p->used = 0;
	p->is_valid = true;
	put_text(p, form->name);
	if (strchr(form->operands, 'a'))
		put_text(p, orders[p->insn >> 25 & 3]);
	if (*form->operands)
		put_text(p, "\t");
	for (const char *c = form->operands; *c; c++) {
		if (*c == '*') {
			p->is_valid &= (p->insn >> 7 & 31) != 0;
		} else if (*c == '+') {
			p->is_valid &= (p->insn >> 2 & 31) != 0;
		} else if (p->bytes == 2 && is_name(c)) {
			put_text(p, "sp");
			c++;
		} else if (*c != 'a') {
			put_operand(p, *c);
		}
	}
	return p->is_valid;
}

static bool print_known(struct printed *p)
{
	const struct insn_form *form = p->bytes == 2   ? tr_insn_forms_compressed
				       : p->bytes == 4 ? tr_insn_forms_full
						       : NULL;
	for (; form && form->name; form++)
		if ((p->insn & form->mask) == form->match &&
		    (!form->xlen || form->xlen == tr_isa_xlen(p->isa)) &&
		    print_form(p, form))
			return true;
	return false;
}

void tr_disassemble(const uint8_t *code, unsigned bytes, unsigned isa, uint64_t pc,
		    char text[TR_DISASSEMBLED])
{
	uint64_t bits = 0;
	for (unsigned i = 0; i < bytes && i < 8; i++)
		bits |= (uint64_t)code[i] << 8 * i;
	struct printed p = {.insn = (uint32_t)bits,
			    .bytes = bytes,
			    .isa = isa,
			    .code = code,
			    .pc = pc,
			    .text = text};
	if (!print_known(&p))
		snprintf(text, TR_DISASSEMBLED, ".insn\t0x%0*" PRIx64,
			 (int)(bytes < 8 ? bytes : 8) * 2, bits);
}
