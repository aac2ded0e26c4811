/* SPDX-License-Identifier: Apache-2.0 */
/* Compares blocks with entries and stubs as the injector writes them. */
#include "match/match_stub_code.h"

#include <string.h>

#include "base/little.h"
#include "stream/insn.h"
#include "stream/reader.h"

enum {
	PAGE = TR_STUBS_PAGE,
	RD_AND_OPCODE = 0xfff,
	JAL_X0 = 0x06f,
	AUIPC_T1 = 0x317,
	NEAR_SIZE = 4,
	FAR_SIZE = 8,
};

static uint64_t extend_sign_bit(uint64_t value, unsigned bits)
{
	const uint64_t sign = UINT64_C(1) << (bits - 1);
	return ((value & ((sign << 1) - 1)) ^ sign) - sign;
}

/* Returns the address that `auipc` at `pc` and an instruction with a signed immediate of
 * 12 bits lead to, of which the lower 12 bits are known. */
static uint64_t target_of_pair(uint64_t pc, uint32_t auipc, uint64_t lower)
{
	return pc + extend_sign_bit(auipc & 0xfffff000, 32) +
	       extend_sign_bit(lower - pc, 12);
}

static uint64_t target_of_jal(uint64_t pc, uint32_t jal)
{
	const uint64_t distance = (uint64_t)(jal >> 31) << 20 | (jal & 0xff000) |
				  (jal >> 9 & 0x800) | (jal >> 20 & 0x7fe);
	return pc + extend_sign_bit(distance, 21);
}

/* Returns the offset of a block's last instruction. */
static unsigned last_insn_offset(const struct tr_block *block)
{
	unsigned at = 0, length = 0;
	for (unsigned i = 0; i < block->tokens; i++) {
		at += length;
		length = tr_insn_length(tr_load16(block->code + at));
	}
	return at;
}

/* Returns where the area of a function's stub begins, by the first instruction of its
 * jump, which is at `pc`; 0 if it is no such jump. */
static uint64_t area_of_jump(const struct tr_stubs *plan,
			     const struct tr_stubs_function *f, uint64_t bias,
			     uint64_t pc, uint32_t insn)
{
	const struct tr_stubs_area *area = &plan->areas[f->area];
	const uint64_t into = f->stub - area->offset;
	uint64_t base;
	if (f->kind == TR_STUBS_NEAR && (insn & RD_AND_OPCODE) == JAL_X0)
		base = target_of_jal(pc, insn) - into;
	else if (f->kind == TR_STUBS_FAR && (insn & RD_AND_OPCODE) == AUIPC_T1)
		base = target_of_pair(pc, insn, into) - into;
	else
		return 0;
	const uint64_t address = base - bias;
	return base % PAGE == 0 && address >= area->lowest && address <= area->highest
		   ? base
		   : 0;
}

/* Returns true if the code is [from, from + size) of the jump at a function's entry, with
 * its area at `base`. */
static bool is_jump_code(const struct tr_stubs *plan, uint32_t number, uint64_t bias,
			 uint64_t base, unsigned from, const uint8_t *code, unsigned size)
{
	uint8_t entry[TR_STUBS_ENTRY_MAX] = {0};
	struct tr_stubs_places places = {.bias = bias};
	places.areas[plan->functions[number].area] = base;
	return tr_stubs_entry(plan, &places, number, entry) == TR_OK &&
	       memcmp(entry + from, code, size) == 0;
}

bool tr_stub_code_jump(const struct tr_match_binary *binary, const struct tr_block *block,
		       uint64_t bias, struct tr_stub_jump *jump)
{
	const struct tr_stubs *plan = tr_stub_files_plan(binary->stubs, 0);
	if (block->no_bits)
		return false;
	const uint64_t first = block->pc - bias, last = first + last_insn_offset(block);
	const uint32_t number = tr_stubs_function_at(plan, last);
	if (number == UINT32_MAX)
		return false;
	const struct tr_stubs_function *f = &plan->functions[number];
	const unsigned size = f->kind == TR_STUBS_FAR ? FAR_SIZE : NEAR_SIZE;
	const unsigned before = first < f->start ? (unsigned)(f->start - first) : 0;
	const unsigned skipped = before ? 0 : (unsigned)(first - f->start);
	const uint8_t *code = block->code + before;
	if (last - f->start >= size || skipped % 4 ||
	    block->bytes - before > size - skipped)
		return false;
	const uint8_t *file =
	    before ? tr_image_bytes(binary->image, first, before) : block->code;
	if (!file || memcmp(file, block->code, before) != 0)
		return false;
	*jump = (struct tr_stub_jump){
	    .function = number, .area = f->area, .begins_block = !before};
	uint64_t base = (plan->areas[f->area].lowest + bias) / PAGE * PAGE;
	if (!skipped)
		base = jump->base =
		    area_of_jump(plan, f, bias, bias + f->start, tr_load32(code));
	return base && is_jump_code(plan, number, bias, base, skipped, code,
				    block->bytes - before);
}

bool tr_stub_code_restored(const struct tr_match_binary *binary,
			   const struct tr_block *block, uint64_t bias,
			   bool *begins_block)
{
	const struct tr_stubs *plan = tr_stub_files_plan(binary->stubs, 0);
	const uint64_t first = block->pc - bias, entry = plan->program_entry;
	const uint64_t size = sizeof(plan->program_first);
	if (!(plan->flags & TR_STUBS_STOPPED) || block->no_bits ||
	    (first - entry >= size && entry - first >= block->bytes))
		return false;
	const uint8_t *file = tr_image_bytes(binary->image, first, block->bytes);
	if (!file)
		return false;
	for (unsigned i = 0; i < block->bytes; i++) {
		const uint64_t into = first + i - entry;
		if (block->code[i] != (into < size ? plan->program_first[into] : file[i]))
			return false;
	}
	*begins_block = first - entry < size;
	return true;
}

bool tr_stub_code_covers(const struct tr_match_binary *binary,
			 const struct tr_stub_area *area, uint64_t pc, uint32_t *offset)
{
	const struct tr_stubs *plan = tr_stub_files_plan(binary->stubs, 0);
	const struct tr_stubs_area *of = &plan->areas[area->area];
	if (pc - area->base >= of->size)
		return false;
	*offset = of->offset + (uint32_t)(pc - area->base);
	return true;
}

/* The stub that a block is compared with. */
struct compared {
	const struct tr_match_binary *binary;
	const struct tr_block *block;
	uint8_t *scratch;
	uint32_t offset, function;
};

/* Sets *labels to those of the stub. Returns their number. */
static uint32_t labels_of_stub(const struct tr_stubs *plan, uint32_t number,
			       const struct tr_stubs_label **labels)
{
	const uint32_t first = plan->functions[number].first_label;
	*labels = plan->labels + first;
	return (number + 1 < plan->function_count
		    ? plan->functions[number + 1].first_label
		    : plan->label_count) -
	       first;
}

/* Returns where the counters begin, at a page, by the upper bits of a counter's address
 * in the block; 0 if it does not have them. */
static uint64_t counters_of_block(const struct compared *c, const struct tr_stubs *plan)
{
	const struct tr_stubs_label *labels;
	const uint32_t count = labels_of_stub(plan, c->function, &labels);
	for (uint32_t i = 0; i < count; i++) {
		const uint32_t into = labels[i].at - c->offset;
		if (labels[i].kind != TR_STUBS_COUNTER || labels[i].at < c->offset ||
		    into + 4 > c->block->bytes)
			continue;
		const uint64_t counter =
		    target_of_pair(c->block->pc + into, tr_load32(c->block->code + into),
				   8 * labels[i].target);
		return counter - 8 * labels[i].target;
	}
	return 0;
}

/* Returns true if the block is what a stub of this plan is with these counters. */
static bool is_stub_code(const struct compared *c, const struct tr_stubs *plan,
			 const struct tr_stub_area *area, uint64_t counters)
{
	const struct tr_stubs_function *f = &plan->functions[c->function];
	struct tr_stubs one = *plan;
	struct tr_stubs_places places = {.bias = area->bias, .counters = counters};
	one.functions = f;
	one.function_count = 1;
	one.label_count = labels_of_stub(plan, c->function, &one.labels);
	places.areas[area->area] = area->base;
	memcpy(c->scratch + f->stub, tr_stub_files_code(c->binary->stubs) + f->stub,
	       f->stub_size);
	return tr_stubs_place(&one, &places, c->scratch) == TR_OK &&
	       memcmp(c->scratch + c->offset, c->block->code, c->block->bytes) == 0;
}

/* Compares the block with a stub whose counters are found in it, or, if the block does
 * not depend on where they are, with counters at any page. */
static bool check_with_plan(const struct compared *c, struct tr_stub_area *area,
			    uint8_t nth)
{
	const struct tr_stubs *plan = tr_stub_files_plan(c->binary->stubs, nth);
	if (!plan)
		return false;
	const uint64_t counters = counters_of_block(c, plan);
	if (!is_stub_code(c, plan, area, counters ? counters : area->base))
		return false;
	if (counters) {
		area->counters = counters;
		area->plan = nth;
	}
	return true;
}

bool tr_stub_code_check(const struct tr_match_binary *binary, struct tr_stub_area *area,
			const struct tr_block *block, uint8_t *scratch)
{
	const struct tr_stubs *plan = tr_stub_files_plan(binary->stubs, 0);
	struct compared c = {.binary = binary, .block = block, .scratch = scratch};
	uint64_t address;
	if (block->no_bits || !tr_stub_code_covers(binary, area, block->pc, &c.offset) ||
	    !tr_stubs_origin(plan, c.offset, &address, &c.function))
		return false;
	const struct tr_stubs_function *f = &plan->functions[c.function];
	if (block->bytes > f->stub + f->stub_size - c.offset)
		return false;
	if (area->counters)
		return is_stub_code(&c, tr_stub_files_plan(binary->stubs, area->plan),
				    area, area->counters);
	return check_with_plan(&c, area, 0) || check_with_plan(&c, area, 1);
}

/* Clears in `mask` the bits of the code that labels fill in. */
static void mask_labels(const struct tr_stubs *plan, uint32_t number, uint32_t offset,
			uint8_t *mask, unsigned size)
{
	const struct tr_stubs_label *labels;
	const uint32_t count = labels_of_stub(plan, number, &labels);
	for (uint32_t i = 0; i < count; i++)
		for (uint32_t k = 0; k < (labels[i].kind == TR_STUBS_JUMP ? 4 : 8); k++)
			if (labels[i].at + k - offset < size)
				mask[labels[i].at + k - offset] = 0;
}

/* Returns true if the block could be the stub's code at `offset`. */
static bool looks_like_stub(const struct tr_match_binary *binary, uint32_t offset,
			    const struct tr_block *block)
{
	const struct tr_stubs *plan = tr_stub_files_plan(binary->stubs, 0);
	const uint8_t *code = tr_stub_files_code(binary->stubs) + offset;
	uint8_t mask[TR_BLOCK_MAX_TOKENS * TR_INSN_MAX_BYTES];
	uint32_t number;
	uint64_t address;
	if (!tr_stubs_origin(plan, offset, &address, &number) ||
	    block->bytes >
		plan->functions[number].stub + plan->functions[number].stub_size - offset)
		return false;
	memset(mask, 0xff, block->bytes);
	mask_labels(plan, number, offset, mask, block->bytes);
	for (unsigned i = 0; i < block->bytes; i++)
		if ((code[i] ^ block->code[i]) & mask[i])
			return false;
	return true;
}

bool tr_stub_code_possible(const struct tr_match_binary *binary,
			   const struct tr_block *block)
{
	const struct tr_stubs *plan = tr_stub_files_plan(binary->stubs, 0);
	struct tr_stub_jump jump;
	if (block->no_bits)
		return false;
	for (uint32_t at = block->pc % PAGE; at < plan->code_size; at += PAGE)
		if (looks_like_stub(binary, at, block))
			return true;
	const uint64_t last = (block->pc + last_insn_offset(block)) % PAGE;
	for (uint32_t i = 0; i < plan->function_count; i++) {
		const uint64_t into = (last - plan->functions[i].start) % PAGE;
		const uint64_t address = plan->functions[i].start + into;
		if (into <= 4 &&
		    tr_stub_code_jump(binary, block,
				      block->pc + last_insn_offset(block) - address,
				      &jump))
			return true;
	}
	return false;
}
