/* SPDX-License-Identifier: Apache-2.0 */
/* Set-ups: from M-mode with unknown registers to the first segment of a chunk; and from
 * one segment to the next. */
#include <stdio.h>

#include "chunk_internal.h"
#include "ops.h"

enum { MAX_CSRS = 24 };

struct value {
	unsigned csr;
	uint64_t value;
};

/* Lists the CSRs that are initialised for every segment, except mstatus. */
static unsigned list_csrs(const struct chunk *k, struct value *list)
{
	const struct env *e = &k->env;
	const struct program *p = k->p;
	unsigned n = 0;

	list[n++] = (struct value){CSR_SATP,
				   e->space < 0 ? 0 : paging_satp(p, (unsigned)e->space)};
	list[n++] = (struct value){CSR_MTVEC, p->m_trap[e->m_vector] | e->m_vector};
	list[n++] = (struct value){CSR_STVEC, p->s_trap[e->s_vector] | e->s_vector};
	list[n++] = (struct value){CSR_MEDELEG, e->medeleg};
	list[n++] = (struct value){CSR_MIDELEG, e->mideleg};
	list[n++] = (struct value){CSR_MIE, e->mie};
	list[n++] = (struct value){CSR_MIP, e->mip};
	if (!p->plain) {
		list[n++] = (struct value){CSR_MCOUNTEREN, e->mcounteren};
		list[n++] = (struct value){CSR_SCOUNTEREN, e->scounteren};
		list[n++] = (struct value){CSR_MCOUNTINHIBIT, e->mcountinhibit};
		list[n++] = (struct value){CSR_MENVCFG, e->menvcfg};
		list[n++] = (struct value){CSR_SENVCFG, e->senvcfg};
	}
	for (unsigned i = 0; i < 7 && e->pmp; i++)
		list[n++] = (struct value){CSR_PMPADDR0 + i, e->pmpaddr[i]};
	if (e->pmp)
		list[n++] = (struct value){CSR_PMPCFG0, e->pmpcfg};
	return n;
}

static uint64_t consts(const struct chunk *k)
{
	return CONSTS + (uint64_t)k->index * CONST_SIZE;
}

/* Loads them from the constants, whose address is in `base`. */
static void load_csrs(struct chunk *k, unsigned base)
{
	struct value list[MAX_CSRS];
	unsigned n = list_csrs(k, list), reg = gen_temp(k);

	for (unsigned i = 0; i < n; i++) {
		code_i(&k->code, INSN_ld, reg, base, (int)(CONST_CSRS + i) * 8);
		code_csr(&k->code, INSN_csrrw, 0, list[i].csr, reg);
	}
	if (k->env.pmp || k->p->same_asid)
		code_word(&k->code, insn_r(INSN_sfence_vma, 0, 0, 0));
}

/* Sets mstatus and the pc for a return from M to the segment. Returns true for sret. */
static bool aim(struct chunk *k, const struct segment *next)
{
	struct code *c = &k->code;
	bool sret = next->priv != PRIV_M && rng_chance(&k->rng, 25);
	uint64_t status = k->env.mstatus;
	unsigned reg = gen_temp(k);

	if (sret)
		status |= next->priv == PRIV_S ? STATUS_SPP : 0;
	else
		status |= (uint64_t)next->priv << 11;
	code_li(c, reg, chunk_va(k, next) + next->start);
	code_csr(c, INSN_csrrw, 0, sret ? CSR_SEPC : CSR_MEPC, reg);
	code_li(c, reg, status);
	code_csr(c, INSN_csrrw, 0, CSR_MSTATUS, reg);
	return sret;
}

static void go(struct chunk *k, bool sret)
{
	code_word(&k->code, insn_kinds[sret ? INSN_sret : INSN_mret].bits);
}

static void li_pointers(struct chunk *k, const struct segment *next)
{
	for (unsigned i = 1; i < 32; i++)
		if (next->pointers >> i & 1)
			code_li(&k->code, i, next->pointer[i]);
}

void chunk_descend(struct chunk *k, const struct segment *next)
{
	struct code *c = &k->code;
	bool sret = true;

	k->reserved |= next->pointers;
	unsigned reg = gen_hold(k);

	if (k->now->priv == PRIV_M) {
		code_csr(c, INSN_csrrci, 0, CSR_MSTATUS, STATUS_MIE);
		code_li(c, reg, consts(k));
		load_csrs(k, reg);
		li_pointers(k, next);
		sret = aim(k, next);
	} else {
		li_pointers(k, next);
		gen_stay(k, 80);
		code_csr(c, INSN_csrrci, 0, CSR_SSTATUS, STATUS_SIE);
		code_li(c, reg, chunk_va(k, next) + next->start);
		code_csr(c, INSN_csrrw, 0, CSR_SEPC, reg);
		code_li(c, reg, STATUS_SPP);
		code_csr(c, next->priv == PRIV_S ? INSN_csrrs : INSN_csrrc, 0,
			 CSR_SSTATUS, reg);
	}
	go(k, sret);
}

/* Returns the instruction with which the S handler leaves; it is not delegated. */
static unsigned s_leave(const struct chunk *k)
{
	if (!(k->env.medeleg >> CAUSE_ECALL_S & 1))
		return LEAVE_ECALL;
	if (!(k->env.medeleg >> CAUSE_BREAK & 1))
		return LEAVE_EBREAK;
	return LEAVE_ILLEGAL;
}

/* Breaks the PTE of a page of the body; the fetch-fault handler fixes it. */
static void write_fix(struct chunk *k, unsigned cells)
{
	struct code *c = &k->code;
	unsigned at = gen_hold(k), reg = gen_hold(k);
	uint64_t where, pte = chunk_code_pte(k, k->fix, &where);
	uint64_t va = chunk_va(k, &k->seg[k->fix / 2]) + 0x1000 * k->fix;

	code_li(c, at, where);
	code_s(c, INSN_sd, at, cells, CELL_FIX_AT);
	code_li(c, reg, pte);
	code_s(c, INSN_sd, reg, cells, CELL_FIX_PTE);
	code_li(c, reg, pte_broken(&k->rng, pte));
	code_s(c, INSN_sd, reg, at, 0);
	gen_release(k, at);
	gen_release(k, reg);
	gen_sfence(k, va, k->p->space[k->env.space].asid, true, false);
}

static void write_cells(struct chunk *k, unsigned cells)
{
	struct code *c = &k->code;
	unsigned reg = gen_hold(k);

	code_li(c, reg, k->exit_va);
	code_s(c, INSN_sd, reg, cells, CELL_EXIT);
	code_li(c, reg, s_leave(k));
	code_s(c, INSN_sd, reg, cells, CELL_S_LEAVE);
	if (k->env.pmp) {
		code_li(c, reg, 1);
		code_s(c, INSN_sd, reg, cells, CELL_PMP);
	}
	gen_release(k, reg);
	if (k->fix)
		write_fix(k, cells);
	else
		code_s(c, INSN_sd, 0, cells, CELL_FIX_AT);
}

/* Loads all registers: pointers and others from the constants, or values left by previous
 * chunks; the two base registers last. */
static void load_registers(struct chunk *k, unsigned base, unsigned cells)
{
	struct code *c = &k->code;
	uint32_t pool =
	    (uint32_t)rng_next(&k->rng) &
	    ~(k->seg[0].pointers | 1U << k->p->rec | 1U << base | 1U << cells);

	for (unsigned i = 1; i < 32; i++)
		if (pool >> i & 1)
			code_i(c, INSN_ld, i, cells, CELL_POOL + 8 * (int)i);
	for (unsigned i = 1; i < 32; i++)
		if (!(pool >> i & 1) && i != base)
			code_i(c, INSN_ld, i, base, 8 * (int)i);
	code_i(c, INSN_ld, base, base, 8 * (int)base);
}

static void put_consts(struct chunk *k)
{
	struct value list[MAX_CSRS];
	unsigned n = list_csrs(k, list);

	for (unsigned i = 1; i < 32; i++) {
		uint64_t value = rng_edge(&k->rng);

		if (k->seg[0].pointers >> i & 1)
			value = k->seg[0].pointer[i];
		else if (i == k->p->rec)
			value = k->rec_start;
		image_put64(k->p->image, consts(k) + 8 * i, value);
	}
	for (unsigned i = 0; i < n; i++)
		image_put64(k->p->image, consts(k) + 8 * (CONST_CSRS + i), list[i].value);
}

void chunk_write_setup(struct chunk *k)
{
	static const struct segment machine = {.priv = PRIV_M};
	uint64_t at = SETUP_BASE + (uint64_t)k->index * SETUP_SIZE;
	uint64_t cost = k->code.cost;
	char name[32];

	k->now = &machine;
	k->reserved = 0;
	k->code = code_flat(k->p->image, at, SETUP_SIZE);
	k->code.rng = &k->rng;
	k->code.cost = cost;
	snprintf(name, sizeof(name), "chunk%u_setup", k->index);
	image_symbol(k->p->image, name, at, true);
	put_consts(k);
	unsigned base = gen_hold(k);
	unsigned cells = gen_hold(k);
	code_li(&k->code, base, consts(k));
	code_li(&k->code, cells, M_DATA);
	if ((k->env.mie >> IRQ_MT & 1) && rng_chance(&k->rng, 80))
		gen_arm_timer(k);
	load_csrs(k, base);
	write_cells(k, cells);
	bool sret = aim(k, &k->seg[0]);
	load_registers(k, base, cells);
	go(k, sret);
}
