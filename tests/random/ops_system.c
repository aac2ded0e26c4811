/* SPDX-License-Identifier: Apache-2.0 */
/* Interrupts, WFI, trap returns without a trap, MPRV. */
#include "ops.h"

void gen_arm_timer(struct chunk *k)
{
	struct code *c = &k->code;
	unsigned at = gen_hold(k), value = gen_temp(k);
	uint64_t clint = gen_device(k, SOC_CLINT_BASE);

	code_li(c, at, clint + 0xc000);
	code_i(c, INSN_ld, value, at, SOC_CLINT_MTIME - 0xc000);
	code_i(c, INSN_addi, value, value, (int)rng_range(&k->rng, 0, 2));
	code_li(c, at, clint + SOC_CLINT_MTIMECMP);
	code_s(c, INSN_sd, value, at, 0);
	code_li(c, value, 0); /* nothing else depends on time */
	gen_release(k, at);
}

static void software_interrupt(struct chunk *k)
{
	struct code *c = &k->code;
	unsigned at = gen_hold(k), one = gen_temp(k);

	code_li(c, at, gen_device(k, SOC_CLINT_BASE));
	code_li(c, one, 1);
	code_s(c, INSN_sw, one, at, SOC_CLINT_MSIP);
	gen_release(k, at);
}

static void uart_interrupt(struct chunk *k)
{
	struct code *c = &k->code;
	unsigned at = gen_hold(k), value = gen_hold(k);

	code_li(c, at, gen_device(k, SOC_PLIC_BASE + 0x2000));
	code_li(c, value, 1 << SOC_UART_IRQ);
	if (rng_chance(&k->rng, 60))
		code_s(c, INSN_sw, value, at, 0);
	if (rng_chance(&k->rng, 60))
		code_s(c, INSN_sw, value, at, 0x80);
	code_li(c, at, gen_device(k, SOC_PLIC_BASE));
	code_li(c, value, rng_below(&k->rng, 8));
	code_s(c, INSN_sw, value, at, 4 * SOC_UART_IRQ);
	code_li(c, at, gen_device(k, SOC_PLIC_BASE + 0x200000));
	code_s(c, INSN_sw, 0, at, 0);
	code_li(c, at, gen_device(k, SOC_PLIC_BASE + 0x201000));
	code_s(c, INSN_sw, 0, at, 0);
	code_li(c, at, gen_device(k, SOC_UART_BASE));
	code_s(c, INSN_sb, 0, at, 3);
	code_li(c, value, 2); /* the transmitter is always ready */
	code_s(c, INSN_sb, 0, at, 1);
	code_s(c, INSN_sb, value, at, 1);
	gen_release(k, value);
	gen_release(k, at);
}

/* Makes an interrupt pending, which is taken now, later or not at all. */
void op_interrupt(struct chunk *k)
{
	static const unsigned soft[] = {0x2, 0x20, 0x200, 0x222, 0x22};
	struct code *c = &k->code;
	unsigned kind = rng_below(&k->rng, 10), bits;

	gen_cost_traps(k, 1);
	if (kind == 0) {
		uart_interrupt(k);
	} else if (kind < 4 || k->now->priv == PRIV_U) {
		software_interrupt(k);
	} else if (k->now->priv == PRIV_S) {
		code_csr(c, INSN_csrrsi, 0, CSR_SIP, 1 << IRQ_SS);
	} else {
		bits = gen_temp(k);
		code_li(c, bits, RNG_PICK(&k->rng, soft));
		code_csr(c, INSN_csrrs, 0, CSR_MIP, bits);
	}
	if (k->now->priv == PRIV_M && rng_chance(&k->rng, 60)) {
		bits = gen_temp(k);
		code_li(c, bits, 0xaaa & rng_next(&k->rng));
		code_csr(c, INSN_csrrs, 0, CSR_MIE, bits);
		code_csr(c, INSN_csrrsi, 0, CSR_MSTATUS, STATUS_MIE);
	} else if (k->now->priv == PRIV_S && rng_chance(&k->rng, 60)) {
		code_csr(c, INSN_csrrsi, 0, CSR_SSTATUS, STATUS_SIE);
	}
}

/* WFI; the timer ends it if nothing else does. */
void op_wait(struct chunk *k)
{
	struct code *c = &k->code;

	if (k->now->priv == PRIV_M) {
		unsigned bit = gen_temp(k);
		code_li(c, bit, 1 << IRQ_MT);
		code_csr(c, INSN_csrrs, 0, CSR_MIE, bit);
	} else if (!(k->env.mie >> IRQ_MT & 1)) {
		return;
	}
	gen_arm_timer(k);
	gen_simple_ops(k, rng_below(&k->rng, 3));
	code_word(c, insn_kinds[INSN_wfi].bits);
	gen_cost_traps(k, 1);
}

/* mret to M, or sret to S, continuing at the next instruction. */
void op_return(struct chunk *k)
{
	struct code *c = &k->code;
	bool machine = k->now->priv == PRIV_M;
	unsigned at = gen_hold(k), bits = gen_hold(k);
	unsigned status = machine ? CSR_MSTATUS : CSR_SSTATUS;

	gen_stay(k, 80);
	code_csr(c, INSN_csrrci, 0, status, machine ? STATUS_MIE : STATUS_SIE);
	code_li(c, bits, machine ? STATUS_MPP : STATUS_SPP);
	code_csr(c, INSN_csrrs, 0, status, bits);
	if (rng_chance(&k->rng, 50) && machine) {
		code_li(c, bits, STATUS_MPIE);
		code_csr(c, rng_chance(&k->rng, 50) ? INSN_csrrs : INSN_csrrc, 0, status,
			 bits);
	}
	struct mark mark = code_address(c, at);
	if (!k->p->plain && rng_chance(&k->rng, 20)) /* the lowest bit does not exist */
		code_i(c, INSN_addi, at, at, 1);
	code_csr(c, INSN_csrrw, 0, machine ? CSR_MEPC : CSR_SEPC, at);
	code_word(c, insn_kinds[machine ? INSN_mret : INSN_sret].bits);
	code_land(c, mark);
	gen_release(k, at);
	gen_release(k, bits);
}

/* Returns a data address for accesses with MPRV as `priv`. */
static uint64_t mprv_address(struct chunk *k, unsigned priv)
{
	struct rng *rng = &k->rng;
	uint64_t address;
	bool flat;

	switch (rng_below(rng, 4)) {
	case 0:
		address = pmp_edge(rng, k->env.pmpaddr, ARENA, 0x2000) & ~UINT64_C(3);
		if (k->space >= 0 && priv == PRIV_U)
			address = va_root(k->p->root_user, address - SOC_RAM_BASE);
		return address;
	case 1:
		if (k->space >= 0)
			return gen_fault_address(k);
		/* fall through */
	default:
		return data_address(k->p, rng, priv, k->space >= 0, &flat);
	}
}

/* Accesses from M with the privilege of S or U. After a trap, of U. */
void op_mprv(struct chunk *k)
{
	static const uint64_t options[] = {STATUS_SUM, STATUS_MXR, STATUS_MIE,
					   STATUS_MPIE};
	struct code *c = &k->code;
	unsigned at = gen_hold(k), priv = rng_chance(&k->rng, 50) ? PRIV_S : PRIV_U;
	uint64_t status = STATUS_MPRV | (uint64_t)priv << 11;

	code_li(c, at, k->space < 0 ? 0 : paging_satp(k->p, (unsigned)k->space));
	code_csr(c, INSN_csrrw, 0, CSR_SATP, at);
	if (k->p->same_asid)
		code_word(c, insn_r(INSN_sfence_vma, 0, 0, 0));
	for (unsigned i = 0; i < 4; i++)
		status |= rng_chance(&k->rng, 50) ? options[i] : 0;
	code_csr(c, INSN_csrrci, 0, CSR_MSTATUS, STATUS_MIE);
	code_li(c, at, status);
	code_csr(c, INSN_csrrw, 0, CSR_MSTATUS, at);
	for (unsigned n = rng_range(&k->rng, 1, 5); n; n--) {
		code_li(c, at, mprv_address(k, priv));
		gen_access(k, at);
	}
	code_li(c, at, STATUS_MPRV);
	code_csr(c, INSN_csrrc, 0, CSR_MSTATUS, at);
	gen_release(k, at);
}
