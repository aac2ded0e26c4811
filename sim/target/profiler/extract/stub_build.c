/* SPDX-License-Identifier: Apache-2.0 */
/* Builds stubs: moves the instructions that an entry replaces. */
#include "stub_build.h"

#include <string.h>

#include "insn.h"
#include "live_registers.h"
#include "stream/insn.h"

enum {
	T0 = 5,
	C_LI_T1_1 = 0x4305,
	AMOADD_D_T1_T0 = 0x0062b02f, /* amoadd.d zero, t1, (t0) */
};

struct builder {
	const struct prof_request *request;
	struct prof_stub *stub;
	enum prof_refusal refusal; /* the first reason */
	uint64_t moved;		   /* the instruction that is being moved */
};

const char *prof_name_refusal(enum prof_refusal refusal)
{
	static const char *const names[PROF_REFUSALS] = {
	    [PROF_COUNTED] = "counted",		  [PROF_REFUSED_CALL] = "call",
	    [PROF_REFUSED_ECALL] = "ecall",	  [PROF_REFUSED_EBREAK] = "ebreak",
	    [PROF_REFUSED_TARGET] = "target",	  [PROF_REFUSED_SMALL] = "small",
	    [PROF_REFUSED_LIVE] = "live",	  [PROF_REFUSED_REACH] = "reach",
	    [PROF_REFUSED_REGISTER] = "register", [PROF_REFUSED_UNKNOWN] = "unknown",
	    [PROF_REFUSED_OVERLAP] = "overlap",
	};
	return names[refusal];
}

static void refuse_for(struct builder *builder, enum prof_refusal refusal,
		       const struct prof_obstacle *obstacle)
{
	if (builder->refusal != PROF_COUNTED)
		return;
	builder->refusal = refusal;
	builder->stub->obstacle = *obstacle;
}

static void append_16(struct prof_stub *stub, uint32_t insn)
{
	stub->code[stub->size++] = (uint8_t)insn;
	stub->code[stub->size++] = (uint8_t)(insn >> 8);
}

static void append_32(struct prof_stub *stub, uint32_t insn)
{
	append_16(stub, insn & 0xffff);
	append_16(stub, insn >> 16);
}

static void append_label(struct prof_stub *stub, enum tr_stubs_label_kind kind,
			 uint32_t reg, uint64_t target)
{
	stub->labels[stub->label_count++] = (struct tr_stubs_label){.at = stub->size,
								    .kind = (uint8_t)kind,
								    .reg = (uint8_t)reg,
								    .target = target};
}

/* auipc reg; addi reg, reg: a counter or an address. */
static void append_address(struct prof_stub *stub, enum tr_stubs_label_kind kind,
			   uint32_t reg, uint64_t target)
{
	append_label(stub, kind, reg, target);
	append_32(stub, TR_OPCODE_AUIPC | reg << 7);
	append_32(stub, TR_OPCODE_OP_IMM | reg << 7 | reg << 15);
}

/* Returns true if the distances of `target` from all places that offset `at` of the stub
 * can have are in a range. */
static bool is_within(const struct prof_request *request, uint64_t at, uint64_t target,
		      int64_t least, int64_t most)
{
	const int64_t longest = (int64_t)(target - (request->lowest + at));
	const int64_t shortest = (int64_t)(target - (request->highest + at));
	return shortest >= least && longest <= most;
}

static bool is_near(const struct prof_request *request, uint64_t at, uint64_t target)
{
	return is_within(request, at, target, -(1 << 20), (1 << 20) - 2);
}

/* In reach of auipc and a sign-extended offset of 12 bits. */
static bool is_far(const struct prof_request *request, uint64_t at, uint64_t target)
{
	return is_within(request, at, target, INT32_MIN - INT64_C(0x800),
			 INT32_MAX - INT64_C(0x800));
}

/* Returns a register that is dead at `target`, or 0. x5 is none: a jump through it is a
 * return, which pops the processor's stack of return addresses. */
static uint32_t find_free_register(const struct prof_request *request, uint64_t target)
{
	static const uint8_t candidates[] = {6, 7, 28, 29, 30, 31};
	const uint32_t live = request->live_at(request->context, target);
	for (size_t i = 0; i < sizeof(candidates); i++)
		if (!(live >> candidates[i] & 1))
			return candidates[i];
	return 0;
}

/* Refuses a reference to what is too far from offset `at` of the stub. */
static void refuse_reach(struct builder *builder, uint64_t at, uint64_t target)
{
	const struct prof_request *request = builder->request;
	const bool behind = (int64_t)(target - request->lowest) > 0;
	const uint64_t place = (behind ? request->lowest : request->highest) + at;
	refuse_for(builder, PROF_REFUSED_REACH,
		   &(struct prof_obstacle){
		       .at = builder->moved, .target = target, .place = place});
}

/* A jump that does not link. */
struct jump {
	uint32_t size; /* bytes */
	uint32_t reg;  /* 0: near */
};

/* Returns the jump for offset `at` of the stub. */
static struct jump choose_jump(struct builder *builder, uint64_t at, uint64_t target)
{
	const struct prof_request *request = builder->request;
	if (is_near(request, at, target))
		return (struct jump){4, 0};
	const uint32_t reg = find_free_register(request, target);
	if (!is_far(request, at, target))
		refuse_reach(builder, at, target);
	else if (reg == 0)
		refuse_for(
		    builder, PROF_REFUSED_REGISTER,
		    &(struct prof_obstacle){.at = builder->moved, .target = target});
	return (struct jump){8, reg};
}

static void append_jump(struct prof_stub *stub, struct jump jump, uint64_t target)
{
	append_label(stub, jump.reg ? TR_STUBS_FAR_JUMP : TR_STUBS_JUMP, jump.reg,
		     target);
	if (jump.reg) {
		append_32(stub, TR_OPCODE_AUIPC | jump.reg << 7);
		append_32(stub, TR_OPCODE_JALR | jump.reg << 15);
	} else {
		append_32(stub, TR_OPCODE_JAL);
	}
}

/* The inverted branch over a jump to the target, so that it falls through in the stub. */
static void move_branch(struct builder *builder, const struct prof_insn *insn)
{
	struct prof_stub *stub = builder->stub;
	const struct jump jump =
	    choose_jump(builder, stub->size + insn->length, insn->target);
	const uint32_t over = insn->length + jump.size;
	if (insn->length == 2) /* c.beqz, c.bnez */
		append_16(stub, ((insn->bits ^ 0x2000) & 0xe383) | (over >> 1 & 3) << 3 |
				    (over >> 3 & 3) << 10);
	else
		append_32(stub, ((insn->bits ^ 0x1000) & 0x01fff07f) | (over >> 1) << 8);
	append_jump(stub, jump, insn->target);
}

static void move_jump(struct builder *builder, uint64_t target)
{
	struct prof_stub *stub = builder->stub;
	append_jump(stub, choose_jump(builder, stub->size, target), target);
}

static void move_auipc(struct builder *builder, const struct prof_insn *insn)
{
	struct prof_stub *stub = builder->stub;
	if (!is_far(builder->request, stub->size, insn->target))
		refuse_reach(builder, stub->size, insn->target);
	append_address(stub, TR_STUBS_ADDRESS, insn->bits >> 7 & 31, insn->target);
}

static void move_insn(struct builder *builder, const struct prof_insn *insn)
{
	struct prof_stub *stub = builder->stub;
	if (insn->has_target && insn->target == builder->request->address)
		stub->loops = true;
	if (insn->kind == PROF_BRANCH)
		move_branch(builder, insn);
	else if (insn->kind == PROF_JUMP)
		move_jump(builder, insn->target);
	else if (insn->kind == PROF_AUIPC)
		move_auipc(builder, insn);
	else if (insn->length == 2)
		append_16(stub, insn->bits);
	else
		append_32(stub, insn->bits);
}

/* Returns the length of an instruction of the function, or the least that one has if the
 * function ends before. */
static uint32_t measure_insn(const struct prof_request *request, uint64_t at)
{
	return at < request->size && (request->code[at] & 3) == 3 ? 4 : 2;
}

/* Finds the size of the entry: whole instructions. */
static void measure_entry(struct builder *builder)
{
	const struct prof_request *request = builder->request;
	const uint64_t jump = request->kind == TR_STUBS_NEAR ? 4 : 8;
	uint64_t size = 0;
	while (size < jump) {
		size += measure_insn(request, size);
		if (size > request->size) {
			const uint64_t needed = size < jump ? jump : size;
			refuse_for(builder, PROF_REFUSED_SMALL,
				   &(struct prof_obstacle){.needed = (uint32_t)needed});
			return;
		}
	}
	builder->stub->entry_size = (uint8_t)size;
}

static enum prof_refusal refusal_of_kind(const struct prof_insn *insn)
{
	switch ((enum prof_kind)insn->kind) {
	case PROF_CALL:
		return PROF_REFUSED_CALL;
	case PROF_ECALL:
		return PROF_REFUSED_ECALL;
	case PROF_EBREAK:
		return PROF_REFUSED_EBREAK;
	case PROF_UNKNOWN:
		return PROF_REFUSED_UNKNOWN;
	default:
		return PROF_COUNTED;
	}
}

static void check_insn(struct builder *builder, const struct prof_insn *insn,
		       uint64_t address)
{
	const uint64_t entry = builder->request->address;
	refuse_for(builder, refusal_of_kind(insn),
		   &(struct prof_obstacle){.at = address});
	if (insn->has_target && insn->target != entry &&
	    insn->target - entry < builder->stub->entry_size)
		refuse_for(builder, PROF_REFUSED_TARGET,
			   &(struct prof_obstacle){.at = insn->target});
}

/* Refuses what cannot be moved wherever the stub is. */
static void check_entry(struct builder *builder)
{
	const struct prof_request *request = builder->request;
	const uint32_t size = builder->stub->entry_size;
	bool continues = true;
	for (uint32_t at = 0;
	     at < size && continues && builder->refusal == PROF_COUNTED;) {
		const struct prof_insn insn = prof_decode_insn(
		    request->code + at, request->size - at, request->address + at);
		check_insn(builder, &insn, request->address + at);
		continues = !prof_never_continues(&insn);
		at += insn.length;
	}
	for (uint32_t at = 2; at < size; at += 2)
		if (request->is_target(request->context, request->address + at))
			refuse_for(builder, PROF_REFUSED_TARGET,
				   &(struct prof_obstacle){.at = request->address + at});
	const uint32_t live = request->live_at(request->context, request->address);
	if (live & (PROF_T0 | PROF_T1))
		refuse_for(builder,
			   live & PROF_LIVE_UNKNOWN ? PROF_REFUSED_UNKNOWN
						    : PROF_REFUSED_LIVE,
			   &(struct prof_obstacle){0});
}

/* Moves the instructions. Returns false if the last one continues nowhere. What is behind
 * such an instruction is replaced, but never executed. */
static bool move_entry(struct builder *builder)
{
	const struct prof_request *request = builder->request;
	struct prof_stub *stub = builder->stub;
	for (uint64_t at = 0; at < stub->entry_size;) {
		const struct prof_insn insn = prof_decode_insn(
		    request->code + at, request->size - at, request->address + at);
		stub->moved[at / 2] = (uint8_t)stub->size;
		builder->moved = request->address + at;
		move_insn(builder, &insn);
		if (prof_never_continues(&insn))
			return false;
		at += insn.length;
	}
	return true;
}

enum prof_refusal prof_build_stub(const struct prof_request *request,
				  struct prof_stub *stub)
{
	struct builder builder = {.request = request, .stub = stub};
	memset(stub, 0, sizeof(*stub));
	measure_entry(&builder);
	if (builder.refusal == PROF_COUNTED)
		check_entry(&builder);
	if (builder.refusal != PROF_COUNTED)
		return builder.refusal;
	append_address(stub, TR_STUBS_COUNTER, T0, request->counter);
	append_16(stub, C_LI_T1_1);
	append_32(stub, AMOADD_D_T1_T0);
	if (move_entry(&builder)) {
		stub->resume = request->address + stub->entry_size;
		stub->tail = (uint8_t)stub->size;
		builder.moved = stub->resume;
		move_jump(&builder, stub->resume);
	}
	return builder.refusal;
}
