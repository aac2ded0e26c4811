/* SPDX-License-Identifier: Apache-2.0 */
/* The log of qemu-system-riscv64 -d in_asm,exec,nochain, better with ,int:
 *
 *     IN: main
 *     Priv: 3; Virt: 0
 *     0x0000000080000024:  00016117          auipc           sp,90112
 *
 *     Trace 0: 0x7f12a4000940 [00000000/0000000080000024/00101003/ff021000] main
 *     Stopped execution of TB chain before 0x7f12a4000940 [0000000080000024] main
 *     riscv_cpu_do_interrupt: hart:0, async:0, cause:0000000000000008, epc:0x…, tval:0x…,
 * desc=user_ecall
 *
 * A block is printed once, when it is translated; each execution has a line of its own,
 * with the block's place in the host's memory, which identifies it. A block that a trap
 * ends is executed up to epc; a line "Stopped" withdraws its execution. */
#include "import/import_formats.h"

#include <stdlib.h>

#include "base/buffer.h"
#include "import/import_parse.h"
#include "stream/reader.h"

enum { BLOCK_INSNS = 512, SLOTS = 1 << 16, STEPS = 64 };

struct insn {
	uint64_t pc, bits;
};

struct block {
	uint64_t host; /* 0: free */
	size_t first;
	uint16_t count;
	uint8_t priv;
};

struct qemu {
	struct insn *insns;
	size_t ninsns, room;
	struct block *blocks;		 /* hashed by the host's address */
	struct block fresh;		 /* translated, but not yet executed */
	struct block last[TR_MAX_HARTS]; /* whose execution may be withdrawn */
	bool translates;
};

static bool recognises(const struct import_line *line)
{
	struct import_line l = *line;
	return import_text(&l, "IN: ") || import_text(&l, "IN:") ||
	       import_text(&l, "Trace ");
}

static const char *lacks(const struct tr_import *im)
{
	return im->has_insns ? "satp,classes" : "satp,traps,classes";
}

/* Returns the number of hexadecimal digits behind `key`, 0 without it. */
static size_t digits_after(const struct import_line *line, const char *key)
{
	const char *at =
	    memmem(line->at, (size_t)(line->end - line->at), key, strlen(key));
	struct import_line l = {.start = line->start, .at = at, .end = line->end};
	uint64_t value;
	if (!at)
		return 0;
	l.at = at += strlen(key);
	return import_hex(&l, &value) ? (size_t)(l.at - at) : 0;
}

/* Addresses in lines of traps have the digits of XLEN. Those in lines of executions have
 * them in older versions, and 16 in newer ones; those of instructions have at least 8. */
static void look(struct tr_import *im, struct import_line *line)
{
	if (import_text(line, "riscv_cpu_do_interrupt")) {
		im->has_insns = true;
		im->xlen = digits_after(line, "epc:0x") == 8 ? 32 : 64;
	} else if (import_text(line, "Trace ") && digits_after(line, "/") == 8) {
		im->xlen = 32;
	}
}

static struct qemu *own(struct tr_import *im)
{
	struct qemu *q = im->own;
	if (q)
		return q;
	q = im->own = calloc(1, sizeof(*q));
	if (q)
		q->blocks = calloc(SLOTS, sizeof(*q->blocks));
	if (!q || !q->blocks)
		im->status = TR_E_NOMEM;
	return q;
}

static void release(struct tr_import *im)
{
	struct qemu *q = im->own;
	if (!q)
		return;
	free(q->insns);
	free(q->blocks);
	free(q);
}

/* Returns the block at `host`, or a place for it. The table is emptied when it is full,
 * as QEMU empties its own: then all that follow are printed again. */
static struct block *find(struct qemu *q, uint64_t host)
{
	size_t at = (size_t)(host >> 4 ^ host >> 20) % SLOTS;
	for (unsigned i = 0; i < STEPS; i++, at = (at + 1) % SLOTS)
		if (q->blocks[at].host == host || !q->blocks[at].host)
			return &q->blocks[at];
	return NULL;
}

static bool take_insn(struct tr_import *im, struct qemu *q, struct import_line *line)
{
	uint64_t pc, bits;
	if (!import_0x(line, &pc) || !import_text(line, ":"))
		return tr_import_expect(im, line, "0xPC:");
	import_blanks(line);
	if (!import_hex(line, &bits) || !tr_insn_length((unsigned)bits & 0xffff))
		return tr_import_expect(im, line, "an instruction");
	if (q->fresh.count == BLOCK_INSNS)
		return tr_import_expect(im, line, "at most 512 instructions in a block");
	if (!tr_grow(&q->insns, &q->room, q->ninsns + 1, sizeof(*q->insns))) {
		im->status = TR_E_NOMEM;
		return false;
	}
	q->insns[q->ninsns++] = (struct insn){pc, bits};
	q->fresh.count++;
	return true;
}

/* Executes the hart's last block up to `end`, if that is in it. */
static void execute(struct tr_import *im, struct qemu *q, uint32_t hart, uint64_t end)
{
	const struct block *b = &q->last[hart];
	for (unsigned i = 0; i < b->count && q->insns[b->first + i].pc != end; i++) {
		const struct insn *insn = &q->insns[b->first + i];
		tr_import_token(im, &(struct import_token){.pc = insn->pc,
							   .bits = insn->bits,
							   .hart = hart,
							   .has_bits = true,
							   .priv = b->priv});
	}
	q->last[hart].count = 0;
}

/* "HART: 0xHOST [CS/PC/FLAGS…] symbol" */
static bool take_trace(struct tr_import *im, struct qemu *q, struct import_line *line)
{
	uint64_t hart, host, base, pc;
	if (!import_hart(line, &hart))
		return tr_import_expect(im, line, "the number of a hart");
	if (!import_text(line, ": ") || !import_0x(line, &host) || !host)
		return tr_import_expect(im, line, "\": \" and an address, 0x…");
	if (!import_text(line, " [") || !import_hex(line, &base) ||
	    !import_text(line, "/") || !import_hex(line, &pc))
		return tr_import_expect(im, line, "\" [0/PC\"");
	struct block *b = find(q, host);
	const bool is_fresh = q->fresh.count && q->insns[q->fresh.first].pc == pc;
	if (is_fresh && b) {
		*b = q->fresh;
		b->host = host;
	}
	q->fresh.count = 0;
	if (!b || !b->host || q->insns[b->first].pc != pc)
		return tr_import_expect(im, line, "a block that was printed before");
	execute(im, q, (uint32_t)hart, UINT64_MAX);
	q->last[hart] = *b;
	return true;
}

static bool take_number(struct import_line *line, const char *key, uint64_t *value)
{
	const char *at =
	    memmem(line->at, (size_t)(line->end - line->at), key, strlen(key));
	struct import_line l = {.start = line->start, .at = at, .end = line->end};
	if (!at)
		return false;
	l.at += strlen(key);
	import_text(&l, "0x");
	return import_hex(&l, value);
}

static bool take_interrupt(struct tr_import *im, struct qemu *q, struct import_line *line)
{
	uint64_t hart, async, cause, epc, tval;
	if (!take_number(line, "hart:", &hart) || hart >= TR_MAX_HARTS ||
	    !take_number(line, "async:", &async) ||
	    !take_number(line, "cause:", &cause) || !take_number(line, "epc:", &epc) ||
	    !take_number(line, "tval:", &tval))
		return tr_import_expect(im, line, "hart, async, cause, epc and tval");
	execute(im, q, (uint32_t)hart, epc);
	cause &= ~TR_CAUSE_INTERRUPT;
	tr_import_trap(im, (uint32_t)hart, async ? cause | TR_CAUSE_INTERRUPT : cause,
		       epc);
	tr_import_tval(im, (uint32_t)hart, tval);
	return true;
}

/* The execution that was printed last did not begin. */
static void withdraw(struct qemu *q, struct import_line *line)
{
	uint64_t host;
	if (!import_text(line, "before ") || !import_0x(line, &host))
		return;
	for (unsigned hart = 0; hart < TR_MAX_HARTS; hart++)
		if (q->last[hart].host == host)
			q->last[hart].count = 0;
}

static void begin_block(struct qemu *q)
{
	q->fresh = (struct block){.first = q->ninsns, .priv = IMPORT_PRIV_UNKNOWN};
}

static bool take(struct tr_import *im, struct import_line *line)
{
	struct qemu *q = own(im);
	uint64_t priv;
	if (im->status)
		return true;
	if (import_text(line, "Trace "))
		return take_trace(im, q, line);
	if (import_text(line, "IN:"))
		begin_block(q);
	else if (import_text(line, "Priv: ") && import_decimal(line, &priv) && priv < 4)
		q->fresh.priv = (uint8_t)priv;
	else if (line->end - line->at > 2 && line->at[0] == '0' && line->at[1] == 'x')
		return take_insn(im, q, line);
	else if (import_text(line, "riscv_cpu_do_interrupt: "))
		return take_interrupt(im, q, line);
	else if (import_text(line, "Stopped execution of TB chain "))
		withdraw(q, line);
	return true;
}

static void end(struct tr_import *im)
{
	for (uint32_t hart = 0; im->own && hart < TR_MAX_HARTS; hart++)
		execute(im, im->own, hart, UINT64_MAX);
}

const struct import_kind tr_import_qemu = {
    .format = {"qemu", "QEMU's -d in_asm,exec,nochain[,int]"},
    .recognises = recognises,
    .look = look,
    .lacks = lacks,
    .take = take,
    .end = end,
    .release = release,
};
