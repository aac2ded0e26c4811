/* SPDX-License-Identifier: Apache-2.0 */
/* Device accesses. Nothing is printed, and the machine stays on. */
#include "ops.h"

static void device(struct chunk *k, unsigned at, uint64_t physical)
{
	code_li(&k->code, at, gen_device(k, physical));
}

/* MCR stays in loop-back, so that the transmitter sends to the receiver. */
void op_uart(struct chunk *k)
{
	struct rng *rng = &k->rng;
	unsigned at = gen_hold(k), value = gen_hold(k);

	device(k, at, SOC_UART_BASE);
	for (unsigned n = rng_range(rng, 1, 4); n; n--) {
		unsigned reg = rng_chance(rng, 30) ? 7 : rng_below(rng, 8);
		if (rng_chance(rng, 50)) {
			code_i(&k->code, rng_chance(rng, 50) ? INSN_lb : INSN_lbu,
			       gen_dest(k), at, (int)reg);
		} else if (reg == 4) {
			code_li(&k->code, value, 0x10 | rng_below(rng, 32));
			code_s(&k->code, INSN_sb, value, at, (int)reg);
		} else {
			code_s(&k->code, INSN_sb, gen_source(k), at, (int)reg);
		}
	}
	gen_release(k, at);
	gen_release(k, value);
}

static uint64_t plic_register(struct rng *rng)
{
	unsigned context = rng_below(rng, 3);

	switch (rng_below(rng, 6)) {
	case 0:
		return rng_below(rng, 33) * 4U;
	case 1:
		return 4 * SOC_UART_IRQ;
	case 2:
		return 0x1000 + rng_below(rng, 2) * 4U;
	case 3:
		return 0x2000 + context * 0x80U + rng_below(rng, 2) * 4U;
	case 4:
		return 0x200000 + context * 0x1000U;
	default:
		return 0x200004 + context * 0x1000U;
	}
}

void op_plic(struct chunk *k)
{
	unsigned at = gen_hold(k);

	for (unsigned n = rng_range(&k->rng, 1, 3); n; n--) {
		device(k, at, SOC_PLIC_BASE + plic_register(&k->rng));
		if (rng_chance(&k->rng, 50))
			code_i(&k->code, rng_chance(&k->rng, 50) ? INSN_lw : INSN_lwu,
			       gen_dest(k), at, 0);
		else
			code_s(&k->code, INSN_sw, gen_source(k), at, 0);
	}
	gen_release(k, at);
}

/* Accesses words and doublewords anywhere in the CLINT, then restores the timer. */
void op_clint(struct chunk *k)
{
	static const uint64_t places[] = {SOC_CLINT_MSIP,      SOC_CLINT_MSIP + 4,
					  SOC_CLINT_MTIMECMP,  SOC_CLINT_MTIMECMP + 4,
					  SOC_CLINT_MTIME,     SOC_CLINT_MTIME + 4,
					  SOC_CLINT_MTIME + 8, SOC_CLINT_MTIMECMP + 8};
	struct rng *rng = &k->rng;
	unsigned at = gen_hold(k);

	for (unsigned n = rng_range(rng, 1, 3); n; n--) {
		uint64_t place = RNG_PICK(rng, places);
		bool wide = place % 8 == 0 && rng_chance(rng, 50);

		device(k, at, SOC_CLINT_BASE + place);
		if (rng_chance(rng, 50)) {
			unsigned rd = gen_dest(k);
			code_i(&k->code, wide ? INSN_ld : INSN_lw, rd, at, 0);
			if (rd)
				code_li(&k->code, rd, rng_below(rng, 16));
		} else {
			code_s(&k->code, wide ? INSN_sd : INSN_sw, gen_source(k), at, 0);
		}
	}
	gen_release(k, at);
	gen_arm_timer(k);
}

/* Unsupported sizes, and atomics. The power device is accessed only in ways that keep it
 * on. */
void op_device_fault(struct chunk *k)
{
	static const uint64_t bases[] = {SOC_UART_BASE, SOC_PLIC_BASE, SOC_CLINT_BASE + 8,
					 SOC_UART_BASE + 8, SOC_POWER_BASE + 8};
	struct rng *rng = &k->rng;
	unsigned at = gen_hold(k);
	uint64_t base = RNG_PICK(rng, bases);

	if (rng_chance(rng, 20)) {
		device(k, at, SOC_POWER_BASE);
		code_i(&k->code, (enum insn)rng_range(rng, INSN_lb, INSN_lwu),
		       gen_dest(k), at, 0);
		code_s(&k->code, (enum insn)rng_range(rng, INSN_sb, INSN_sd), 0, at, 0);
	} else if (base == SOC_UART_BASE) { /* no bytes, which might write MCR */
		device(k, at, base + rng_below(rng, 0x20) * 8U);
		code_s(&k->code, (enum insn)rng_range(rng, INSN_sh, INSN_sd),
		       gen_source(k), at, 0);
	} else {
		device(k, at, base + rng_below(rng, 8) * 8U);
		gen_access(k, at);
	}
	gen_cost_traps(k, 1);
	gen_release(k, at);
}
