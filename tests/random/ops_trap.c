/* SPDX-License-Identifier: Apache-2.0 */
/* Operations that raise exceptions, or may. */
#include "ops.h"

/* ecall and ebreak. */
void op_environment(struct chunk *k)
{
	unsigned kind = rng_below(&k->rng, k->p->plain ? 1 : 3);

	if (kind == 0)
		code_word(&k->code, insn_kinds[INSN_ecall].bits);
	else if (kind == 1)
		code_word(&k->code, insn_kinds[INSN_ebreak].bits);
	else
		gen_trap_half(k, insn_kinds[INSN_c_ebreak].bits & 0xffff);
	gen_cost_traps(k, 1);
}

static uint32_t any_illegal_word(struct chunk *k)
{
	struct rng *rng = &k->rng;
	uint32_t bits;

	do {
		bits = (uint32_t)rng_next(rng) | 3;
		if (rng_chance(rng, 70)) /* nearly legal */
			bits = insn_kinds[rng_below(rng, INSN_c_addi4spn)].bits ^
			       1U << rng_range(rng, 2, 31) ^
			       (uint32_t)rng_below(rng, 32) << 7;
	} while (insn_find(bits) >= 0 || (k->p->has_float && insn_is_float(bits)));
	return bits;
}

static uint16_t any_illegal_half(struct chunk *k)
{
	struct rng *rng = &k->rng;
	uint32_t bits;

	do {
		bits = rng_below(rng, 0x10000);
		if (rng_chance(rng, 70))
			bits = insn_kinds[rng_range(rng, INSN_c_addi4spn, INSN_COUNT - 1)]
				   .bits &
			       ~(1U << rng_below(rng, 16));
	} while ((bits & 3) == 3 || insn_find(bits) >= 0 ||
		 (k->p->has_float && insn_is_float(bits)));
	return (uint16_t)bits;
}

/* Returns an instruction that is legal in M, but illegal in the segment's lower
 * privilege. */
static uint32_t privileged(struct chunk *k)
{
	uint32_t csr = rng_below(&k->rng, 0x100) | 0x300;

	switch (rng_below(&k->rng, k->now->priv == PRIV_U ? 5 : 2)) {
	case 0:
		return insn_kinds[INSN_mret].bits;
	case 1:
		return insn_csr(INSN_csrrs, gen_dest(k), csr, gen_source(k));
	case 2:
		return insn_kinds[INSN_sret].bits;
	case 3:
		return insn_r(INSN_sfence_vma, 0, gen_source(k), gen_source(k));
	default:
		return insn_kinds[INSN_wfi].bits;
	}
}

void op_illegal(struct chunk *k)
{
	unsigned kind = rng_below(&k->rng, 6);

	if (kind < 2)
		code_word(&k->code, any_illegal_word(k));
	else if (kind < 4)
		gen_trap_half(k, any_illegal_half(k));
	else if (kind == 4 && !k->p->plain)
		gen_trap_half(k, rng_chance(&k->rng, 50) ? 0 : 0x2001);
	else if (k->now->priv != PRIV_M)
		code_word(&k->code, privileged(k));
	gen_cost_traps(k, 1);
}

static enum insn any_atomic(struct rng *rng)
{
	return (enum insn)rng_range(rng, INSN_lr_w, INSN_amomaxu_d);
}

static bool access_short(struct chunk *k, unsigned at)
{
	static const enum insn all[] = {INSN_c_lw, INSN_c_ld, INSN_c_sw, INSN_c_sd};
	unsigned rd = gen_short_dest(k);

	if (at < 8 || at > 15 || !rd)
		return false;
	gen_trap_half(k, insn_c_memory(RNG_PICK(&k->rng, all), rd, at, 0));
	return true;
}

void gen_access(struct chunk *k, unsigned at)
{
	struct rng *rng = &k->rng;
	unsigned kind = rng_below(rng, 10);
	enum insn insn;

	gen_cost_traps(k, 1);
	if (k->p->has_float && rng_chance(rng, 30)) {
		gen_float_access(k, at);
		return;
	}
	if (kind < 2 && access_short(k, at))
		return;
	if (kind < 5) {
		code_i(&k->code, (enum insn)rng_range(rng, INSN_lb, INSN_lwu),
		       gen_dest(k), at, 0);
	} else if (kind < 8 || k->p->plain) {
		code_s(&k->code, (enum insn)rng_range(rng, INSN_sb, INSN_sd),
		       gen_source(k), at, 0);
	} else {
		insn = any_atomic(rng);
		code_word(
		    &k->code,
		    insn_r(insn, gen_dest(k), at,
			   insn == INSN_lr_w || insn == INSN_lr_d ? 0 : gen_source(k)));
	}
}

void op_misaligned(struct chunk *k)
{
	unsigned base = gen_pointer(k), at = gen_hold(k);
	static const int odd[] = {1, 1, 2, 3, 4, 4, 5, 6, 7};
	/* Also across the end of a line or page. */
	static const int ends[] = {0, 56, 0x3f8, 0x7f8, -8};

	if (base) {
		code_i(&k->code, INSN_addi, at, base,
		       RNG_PICK(&k->rng, ends) + RNG_PICK(&k->rng, odd));
		gen_access(k, at);
	}
	gen_release(k, at);
}

/* Accesses to unmapped addresses. */
void op_nowhere(struct chunk *k)
{
	static const uint64_t places[] = {0x0,
					  0x1000,
					  0x101000,
					  0x1fffff8,
					  0x2010000,
					  0x20000000,
					  SOC_UART_BASE + SOC_UART_SIZE,
					  SOC_PLIC_BASE + SOC_PLIC_SIZE,
					  SOC_RAM_BASE - 8,
					  RAM_END,
					  0x100000000,
					  0xfffffffffffff8,
					  0x100000000000000,
					  0x8000000000000000,
					  0xfffffffffffffff8};
	static const uint64_t limits[] = {0x3ffffffff8, 0x4000000000, 0xffffffbffffffff8,
					  0x7fffffffffffffc0, 0xfffffe0000000000};
	unsigned at = gen_hold(k);
	uint64_t address = RNG_PICK(&k->rng, places);

	if (gen_translates(k) && rng_chance(&k->rng, 50))
		address = RNG_PICK(&k->rng, limits);
	else if (gen_translates(k) && address < 0x80000000)
		address = gen_device(k, address);
	code_li(&k->code, at, address);
	gen_access(k, at);
	gen_release(k, at);
}

uint64_t gen_fault_address(struct chunk *k)
{
	const struct program *p = k->p;
	struct rng *rng = &k->rng;
	uint64_t offset = rng_below(rng, 0x40000) * 8U;
	bool flat;

	switch (rng_below(rng, 10)) {
	case 0:
	case 1:
		return va_l1(p, RNG_PICK(rng, p->l1_misc), offset);
	case 2:
		return va_root(RNG_PICK(rng, p->root_misc), offset * 512);
	case 3: /* data of the other privilege */
		return data_address(p, rng, k->now->priv == PRIV_U ? PRIV_S : PRIV_U,
				    true, &flat);
	default:
		return va_l1(p, p->l1_fault, offset);
	}
}

/* Accesses through page-table entries that deny them in some way. */
void op_fault(struct chunk *k)
{
	unsigned at = gen_hold(k);

	code_li(&k->code, at, gen_fault_address(k));
	for (unsigned n = rng_range(&k->rng, 1, 2); n; n--)
		gen_access(k, at);
	gen_release(k, at);
}

/* Returns an address that cannot be fetched, or one of code that returns at once. */
static uint64_t fetch_address(struct chunk *k)
{
	static const uint64_t places[] = {0x0,	       SOC_CLINT_BASE,	 SOC_UART_BASE,
					  0x20000000,  RAM_END - 2,	 RAM_END,
					  0x100000000, 0x100000000000000};
	struct rng *rng = &k->rng;
	uint64_t offset = rng_chance(rng, 40) ? 0xffe : rng_below(rng, 0x800) * 2U;
	uint64_t page = rng_chance(rng, 30) ? 511 : rng_below(rng, 512);

	if (gen_translates(k) && rng_chance(rng, 70)) {
		if (rng_chance(rng, 20))
			return gen_fault_address(k) + rng_below(rng, 2) * 2;
		return va_l1(k->p, k->p->l1_fault, page << 12 | offset);
	}
	if (rng_chance(rng, 40))
		return RNG_PICK(rng, places);
	page = rng_below(rng, RETURN_PAGES);
	if (!k->p->plain && rng_chance(rng, 40))
		return gen_ram(k, pmp_edge(rng, k->env.pmpaddr, ARENA_RETURNS, 0x1000) &
				      ~UINT64_C(1));
	if (page == RETURN_PAGES - 1)
		offset &= 0x7fe;
	return gen_ram(k, ARENA_RETURNS + page * 0x1000 + offset);
}

/* Jumps to such an address; register rec has the address at which to continue. */
void op_fetch_fault(struct chunk *k)
{
	struct code *c = &k->code;
	unsigned to = gen_hold(k);
	struct mark back = code_address(c, k->p->rec);

	code_li(c, to, fetch_address(k));
	if (rng_chance(&k->rng, 30))
		code_half(c, insn_cr(INSN_c_jr, to, 0));
	else
		code_i(c, INSN_jalr, gen_dest(k), to, rng_chance(&k->rng, 20));
	gen_cost_traps(k, 1);
	for (unsigned n = rng_below(&k->rng, 4); n; n--)
		code_half(c, (uint16_t)rng_next(&k->rng));
	code_land(c, back);
	gen_release(k, to);
}

/* Accesses near the bounds of PMP entries. */
void op_arena(struct chunk *k)
{
	struct rng *rng = &k->rng;
	unsigned at = gen_hold(k);
	uint64_t address = pmp_edge(rng, k->env.pmpaddr, ARENA, 0x2000);

	if (rng_chance(rng, 70)) /* else misaligned ones as well */
		address &= rng_chance(rng, 50) ? ~UINT64_C(3) : ~UINT64_C(7);
	code_li(&k->code, at, gen_ram(k, address));
	for (unsigned n = rng_range(rng, 1, 3); n; n--)
		gen_access(k, at);
	gen_release(k, at);
}
