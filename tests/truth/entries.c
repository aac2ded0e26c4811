/* SPDX-License-Identifier: Apache-2.0 */
/* Sweeps over code for targets of calls. */
#include "entries.h"

#include <stdlib.h>

#include "base/buffer.h"
#include "code.h"

enum { LINK = 1, BINARIES = 32, STUB_BYTES = 16, HEADER_BYTES = 32 };
enum { AUIPC_T3 = 0xe17, JALR_T1_T3 = 0x000e0367, JR_T3 = 0x000e0067 };

/* Of one binary, sorted. */
struct entries {
	const struct binary *binary;
	uint64_t *list;
	size_t count, room;
};

static void add(struct entries *e, uint64_t address)
{
	if (!tr_image_bytes(e->binary->image, address, 2))
		return;
	if (!tr_grow(&e->list, &e->room, e->count + 1, sizeof(*e->list))) {
		fprintf(stderr, "truth: no memory\n");
		exit(2);
	}
	e->list[e->count++] = address;
}

/* Handles "auipc ra" and "jalr ra, ra". */
static uint64_t far_target(uint32_t high, uint32_t low, uint64_t pc)
{
	return pc + (uint64_t)(int32_t)(high & 0xfffff000) +
	       (uint64_t)((int32_t)low >> 20);
}

static void sweep(struct entries *e, const struct tr_code *code)
{
	uint64_t pc = code->address;

	while (pc < code->address + code->size) {
		uint32_t insn = binary_insn(e->binary, pc);
		struct op op = code_at(e->binary, pc);
		uint32_t next = binary_insn(e->binary, pc + op.bytes);
		if (op.kind == OP_CALL && op.reg == LINK)
			add(e, op.target);
		else if ((insn & 0xfff) == 0x097 && (next & 0xfffff) == 0x080e7)
			add(e, far_target(insn, next, pc));
		pc += op.bytes;
	}
}

static int by_address(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

static void collect(struct entries *e)
{
	const struct tr_image *image = e->binary->image;

	for (size_t i = 0; i < tr_image_function_count(image); i++)
		add(e, tr_image_function(image, i)->low);
	for (size_t i = 0; i < tr_image_code_count(image); i++)
		sweep(e, tr_image_code(image, i));
	add(e, tr_image_entry(image));
	qsort(e->list, e->count, sizeof(*e->list), by_address);
}

static const struct entries *entries_of(const struct binary *binary)
{
	static struct entries all[BINARIES];
	unsigned i = 0;

	while (i < BINARIES && all[i].binary && all[i].binary != binary)
		i++;
	if (i == BINARIES)
		return NULL;
	if (!all[i].binary) {
		all[i].binary = binary;
		collect(&all[i]);
	}
	return &all[i];
}

bool entries_find(const struct binary *binary, uint64_t address, uint64_t *low,
		  uint64_t *high)
{
	const struct entries *e = entries_of(binary);
	size_t first = 0, count = e ? e->count : 0;

	while (first < count) {
		size_t middle = first + (count - first) / 2;
		if (e->list[middle] <= address)
			first = middle + 1;
		else
			count = middle;
	}
	if (first == 0)
		return false;
	*low = e->list[first - 1];
	*high = first < e->count ? e->list[first] : address + 2;
	return true;
}

static bool is_stub(const struct binary *binary, uint64_t slot)
{
	return (binary_insn(binary, slot) & 0xfff) == AUIPC_T3 &&
	       binary_insn(binary, slot + 8) == JALR_T1_T3;
}

bool entries_is_stub(const struct binary *binary, uint64_t address)
{
	uint64_t slot = address & ~(uint64_t)(STUB_BYTES - 1);

	if (is_stub(binary, slot))
		return true;
	for (unsigned i = 0; i < HEADER_BYTES; i += STUB_BYTES)
		if (binary_insn(binary, slot + i + 12) == JR_T3 &&
		    is_stub(binary, slot + i + 16))
			return true;
	return false;
}
