/* SPDX-License-Identifier: Apache-2.0 */
/* The operations and their probabilities. */
#include "ops.h"

enum {
	IN_U = 1 << PRIV_U,
	IN_S = 1 << PRIV_S,
	IN_M = 1 << PRIV_M,
	IN_SM = IN_S | IN_M,
	ANY = IN_U | IN_S | IN_M,
};

/* Properties of an operation. */
enum {
	SIMPLE = 1,    /* short, registers only */
	NESTS = 2,     /* contains other operations */
	COSTLY = 4,    /* traps, or has a loop: not in hot loops */
	WITH_VM = 8,   /* only where addresses are translated */
	NO_TVM = 16,   /* needs sfence.vma to work */
	NO_PLAIN = 32, /* depends on time, or differs on QEMU */
	FLOAT = 64,    /* only where there is floating point */
};

#define T(name) (1U << THEME_##name)

/* Chunks with the operation's theme choose it BOOST times as often. */
enum { BOOST = 10 };
static const struct op {
	void (*emit)(struct chunk *k);
	uint8_t in, flags, weight;
	uint16_t themes;
} table[] = {
    {op_alu, ANY, SIMPLE, 60, 0},
    {op_alu_short, ANY, SIMPLE, 60, 0},
    {op_chain, ANY, SIMPLE, 10, T(COMPUTE)},
    {op_divide, ANY, 0, 5, T(COMPUTE)},
    {op_fence, ANY, 0, 2, T(MEMORY)},
    {op_load_store, ANY, 0, 40, T(MEMORY)},
    {op_load_store_short, ANY, 0, 40, T(MEMORY)},
    {op_load_use, ANY, 0, 10, T(MEMORY)},
    {op_overlap, ANY, 0, 6, T(MEMORY) | T(CACHE)},
    {op_index, ANY, 0, 6, T(MEMORY) | T(CACHE)},
    {op_new_pointer, ANY, 0, 6, T(MEMORY) | T(CACHE) | T(PAGING)},
    {op_stride, ANY, COSTLY, 2, T(CACHE)},
    {op_sweep, ANY, COSTLY, 1, T(CACHE)},
    {op_scatter, ANY, COSTLY, 2, T(CACHE)},
    {op_amo, ANY, 0, 6, T(ATOMIC)},
    {op_reserve, ANY, 0, 4, T(ATOMIC)},
    {op_retry, ANY, 0, 2, T(ATOMIC)},
    {op_skip, ANY, NESTS, 20, T(BRANCH)},
    {op_loop, ANY, NESTS, 12, T(BRANCH) | T(COMPUTE) | T(MEMORY)},
    {op_jump, ANY, 0, 6, T(BRANCH)},
    {op_call, ANY, NESTS, 5, T(BRANCH)},
    {op_nest_calls, ANY, COSTLY, 2, T(BRANCH)},
    {op_recurse, ANY, COSTLY, 2, T(BRANCH)},
    {op_table, ANY, 0, 4, T(BRANCH)},
    {op_environment, ANY, COSTLY, 2, T(TRAP)},
    {op_illegal, ANY, COSTLY, 3, T(TRAP)},
    {op_misaligned, ANY, COSTLY | NO_PLAIN, 2, T(TRAP)},
    {op_nowhere, ANY, COSTLY | NO_PLAIN, 2, T(TRAP)},
    {op_fault, ANY, COSTLY | WITH_VM | NO_PLAIN, 4, T(PAGING)},
    {op_fetch_fault, ANY, COSTLY | NO_PLAIN, 4, T(TRAP) | T(PAGING)},
    {op_arena, ANY, COSTLY | NO_PLAIN, 3, T(PROTECTION)},
    {op_csr, IN_SM, 0, 6, T(CSR)},
    {op_csr_any, ANY, COSTLY | NO_PLAIN, 3, T(CSR)},
    {op_counter, ANY, COSTLY | NO_PLAIN, 2, T(CSR)},
    {op_status, IN_SM, NO_PLAIN, 2, T(CSR) | T(INTERRUPT)},
    {op_tvec, IN_SM, NO_PLAIN, 1, T(CSR)},
    {op_interrupt, ANY, COSTLY | NO_PLAIN, 4, T(INTERRUPT)},
    {op_wait, IN_SM, COSTLY | NO_PLAIN, 1, T(INTERRUPT)},
    {op_return, IN_SM, 0, 2, T(TRAP) | T(INTERRUPT)},
    {op_mprv, IN_M, COSTLY | NO_PLAIN, 3, T(PAGING) | T(PROTECTION)},
    {op_sfence, IN_SM, 0, 3, T(PAGING)},
    {op_pte, IN_SM, COSTLY | NO_TVM, 3, T(PAGING)},
    {op_satp, IN_S, NESTS | WITH_VM, 4, T(PAGING)},
    {op_pmp, IN_M, NO_PLAIN, 2, T(PROTECTION)},
    {op_uart, ANY, COSTLY | NO_PLAIN, 1, T(DEVICE)},
    {op_plic, ANY, COSTLY | NO_PLAIN, 1, T(DEVICE)},
    {op_clint, ANY, COSTLY | NO_PLAIN, 1, T(DEVICE)},
    {op_device_fault, ANY, COSTLY | NO_PLAIN, 1, T(DEVICE)},
    {op_patch, ANY, 0, 3, T(PATCH)},
    {op_float, ANY, FLOAT, 20, T(FLOAT)},
    {op_float_operand, ANY, FLOAT, 12, T(FLOAT)},
    {op_float_integer, ANY, FLOAT, 12, T(FLOAT)},
    {op_float_chain, ANY, FLOAT, 10, T(FLOAT)},
    {op_float_memory, ANY, FLOAT, 12, T(FLOAT)},
    {op_float_state, IN_SM, FLOAT | COSTLY, 2, T(FLOAT)},
    {op_float_illegal, ANY, FLOAT | COSTLY, 1, T(FLOAT)},
    {op_fcsr, ANY, FLOAT | COSTLY, 6, T(FLOAT)},
};
enum { OPS = sizeof(table) / sizeof(*table) };

/* Maximum size of an operation in bytes, including nested ones. */
enum { ROOM = 0x380, MAX_DEPTH = 3, MANY_TIMES = 4 };
/* Maximum bytes within an operation, in range of a branch. */
enum { INSIDE = 0x900 };

static bool allowed(const struct chunk *k, const struct op *op, bool simple)
{
	/* Instructions of floating point trap while it is off. */
	unsigned floats = k->env.mstatus & STATUS_FS ? 0 : FLOAT;
	bool tvm = k->now->priv == PRIV_S && (k->env.mstatus & STATUS_TVM);

	if (!(op->in >> k->now->priv & 1) || (simple && !(op->flags & SIMPLE)))
		return false;
	if ((op->flags & NESTS) && k->depth >= MAX_DEPTH)
		return false;
	if (((op->flags & COSTLY) || (op->flags & floats)) && k->code.times > MANY_TIMES)
		return false;
	if ((op->flags & FLOAT) && !k->p->has_float)
		return false;
	if ((op->flags & WITH_VM) && !gen_translates(k))
		return false;
	if ((op->flags & NO_TVM) && tvm)
		return false;
	return !((op->flags & NO_PLAIN) && k->p->plain);
}

static const struct op *choose(struct chunk *k, bool simple)
{
	unsigned weight[OPS], sum = 0, at;

	for (unsigned i = 0; i < OPS; i++) {
		weight[i] = 0;
		if (allowed(k, &table[i], simple))
			weight[i] = (unsigned)table[i].weight *
				    (table[i].themes >> k->theme & 1 ? BOOST : 1U);
		sum += weight[i];
	}
	at = rng_below(&k->rng, sum);
	for (unsigned i = 0;; i++) {
		if (at < weight[i])
			return &table[i];
		at -= weight[i];
	}
}

/* Places the end of a page in the middle of an instruction. */
static void cross_page(struct chunk *k)
{
	struct code *c = &k->code;
	uint32_t left = 0x1000 - (c->at & 0xfff);

	if (left > 64 || k->tight || rng_chance(&k->rng, 40))
		return;
	while ((c->at & 0xfff) < 0xffe && (c->at & 0xfff) != 0)
		code_half(c, insn_ci(INSN_c_addi, gen_dest(k), 1));
	if (c->at & 0xfff)
		code_i(c, INSN_xori, gen_dest(k), gen_source(k),
		       (int)rng_below(&k->rng, 4096));
}

static void one(struct chunk *k, bool simple)
{
	cross_page(k);
	if (k->depth == 0)
		k->outer = k->code.at;
	k->depth++;
	choose(k, simple)->emit(k);
	k->depth--;
}

static bool room(const struct chunk *k, uint32_t end)
{
	return k->code.at + ROOM < end;
}

void gen_ops(struct chunk *k, unsigned count)
{
	while (count-- && room(k, k->code.end - ROOM / 2) &&
	       k->code.at < k->outer + INSIDE)
		one(k, k->tight);
}

void gen_simple_ops(struct chunk *k, unsigned count)
{
	while (count--)
		one(k, true);
}

/* Replaces the instructions that the operation wrote after `from` by ones without
 * effect. */
static void drop(const struct code *c, uint32_t from)
{
	for (uint32_t at = from; at < c->at; at += 2)
		image_put16(c->image, code_physical(c, at), insn_ci(INSN_c_nop, 0, 0));
}

void gen_segment_ops(struct chunk *k, uint32_t end)
{
	unsigned count = rng_range(&k->rng, 10, 60);
	uint64_t limit = k->code.cost + rng_range(&k->rng, 200, 2500);

	while (count-- && k->code.cost < limit && room(k, end)) {
		uint32_t from = k->code.at;

		one(k, false);
		if (k->p->drop[k->operations++])
			drop(&k->code, from);
	}
}
