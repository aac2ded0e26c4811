/* SPDX-License-Identifier: Apache-2.0 */
/* Decides if the last line of a log is whole. */
#include "import/import_whole.h"

#include "import/import_commit.h"
#include "import/import_parse.h"
#include "stream/insn.h"
#include "stream/reader.h"

/* RV32 logs of some versions have 16 digits: then 8 zeros may be their first half. */
bool tr_import_whole_0x(const struct tr_import *im, struct import_line *line)
{
	const char *at = line->at;
	uint64_t value;
	if (!import_0x(line, &value))
		return false;
	const size_t digits = (size_t)(line->at - at) - 2;
	return digits == 16 || (digits == 8 && im->xlen == 32 && value);
}

static bool short_writes(unsigned bits, unsigned reg, unsigned xlen)
{
	const unsigned quadrant = bits & 3, group = bits >> 13, rs2 = bits >> 2 & 31;
	if (reg == TR_REG_SP && (bits & 0xf903) == 0xb802) /* CM.PUSH and CM.POP */
		return true;
	if ((bits >> 7 & 31) != reg)
		return false;
	if (quadrant == 1)
		return group == 0 || (group == 1 && xlen == 64) || group == 2 ||
		       group == 3;
	return quadrant == 2 && (group == 0 || group == 2 || (group == 3 && xlen == 64) ||
				 (group == 4 && rs2));
}

bool tr_import_writes_reg(uint64_t bits, unsigned reg, unsigned xlen)
{
	if ((bits & 3) != 3)
		return short_writes((unsigned)bits & 0xffff, reg, xlen);
	if ((bits >> 7 & 31) != reg)
		return false;
	switch (tr_insn_opcode(bits)) {
	case TR_OPCODE_LOAD:
	case TR_OPCODE_OP_IMM:
	case TR_OPCODE_OP_IMM_32:
	case TR_OPCODE_AUIPC:
	case TR_OPCODE_AMO:
	case TR_OPCODE_OP:
	case TR_OPCODE_OP_32:
	case TR_OPCODE_LUI:
	case TR_OPCODE_JALR:
	case TR_OPCODE_JAL:
		return true;
	case TR_OPCODE_SYSTEM:
		return tr_insn_is_csr(bits);
	default:
		return false;
	}
}

static bool is_satp_write(uint64_t bits)
{
	return tr_insn_writes_csr(bits) && (bits >> 20 & 0xfff) == TR_CSR_SATP;
}

bool tr_import_may_be(const struct import_line *line, const char *text)
{
	size_t size = strlen(text);
	if ((size_t)(line->end - line->at) < size)
		size = (size_t)(line->end - line->at);
	return memcmp(line->at, text, size) == 0;
}

/* What an instruction writes of what the stream has. */
enum { WRITES_SP = 1, WRITES_TP = 2, WRITES_SATP = 4 };

static unsigned writes_of(uint64_t bits, unsigned xlen)
{
	return (tr_import_writes_reg(bits, TR_REG_SP, xlen) ? WRITES_SP : 0U) |
	       (tr_import_writes_reg(bits, TR_REG_TP, xlen) ? WRITES_TP : 0U) |
	       (is_satp_write(bits) ? WRITES_SATP : 0U);
}

/* Takes "x2  0x…", "x 2 0x…", "x2 p2 0xXXXXXXXX" or "c384_satp 0x…" with all digits.
 * Returns what is written, 0 for something else. */
static unsigned take_whole_write(const struct tr_import *im, struct import_line *line)
{
	uint64_t number, value;
	const char kind = *line->at++;
	if (kind != 'x' && kind != 'c')
		return 0;
	if (kind == 'x')
		import_blanks(line);
	if (!import_decimal(line, &number) ||
	    (kind == 'c' && !import_text(line, "_satp")))
		return 0;
	import_blanks(line);
	if (import_text(line, "p") && import_decimal(line, &value))
		import_blanks(line);
	if (!import_text(line, "0xXXXXXXXX") && !tr_import_whole_0x(im, line))
		return 0;
	if (kind == 'c')
		return number == TR_CSR_SATP ? WRITES_SATP : 0;
	return number == TR_REG_SP ? WRITES_SP : number == TR_REG_TP ? WRITES_TP : 0;
}

/* A value that is cut short is not counted as written. */
bool tr_import_commit_is_whole(const struct tr_import *im, const struct import_line *line)
{
	struct import_line l = *line;
	uint64_t pc, bits;
	unsigned written = 0;
	l.at += 2;
	if (!tr_import_is_commit(line) || !import_0x(&l, &pc) || !import_text(&l, " (") ||
	    !import_0x(&l, &bits) || !import_text(&l, ")"))
		return false;
	while (l.at < l.end) {
		import_blanks(&l);
		if (l.at < l.end)
			written |= take_whole_write(im, &l);
		while (l.at < l.end && *l.at != ' ')
			l.at++;
	}
	return (writes_of(bits, im->xlen) & ~written) == 0;
}
