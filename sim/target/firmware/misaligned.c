/* SPDX-License-Identifier: Apache-2.0 */
/* Emulates misaligned loads and stores byte by byte, with the rights of the trapped
 * code. */
#include "firmware.h"

struct access {
	uint8_t size; /* bytes */
	uint8_t reg;
	bool store;
	bool extend; /* sign-extend */
};

static unsigned bits(uint32_t insn, unsigned low, unsigned count)
{
	return insn >> low & ((1U << count) - 1);
}

/* lh lw ld lhu lwu sh sw sd */
static bool decode_full(uint32_t insn, struct access *access)
{
	unsigned opcode = bits(insn, 0, 7), width = bits(insn, 12, 3);

	access->size = (uint8_t)(1U << (width & 3));
	access->store = opcode == 0x23;
	access->extend = width < 4;
	access->reg = (uint8_t)bits(insn, access->store ? 20 : 7, 5);
	if (opcode == 0x03)
		return width != 7;
	return opcode == 0x23 && width < 4;
}

/* c.lw c.ld c.sw c.sd and their forms with sp */
static bool decode_compressed(uint32_t insn, struct access *access)
{
	unsigned width = bits(insn, 13, 2), quadrant = bits(insn, 0, 2);

	if (width < 2 || (quadrant != 0 && quadrant != 2))
		return false;
	access->size = width == 2 ? 4 : 8;
	access->store = bits(insn, 15, 1);
	access->extend = true;
	if (quadrant == 0)
		access->reg = (uint8_t)(8 + bits(insn, 2, 3));
	else
		access->reg = (uint8_t)bits(insn, access->store ? 2 : 7, 5);
	return true;
}

static bool fetch(const struct frame *frame, uint32_t *insn, struct frame *fault)
{
	unsigned size = 2;

	*insn = 0;
	for (unsigned i = 0; i < size; i++) {
		long byte = guest_load(frame->pc + i, 0, fault, STATUS_MXR);
		if (byte < 0)
			return false;
		*insn |= (uint32_t)byte << 8 * i;
		if (i == 0 && (byte & 3) == 3)
			size = 4;
	}
	return true;
}

static bool load(struct frame *frame, const struct access *access, struct frame *fault)
{
	unsigned unused = 64 - 8U * access->size;
	uint64_t value = 0;

	for (unsigned i = 0; i < access->size; i++) {
		long byte = guest_load(frame->tval + i, 0, fault, 0);
		if (byte < 0)
			return false;
		value |= (uint64_t)byte << 8 * i;
	}
	if (access->extend)
		value = (uint64_t)((int64_t)(value << unused) >> unused);
	if (access->reg != 0)
		frame->x[access->reg] = value;
	return true;
}

static bool store(const struct frame *frame, const struct access *access,
		  struct frame *fault)
{
	uint64_t value = access->reg ? frame->x[access->reg] : 0;

	for (unsigned i = 0; i < access->size; i++)
		if (guest_store(frame->tval + i, value >> 8 * i & 0xff, fault, 0) < 0)
			return false;
	return true;
}

void misaligned(struct frame *frame)
{
	struct access access;
	struct frame fault;
	uint32_t insn;
	bool full, known;

	if (!fetch(frame, &insn, &fault)) {
		bool page = fault.cause == CAUSE_LOAD_PAGE;
		redirect(frame, page ? CAUSE_FETCH_PAGE : CAUSE_FETCH_ACCESS, fault.tval);
		return;
	}
	full = (insn & 3) == 3;
	known = full ? decode_full(insn, &access) : decode_compressed(insn, &access);
	if (!known)
		redirect(frame, frame->cause, frame->tval);
	else if (access.store ? !store(frame, &access, &fault)
			      : !load(frame, &access, &fault))
		redirect(frame, fault.cause, fault.tval);
	else
		frame->pc += full ? 4 : 2;
}
