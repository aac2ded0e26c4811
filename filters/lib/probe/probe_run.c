/* SPDX-License-Identifier: Apache-2.0 */
/* Evaluates code. A value that could not be read makes those that depend on it missing.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/little.h"
#include "probe/probe_internal.h"

enum {
	CHUNK = 256, /* bytes of a string that are read at once; divides a page */
	TP = 4
};

static const struct probe_slot missing = {.is_missing = true};

static struct probe_slot number_slot(uint64_t value)
{
	return (struct probe_slot){.number = value};
}

static uint64_t extend_bits(uint64_t value, unsigned bits, bool is_signed)
{
	if (bits >= 64)
		return value;
	uint64_t mask = (UINT64_C(1) << bits) - 1;
	bool negative = is_signed && (value >> (bits - 1) & 1);
	return negative ? value | ~mask : value & mask;
}

/* --- memory and registers */

static bool read_bytes(const struct probe_run *run, uint64_t address, void *to,
		       size_t size)
{
	if (run->xlen == 32)
		address &= UINT32_MAX;
	return run->machine->read &&
	       run->machine->read(run->machine->user, address, to, size);
}

static struct probe_slot load_probe_memory(const struct probe_run *run,
					   struct probe_slot address,
					   const struct probe_insn *insn)
{
	uint8_t bytes[8] = {0};
	if (address.is_missing || !read_bytes(run, address.number, bytes, insn->size))
		return missing;
	return number_slot(
	    extend_bits(tr_load64(bytes), insn->size * 8U, insn->is_signed));
}

static struct probe_slot read_probe_register(const struct probe_run *run,
					     const struct probe_insn *insn)
{
	const struct tr_probe_machine *machine = run->machine;
	unsigned reg = (unsigned)insn->operand;
	uint64_t value = 0;
	bool known;
	if (insn->op == OP_X)
		known =
		    reg == 0 || (machine->x && machine->x(machine->user, reg, &value));
	else
		known = machine->f && machine->f(machine->user, reg, &value);
	return known ? number_slot(value) : missing;
}

static struct probe_slot read_running_task(const struct probe_run *run)
{
	const struct tr_probe_machine *machine = run->machine;
	uint64_t address = 0;
	bool known = machine->task
			 ? machine->task(machine->user, &address)
			 : machine->x && machine->x(machine->user, TP, &address);
	return known ? number_slot(address) : missing;
}

static struct probe_slot leaf_value(const struct probe_run *run,
				    const struct probe_insn *insn)
{
	const struct tr_probe_machine *machine = run->machine;
	switch (insn->op) {
	case OP_NUMBER:
		return number_slot(insn->operand);
	case OP_PC:
		return number_slot(machine->pc);
	case OP_BIAS:
		return number_slot(machine->bias);
	case OP_HART:
		return number_slot(machine->hart);
	case OP_CYCLE:
		return number_slot(machine->cycle);
	case OP_SATP:
		return number_slot(machine->satp);
	case OP_TASK:
		return read_running_task(run);
	case OP_SAVED:
		return run->saved ? run->saved[insn->operand] : missing;
	case OP_TEXT: {
		struct probe_slot text = {.number = run->scratch->size,
					  .size = insn->more};
		tr_buffer_add(run->scratch, run->texts + insn->operand, insn->more);
		return run->scratch->failed ? missing : text;
	}
	case OP_X:
	case OP_F:
		return read_probe_register(run, insn);
	default:
		return missing;
	}
}

/* --- strings */

/* Returns whether a 0 can be read there. */
static bool is_end(const struct probe_run *run, uint64_t address)
{
	uint8_t byte;
	return read_bytes(run, address, &byte, 1) && byte == 0;
}

/* Adds up to `most` bytes, until a 0 with `ends`. Returns missing if any is unreadable.
 * A string is cut unless the 0 behind it was seen. */
static struct probe_slot read_string_bytes(const struct probe_run *run, uint64_t address,
					   uint64_t most, bool ends)
{
	struct tr_buffer *out = run->scratch;
	struct probe_slot slot = {.number = out->size};
	while (slot.size < most) {
		uint64_t at = address + slot.size;
		size_t size = CHUNK - at % CHUNK;
		if (size > most - slot.size)
			size = (size_t)(most - slot.size);
		uint8_t *room = tr_buffer_room(out, size);
		if (!room || !read_bytes(run, at, room, size))
			return missing;
		const uint8_t *end = ends ? memchr(room, 0, size) : NULL;
		size_t taken = end ? (size_t)(end - room) : size;
		out->size += taken;
		slot.size += (uint32_t)taken;
		if (end)
			return slot;
	}
	slot.is_cut = ends && !is_end(run, address + most);
	return slot;
}

static void join_words(const struct probe_run *run, struct probe_slot *slot)
{
	uint8_t *bytes = run->scratch->data + slot->number;
	while (slot->size && bytes[slot->size - 1] == 0)
		slot->size--;
	for (uint32_t i = 0; i < slot->size; i++)
		if (bytes[i] == 0)
			bytes[i] = ' ';
}

static struct probe_slot string(const struct probe_run *run, enum probe_op op,
				struct probe_slot address, struct probe_slot size)
{
	struct probe_slot slot;
	if (address.is_missing || size.is_missing || size.number > INT64_MAX)
		return missing;
	bool cut = size.number > PROBE_STRING_MAX;
	uint64_t most = cut ? PROBE_STRING_MAX : size.number;
	slot =
	    read_string_bytes(run, address.number, most, op == OP_STR || op == OP_CHARS);
	if (slot.is_missing)
		return slot;
	if (op == OP_WORDS)
		join_words(run, &slot);
	/* An array of characters may end without a 0. */
	if (op == OP_CHARS)
		slot.is_cut &= cut;
	else if (op == OP_BUF || op == OP_WORDS)
		slot.is_cut = cut;
	return slot;
}

/* Returns the last symbol that begins up to an address, or NULL. */
static const struct probe_symbol *find_symbol(const struct probe_run *run,
					      uint64_t address)
{
	size_t low = 0, high = run->nsymbols;
	while (low < high) {
		const size_t middle = low + (high - low) / 2;
		if (run->symbols[middle].address <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low ? &run->symbols[low - 1] : NULL;
}

/* Adds the name of the symbol that contains an address, as "name" or "name+0x1a". */
static struct probe_slot name_address(const struct probe_run *run,
				      struct probe_slot address)
{
	struct probe_slot text = {.number = run->scratch->size};
	char offset[24] = "";
	if (run->xlen == 32)
		address.number &= UINT32_MAX;
	const struct probe_symbol *symbol =
	    address.is_missing ? NULL : find_symbol(run, address.number);
	if (!symbol || address.number >= symbol->end)
		return missing;
	if (address.number != symbol->address)
		snprintf(offset, sizeof(offset), "+0x%" PRIx64,
			 address.number - symbol->address);
	tr_buffer_add(run->scratch, symbol->name, strlen(symbol->name));
	tr_buffer_add(run->scratch, offset, strlen(offset));
	text.size = (uint32_t)(run->scratch->size - text.number);
	return run->scratch->failed ? missing : text;
}

static struct probe_slot compare_strings(const struct probe_run *run, struct probe_slot a,
					 struct probe_slot b)
{
	const uint8_t *bytes = run->scratch->data;
	if (a.is_missing || b.is_missing)
		return missing;
	if (a.size != b.size)
		return number_slot(0);
	return number_slot(a.size == 0 ||
			   memcmp(bytes + a.number, bytes + b.number, a.size) == 0);
}

/* --- arithmetic */

static struct probe_slot apply_unary(const struct probe_insn *insn, uint64_t value)
{
	switch (insn->op) {
	case OP_EXTEND:
		return number_slot(extend_bits(value, insn->size * 8U, insn->is_signed));
	case OP_BITS:
		return number_slot(
		    extend_bits(value >> insn->operand, insn->size, insn->is_signed));
	case OP_DOUBLE: {
		uint32_t bits = (uint32_t)value;
		double real;
		float single;
		if (insn->size == 8)
			return number_slot(value);
		memcpy(&single, &bits, sizeof(single));
		real = single;
		memcpy(&value, &real, sizeof(value));
		return number_slot(value);
	}
	case OP_NEGATE:
		return number_slot(-value);
	case OP_INVERT:
		return number_slot(~value);
	default:
		return number_slot(!value);
	}
}

static struct probe_slot divide_numbers(const struct probe_insn *insn, uint64_t a,
					uint64_t b)
{
	bool overflows = insn->is_signed && b == UINT64_MAX;
	if (b == 0)
		return missing;
	if (insn->op == OP_DIVIDE)
		return number_slot(overflows	     ? -a
				   : insn->is_signed ? (uint64_t)((int64_t)a / (int64_t)b)
						     : a / b);
	return number_slot(overflows	     ? 0
			   : insn->is_signed ? (uint64_t)((int64_t)a % (int64_t)b)
					     : a % b);
}

static struct probe_slot apply_binary(const struct probe_insn *insn, uint64_t a,
				      uint64_t b)
{
	bool is_signed = insn->is_signed;
	switch (insn->op) {
	case OP_ADD:
		return number_slot(a + b);
	case OP_SUBTRACT:
		return number_slot(a - b);
	case OP_MULTIPLY:
		return number_slot(a * b);
	case OP_AND:
		return number_slot(a & b);
	case OP_OR:
		return number_slot(a | b);
	case OP_XOR:
		return number_slot(a ^ b);
	case OP_SHL:
		return b < 64 ? number_slot(a << b) : missing;
	case OP_SHR:
		if (b >= 64)
			return missing;
		return number_slot(is_signed ? (uint64_t)((int64_t)a >> b) : a >> b);
	case OP_EQUAL:
		return number_slot(a == b);
	case OP_LESS:
		return number_slot(is_signed ? (int64_t)a < (int64_t)b : a < b);
	case OP_LESS_EQUAL:
		return number_slot(is_signed ? (int64_t)a <= (int64_t)b : a <= b);
	default:
		return divide_numbers(insn, a, b);
	}
}

/* One operand may decide, even if the other is missing. */
static struct probe_slot apply_logic(enum probe_op op, struct probe_slot a,
				     struct probe_slot b)
{
	bool deciding = op == OP_EITHER;
	if ((!a.is_missing && (a.number != 0) == deciding) ||
	    (!b.is_missing && (b.number != 0) == deciding))
		return number_slot(deciding);
	return a.is_missing || b.is_missing ? missing : number_slot(!deciding);
}

static struct probe_slot find_lowest_sp(const struct probe_run *run,
					struct probe_slot base, struct probe_slot size)
{
	const struct tr_probe_machine *machine = run->machine;
	uint64_t sp;
	return !base.is_missing && !size.is_missing && machine->lowest_sp &&
		       machine->lowest_sp(machine->user, base.number, size.number, &sp)
		   ? number_slot(sp)
		   : missing;
}

static struct probe_slot combine_operands(const struct probe_run *run,
					  const struct probe_insn *insn,
					  struct probe_slot a, struct probe_slot b)
{
	switch (insn->op) {
	case OP_STR:
	case OP_CHARS:
	case OP_BUF:
	case OP_WORDS:
		return string(run, insn->op, a, b);
	case OP_LOWEST:
		return find_lowest_sp(run, a, b);
	case OP_SAME:
		return compare_strings(run, a, b);
	case OP_BOTH:
	case OP_EITHER:
		return apply_logic(insn->op, a, b);
	default:
		return a.is_missing || b.is_missing
			   ? missing
			   : apply_binary(insn, a.number, b.number);
	}
}

/* Verified code neither overflows nor underflows the stack. */
static size_t execute_probe_insn(const struct probe_run *run,
				 const struct probe_insn *insn, struct probe_slot *stack,
				 size_t depth)
{
	struct probe_slot *top = &stack[depth];
	switch (insn->op) {
	case OP_LOAD:
		top[-1] = load_probe_memory(run, top[-1], insn);
		return depth;
	case OP_SYMBOL:
		top[-1] = name_address(run, top[-1]);
		return depth;
	case OP_EXTEND:
	case OP_BITS:
	case OP_DOUBLE:
	case OP_NEGATE:
	case OP_INVERT:
	case OP_NOT:
		if (!top[-1].is_missing)
			top[-1] = apply_unary(insn, top[-1].number);
		return depth;
	case OP_SELECT:
	case OP_CHOOSE:
		if (top[-3].is_missing)
			top[-3] = missing;
		else
			top[-3] = top[-3].number ? top[-2] : top[-1];
		return depth - 2;
	case OP_SWAP: {
		struct probe_slot under = top[-2];
		top[-2] = top[-1];
		top[-1] = under;
		return depth;
	}
	default:
		if (insn->op < OP_LOAD || insn->op == OP_TEXT) {
			*top = leaf_value(run, insn);
			return depth + 1;
		}
		top[-2] = combine_operands(run, insn, top[-2], top[-1]);
		return depth - 1;
	}
}

struct probe_slot tr_probe_execute(const struct probe_run *run,
				   const struct probe_code *code)
{
	struct probe_slot stack[PROBE_STACK];
	size_t depth = 0;
	for (uint32_t i = 0; i < code->count; i++)
		depth = execute_probe_insn(run, &code->insns[i], stack, depth);
	return depth ? stack[0] : missing;
}
