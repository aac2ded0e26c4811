/* SPDX-License-Identifier: Apache-2.0 */
/* The inner loop: threaded code over blocks of decoded operations. interp_recorded.c
 * compiles it again, as a function that also records uses of RAM. */
#include <string.h>

#include "arith.h"
#include "internal.h"

/* Computed goto is a GNU extension that threaded code requires. */
#pragma GCC diagnostic ignored "-Wpedantic"

#define LIKELY(c)   __builtin_expect(!!(c), 1)
#define UNLIKELY(c) __builtin_expect(!!(c), 0)

/* Operands, as ops.h names them. */
#define RD	  h->x[op->rd]
#define RS1	  h->x[op->rs1]
#define RS2	  h->x[op->rs2]
#define IMM	  ((uint64_t)(int64_t)op->imm)
#define SHIFT	  ((unsigned)op->imm)
#define PC0	  pc
#define S64(v)	  ((int64_t)(v))
#define W(v)	  ((uint64_t)(int64_t)(int32_t)(uint32_t)(v))
#define SAR(v, n) ((uint64_t)((int64_t)(v) >> (n)))

#define NEXT                                                                             \
	do {                                                                             \
		op++;                                                                    \
		goto * op->go;                                                           \
	} while (0)

#ifdef RECORDS_USES
#define INTERP soc_interp_recorded
/* With `left` instructions still to run when block b has ended. */
#define USE_CODE                                                                         \
	do {                                                                             \
		uint64_t line = (b->phys - SOC_RAM_BASE) / SOC_LINE;                     \
		h->use_time = end_time - (uint32_t)(left + b->n);                        \
		for (uint64_t last = (b->phys - SOC_RAM_BASE + b->bytes - 1) / SOC_LINE; \
		     line <= last && line < uses->lines; line++)                         \
			uses->fetches[line] = h->use_time;                               \
	} while (0)
#define USE_DATA(kind, address)                                                          \
	uses->kind[((uintptr_t)(address)-ram) / SOC_LINE] = h->use_time
#else
#define INTERP soc_interp
#define USE_CODE
#define USE_DATA(kind, address)
#endif

/* Enters block b, whose first instruction is at pc. */
#define ENTER                                                                            \
	do {                                                                             \
		left -= b->n;                                                            \
		if (UNLIKELY(left < 0))                                                  \
			goto cut_block;                                                  \
		if (h->log)                                                              \
			*h->log++ = (struct soc_log){b, pc};                             \
		USE_CODE;                                                                \
		op = b->ops;                                                             \
		goto * op->go;                                                           \
	} while (0)

/* Continues at `to` by the block's chain of that number (1: taken, 0: not). */
#define CHAIN(number, to)                                                                \
	do {                                                                             \
		target = (to);                                                           \
		if (LIKELY(b->next[number] != NULL)) {                                   \
			b = b->next[number];                                             \
			pc = target;                                                     \
			ENTER;                                                           \
		}                                                                        \
		slot = number;                                                           \
		goto link;                                                               \
	} while (0)

/* Instructions committed in this block: all before op. */
#define INDEX ((int64_t)(op - b->ops))

/* Stores the state that external functions need. */
#define SPILL                                                                            \
	do {                                                                             \
		h->pc = pc + 2U * op->half;                                              \
		h->now = h->end_cycle - (uint64_t)(left + b->n - INDEX);                 \
	} while (0)

#define FINISH(result)                                                                   \
	do {                                                                             \
		enum soc_result finish = (result);                                       \
		if (UNLIKELY(finish == SOC_TRAP))                                        \
			goto trap;                                                       \
		if (UNLIKELY(finish == SOC_LEAVE))                                       \
			goto leave;                                                      \
		NEXT;                                                                    \
	} while (0)

#define ALU(name, value)                                                                 \
	L_##name : RD = (value);                                                         \
	NEXT;

#define LOAD(name, type)                                                                 \
	L_##name:                                                                        \
	{                                                                                \
		uint64_t at = RS1 + IMM, wide;                                           \
		const struct soc_tlb *e = &h->load[at >> SOC_PAGE_BITS & (SOC_TLB - 1)]; \
		if (LIKELY(e->tag == (at & (SOC_PAGE_MASK | (sizeof(type) - 1))))) {     \
			type value;                                                      \
			memcpy(&value, (const void *)((uintptr_t)at + e->delta),         \
			       sizeof(value));                                           \
			RD = (uint64_t)(int64_t)value;                                   \
			USE_DATA(loads, at + e->delta);                                  \
			NEXT;                                                            \
		}                                                                        \
		SPILL;                                                                   \
		enum soc_result done = soc_load_slow(h, at, sizeof(type), &wide);        \
		if (done != SOC_TRAP)                                                    \
			RD = (uint64_t)(int64_t)(type)wide;                              \
		FINISH(done);                                                            \
	}

#define STORE(name, type)                                                                \
	L_##name:                                                                        \
	{                                                                                \
		uint64_t at = RS1 + IMM;                                                 \
		const struct soc_tlb *e =                                                \
		    &h->store[at >> SOC_PAGE_BITS & (SOC_TLB - 1)];                      \
		if (LIKELY(e->tag == (at & (SOC_PAGE_MASK | (sizeof(type) - 1))))) {     \
			type value = (type)RS2;                                          \
			memcpy((void *)((uintptr_t)at + e->delta), &value,               \
			       sizeof(value));                                           \
			h->reserved = SOC_NEVER;                                         \
			USE_DATA(stores, at + e->delta);                                 \
			NEXT;                                                            \
		}                                                                        \
		SPILL;                                                                   \
		FINISH(soc_store_slow(h, at, sizeof(type), (type)RS2));                  \
	}

/* Accesses to floating-point registers are inline while mstatus.FS is dirty; otherwise
 * they call a function, which makes it dirty. `box` is set above the loaded value. */
#define IS_DIRTY ((h->mstatus & SOC_MSTATUS_FS) == SOC_MSTATUS_FS)
#define FLOAT_LOAD(name, type, box)                                                      \
	L_##name:                                                                        \
	{                                                                                \
		uint64_t at = RS1 + IMM;                                                 \
		const struct soc_tlb *e = &h->load[at >> SOC_PAGE_BITS & (SOC_TLB - 1)]; \
		if (LIKELY(IS_DIRTY &&                                                   \
			   e->tag == (at & (SOC_PAGE_MASK | (sizeof(type) - 1))))) {     \
			type value;                                                      \
			memcpy(&value, (const void *)((uintptr_t)at + e->delta),         \
			       sizeof(value));                                           \
			RD = (box) | value;                                              \
			USE_DATA(loads, at + e->delta);                                  \
			NEXT;                                                            \
		}                                                                        \
		SPILL;                                                                   \
		FINISH(soc_float_load(h, op->rd, at, sizeof(type)));                     \
	}
#define FLOAT_STORE(name, type)                                                          \
	L_##name:                                                                        \
	{                                                                                \
		uint64_t at = RS1 + IMM;                                                 \
		const struct soc_tlb *e =                                                \
		    &h->store[at >> SOC_PAGE_BITS & (SOC_TLB - 1)];                      \
		if (LIKELY(IS_DIRTY &&                                                   \
			   e->tag == (at & (SOC_PAGE_MASK | (sizeof(type) - 1))))) {     \
			type value = (type)RS2;                                          \
			memcpy((void *)((uintptr_t)at + e->delta), &value,               \
			       sizeof(value));                                           \
			h->reserved = SOC_NEVER;                                         \
			USE_DATA(stores, at + e->delta);                                 \
			NEXT;                                                            \
		}                                                                        \
		SPILL;                                                                   \
		FINISH(soc_float_store(h, at, sizeof(type), RS2));                       \
	}

#define BRANCH(name, condition)                                                          \
	L_##name : if (condition) CHAIN(1, pc + IMM);                                    \
	CHAIN(0, pc + b->bytes);

enum soc_exit INTERP(struct soc_hart *h, const void *const **labels)
{
#define X(name, what) &&L_##name,
	static const void *const table[SOC_OP_COUNT] = {SOC_ALU_OPS(X) SOC_LOAD_OPS(
	    X) SOC_STORE_OPS(X) SOC_BRANCH_OPS(X) SOC_OTHER_OPS(X)};
#undef X
	if (labels) {
		*labels = table;
		return SOC_EXIT_BUDGET;
	}

#ifdef RECORDS_USES
	const struct soc_uses *const uses = &h->soc->uses;
	const uintptr_t ram = (uintptr_t)h->soc->ram;

	soc_uses_advance(h);
	const uint32_t end_time = h->use_time + (uint32_t)h->left;
#endif
	int64_t left = h->left;
	uint64_t pc = h->pc, target = pc;
	struct soc_block *b = NULL;
	const struct soc_op *op;
	unsigned slot = 0;
	enum soc_exit why;

	if (UNLIKELY(h->single != NULL)) {
		b = h->single;
		pc = h->single_base;
		ENTER;
	}
	goto jump;

	SOC_ALU_OPS(ALU)
	SOC_LOAD_OPS(LOAD)
	SOC_STORE_OPS(STORE)
	SOC_BRANCH_OPS(BRANCH)
	FLOAT_LOAD(flw, uint32_t, UINT64_C(0xffffffff00000000))
	FLOAT_LOAD(fld, uint64_t, 0)
	FLOAT_STORE(fsw, uint32_t)
	FLOAT_STORE(fsd, uint64_t)

L_floating:
	SPILL;
	FINISH(soc_floating(h, (uint32_t)op->imm));
L_nop:
	NEXT;
L_jal:
	RD = pc + b->bytes;
	CHAIN(1, pc + IMM);
L_jalr:
	target = (RS1 + IMM) & ~UINT64_C(1);
	RD = pc + b->bytes;
	goto jump;
L_jal_reported:
	target = pc + IMM;
	RD = pc + b->bytes;
	goto out;
L_jalr_reported:
	target = (RS1 + IMM) & ~UINT64_C(1);
	RD = pc + b->bytes;
	goto out;
L_atomic:
	SPILL;
	FINISH(soc_atomic(h, (uint32_t)op->imm));
L_copy:
	SPILL;
	FINISH(soc_copy(h, (uint32_t)op->imm));
L_csr:
	SPILL;
	FINISH(soc_csr_insn(h, (uint32_t)op->imm));
L_system:
	SPILL;
	if (soc_system_insn(h, (uint32_t)op->imm) == SOC_TRAP)
		goto trap;
	h->left = left;
	return SOC_EXIT_NEXT;
L_end:
	CHAIN(0, pc + b->bytes);
L_end_reported:
	if (!h->log)
		CHAIN(0, pc + b->bytes);
	target = pc + b->bytes;
	goto out;
L_cut:
	h->pc = pc + 2U * op->half;
	h->left = left;
	return SOC_EXIT_BUDGET;
L_illegal:
	SPILL;
	soc_raise(h, SOC_CAUSE_ILLEGAL, (uint32_t)op->imm);
	goto trap;
L_wfi:
	SPILL;
	why = SOC_EXIT_WFI;
	goto uncommitted;

link : {
	/* A chain links only blocks of one page, which share a mapping. */
	const struct soc_jump *j = &h->jumps[target >> 1 & (SOC_JUMPS - 1)];
	if (j->pc == target && j->context == h->context) {
		if (((target ^ pc) & SOC_PAGE_MASK) == 0 && !(b->flags & SOC_BLOCK_LOOSE))
			b->next[slot] = j->block;
		b = j->block;
		pc = target;
		ENTER;
	}
}
	goto find;

jump : {
	const struct soc_jump *j = &h->jumps[target >> 1 & (SOC_JUMPS - 1)];
	if (LIKELY(j->pc == target && j->context == h->context)) {
		b = j->block;
		pc = target;
		ENTER;
	}
}
find:
	pc = target;
	h->pc = pc;
	h->left = left;
	if (left == 0)
		return SOC_EXIT_BUDGET;
	b = soc_block_find(h, pc, &why);
	if (b == NULL)
		return why;
	ENTER;

cut_block:
	left += b->n;
	h->pc = pc;
	h->left = left;
	if (left == 0)
		return SOC_EXIT_BUDGET;
	soc_log_block(h, b, pc);
	soc_log_cut(h, (unsigned)left);
	b = soc_block_cut(h, b, (unsigned)left);
	left = 0;
	USE_CODE;
	op = b->ops;
	goto * op->go;

leave:
	op++;
	target = pc + 2U * op->half;
	if (INDEX < b->n) {
		left += b->n - INDEX;
		soc_log_cut(h, (unsigned)INDEX);
	}
out:
	h->pc = target;
	h->left = left;
	return SOC_EXIT_NEXT;

trap:
	why = SOC_EXIT_TRAP;
uncommitted:
	left += b->n - INDEX;
	soc_log_cut(h, (unsigned)INDEX);
	h->left = left;
	return why;
}
