/* SPDX-License-Identifier: Apache-2.0 */
/* The log of CVA6's tracer of RVFI (rvfi_tracer.sv): two lines for an instruction, and
 * one for a trap.
 *
 *     core   0: 0x0000000080000024 (0x00016117) DASM(00016117)
 *     3 0x0000000080000024 (0x00016117) x 2 0x0000000080016024
 *     core   INTERRUPT 0: 0x0000000080000024 (0x00016117) DASM(00016117)
 *     ENV_CALL_UMODE exception @ 0x0000000080000100 (0x00000073)
 *
 * INTERRUPT marks the first instruction of the handler. */
#include "import/import_formats.h"

#include "import/import_commit.h"
#include "import/import_parse.h"

static bool recognises(const struct import_line *line)
{
	struct import_line l = *line;
	size_t size = (size_t)(l.end - l.at);
	return import_text(&l, "core ") && size > 0 && memmem(l.at, size - 5, "DASM(", 5);
}

static void look(struct tr_import *im, struct import_line *line)
{
	if (!tr_import_is_commit(line))
		return;
	im->has_sp = true;
	line->at += 2;
	tr_import_look_at_pc(im, line);
}

static const char *lacks(const struct tr_import *im)
{
	(void)im;
	return "satp,classes";
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

static bool take(struct tr_import *im, struct import_line *line)
{
	if (line->at < line->end && *line->at >= '0' && *line->at <= '3')
		return tr_import_commit(im, 0, line);
	if (import_text(line, "core   INTERRUPT ")) {
		tr_import_trap(im, 0, TR_CAUSE_INTERRUPT, tr_import_next(im, 0));
		return true;
	}
	if (import_text(line, "core ") || import_text(line, "***") ||
	    line->at == line->end)
		return true;
	return take_exception(im, line);
}

const struct import_kind tr_import_cva6 = {
    .format = {"cva6", "CVA6's tracer, trace_rvfi_hart_*.dasm"},
    .recognises = recognises,
    .look = look,
    .lacks = lacks,
    .take = take,
};
