/* SPDX-License-Identifier: Apache-2.0 */
/* Lists encodings and how stream/decode.h decodes them, for run.sh: all of 16 bits, and
 * of 32 bits those that differ in opcode, funct3 and funct7 or, of SYSTEM, in any bit but
 * those of registers; the rest is random.
 *
 *     decode-list ISA < /dev/null     "rv32imac_zcmp", say
 *
 * A line has the bytes, as llvm-mc reads them; the control flow; and what becomes of sp:
 * "keeps", "writes" or the constant that is added. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stream/decode.h"
#include "stream/insn.h"

enum { SAMPLES = 6 };

static unsigned isa;

static const char *const flows[] = {
    [TR_FLOW_NEXT] = "next", [TR_FLOW_BRANCH] = "branch",
    [TR_FLOW_JUMP] = "jump", [TR_FLOW_INDIRECT] = "indirect",
    [TR_FLOW_CALL] = "call", [TR_FLOW_RETURN] = "return",
    [TR_FLOW_SWAP] = "swap", [TR_FLOW_XRET] = "xret",
};

static void put(uint32_t insn, unsigned length)
{
	const uint8_t code[] = {(uint8_t)insn, (uint8_t)(insn >> 8),
				(uint8_t)(insn >> 16), (uint8_t)(insn >> 24)};
	int64_t bytes;
	const enum tr_sp_effect effect = tr_decode_sp(code, length, isa, &bytes);
	putchar('[');
	for (unsigned i = 0; i < length; i++)
		printf("%s0x%02x", i ? "," : "", code[i]);
	printf("] %s ", flows[tr_decode_flow(code, length, isa)]);
	if (effect == TR_SP_ADDS)
		printf("%" PRId64 "\n", bytes);
	else
		puts(effect == TR_SP_KEEPS ? "keeps" : "writes");
}

/* Registers that matter are frequent. */
static uint32_t pick(uint64_t *random)
{
	static const uint8_t registers[] = {0, 1, 2, 2, 2, 5, 8, 8, 10, 16, 30, 31};
	*random = *random * UINT64_C(6364136223846793005) + 1442695040888963407;
	return registers[(*random >> 33) % sizeof(registers)];
}

static void put_system(void)
{
	for (uint32_t rest = 0; rest < 1U << 12; rest++)
		for (uint32_t rd = 0; rd <= 2; rd += 2)
			for (uint32_t rs1 = 0; rs1 <= 2; rs1 += 2)
				put(rest << 20 | rs1 << 15 | rd << 7 | TR_OPCODE_SYSTEM,
				    4);
}

static void put_others(void)
{
	uint64_t random = 1;
	for (uint32_t i = 0; i < 1U << 15; i++) {
		const uint32_t opcode = (i & 31) << 2 | 3;
		const uint32_t funct3 = i >> 5 & 7, funct7 = i >> 8;
		if ((opcode & 0x1f) == 0x1f || (opcode == TR_OPCODE_SYSTEM && !funct3))
			continue;
		for (unsigned k = 0; k < SAMPLES; k++)
			put(funct7 << 25 | pick(&random) << 20 | pick(&random) << 15 |
				funct3 << 12 | pick(&random) << 7 | opcode,
			    4);
	}
}

int main(int argc, char **argv)
{
	const char *name = argc > 1 ? argv[1] : "rv64gc";
	isa = tr_isa_parse(strncmp(name, "rv32", 4) == 0 ? 32 : 64, name, strlen(name));
	for (uint32_t insn = 0; insn < 1U << 16; insn++)
		if ((insn & 3) != 3)
			put(insn, 2);
	put_system();
	put_others();
	return 0;
}
