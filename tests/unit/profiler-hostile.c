/* SPDX-License-Identifier: Apache-2.0 */
/* Functions of random bytes and random jumps: the search for live registers ends, and
 * what is built is within its limits; and memory that is not there. */
#include <stdlib.h>

#include "check.h"
#include "no-memory.h"
#include "profiler-code.h"
#include "target/profiler/extract/live_registers.h"
#include "target/profiler/extract/stub_build.h"

enum { FUNCTIONS = 6, LONGEST = 60, ROUNDS = 20000 };

static uint64_t state = 1;
static unsigned long refusals[PROF_REFUSALS];

static uint32_t next_random(uint32_t below)
{
	state = state * UINT64_C(6364136223846793005) + 1442695040888963407;
	return (uint32_t)(state >> 33) % below;
}

static uint32_t live_at(const void *context, uint64_t address)
{
	return prof_live_at(context, address);
}

static bool is_target(const void *context, uint64_t address)
{
	(void)context;
	return address % 74 == 0;
}

/* Half of the instructions are those that compilers write, and near jumps. */
static void fill_function(uint8_t *code, uint32_t size)
{
	for (uint32_t i = 0; i < size; i++)
		code[i] = (uint8_t)next_random(256);
	for (uint32_t i = 0; i + 2 <= size; i += 2) {
		const int32_t offset = 2 * (int32_t)next_random(64) - 64;
		const uint32_t choices[] = {insn_c_beqz(A0, offset), insn_c_j(offset),
					    insn_c_li(T1 + next_random(2), 1), C_RET,
					    insn_c_mv(A0, T0 + next_random(3))};
		const uint32_t insn = choices[next_random(5)];
		if (next_random(2) == 0)
			continue;
		code[i] = (uint8_t)insn;
		code[i + 1] = (uint8_t)(insn >> 8);
	}
}

static void check_stub(const struct prof_request *request, const struct prof_stub *stub)
{
	const uint32_t jump = request->kind == TR_STUBS_NEAR ? 4 : 8;
	CHECK(stub->size >= 16 && stub->size <= PROF_STUB_MAX && stub->size % 2 == 0);
	CHECK(stub->label_count >= 1 && stub->label_count <= PROF_LABELS_MAX);
	CHECK(stub->entry_size >= jump && stub->entry_size <= jump + 2);
	CHECK(stub->entry_size <= request->size);
	CHECK(stub->tail == 0
		  ? stub->resume == 0
		  : stub->resume == request->address + stub->entry_size &&
			stub->labels[stub->label_count - 1].target == stub->resume);
	uint32_t last = 0;
	for (uint32_t i = 0; i < sizeof(stub->moved); i++) {
		CHECK(stub->moved[i] == 0 || stub->moved[i] > last);
		CHECK(stub->moved[i] < stub->size);
		last = stub->moved[i] ? stub->moved[i] : last;
	}
	for (uint32_t i = 1; i < stub->label_count; i++) {
		const struct tr_stubs_label *label = &stub->labels[i];
		CHECK(label->at > stub->labels[i - 1].at && label->at < stub->size);
		CHECK((label->reg == 0) == (label->kind == TR_STUBS_JUMP));
	}
}

static void build_all(const struct prof_program *program)
{
	for (size_t i = 0; i < program->count; i++) {
		const struct prof_function *function = &program->functions[i];
		const uint64_t place = function->address + next_random(1U << 22);
		struct prof_request request = {.code = function->code,
					       .address = function->address,
					       .size = function->size,
					       .kind = next_random(2) ? TR_STUBS_FAR
								      : TR_STUBS_NEAR,
					       .lowest = place,
					       .highest = place + next_random(1U << 16),
					       .live_at = live_at,
					       .is_target = is_target,
					       .context = program};
		if (next_random(16) == 0)
			request.lowest -= UINT64_C(1) << 31;
		struct prof_stub stub;
		const enum prof_refusal refusal = prof_build_stub(&request, &stub);
		if (!CHECK(refusal < PROF_REFUSALS))
			return;
		refusals[refusal]++;
		if (refusal == PROF_COUNTED)
			check_stub(&request, &stub);
	}
}

/* Each function has memory of its own, so that a sanitizer sees what is read behind it.
 */
static void random_program(void)
{
	const uint64_t targets[] = {CODE_START + 2, CODE_START + 8, CODE_START + 31};
	struct prof_function functions[FUNCTIONS];
	uint8_t *code[FUNCTIONS];
	uint64_t address = CODE_START;
	struct prof_program program = {.functions = functions,
				       .count = FUNCTIONS,
				       .targets = next_random(2) ? targets : NULL,
				       .target_count = 3};
	for (uint32_t i = 0; i < FUNCTIONS; i++) {
		const uint32_t size = next_random(LONGEST);
		code[i] = malloc(size ? size : 1);
		fill_function(code[i], size);
		functions[i] = (struct prof_function){
		    .address = address, .size = size, .code = code[i]};
		address += size + (size & 1);
	}
	CHECK_EQ(prof_find_live(&program), TR_OK);
	build_all(&program);
	prof_free_live(&program);
	for (uint32_t i = 0; i < FUNCTIONS; i++)
		free(code[i]);
}

/* Fails at each allocation: of the results, and of the references to functions. */
static void without_memory(void)
{
	struct code code = {.size = 0};
	put_long(&code, insn_jal(X0, 4));
	put_long(&code, RET);
	struct prof_function functions[] = {
	    {.address = CODE_START, .size = 4, .code = code.bytes},
	    {.address = CODE_START + 4, .size = 4, .code = code.bytes + 4}};
	struct prof_program program = {.functions = functions, .count = 2};
	for (unsigned long n = 1; n <= 2; n++) {
		memory_fail_at(n);
		CHECK_EQ(prof_find_live(&program), TR_E_NOMEM);
		CHECK(memory_failed);
		CHECK(program.live == NULL);
	}
	memory_fail_at(3);
	CHECK_EQ(prof_find_live(&program), TR_OK);
	CHECK(!memory_failed);
	memory_fail_at(0);
	prof_free_live(&program);
}

int main(void)
{
	for (unsigned i = 0; i < ROUNDS; i++)
		random_program();
	for (unsigned i = 0; i < PROF_REFUSALS; i++) /* ecall is not likely */
		CHECK(refusals[i] > 0 || i == PROF_REFUSED_ECALL ||
		      i == PROF_REFUSED_OVERLAP);
	without_memory();
	return check_done();
}
