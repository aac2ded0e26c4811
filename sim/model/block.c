/* SPDX-License-Identifier: Apache-2.0 */
/* The cache of decoded code, indexed by physical address and bounded by its arena. */
#include <stdlib.h>
#include <string.h>

#include "internal.h"

enum { ARENA = 32 << 20, HASH_BITS = 17, HASH = 1 << HASH_BITS, LARGEST = 8192 };

static void make_one(const struct soc_blocks *c);

bool soc_blocks_init(struct soc *soc)
{
	struct soc_blocks *c = &soc->blocks;

	c->arena = malloc(ARENA);
	c->hash = calloc(HASH, sizeof(struct soc_block *));
	c->pages = calloc(soc->ram_size >> SOC_PAGE_BITS, sizeof(struct soc_code_page));
	c->old = calloc(soc->ram_size >> SOC_PAGE_BITS, sizeof(*c->old));
	c->cut = malloc(LARGEST);
	c->one = calloc(1, sizeof(*c->one) + 2 * sizeof(struct soc_op));
	(soc->uses.loads ? soc_interp_recorded : soc_interp)(NULL, &c->labels);
	if (c->one)
		make_one(c);
	return c->arena && c->hash && c->pages && c->old && c->cut && c->one;
}

void soc_blocks_hide(struct soc *soc, void (*hide)(void *begin, size_t size))
{
	hide(soc->blocks.arena, ARENA);
	hide(soc->blocks.hash, HASH * sizeof(struct soc_block *));
}

void soc_blocks_free(struct soc *soc)
{
	free(soc->blocks.arena);
	free(soc->blocks.hash);
	free(soc->blocks.pages);
	free(soc->blocks.old);
	free(soc->blocks.cut);
	free(soc->blocks.one);
}

void soc_blocks_flush(struct soc *soc)
{
	struct soc_blocks *c = &soc->blocks;

	for (unsigned i = 0; i < soc->nharts; i++)
		soc_log_flush(&soc->harts[i]);
	memset(c->hash, 0, HASH * sizeof(struct soc_block *));
	for (size_t i = 0; i < soc->ram_size >> SOC_PAGE_BITS; i++) {
		if (!c->pages[i].blocks)
			continue;
		soc_old_gone(soc, &c->pages[i]);
		c->pages[i].blocks = NULL;
		c->pages[i].lines = 0;
	}
	for (unsigned i = 0; i < soc->nharts; i++)
		soc_mmu_forget(&soc->harts[i]);
	c->used = 0;
	c->flushes++;
}

static size_t block_bucket(uint64_t phys)
{
	return (size_t)(phys * UINT64_C(0x9e3779b97f4a7c15) >> (64 - HASH_BITS));
}

static struct soc_code_page *code_page_of(struct soc *soc, uint64_t phys)
{
	return &soc->blocks.pages[(phys - SOC_RAM_BASE) >> SOC_PAGE_BITS];
}

/* Returns the 64-byte lines of a page that [phys, phys + size) touches, as bits. */
static uint64_t lines_of(uint64_t phys, uint64_t size)
{
	unsigned first = (unsigned)(phys & (SOC_PAGE - 1)) >> 6;
	unsigned last = (unsigned)((phys & (SOC_PAGE - 1)) + size - 1) >> 6;

	if (last > 63)
		last = 63;
	return (UINT64_MAX << first) & (UINT64_MAX >> (63 - last));
}

static void unhash_block(struct soc *soc, const struct soc_block *block)
{
	struct soc_block **p = &soc->blocks.hash[block_bucket(block->phys)];

	while (*p && *p != block)
		p = &(*p)->hash_next;
	if (*p)
		*p = block->hash_next;
}

void soc_blocks_drop(struct soc *soc, struct soc_code_page *page)
{
	for (struct soc_block *b = page->blocks; b; b = b->page_next)
		unhash_block(soc, b);
	page->blocks = NULL;
	page->lines = 0;
}

bool soc_code_written(struct soc *soc, uint64_t phys, uint64_t size)
{
	bool hit = false;

	for (uint64_t end = phys + size; phys < end;) {
		uint64_t part = SOC_PAGE - (phys & (SOC_PAGE - 1));
		struct soc_code_page *page = code_page_of(soc, phys);

		if (part > end - phys)
			part = end - phys;
		if (page->lines | page->gone | page->changed)
			soc_old_changed(soc, page, lines_of(phys, part));
		if (page->lines & lines_of(phys, part)) {
			soc_old_gone(soc, page);
			soc_blocks_drop(soc, page);
			hit = true;
		}
		phys += part;
	}
	for (unsigned i = 0; hit && i < soc->nharts; i++)
		soc_mmu_forget(&soc->harts[i]);
	return hit;
}

/* Marks code in a page, so that stores to it take the slow path. */
static void note_code(struct soc *soc, uint64_t phys, uint64_t size)
{
	struct soc_code_page *page = code_page_of(soc, phys);

	for (unsigned i = 0; page->lines == 0 && i < soc->nharts; i++)
		soc_mmu_flush_data(&soc->harts[i]);
	page->lines |= lines_of(phys, size);
}

static bool matches_break(const struct soc *soc, uint64_t pc, uint32_t bits,
			  bool by_offset)
{
	for (unsigned i = 0; i < soc->nbreaks; i++) {
		const struct soc_break *k = &soc->breaks[i];
		uint64_t diff = k->pc ^ pc;

		if (k->mask != 0 && (bits & k->mask) == k->value)
			return true;
		if (k->mask == 0 && (by_offset ? diff & (SOC_PAGE - 1) : diff) == 0)
			return true;
	}
	return false;
}

static uint32_t ram_bits_at(const struct soc *soc, uint64_t phys, unsigned bytes)
{
	uint32_t bits = 0;

	memcpy(&bits, soc->ram + (phys - SOC_RAM_BASE), bytes);
	return bits;
}

static unsigned insn_bytes_of(uint32_t bits)
{
	return (bits & 3U) == 3U ? 4 : 2;
}

static void put_op(const struct soc_blocks *c, struct soc_block *b,
		   const struct soc_insn *insn, uint32_t bits)
{
	struct soc_op *op = &b->ops[b->n];
	unsigned offset = b->bytes;

	op->go = c->labels[insn->code];
	op->imm = insn->code == SOC_OP_illegal ? (int32_t)bits : insn->imm;
	if (insn->code == SOC_OP_auipc || insn->code == SOC_OP_jal ||
	    insn->code == SOC_OP_jal_reported ||
	    (insn->code >= SOC_OP_beq && insn->code <= SOC_OP_bgeu))
		op->imm += (int32_t)offset;
	op->rd = insn->rd;
	op->rs1 = insn->rs1;
	op->rs2 = insn->rs2;
	op->half = (uint8_t)(offset / 2);
}

static void put_end_op(const struct soc_blocks *c, struct soc_block *b,
		       enum soc_op_code code)
{
	struct soc_insn end = {.code = code, .rd = SOC_SINK};

	put_op(c, b, &end, 0);
}

static void put_insn_op(const struct soc_blocks *c, struct soc_block *b,
			const struct soc_insn *insn, uint32_t bits)
{
	put_op(c, b, insn, bits);
	b->bytes = (uint16_t)(b->bytes + insn_bytes_of(bits));
	b->n++;
	if (insn->reported)
		b->flags |= SOC_BLOCK_REPORTED;
}

static void decode_any(uint32_t bits, struct soc_insn *insn)
{
	soc_decode(insn_bytes_of(bits) == 2 ? soc_expand(bits) : bits, insn);
}

/* Decodes from phys to the end of the block or page into b. */
static void decode_code_block(struct soc *soc, struct soc_block *b, bool single)
{
	uint64_t end = (b->phys & SOC_PAGE_MASK) + SOC_PAGE;
	bool ends = false;

	while (!ends && b->n < SOC_BLOCK_OPS && b->bytes < SOC_BLOCK_BYTES) {
		uint64_t at = b->phys + b->bytes;
		struct soc_insn insn;

		if (at == end ||
		    (at + 2 == end && insn_bytes_of(ram_bits_at(soc, at, 2)) == 4))
			break;
		if (b->n && soc_old_at(soc, at))
			break;
		uint32_t bits = ram_bits_at(soc, at, 2);
		if (insn_bytes_of(bits) == 4)
			bits = ram_bits_at(soc, at, 4);
		decode_any(bits, &insn);
		bool stop = matches_break(soc, at, bits, true);
		if (b->n && (insn.alone || stop))
			break;
		put_insn_op(&soc->blocks, b, &insn, bits);
		if (stop)
			b->flags |= SOC_BLOCK_LOOSE;
		ends = insn.ends || single || stop;
	}
	put_end_op(&soc->blocks, b,
		   b->flags & SOC_BLOCK_REPORTED ? SOC_OP_end_reported : SOC_OP_end);
}

static void keep_code_block(struct soc *soc, struct soc_block *b, const uint8_t *code)
{
	struct soc_blocks *c = &soc->blocks;
	size_t ops = sizeof(*b) + (b->n + 1U) * sizeof(struct soc_op);
	struct soc_code_page *page = code_page_of(soc, b->phys);
	size_t slot = block_bucket(b->phys);

	c->used += (ops + b->bytes + 15U) & ~(size_t)15;
	memcpy((uint8_t *)b + ops, code, b->bytes);
	b->code = (const uint8_t *)b + ops;
	note_code(soc, b->phys, b->bytes);
	soc_uses_note_code(soc, b->phys, b->bytes);
	b->hash_next = c->hash[slot];
	c->hash[slot] = b;
	b->page_next = page->blocks;
	page->blocks = b;
}

static struct soc_block *reserve_block(struct soc *soc, uint64_t phys)
{
	if (soc->blocks.used + LARGEST > ARENA)
		soc_blocks_flush(soc);
	struct soc_block *b =
	    (struct soc_block *)(void *)(soc->blocks.arena + soc->blocks.used);
	memset(b, 0, sizeof(*b));
	b->phys = phys;
	return b;
}

static struct soc_block *find_code_block(struct soc *soc, uint64_t phys)
{
	struct soc_block *b = soc->blocks.hash[block_bucket(phys)];

	while (b && b->phys != phys)
		b = b->hash_next;
	return b;
}

struct soc_block *soc_block_at(struct soc *soc, uint64_t phys, uint32_t bits)
{
	struct soc_block *b = find_code_block(soc, phys);
	struct soc_insn insn;

	if (b && b->n == 1 && (b->flags & SOC_BLOCK_LOOSE) &&
	    b->bytes == insn_bytes_of(bits) && memcmp(b->code, &bits, b->bytes) == 0)
		return b;
	b = reserve_block(soc, phys);
	b->flags = SOC_BLOCK_LOOSE;
	decode_any(bits, &insn);
	put_insn_op(&soc->blocks, b, &insn, bits);
	put_end_op(&soc->blocks, b,
		   b->flags & SOC_BLOCK_REPORTED ? SOC_OP_end_reported : SOC_OP_end);
	keep_code_block(soc, b, (const uint8_t *)&bits);
	return b;
}

static struct soc_block *make_code_block(struct soc *soc, uint64_t phys, bool single)
{
	struct soc_block *b = reserve_block(soc, phys);

	if (single)
		b->flags |= SOC_BLOCK_LOOSE;
	decode_code_block(soc, b, single);
	keep_code_block(soc, b, soc->ram + (phys - SOC_RAM_BASE));
	return b;
}

static struct soc_block *find_or_make(struct soc_hart *h, uint64_t pc, uint64_t phys,
				      bool loose)
{
	struct soc *soc = h->soc;
	uint64_t second;

	/* An instruction that crosses pages, or perhaps PMP regions. */
	bool crosses = (phys & (SOC_PAGE - 1)) == SOC_PAGE - 2;
	if ((crosses || loose) && insn_bytes_of(ram_bits_at(soc, phys, 2)) == 4 &&
	    !soc_fetch(h, pc + 2, &second, &loose))
		return NULL;
	if (crosses && insn_bytes_of(ram_bits_at(soc, phys, 2)) == 4) {
		if (soc_old_at(soc, second) || soc_fetches_old(h, pc + 2))
			return soc_old_find(h, pc, phys);
		return soc_block_at(soc, phys,
				    ram_bits_at(soc, phys, 2) |
					ram_bits_at(soc, second, 2) << 16);
	}
	struct soc_block *b = find_code_block(soc, phys);
	if (loose && b && !(b->flags & SOC_BLOCK_LOOSE))
		b = NULL;
	return b ? b : make_code_block(soc, phys, loose);
}

struct soc_block *soc_block_find(struct soc_hart *h, uint64_t pc, enum soc_exit *why)
{
	uint64_t phys;
	bool loose = false;

	*why = SOC_EXIT_TRAP;
	bool old = soc_fetches_old(h, pc);
	if (!soc_fetch(h, pc, &phys, &loose)) {
		if (!old)
			return NULL;
		phys = SOC_NEVER;
	}
	struct soc_block *b = old || soc_old_at(h->soc, phys)
				  ? soc_old_find(h, pc, phys)
				  : find_or_make(h, pc, phys, loose);
	if (b == NULL)
		return NULL;
	if (h->soc->nbreaks && !h->resume) {
		uint32_t bits = 0;
		memcpy(&bits, b->code, insn_bytes_of(b->code[0]));
		*why = SOC_EXIT_BREAK;
		if (matches_break(h->soc, pc, bits, false))
			return NULL;
	}
	h->resume = false;
	if (!(b->flags & SOC_BLOCK_LOOSE))
		h->jumps[pc >> 1 & (SOC_JUMPS - 1)] =
		    (struct soc_jump){pc, h->context, b};
	return b;
}

struct soc_block *soc_block_cut(struct soc_hart *h, struct soc_block *block, unsigned n)
{
	struct soc_block *cut = h->soc->blocks.cut;

	memcpy(cut, block, sizeof(*cut) + n * sizeof(struct soc_op));
	cut->bytes = (uint16_t)(block->ops[n].half * 2U);
	cut->n = (uint16_t)n;
	put_end_op(&h->soc->blocks, cut, SOC_OP_cut);
	return cut;
}

/* Makes a block that runs a single operation: unchained, with the end of a truncated
 * block. */
static void make_one(const struct soc_blocks *c)
{
	struct soc_block *one = c->one;

	one->flags = SOC_BLOCK_LOOSE;
	one->n = 1;
	put_end_op(c, one, SOC_OP_cut);
}

struct soc_block *soc_block_one(struct soc_hart *h, const struct soc_block *block,
				unsigned index)
{
	struct soc_block *one = h->soc->blocks.one;

	one->bytes = block->bytes;
	one->ops[0] = block->ops[index];
	one->ops[1].half = block->ops[index + 1].half;
	return one;
}

struct soc_block *soc_block_of(struct soc_hart *h, uint32_t bits)
{
	struct soc_block *one = h->soc->blocks.one;
	struct soc_insn insn;

	one->n = one->bytes = 0;
	decode_any(bits, &insn);
	put_insn_op(&h->soc->blocks, one, &insn, bits);
	one->ops[1].half = (uint8_t)(one->bytes / 2);
	return one;
}
