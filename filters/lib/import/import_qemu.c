/* SPDX-License-Identifier: Apache-2.0 */
/* The log of qemu-system-riscv64 or qemu-riscv64 -d in_asm,exec,nochain, better with
 * ,int:
 *
 *     IN: main
 *     Priv: 3; Virt: 0
 *     0x0000000080000024:  00016117          auipc           sp,90112
 *
 *     Trace 0: 0x7f12a4000940 [00000000/0000000080000024/00101003/ff021000] main
 *     Stopped execution of TB chain before 0x7f12a4000940 [0000000080000024] main
 *     Linking TBs 0x7f12a4000940 index 0 -> 0x7f12a4000a40       (without nochain only)
 *     riscv_cpu_do_interrupt: hart:0, async:0, cause:0000000000000008, epc:0x…, tval:0x…,
 * desc=user_ecall
 *
 * A block is printed once, when it is translated; each execution has a line of its own,
 * with the block's place in the host's memory, which identifies it. Harts run in threads
 * of their own: another hart's lines may be between a block and its first execution. A
 * block that a trap ends is executed up to epc; a line "Stopped" withdraws its execution.
 * With -icount, an access to a device that is not at a block's end begins a new block:
 * the old one, which a line "cpu_io_recompile: rewound execution of TB to PC" names by
 * its own address, was executed up to there. The emulation of programs alone prints no
 * line "Priv:", as all code is in U-mode. */
#include "import/import_formats.h"

#include <stdlib.h>

#include "base/buffer.h"
#include "base/map.h"
#include "import/import_parse.h"
#include "stream/reader.h"

enum { BLOCK_INSNS = 512, FRESH = 64 };

struct insn {
	uint64_t pc, bits;
};

struct block {
	uint64_t host;
	size_t first;
	uint16_t count;
	uint8_t priv;
};

struct qemu {
	struct insn *insns;
	size_t ninsns, room;
	struct block *blocks;
	size_t nblocks, block_room;
	struct tr_map by_host;	   /* index of a block */
	struct block fresh[FRESH]; /* translated, but not yet executed; the last
				      one may go on */
	uint64_t fresh_pcs[FRESH]; /* of their first instructions, but the last's */
	unsigned nfresh;
	struct block last[TR_MAX_HARTS]; /* whose execution may be withdrawn */
	uint64_t when[TR_MAX_HARTS];	 /* it was printed: number of the line */
	bool rewound[TR_MAX_HARTS];	 /* it ended where the next one begins */
};

static bool qemu_recognises(const struct import_line *line)
{
	struct import_line l = *line;
	return import_text(&l, "IN: ") || import_text(&l, "IN:") ||
	       import_text(&l, "Trace ");
}

static const char *qemu_lacks(const struct tr_import *im)
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
static void qemu_look(struct tr_import *im, struct import_line *line)
{
	if (import_text(line, "riscv_cpu_do_interrupt")) {
		im->has_insns = true;
		im->xlen = digits_after(line, "epc:0x") == 8 ? 32 : 64;
	} else if (import_text(line, "Trace ") && digits_after(line, "/") == 8) {
		im->xlen = 32;
	}
}

static struct qemu *qemu_state(struct tr_import *im)
{
	struct qemu *q = im->own;
	if (q)
		return q;
	q = im->own = calloc(1, sizeof(*q));
	if (!q)
		im->status = TR_E_NOMEM;
	return q;
}

static void qemu_release(struct tr_import *im)
{
	struct qemu *q = im->own;
	if (!q)
		return;
	free(q->insns);
	free(q->blocks);
	tr_map_free(&q->by_host);
	free(q);
}

/* Puts a block in place of the one at its host's address. Returns it, or NULL without
 * memory. */
static const struct block *store_block(struct qemu *q, const struct block *block)
{
	const uint32_t known = tr_map_get(&q->by_host, block->host);
	const size_t at = known == TR_MAP_NONE ? q->nblocks : known;
	if (at == q->nblocks &&
	    (at >= UINT32_MAX - 1 ||
	     !tr_grow(&q->blocks, &q->block_room, at + 1, sizeof(*q->blocks)) ||
	     !tr_map_set(&q->by_host, block->host, (uint32_t)at)))
		return NULL;
	q->nblocks += at == q->nblocks;
	q->blocks[at] = *block;
	return &q->blocks[at];
}

static bool take_insn(struct tr_import *im, struct qemu *q, struct import_line *line)
{
	struct block *fresh = q->nfresh ? &q->fresh[q->nfresh - 1] : NULL;
	uint64_t pc, bits;
	if (!import_0x(line, &pc) || !import_text(line, ":"))
		return tr_import_expect(im, line, "0xPC:");
	import_blanks(line);
	if (!import_hex(line, &bits) || !tr_insn_length((unsigned)bits & 0xffff))
		return tr_import_expect(im, line, "an instruction");
	if (!fresh) /* the log begins in a block */
		return true;
	if (fresh->count == BLOCK_INSNS)
		return tr_import_expect(im, line, "at most 512 instructions in a block");
	if (!tr_grow(&q->insns, &q->room, q->ninsns + 1, sizeof(*q->insns))) {
		im->status = TR_E_NOMEM;
		return false;
	}
	if (!fresh->count)
		q->fresh_pcs[q->nfresh - 1] = pc;
	q->insns[q->ninsns++] = (struct insn){pc, bits};
	fresh->count++;
	return true;
}

/* Begins a block. The oldest one that was not executed is forgotten if there are many. */
static void begin_block(struct qemu *q)
{
	if (q->nfresh && !q->fresh[q->nfresh - 1].count)
		q->nfresh--;
	if (q->nfresh == FRESH) {
		q->nfresh--;
		memmove(q->fresh, q->fresh + 1, q->nfresh * sizeof(*q->fresh));
		memmove(q->fresh_pcs, q->fresh_pcs + 1,
			q->nfresh * sizeof(*q->fresh_pcs));
	}
	q->fresh[q->nfresh] = (struct block){.first = q->ninsns, .priv = TR_PRIV_U};
	q->fresh_pcs[q->nfresh++] = UINT64_MAX;
}

static bool are_same_blocks(const struct qemu *q, const struct block *a,
			    const struct block *b)
{
	bool same = a->count == b->count && a->priv == b->priv;
	for (unsigned i = 0; same && i < a->count; i++)
		same = q->insns[a->first + i].pc == q->insns[b->first + i].pc &&
		       q->insns[a->first + i].bits == q->insns[b->first + i].bits;
	return same;
}

/* Finds the block with `pc` that is executed at `host`: one that was not executed before,
 * the last printed first, or the one that is there, if another hart has printed the same.
 * Returns NULL if it was not printed, or without memory. */
static const struct block *block_at(struct tr_import *im, struct qemu *q, uint64_t host,
				    uint64_t pc)
{
	const uint32_t at = tr_map_get(&q->by_host, host);
	const struct block *b = at == TR_MAP_NONE ? NULL : &q->blocks[at];
	const bool is_known = b && q->insns[b->first].pc == pc;
	unsigned i = q->nfresh;
	while (i && q->fresh_pcs[i - 1] != pc)
		i--;
	if (!i || (is_known && are_same_blocks(q, b, &q->fresh[i - 1])))
		return is_known ? b : NULL;
	i--;
	q->fresh[i].host = host;
	b = store_block(q, &q->fresh[i]);
	if (!b)
		im->status = TR_E_NOMEM;
	q->nfresh--;
	memmove(q->fresh + i, q->fresh + i + 1, (q->nfresh - i) * sizeof(*q->fresh));
	memmove(q->fresh_pcs + i, q->fresh_pcs + i + 1,
		(q->nfresh - i) * sizeof(*q->fresh_pcs));
	return b;
}

/* Executes the hart's last block up to `end`, if that is in it. */
static void execute_last_block(struct tr_import *im, struct qemu *q, uint32_t hart,
			       uint64_t end)
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
	q->rewound[hart] = false;
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
	const struct block *b = block_at(im, q, host, pc);
	if (!b && !im->status)
		return tr_import_expect(im, line, "a block that was printed before");
	if (!b)
		return false;
	execute_last_block(im, q, (uint32_t)hart, q->rewound[hart] ? pc : UINT64_MAX);
	q->last[hart] = *b;
	q->when[hart] = im->line;
	return true;
}

static bool take_keyed_number(struct import_line *line, const char *key, uint64_t *value)
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
	if (!take_keyed_number(line, "hart:", &hart) || hart >= TR_MAX_HARTS ||
	    !take_keyed_number(line, "async:", &async) ||
	    !take_keyed_number(line, "cause:", &cause) ||
	    !take_keyed_number(line, "epc:", &epc) ||
	    !take_keyed_number(line, "tval:", &tval))
		return tr_import_expect(im, line, "hart, async, cause, epc and tval");
	execute_last_block(im, q, (uint32_t)hart, epc);
	cause &= ~TR_CAUSE_INTERRUPT;
	tr_import_trap(im, (uint32_t)hart, async ? cause | TR_CAUSE_INTERRUPT : cause,
		       epc);
	tr_import_tval(im, (uint32_t)hart, tval);
	return true;
}

/* Returns the hart whose last block is at `host`, or, if that is 0, begins at `pc`: of
 * several the last printed, of none TR_MAX_HARTS. */
static unsigned find_block_hart(const struct qemu *q, uint64_t host, uint64_t pc)
{
	unsigned last = TR_MAX_HARTS;
	for (unsigned hart = 0; hart < TR_MAX_HARTS; hart++) {
		const struct block *b = &q->last[hart];
		if (b->count && (host ? b->host == host : q->insns[b->first].pc == pc) &&
		    (last == TR_MAX_HARTS || q->when[hart] > q->when[last]))
			last = hart;
	}
	return last;
}

/* The execution of a block that was printed last did not begin. */
static void withdraw_block(struct qemu *q, struct import_line *line)
{
	uint64_t host;
	if (!import_text(line, "before ") || !import_0x(line, &host) || !host)
		return;
	const unsigned hart = find_block_hart(q, host, 0);
	if (hart < TR_MAX_HARTS)
		q->last[hart].count = 0;
}

static void rewind_block(struct qemu *q, struct import_line *line)
{
	uint64_t pc;
	if (!import_hex(line, &pc))
		return;
	const unsigned hart = find_block_hart(q, 0, pc);
	if (hart < TR_MAX_HARTS)
		q->rewound[hart] = true;
}

/* "Priv: 1; Virt: 1" of the block that begins. Older versions have no Virt. */
static void take_priv(struct qemu *q, struct import_line *line)
{
	uint64_t priv, virtual;
	if (!q->nfresh || !import_decimal(line, &priv) || priv > TR_PRIV_M)
		return;
	struct block *fresh = &q->fresh[q->nfresh - 1];
	fresh->priv = (uint8_t)priv;
	if (import_text(line, "; Virt: ") && import_decimal(line, &virtual) && virtual &&
	    priv != TR_PRIV_M)
		fresh->priv |= TR_PRIV_V;
}

/* Without nochain, a block jumps to the next one once they are linked, and has no line
 * "Trace" from then on: what follows in the log may fit all the same. */
static bool refuse_link(struct tr_import *im, struct import_line *line)
{
	line->at = line->start;
	tr_import_expect(im, line,
			 "a log with -d nochain: QEMU has linked blocks, and "
			 "most executions of those are not in the log");
	im->status = TR_E_CORRUPT;
	return false;
}

static bool qemu_take_line(struct tr_import *im, struct import_line *line)
{
	struct qemu *q = qemu_state(im);
	if (im->status)
		return true;
	if (import_text(line, "Trace "))
		return take_trace(im, q, line);
	if (import_text(line, "IN:"))
		begin_block(q);
	else if (import_text(line, "Priv: "))
		take_priv(q, line);
	else if (line->end - line->at > 2 && line->at[0] == '0' && line->at[1] == 'x')
		return take_insn(im, q, line);
	else if (import_text(line, "riscv_cpu_do_interrupt: "))
		return take_interrupt(im, q, line);
	else if (*line->at == 'L' && import_text(line, "Linking TBs "))
		return refuse_link(im, line);
	else if (import_text(line, "Stopped execution of TB chain "))
		withdraw_block(q, line);
	else if (import_text(line, "cpu_io_recompile: rewound execution of TB to "))
		rewind_block(q, line);
	return true;
}

static void qemu_end(struct tr_import *im)
{
	for (uint32_t hart = 0; im->own && hart < TR_MAX_HARTS; hart++)
		execute_last_block(im, im->own, hart, UINT64_MAX);
}

/* Returns true if `end` comes after the last place of `key`. */
static bool has_end_after(const struct import_line *line, const char *key,
			  const char *end)
{
	const char *at =
	    memmem(line->at, (size_t)(line->end - line->at), key, strlen(key));
	return at && memmem(at, (size_t)(line->end - at), end, strlen(end));
}

/* QEMU ends each line; of other lines no more can be said. */
static bool qemu_is_whole(const struct tr_import *im, const struct import_line *line)
{
	struct import_line l = *line;
	uint64_t pc, bits;
	(void)im;
	if (import_text(&l, "Trace ") || import_text(&l, "Stopped "))
		return has_end_after(&l, " [", "]");
	if (import_text(&l, "riscv_cpu_do_interrupt: "))
		return has_end_after(&l, "tval:", ", desc=");
	if (import_0x(&l, &pc) && import_text(&l, ":")) {
		import_blanks(&l);
		return import_hex(&l, &bits) && l.at < l.end;
	}
	return false;
}

const struct import_kind tr_import_qemu = {
    .format = {"qemu", "QEMU's -d in_asm,exec,nochain[,int], of machines and programs"},
    .recognises = qemu_recognises,
    .look = qemu_look,
    .lacks = qemu_lacks,
    .take = qemu_take_line,
    .is_whole = qemu_is_whole,
    .end = qemu_end,
    .release = qemu_release,
};
