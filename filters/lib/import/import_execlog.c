/* SPDX-License-Identifier: Apache-2.0 */
/* The log of QEMU's plugin execlog: hart, pc, instruction, its text, and memory accessed.
 *
 *     0, 0x80000024, 0x16117, "auipc sp,90112"
 *
 * It has the first 32 bits of an instruction, so longer ones are without bits. */
#include "import/import_formats.h"

#include "import/import_parse.h"
#include "stream/reader.h"

static bool execlog_recognises(const struct import_line *line)
{
	struct import_line l = *line;
	uint64_t value;
	return import_decimal(&l, &value) && import_text(&l, ", ") &&
	       import_0x(&l, &value) && import_text(&l, ", ") && import_0x(&l, &value);
}

static const char *execlog_lacks(const struct tr_import *im)
{
	(void)im;
	return "priv,satp,traps,classes";
}

static bool execlog_take_line(struct tr_import *im, struct import_line *line)
{
	struct import_token token = {.priv = IMPORT_PRIV_UNKNOWN};
	uint64_t hart;
	if (line->at == line->end)
		return true;
	if (!import_hart(line, &hart))
		return tr_import_expect(im, line, "the number of a hart");
	if (!import_text(line, ", ") || !import_0x(line, &token.pc))
		return tr_import_expect(im, line, "\", \" and the pc, 0x…");
	if (!import_text(line, ", ") || !import_0x(line, &token.bits))
		return tr_import_expect(im, line, "\", \" and the instruction, 0x…");
	if (!tr_insn_length((unsigned)token.bits & 0xffff))
		return tr_import_expect(im, line, "an instruction of a defined length");
	token.has_bits = tr_insn_length((unsigned)token.bits & 0xffff) <= 4;
	token.hart = (uint32_t)hart;
	tr_import_token(im, &token);
	return true;
}

/* The text in quotation marks follows the instruction. */
static bool execlog_is_whole(const struct tr_import *im, const struct import_line *line)
{
	const char *open = memchr(line->at, '"', (size_t)(line->end - line->at));
	(void)im;
	return open && memchr(open + 1, '"', (size_t)(line->end - open - 1));
}

const struct import_kind tr_import_execlog = {
    .format = {"execlog", "QEMU's plugin execlog"},
    .recognises = execlog_recognises,
    .lacks = execlog_lacks,
    .take = execlog_take_line,
    .is_whole = execlog_is_whole,
};
