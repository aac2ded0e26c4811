/* SPDX-License-Identifier: Apache-2.0 */
/* Bounds of functions from the code itself, where neither DWARF nor symbols have them: a
 * function begins where a call leads, and behind the end of a known one. It also begins
 * where a pointer or a jump out of another function leads, unless a branch shows that the
 * place is within a function: conditional branches do not cross the bounds of functions,
 * and control does not run across them. Symbols without a size are bounded in the same
 * way: see image_labels.h. */
#include <stdlib.h>
#include <string.h>

#include "image/image_labels.h"
#include "image/image_rela.h"
#include "image/image_state.h"
#include "stream/decode.h"
#include "stream/insn.h"
#include "stream/xlen.h"

enum { ROUNDS = 8, NOP = 0x0001, GAP_MIN = 64 /* bytes */ };
enum { RA = 1 };

/* Beginnings of functions; sorted between the steps. */
struct entries {
	uint64_t *list;
	size_t count, capacity;
	uint8_t **within; /* by range of code: a bit for each halfword, see above */
	struct image_spans closed;  /* code of functions whose ends are known */
	struct image_spans settled; /* also that of symbols without one */
};

/* Adds the beginning of a known function. */
static bool add_entry(struct entries *entries, const struct tr_image *image,
		      uint64_t address)
{
	if (address % 2 || !tr_image_bytes(image, address, 2))
		return true;
	if (!tr_grow(&entries->list, &entries->capacity, entries->count + 1,
		     sizeof(*entries->list)))
		return false;
	entries->list[entries->count++] = address;
	return true;
}

/* Adds the target of a call. */
static bool add_call_target(struct entries *entries, const struct tr_image *image,
			    uint64_t address)
{
	return tr_image_spans_hold(&entries->closed, address) ||
	       add_entry(entries, image, address);
}

static int compare_entries(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
	return (x > y) - (x < y);
}

static void sort_entries(struct entries *entries)
{
	size_t kept = 0;
	if (entries->count)
		qsort(entries->list, entries->count, sizeof(*entries->list),
		      compare_entries);
	for (size_t i = 0; i < entries->count; i++)
		if (i == 0 || entries->list[i] != entries->list[i - 1])
			entries->list[kept++] = entries->list[i];
	entries->count = kept;
}

/* Returns how many entries are at or below the address. */
static size_t count_to(const struct entries *entries, uint64_t address)
{
	size_t low = 0, high = entries->count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (entries->list[middle] <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Functions are aligned by no-operations, with which a known one can begin, too. */
static uint64_t skip_padding(const struct tr_image *image,
			     const struct image_candidates *known, uint64_t address)
{
	const uint8_t *code;
	while (!tr_image_begins(known, address) &&
	       (code = tr_image_bytes(image, address, 2)) &&
	       (tr_load16(code) == NOP || tr_load16(code) == 0))
		address += 2;
	return address;
}

static bool add_unsettled(struct entries *entries, const struct tr_image *image,
			  uint64_t address)
{
	return tr_image_spans_hold(&entries->settled, address) ||
	       add_entry(entries, image, address);
}

static bool add_known(struct entries *entries, const struct tr_image *image,
		      const struct image_candidates *known)
{
	bool good = add_unsettled(entries, image, image->entry);
	for (size_t i = 0; i < image->ncode && good; i++)
		good = add_unsettled(entries, image, image->code[i].address);
	uint64_t around = 0; /* end of the symbol that local labels are within */
	for (size_t i = 0; i < known->count && good; i++) {
		const struct image_candidate *c = &known->list[i];
		uint32_t source = image_rank_source(c->rank);
		if (source == IMAGE_RANK_LABEL && c->low < around)
			continue;
		if (source == IMAGE_RANK_OPEN && c->open && c->high > around)
			around = c->high;
		good = add_entry(entries, image, c->low) &&
		       add_entry(entries, image, skip_padding(image, known, c->high));
	}
	return good;
}

static bool is_within_function(const struct entries *entries,
			       const struct tr_image *image, uint64_t address)
{
	for (size_t i = 0; i < image->ncode; i++) {
		uint64_t at = (address - image->code[i].address) / 2;
		if (address - image->code[i].address < image->code[i].size)
			return entries->within[i][at / 8] >> at % 8 & 1;
	}
	return true;
}

/* Adds the target of a pointer or jump. */
static bool add_likely(struct entries *entries, const struct tr_image *image,
		       uint64_t address)
{
	return tr_image_spans_hold(&entries->settled, address) ||
	       is_within_function(entries, image, address) ||
	       add_entry(entries, image, address);
}

/* Pointers to functions that the dynamic loader relocates. */
static bool add_pointers(struct entries *entries, const struct tr_image *image,
			 const struct image_elf *elf)
{
	const size_t step = image_rela_bytes(image->xlen);
	for (size_t i = 1; i < elf->nsections; i++) {
		GElf_Shdr section;
		if (!gelf_getshdr(elf_getscn(elf->elf, i), &section) ||
		    section.sh_type != SHT_RELA)
			continue;
		const uint8_t *data =
		    tr_image_elf_bytes(elf, section.sh_offset, section.sh_size);
		for (uint64_t at = 0; data && section.sh_size - at >= step; at += step) {
			const struct image_rela rela =
			    image_rela_load(data + at, image->xlen);
			if (rela.type == IMAGE_RELATIVE &&
			    !add_likely(entries, image, rela.addend))
				return false;
		}
	}
	return true;
}

static unsigned scan_insn_length(const uint8_t *code, uint64_t room)
{
	return (code[0] & 3) == 3 && room >= 4 ? 4 : 2;
}

static void set_bit_range(uint8_t *bits, uint64_t first, uint64_t end)
{
	for (uint64_t i = first; i < end; i++)
		bits[i / 8] |= (uint8_t)(1U << i % 8);
}

/* Marks the places of one range of code that are within functions: from behind a branch
 * or its target to the other one, and behind instructions that control runs on from. */
static void mark_within(uint8_t *bits, const struct tr_code *code, unsigned isa)
{
	uint64_t target;
	for (uint64_t at = 0; code->size - at >= 2;) {
		const uint8_t *data = code->data + at;
		unsigned length = scan_insn_length(data, code->size - at);
		enum tr_flow flow = tr_decode_flow(data, length, isa);
		uint64_t next = at + length;
		bool ends = flow == TR_FLOW_JUMP || flow == TR_FLOW_RETURN ||
			    flow == TR_FLOW_INDIRECT || flow == TR_FLOW_CALL ||
			    flow == TR_FLOW_XRET || tr_load16(data) == NOP ||
			    tr_load16(data) == 0;
		if (!ends && next < code->size)
			set_bit_range(bits, next / 2, next / 2 + 1);
		if (flow == TR_FLOW_BRANCH &&
		    tr_decode_target(data, length, isa, code->address + at, &target) &&
		    target - code->address < code->size) {
			uint64_t to = target - code->address;
			set_bit_range(bits, (to < at ? to : at) / 2 + 1,
				      (to < at ? at : to) / 2 + 1);
		}
		at = next;
	}
}

static bool find_within(struct entries *entries, const struct tr_image *image)
{
	entries->within = calloc(image->ncode + 1, sizeof(*entries->within));
	for (size_t i = 0; entries->within && i < image->ncode; i++) {
		entries->within[i] = calloc(image->code[i].size / 16 + 1, 1);
		if (!entries->within[i])
			return false;
		mark_within(entries->within[i], &image->code[i], image->isa);
	}
	return entries->within;
}

static void entries_free(struct entries *entries, const struct tr_image *image)
{
	for (size_t i = 0; entries->within && i < image->ncode; i++)
		free(entries->within[i]);
	free(entries->within);
	free(entries->list);
	free(entries->closed.list);
	free(entries->settled.list);
}

/* Gets where "auipc r" with "jalr ra, r" or "addi r, r" behind it lead to. Returns the
 * opcode of the second one, or 0. */
static uint32_t far_target(const uint8_t *code, uint64_t room, uint64_t pc, unsigned xlen,
			   uint64_t *target)
{
	if (room < 8 || tr_insn_opcode(code[0]) != TR_OPCODE_AUIPC)
		return 0;
	uint32_t high = tr_load32(code), low = tr_load32(code + 4);
	uint32_t reg = high >> 7 & 31, rd = low >> 7 & 31, opcode = tr_insn_opcode(low);
	*target = tr_xlen_wrap(xlen, pc + (uint64_t)(int32_t)(high & ~UINT32_C(0xfff)) +
					 (uint64_t)((int32_t)low >> 20));
	if ((low >> 12 & 7) != 0 || (low >> 15 & 31) != reg)
		return 0;
	return (opcode == TR_OPCODE_JALR && rd == RA) ||
		       (opcode == TR_OPCODE_OP_IMM && rd == reg)
		   ? opcode
		   : 0;
}

/* Returns true at the head of a linkage table, to which its entries jump until they are
 * bound: "auipc t2; sub t1, t1, t3" (RISC-V ELF psABI, "Procedure Linkage Table"). */
static bool is_table_head(const uint8_t *code, uint64_t room)
{
	return room >= 8 && (tr_load32(code) & 0xfff) == 0x397 &&
	       tr_load32(code + 4) == 0x41c30333;
}

/* Fast path: most instructions are of other opcodes. c.jal exists on RV32 only. */
static bool may_call(const uint8_t *code, unsigned length, unsigned xlen)
{
	return length == 2 ? xlen == 32
			   : tr_insn_opcode(code[0]) == TR_OPCODE_JAL ||
				 tr_insn_opcode(code[0]) == TR_OPCODE_AUIPC;
}

static bool add_call_targets(struct entries *entries, const struct tr_image *image,
			     const struct tr_code *code)
{
	uint64_t target;
	for (uint64_t at = 0; code->size - at >= 2;) {
		const uint8_t *data = code->data + at;
		uint64_t pc = code->address + at;
		unsigned length = scan_insn_length(data, code->size - at);
		uint64_t behind = pc + length;
		at += length;
		if (!may_call(data, length, image->xlen))
			continue;
		if (is_table_head(data, code->size - (at - length)) &&
		    !add_call_target(entries, image, pc))
			return false;
		if (far_target(data, code->size - (at - length), pc, image->xlen,
			       &target) == TR_OPCODE_JALR)
			behind = pc + 8;
		else if (tr_decode_flow(data, length, image->isa) != TR_FLOW_CALL ||
			 !tr_decode_target(data, length, image->isa, pc, &target))
			continue;
		/* a call of the next instruction only gets the pc */
		if (target != behind && !add_call_target(entries, image, target))
			return false;
	}
	return true;
}

/* Adds where addresses that code computes lead. */
static bool add_addresses(struct entries *entries, const struct tr_image *image,
			  const struct tr_code *code)
{
	uint64_t target;
	for (uint64_t at = 0; code->size - at >= 2;) {
		const uint8_t *data = code->data + at;
		if (far_target(data, code->size - at, code->address + at, image->xlen,
			       &target) == TR_OPCODE_OP_IMM &&
		    !add_likely(entries, image, target))
			return false;
		at += scan_insn_length(data, code->size - at);
	}
	return true;
}

/* Adds the targets of jumps from one function to another, between its entry and the next
 * one. */
static bool add_jumps(struct entries *entries, const struct tr_image *image,
		      const struct tr_code *code)
{
	const struct entries known = *entries; /* the sorted ones */
	uint64_t target;
	for (uint64_t at = 0; code->size - at >= 2;) {
		const uint8_t *data = code->data + at;
		uint64_t pc = code->address + at;
		unsigned length = scan_insn_length(data, code->size - at);
		at += length;
		if (tr_decode_flow(data, length, image->isa) != TR_FLOW_JUMP ||
		    !tr_decode_target(data, length, image->isa, pc, &target) ||
		    tr_image_spans_hold(&entries->settled, target))
			continue;
		struct entries sorted = {.list = entries->list, .count = known.count};
		size_t to = count_to(&sorted, target);
		if (to && entries->list[to - 1] != target &&
		    to != count_to(&sorted, pc) && !add_likely(entries, image, target))
			return false;
	}
	return true;
}

/* Returns true if there are more than a few bytes of code between known functions, in
 * which further ones may be. */
static bool has_gaps(const struct entries *entries, const struct tr_image *image,
		     const struct image_candidates *known)
{
	const struct image_spans *settled = &entries->settled;
	size_t next = 0;
	for (size_t i = 0; i < image->ncode; i++) {
		uint64_t at = image->code[i].address, end = at + image->code[i].size;
		while (at < end) {
			while (next < settled->count && settled->list[next].high <= at)
				next++;
			const struct image_span *span =
			    next < settled->count ? &settled->list[next] : NULL;
			uint64_t to = span && span->low < end ? span->low : end;
			if (to > at && skip_padding(image, known, at) + GAP_MIN <= to)
				return true;
			at = span && span->low < end ? span->high : end;
		}
	}
	return false;
}

/* Adds where pointers and jumps lead. */
static bool add_references(struct entries *entries, const struct tr_image *image,
			   const struct image_elf *elf)
{
	bool good = find_within(entries, image) && add_pointers(entries, image, elf);
	for (size_t i = 0; i < image->ncode && good; i++)
		good = add_addresses(entries, image, &image->code[i]);
	sort_entries(entries);
	for (unsigned round = 0; round < ROUNDS && good; round++) {
		size_t before = entries->count;
		for (size_t i = 0; i < image->ncode && good; i++) {
			good = add_jumps(entries, image, &image->code[i]);
			sort_entries(entries);
		}
		if (entries->count == before)
			break;
	}
	return good;
}

static bool find_entries(struct entries *entries, const struct tr_image *image,
			 const struct image_elf *elf,
			 const struct image_candidates *known)
{
	bool good = tr_image_spans_close(&entries->closed, known);
	for (size_t i = 0; i < image->ncode && good; i++)
		good = add_call_targets(entries, image, &image->code[i]);
	sort_entries(entries);
	good = good &&
	       tr_image_spans_settle(&entries->settled, known, entries->list,
				     entries->count) &&
	       add_known(entries, image, known);
	if (good && has_gaps(entries, image, known))
		good = add_references(entries, image, elf);
	sort_entries(entries);
	return good;
}

static uint64_t code_end(const struct tr_image *image, uint64_t address)
{
	for (size_t i = 0; i < image->ncode; i++)
		if (address - image->code[i].address < image->code[i].size)
			return image->code[i].address + image->code[i].size;
	return address;
}

/* Adds the functions that no candidate covers. */
static bool add_called_functions(struct tr_image *image, const struct entries *entries,
				 struct image_candidates *candidates)
{
	const struct image_candidates known = *candidates; /* sorted */
	for (size_t i = 0; i < entries->count; i++) {
		uint64_t low = entries->list[i];
		uint64_t high = code_end(image, low);
		if (i + 1 < entries->count && entries->list[i + 1] < high)
			high = entries->list[i + 1];
		if (low >= high || tr_image_spans_hold(&entries->settled, low) ||
		    tr_image_begins(&known, low))
			continue;
		if (!tr_image_add_nameless(image, candidates, low, high, IMAGE_RANK_CALL))
			return false;
	}
	return true;
}

/* Ends the symbols without a size at the first entry behind them. */
static void cut_labels(const struct entries *entries, struct image_candidates *candidates)
{
	for (size_t i = 0; i < candidates->count; i++) {
		struct image_candidate *c = &candidates->list[i];
		size_t next = c->open ? count_to(entries, c->low) : entries->count;
		while (next < entries->count && entries->list[next] < c->high &&
		       tr_image_spans_hold(&entries->closed, entries->list[next]))
			next++;
		if (next < entries->count && entries->list[next] < c->high)
			c->high = entries->list[next];
	}
}

int tr_image_calls_load(struct tr_image *image, const struct image_elf *elf,
			struct image_candidates *candidates)
{
	struct entries entries = {0};
	/* the calls of a module lead nowhere before they are relocated */
	if (elf->nsections == 0 || elf->header.e_type == ET_REL)
		return TR_OK;
	tr_image_candidates_sort(candidates);
	bool good = find_entries(&entries, image, elf, candidates);
	if (good) {
		cut_labels(&entries, candidates);
		good = add_called_functions(image, &entries, candidates);
	}
	entries_free(&entries, image);
	return good ? TR_OK : TR_E_NOMEM;
}
