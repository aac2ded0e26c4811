/* SPDX-License-Identifier: Apache-2.0 */
/* Parses the line of a commit. */
#include "import/import_commit.h"

#include "import/import_parse.h"
#include "stream/reader.h"

bool tr_import_is_commit(const struct import_line *line)
{
	struct import_line l = *line;
	uint64_t pc, bits;
	return l.end - l.at > 4 && l.at[0] >= '0' && l.at[0] <= '3' && l.at[1] == ' ' &&
	       (l.at += 2) && import_0x(&l, &pc) && import_text(&l, " (") &&
	       import_0x(&l, &bits) && import_text(&l, ")");
}

void tr_import_look_at_pc(struct tr_import *im, struct import_line *line)
{
	const char *at = line->at;
	uint64_t pc;
	if (import_0x(line, &pc))
		im->xlen = line->at - at == 10 ? 32 : 64;
}

bool tr_import_insn(struct tr_import *im, struct import_line *line,
		    struct import_token *token)
{
	if (!import_0x(line, &token->pc))
		return tr_import_expect(im, line, "the pc, 0x…");
	if (!import_text(line, " ("))
		return tr_import_expect(im, line, "\" (\"");
	const char *at = line->at;
	if (!import_0x(line, &token->bits))
		return tr_import_expect(im, line, "the instruction, 0x…");
	if (!import_text(line, ")"))
		return tr_import_expect(im, line, "\")\"");
	if (!tr_insn_length((unsigned)token->bits & 0xffff)) {
		line->at = at;
		return tr_import_expect(im, line, "an instruction of a defined length");
	}
	token->has_bits = true;
	return true;
}

/* The text of the instruction may come first. Registers are written as "x2  0x…", "x 2
 * 0x…" or, by CSR, "c384_satp 0x…". Of a load that is late, Rocket writes "x2 p2
 * 0xXXXXXXXXXXXXXXXX". */
static bool take_register_write(struct tr_import *im, uint32_t hart,
				struct import_line *line)
{
	struct import_write write;
	uint64_t number;
	const char kind = *line->at++;
	if (kind == 'x')
		import_blanks(line);
	if (!import_decimal(line, &number))
		return false;
	bool is_satp = kind == 'c' && number == 384 && import_text(line, "_satp");
	import_blanks(line);
	if (!import_0x(line, &write.value))
		return kind == 'x';
	write.reg = (uint8_t)number;
	if (kind == 'x' && number < 32)
		tr_import_reg(im, hart, &write);
	else if (is_satp)
		tr_import_satp(im, hart, write.value);
	return true;
}

void tr_import_commit_writes(struct tr_import *im, uint32_t hart,
			     struct import_line *line)
{
	while (line->at < line->end) {
		import_blanks(line);
		if (line->at == line->end ||
		    (*line->at == 'm' && import_text(line, "mem 0x")))
			return;
		if ((*line->at == 'x' || *line->at == 'c') &&
		    take_register_write(im, hart, line))
			continue;
		while (line->at < line->end && *line->at != ' ')
			line->at++;
	}
}

bool tr_import_commit_token(struct tr_import *im, struct import_line *line,
			    struct import_token *token)
{
	if (line->at == line->end || *line->at < '0' || *line->at > '3')
		return tr_import_expect(im, line, "the privilege, 0 to 3");
	token->priv = (uint8_t)(*line->at++ - '0');
	if (!import_text(line, " "))
		return tr_import_expect(im, line, "a blank");
	return tr_import_insn(im, line, token);
}

bool tr_import_commit(struct tr_import *im, uint32_t hart, struct import_line *line)
{
	struct import_token token = {.hart = hart};
	if (!tr_import_commit_token(im, line, &token))
		return false;
	tr_import_token(im, &token);
	tr_import_commit_writes(im, hart, line);
	return true;
}
