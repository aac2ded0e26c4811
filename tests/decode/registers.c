/* SPDX-License-Identifier: Apache-2.0 */
/* Lists encodings and what the extractor of the run-time profiler makes of them
 * (sim/target/profiler/extract/insn.h), for registers.sh: all of 16 bits, and of 32 bits
 * one of each combination of opcode, funct3 and bits 31 to 20, with registers at random.
 *
 *     decode-registers
 *
 * A line has the bytes, as llvm-mc reads them; the kind; the distance to the target, or
 * of auipc to its result, or 0; the registers that are read, and those that are written,
 * as
 * ",1,10,". */
#include <inttypes.h>
#include <stdio.h>

#include "target/profiler/extract/insn.h"

enum { ADDRESS = 0x40000000 };

static void print_set(uint32_t set)
{
	fputs(" ,", stdout);
	for (unsigned i = 0; i < 32; i++)
		if (set >> i & 1)
			printf("%u,", i);
}

static void list_insn(uint32_t bits, unsigned length)
{
	static const char *const kinds[] = {
	    [PROF_UNKNOWN] = "unknown", [PROF_OTHER] = "other",
	    [PROF_AUIPC] = "auipc",	[PROF_BRANCH] = "branch",
	    [PROF_JUMP] = "jump",	[PROF_INDIRECT] = "indirect",
	    [PROF_RETURN] = "return",	[PROF_CALL] = "call",
	    [PROF_ECALL] = "ecall",	[PROF_EBREAK] = "ebreak",
	};
	const uint8_t code[] = {(uint8_t)bits, (uint8_t)(bits >> 8),
				(uint8_t)(bits >> 16), (uint8_t)(bits >> 24)};
	const struct prof_insn insn = prof_decode_insn(code, length, ADDRESS);
	const bool has_value = insn.has_target || insn.kind == PROF_AUIPC;
	putchar('[');
	for (unsigned i = 0; i < length; i++)
		printf("%s0x%02x", i ? "," : "", code[i]);
	printf("] %s %" PRId64, insn.length == length ? kinds[insn.kind] : "length",
	       has_value ? (int64_t)(insn.target - ADDRESS) : 0);
	print_set(insn.reads);
	print_set(insn.writes);
	putchar('\n');
}

static uint32_t next_random(uint64_t *random)
{
	*random = *random * UINT64_C(6364136223846793005) + 1442695040888963407;
	return (uint32_t)(*random >> 32);
}

/* Registers that some instructions must have: x0 and x1. */
static uint32_t pick_register(uint64_t *random)
{
	const uint32_t any = next_random(random) >> 8;
	return any & 32 ? any & 1 : any & 31;
}

/* Returns true for the opcodes of which bits 24 to 20 say what an instruction is. */
static bool selects_by_field(uint32_t opcode)
{
	return opcode == 0x13 || opcode == 0x1b || opcode == 0x0f || opcode == 0x2f ||
	       opcode == 0x53 || opcode == 0x57 || opcode == 0x73;
}

static void list_long(void)
{
	uint64_t random = 1;
	for (uint32_t i = 0; i < 1U << 20; i++) {
		const uint32_t opcode = (i & 31) << 2 | 3, funct3 = i >> 5 & 7;
		const uint32_t value = i >> 8;
		if ((opcode & 0x1f) == 0x1f ||
		    (!selects_by_field(opcode) && (value & 31) != (value >> 5 & 31)))
			continue;
		list_insn(value << 20 | pick_register(&random) << 15 | funct3 << 12 |
			      pick_register(&random) << 7 | opcode,
			  4);
	}
}

int main(void)
{
	for (uint32_t bits = 0; bits < 1U << 16; bits++)
		if ((bits & 3) != 3)
			list_insn(bits, 2);
	list_insn(0x00000073, 4); /* ecall, ebreak, unimp, wrs.nto, wrs.sto */
	list_insn(0x00100073, 4);
	list_insn(0xc0001073, 4);
	list_insn(0x00d00073, 4);
	list_insn(0x01d00073, 4);
	list_long();
	return 0;
}
