/* SPDX-License-Identifier: Apache-2.0 */
/* The logs of Rocket and BOOM, of instructions with their time, or of commits, which BOOM
 * can write with the cycle:
 *
 *     C0:      10432 [1] pc=[0000000080000024] W[r 2=0000000080016024][1] …
 * inst=[00016117] DASM(00016117) 3 0x0000000080000024 (0x00016117) x2 0x0000000080016024
 *     x5 p5 0x0000000000000001
 *     C10432: 3 0x0000000080000024 (0x00016117) DASM(00016117) x2 0x0000000080016024
 *
 * in RocketCore.scala and BOOM's core.scala. The time has 32 bits, the cycle 64. A line
 * with [0] has no commit: a trap. A write that is late has a line of its own. The
 * simulator's other output may be in between. */
#include "import/import_formats.h"

#include "import/import_commit.h"
#include "import/import_parse.h"
#include "import/import_whole.h"
#include "stream/reader.h"

static bool parse_rocket_time(struct import_line *l, uint64_t *hart, uint64_t *time)
{
	if (!import_text(l, "C") || !import_hart(l, hart) || !import_text(l, ":"))
		return false;
	import_blanks(l);
	return import_decimal(l, time) && import_text(l, " [");
}

/* "C10432: " before a commit. */
static bool parse_rocket_cycle(struct import_line *line, uint64_t *cycle)
{
	struct import_line l = *line;
	if (!import_text(&l, "C"))
		return false;
	import_blanks(&l);
	if (!import_decimal(&l, cycle) || !import_text(&l, ":"))
		return false;
	import_blanks(&l);
	if (!tr_import_is_commit(&l))
		return false;
	*line = l;
	return true;
}

static bool rocket_recognises(const struct import_line *line)
{
	struct import_line l = *line;
	uint64_t hart, time;
	return tr_import_is_commit(line) || parse_rocket_cycle(&l, &time) ||
	       parse_rocket_time(&l, &hart, &time);
}

/* The digits of "pc=[…]" of a timed line are those of XLEN. */
static void look_at_timed(struct tr_import *im, const struct import_line *line)
{
	const char *at = memmem(line->at, (size_t)(line->end - line->at), "pc=[", 4);
	const char *end = at ? memchr(at, ']', (size_t)(line->end - at)) : NULL;
	if (end)
		im->xlen = end - at == 4 + 8 ? 32 : 64;
}

static void rocket_look(struct tr_import *im, struct import_line *line)
{
	uint64_t cycle;
	const bool has_cycle = parse_rocket_cycle(line, &cycle);
	if (!im->has_commits && !tr_import_is_commit(line))
		look_at_timed(im, line);
	if (!tr_import_is_commit(line))
		return;
	im->has_commits = im->has_sp = true;
	im->has_cycles = has_cycle;
	line->at += 2;
	tr_import_look_at_pc(im, line);
}

static const char *rocket_lacks(const struct tr_import *im)
{
	return im->has_commits ? "satp,traps,classes" : "priv,satp,traps,classes";
}

static bool take_after(struct tr_import *im, struct import_line *line, const char *text,
		       uint64_t *value)
{
	const char *at =
	    memmem(line->at, (size_t)(line->end - line->at), text, strlen(text));
	if (!at)
		return tr_import_expect(im, line, text);
	line->at = at + strlen(text);
	return import_hex(line, value) ||
	       tr_import_expect(im, line, "a hexadecimal number");
}

/* Older versions print the 40 bits of a virtual address. */
static uint64_t extend_rocket_pc(const struct import_line *line, uint64_t pc)
{
	const bool is_short = line->at - line->start > 10 && line->at[-11] == '[';
	return is_short ? (uint64_t)((int64_t)(pc << 24) >> 24) : pc;
}

static bool take_rocket_timed(struct tr_import *im, struct import_line *line)
{
	struct import_token token = {
	    .has_bits = true, .has_cycle = true, .priv = IMPORT_PRIV_UNKNOWN};
	uint64_t hart, time;
	parse_rocket_time(line, &hart, &time);
	const bool commits = import_text(line, "1]");
	if (!commits && !import_text(line, "0]"))
		return tr_import_expect(im, line, "0] or 1]");
	if (!take_after(im, line, "pc=[", &token.pc))
		return false;
	token.pc = extend_rocket_pc(line, token.pc);
	if (!take_after(im, line, "inst=[", &token.bits))
		return false;
	if (!commits)
		return true;
	if (!tr_insn_length((unsigned)token.bits & 0xffff))
		return tr_import_expect(im, line, "an instruction of a defined length");
	token.hart = im->sink->files > 1 ? im->first_hart : (uint32_t)hart;
	if (!tr_import_widen(im, token.hart, time, &token.cycle))
		return tr_import_expect(im, line, "a later time");
	tr_import_token(im, &token);
	return true;
}

static bool take_rocket_commit(struct tr_import *im, struct import_line *line,
			       bool has_cycle, uint64_t cycle)
{
	struct import_token token = {
	    .hart = im->first_hart, .cycle = cycle, .has_cycle = has_cycle};
	if (!tr_import_commit_token(im, line, &token))
		return false;
	if (has_cycle && !tr_import_time_good(im, token.hart, cycle))
		return tr_import_expect(im, line, "a later cycle");
	tr_import_token(im, &token);
	tr_import_commit_writes(im, token.hart, line);
	return true;
}

/* Returns true for the write of a late load: "x5 p5 0x…". */
static bool take_late(struct tr_import *im, struct import_line *line)
{
	struct import_write write;
	uint64_t number, same;
	struct import_line l = *line;
	if (!import_text(&l, "x") || !import_decimal(&l, &number) ||
	    !import_text(&l, " p") || !import_decimal(&l, &same) || number > 31 ||
	    !import_text(&l, " ") || !import_0x(&l, &write.value))
		return false;
	write.reg = (uint8_t)number;
	tr_import_reg(im, im->first_hart, &write);
	return true;
}

static bool rocket_take_line(struct tr_import *im, struct import_line *line)
{
	struct import_line l = *line;
	uint64_t hart, time;
	if (!im->has_commits && parse_rocket_time(&l, &hart, &time))
		return take_rocket_timed(im, line);
	if (tr_import_is_commit(line))
		return take_rocket_commit(im, line, false, 0);
	if (parse_rocket_cycle(line, &time))
		return take_rocket_commit(im, line, im->has_cycles, time);
	take_late(im, line);
	return true;
}

/* Other output of the simulator may lack the end of its last line. */
static bool rocket_is_whole(const struct tr_import *im, const struct import_line *line)
{
	struct import_line l = *line;
	uint64_t hart, number;
	if (tr_import_is_commit(&l) || parse_rocket_cycle(&l, &number))
		return tr_import_commit_is_whole(im, &l);
	if (parse_rocket_time(&l, &hart, &number)) {
		l.at = memmem(l.at, (size_t)(l.end - l.at), "inst=[", 6);
		return l.at && (l.at += 6) && import_hex(&l, &number) &&
		       import_text(&l, "]");
	}
	if (import_text(&l, "x") && import_decimal(&l, &number))
		return import_text(&l, " p") && import_decimal(&l, &number) &&
		       import_text(&l, " ") && tr_import_whole_0x(im, &l);
	l = *line;
	if (*l.at == 'C' || *l.at == 'x')
		return l.end - l.at > 1 && l.at[1] != ' ' &&
		       (l.at[1] < '0' || l.at[1] > '9');
	return *l.at < '0' || *l.at > '3' || (l.at++, !tr_import_may_be(&l, " 0x"));
}

const struct import_kind tr_import_rocket = {
    .format = {"rocket", "the commits that Rocket and BOOM print, also with cycles"},
    .has_cycles = true,
    .in_order = true,
    .recognises = rocket_recognises,
    .look = rocket_look,
    .lacks = rocket_lacks,
    .take = rocket_take_line,
    .is_whole = rocket_is_whole,
};
