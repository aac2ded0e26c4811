/* SPDX-License-Identifier: Apache-2.0 */
/* Random functions that cannot be counted, or almost. */
#include "classes.h"
#include "pieces.h"

/* t0 or t1 is read before it is written: at once, later, on some path, by a callee. */
void write_live(struct body *b)
{
	unsigned reg = rng_chance(b->rng, 50) ? T0 : T1, label = body_label(b);

	b->reasons |= 1U << REASON_LIVE;
	append_some(b, 0, 2);
	bool written = b->readable >> reg & 1;
	switch (rng_below(b->rng, 5)) {
	case 0:
		body_insn(b, 4, REASON_NONE, "\tadd x11, x%u, x12", reg);
		break;
	case 1:
		body_insn(b, 4, REASON_NONE, "\tsd x%u, -8(x2)", reg);
		break;
	case 2: /* on one path */
		append_branch(b, label, false);
		body_insn(b, 4, REASON_NONE, "\taddi x%u, x0, 3", reg);
		body_land(b, label);
		body_insn(b, 2, REASON_NONE, "\tc.mv x13, x%u", reg);
		break;
	case 3:
		body_insn(b, 4, REASON_NONE, "\tbne x%u, x12, .L%u_%u", reg, b->number,
			  label);
		append_some(b, 0, 2);
		body_land(b, label);
		break;
	default: /* on the other path */
		append_branch(b, label, false);
		body_insn(b, 2, REASON_NONE, "\tc.jr x1");
		body_land(b, label);
		body_insn(b, 4, REASON_NONE, "\tsubw x12, x12, x%u", reg);
	}
	if (written) /* by one of the first instructions */
		b->reasons &= ~(1U << REASON_LIVE);
	b->readable = ~SCRATCH;
	append_rest(b);
	append_return(b);
}

/* What an entry must not have, in the first bytes or behind them. */
void write_stop(struct body *b)
{
	unsigned other;

	append_some(b, 0, 3);
	switch (pick_callee(b, 0, &other) ? rng_below(b->rng, 7) : 6) {
	case 0:
		body_insn(b, 4, REASON_CALL, "\tjal x1, f%05u", other);
		break;
	case 1:
		body_insn(b, 4, REASON_CALL, "\tjalr x1, 0(x%u)", body_untouched(b));
		break;
	case 2:
		body_insn(b, 2, REASON_CALL, "\tc.jalr x%u", body_untouched(b));
		break;
	case 3:
		body_insn(b, 4, REASON_CALL, "\tjal x5, f%05u", other);
		b->perhaps |= 1U << REASON_LIVE; /* it is not known what that returns */
		break;
	case 4:
		body_insn(b, 4, REASON_ECALL, "\tecall");
		break;
	case 5:
		body_insn(b, 4, REASON_EBREAK, "\tebreak");
		break;
	default:
		body_insn(b, 2, REASON_EBREAK, "\tc.ebreak");
	}
	b->readable = ~SCRATCH;
	body_insn(b, 2, REASON_NONE, "\tc.mv x8, sp");
	b->written = UINT32_MAX;
	b->pointers = 1U << 2 | 1U << 8;
	append_rest(b);
	b->perhaps |= 1U << REASON_REGISTER; /* the return address is overwritten */
	body_insn(b, 4, REASON_NONE, "\tjalr x0, 0(x0)");
}

/* Shorter than an entry, sometimes. */
void write_small(struct body *b)
{
	if (rng_chance(b->rng, 40))
		append_some(b, 1, 1);
	if (rng_chance(b->rng, 80))
		body_insn(b, 2, REASON_NONE, "\tc.jr x1");
	else
		body_insn(b, 4, REASON_NONE, "\tjalr x0, 0(x1)");
	if (rng_chance(b->rng, 40)) { /* never executed, but replaced */
		b->readable = ~SCRATCH;
		append_some(b, 1, 4);
		append_return(b);
	}
}

/* Instructions of no or another extension, also longer ones. */
void write_unknown(struct body *b)
{
	static const struct {
		const char *text;
		unsigned size;
	} insns[] = {
	    {"0x0000000b", 4}, /* custom-0 */
	    {"0x8002", 2},     /* c.jr x0 */
	    {"0x9c7d", 2},     /* reserved, beside those of Zcb */
	    {"0x0000001f", 4}, /* the first half of a longer one */
	    {"0x30200073", 4}, /* mret */
	    {"0x00002063", 4}, /* a branch of a reserved kind */
	};
	unsigned i = rng_below(b->rng, sizeof(insns) / sizeof(*insns));

	append_some(b, 0, 4);
	body_insn(b, insns[i].size, REASON_UNKNOWN, "\t.%ubyte %s", insns[i].size,
		  insns[i].text);
	b->perhaps |= 1U << REASON_UNKNOWN | 1U << REASON_LIVE | 1U << REASON_REGISTER;
	append_some(b, 2, 5);
	append_return(b);
}

/* Instructions of extensions that the machine does not have: they trap where they are. */
void write_foreign(struct body *b)
{
	static const char *const insns[] = {"0x20a525b3" /* sh1add */,
					    "0x0d057057" /* vsetvli */,
					    "0x60051513" /* clz */};

	append_some(b, 0, 3);
	body_insn(b, 4, REASON_NONE, "\t.4byte %s", RNG_PICK(b->rng, insns));
	append_rest(b);
	append_return(b);
}

/* t1 to t6 hold values where a far stub returns to, except perhaps one. */
void write_full_registers(struct body *b)
{
	static const unsigned scratch[] = {6, 7, 28, 29, 30, 31};
	unsigned free = rng_below(b->rng, 12); /* none: 6 and above */

	if (rng_chance(b->rng, 50)) {
		body_insn(b, 4, REASON_NONE, "\taddi x6, x12, %d",
			  (int)rng_below(b->rng, 100));
		body_insn(b, 4, REASON_NONE, "\tslli x14, x13, %u",
			  rng_below(b->rng, 64));
	} else {
		body_insn(b, 2, REASON_NONE, "\tc.mv x6, x12");
		body_insn(b, 2, REASON_NONE, "\tc.add x11, x12");
		body_insn(b, 4, REASON_NONE, "\tslli x14, x13, %u",
			  rng_below(b->rng, 64));
	}
	for (unsigned i = 0; i < 6; i++)
		if (i != free)
			body_insn(b, 4, REASON_NONE, "\t%s x11, x11, x%u",
				  i & 1 ? "xor" : "add", scratch[i]);
	if (free >= 6)
		b->far_reasons = 1U << REASON_REGISTER;
	b->readable = ~SCRATCH;
	append_rest(b);
	append_return(b);
}

/* Another function begins at the second instruction, and ends with this one. */
void write_overlap(struct body *b)
{
	b->joined = true;
	write_plain(b);
	body_line(b, "\t.type v%05u, @function\n\t.set v%05u, f%05u + %u", b->number,
		  b->number, b->number, b->insns[1].at);
	body_line(b, "\t.size v%05u, %u", b->number, b->size - b->insns[1].at);
	b->perhaps |= 1U << REASON_OVERLAP | 1U << REASON_TARGET | 1U << REASON_SMALL |
		      1U << REASON_LIVE;
}
