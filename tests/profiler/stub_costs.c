/* SPDX-License-Identifier: Apache-2.0 */
#include "stub_costs.h"

#include <inttypes.h>

#include "block_marks.h"
#include "stream/insn.h"

enum { ENTRY_BYTES = 16 }; /* what an entry replaces is less */

static bool is_direct_jump(uint32_t insn)
{
	return (insn & 0xfff) == TR_OPCODE_JAL || (insn & 0xe003) == 0xa001;
}

static bool is_indirect_jump(const uint32_t insn[2])
{
	uint32_t reg = insn[0] >> 7 & 31;

	return (insn[0] & 0x7f) == TR_OPCODE_AUIPC &&
	       ((insn[1] & 0xfff) == TR_OPCODE_JALR && (insn[1] >> 15 & 31) == reg);
}

/* How many instructions the jump back has; 0: the moved code has left by itself. */
static unsigned count_jump_back(const struct costed_call *call, uint64_t address)
{
	if (address <= call->entry || address >= call->entry + ENTRY_BYTES)
		return 0;
	if (call->after && is_direct_jump(call->last[1]))
		return 1;
	return call->after > 1 && is_indirect_jump(call->last) ? 2 : 0;
}

static void close_stub_call(struct stub_costs *costs, struct costed_call *call,
			    uint64_t address)
{
	unsigned own = call->after - count_jump_back(call, address) + 1;
	uint64_t cost = call->cycles > own ? call->cycles - own : 0;

	costs->calls[call->kind]++;
	costs->cycles[call->kind] += cost;
	costs->of_cost[call->kind][cost < COSTS ? cost : COSTS - 1]++;
	call->is_open = false;
}

static void follow_stub_token(struct stub_costs *costs, struct costed_call *call,
			      const struct tr_token *token, uint64_t address,
			      bool is_program)
{
	call->cycles += token->cycles;
	if (!call->is_counted) {
		call->is_counted = token->insn == STUB_COUNTS;
	} else if (is_program) {
		close_stub_call(costs, call, address);
	} else {
		call->after++;
		call->last[0] = call->last[1];
		call->last[1] = (uint32_t)token->insn;
	}
}

void follow_stub_calls(struct stub_costs *costs, struct costed_call *call,
		       const struct placed_program *placed, const struct tr_token *tokens,
		       unsigned count)
{
	const struct watched_program *program = placed->program;

	for (unsigned t = 0; t < count; t++) {
		uint64_t address = tokens[t].pc - placed->bias;
		bool is_program = address - program->code < program->size;
		if (call->is_open)
			follow_stub_token(costs, call, &tokens[t], address, is_program);
		if (call->is_open || !is_program)
			continue;
		size_t entry = find_next_entry(program, address);
		if (entry == program->count ||
		    program->entries[entry].address != address ||
		    tokens[t].insn == program->entries[entry].bits)
			continue;
		*call = (struct costed_call){
		    .is_open = true,
		    .entry = address,
		    .cycles = tokens[t].cycles,
		    .kind =
			is_direct_jump((uint32_t)tokens[t].insn) ? STUB_NEAR : STUB_FAR};
	}
}

void interrupt_stub_call(struct stub_costs *costs, struct costed_call *call)
{
	costs->interrupted += call->is_open;
	call->is_open = false;
}

void print_stub_costs(const struct stub_costs *costs, const char *program, FILE *file)
{
	static const char *const names[STUB_KINDS] = {"near", "far"};

	for (int kind = 0; kind < STUB_KINDS; kind++) {
		const uint64_t *of = costs->of_cost[kind];
		uint64_t calls = costs->calls[kind], seen = 0;
		unsigned least = 0, median = 0, most = 0;
		if (!calls)
			continue;
		while (!of[least])
			least++;
		while ((seen += of[median]) * 2 < calls)
			median++;
		for (unsigned c = 0; c < COSTS; c++)
			most = of[c] ? c : most;
		fprintf(file, "%s,%s,%" PRIu64 ",%" PRIu64 ",%u,%u,%u,%" PRIu64 "\n",
			program, names[kind], calls, costs->cycles[kind], least, median,
			most, costs->interrupted);
	}
}
