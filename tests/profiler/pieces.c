/* SPDX-License-Identifier: Apache-2.0 */
/* Pieces of random functions. */
#include "pieces.h"

#include <string.h>

/* Functions that others of the group may call. */
enum { CALLEES = 64 };
static unsigned callees[2][CALLEES], callee_count[2];
static unsigned away_group; /* of which the function far away is */

void open_group(unsigned group)
{
	away_group = group;
	callee_count[0] = callee_count[1] = 0;
}

void add_callee(const struct body *b, unsigned kind)
{
	callees[kind][callee_count[kind]++ % CALLEES] = b->number;
}

unsigned current_group(void)
{
	return away_group;
}

bool pick_callee(struct body *b, unsigned kind, unsigned *number)
{
	unsigned count = callee_count[kind] < CALLEES ? callee_count[kind] : CALLEES;

	/* A jump there needs what it reads: of some functions t2 to t6. */
	b->perhaps |= 1U << REASON_REGISTER;
	if (count)
		*number = callees[kind][rng_below(b->rng, count)];
	return count;
}

/* Appends a random instruction, mostly of 4 bytes. A stub may end a reservation, so that
 * there are LR and SC only in functions that are not entered in between. */
static void append_any(struct body *b)
{
	unsigned form;

	do
		form = rng_below(b->rng, form_count());
	while (strncmp(form_text(form), "lr", 2) == 0 ||
	       strncmp(form_text(form), "sc", 2) == 0);
	form_append(b, form);
}

void append_some(struct body *b, unsigned low, unsigned high)
{
	for (unsigned n = rng_range(b->rng, low, high); n; n--)
		append_any(b);
}

void append_return(struct body *b)
{
	switch (rng_below(b->rng, 8)) {
	case 0:
	case 1:
		body_insn(b, 4, REASON_NONE, "\tjalr x0, 0(x1)");
		break;
	case 2: /* to another function, as it seems, which may get values in t2 to t6 */
		b->perhaps |= 1U << REASON_REGISTER;
		body_insn(b, 4, REASON_NONE, "\tjalr x0, %d(x%u)",
			  (int)rng_below(b->rng, 64) - 32, body_untouched(b));
		break;
	default:
		body_insn(b, 2, REASON_NONE, "\tc.jr x1");
	}
}

void append_branch(struct body *b, unsigned label, bool allow_short)
{
	static const char *const kinds[] = {"beq", "bne", "blt", "bge", "bltu", "bgeu"};

	if (allow_short && rng_chance(b->rng, 40))
		body_insn(b, 2, REASON_NONE, "\tc.b%sz x%u, .L%u_%u",
			  rng_chance(b->rng, 50) ? "eq" : "ne", body_read(b, 0xff00),
			  b->number, label);
	else
		body_insn(b, 4, REASON_NONE, "\t%s x%u, x%u, .L%u_%u",
			  RNG_PICK(b->rng, kinds), body_read(b, UINT32_MAX),
			  body_read(b, UINT32_MAX), b->number, label);
}

void append_skip(struct body *b, unsigned low, unsigned high)
{
	unsigned label = body_label(b);

	append_branch(b, label, true);
	uint32_t readable = b->readable, pointers = b->pointers;
	append_some(b, low, high);
	body_land(b, label);
	b->readable = readable;
	b->pointers &= pointers;
}

void append_rest(struct body *b)
{
	append_some(b, 0, 3);
	if (rng_chance(b->rng, 35))
		append_skip(b, 0, 3);
	append_some(b, 0, 3);
}

void read_scratch(struct body *b)
{
	b->readable |= (uint32_t)rng_next(b->rng) & SCRATCH & ~(1U << T0 | 1U << T1);
}

void append_loop(struct body *b)
{
	unsigned out;

	b->loops = true;
	switch (rng_below(b->rng, 5)) {
	case 0:
		body_insn(b, 2, REASON_NONE, "\tc.addi x17, -1");
		body_insn(b, 4, REASON_NONE, "\tblt x0, x17, f%05u", b->number);
		return;
	case 1:
		body_insn(b, 4, REASON_NONE, "\taddi x17, x17, -1");
		body_insn(b, 4, REASON_NONE, "\tslt x15, x0, x17");
		body_insn(b, 2, REASON_NONE, "\tc.bnez x15, f%05u", b->number);
		return;
	case 2:
		body_insn(b, 2, REASON_NONE, "\tc.addi x17, -1");
		body_insn(b, 4, REASON_NONE, "\tslti x14, x17, 1");
		body_insn(b, 2, REASON_NONE, "\tc.beqz x14, f%05u", b->number);
		return;
	default:
		out = body_label(b);
		body_insn(b, 2, REASON_NONE, "\tc.addi x17, -1");
		body_insn(b, 4, REASON_NONE, "\tbge x0, x17, .L%u_%u", b->number, out);
		if (rng_chance(b->rng, 50))
			body_insn(b, 2, REASON_NONE, "\tc.j f%05u", b->number);
		else
			body_insn(b, 4, REASON_NONE, "\tjal x0, f%05u", b->number);
		body_land(b, out);
	}
}

void append_switch(struct body *b, unsigned cases, const unsigned *labels)
{
	unsigned n = b->number, table = body_label(b), high = body_label(b),
		 otherwise = labels[0];

	body_insn(b, 4, REASON_NONE, "\taddi x13, x0, %u", cases - 1);
	body_insn(b, 4, REASON_NONE, "\tbltu x13, x10, .L%u_%u", n, otherwise);
	body_line(b, ".L%u_%u:", n, high);
	body_insn(b, 4, REASON_NONE, "\tauipc x14, %%pcrel_hi(.L%u_%u)", n, table);
	body_insn(b, 4, REASON_NONE, "\taddi x14, x14, %%pcrel_lo(.L%u_%u)", n, high);
	body_insn(b, 4, REASON_NONE, "\tslli x15, x10, 2");
	body_insn(b, 2, REASON_NONE, "\tc.add x15, x14");
	body_insn(b, 4, REASON_NONE, "\tlw x15, 0(x15)");
	body_insn(b, 2, REASON_NONE, "\tc.add x15, x14");
	body_insn(b, 2, REASON_NONE, "\tc.jr x15");
	body_writes(b, 13);
	body_writes(b, 14);
	body_writes(b, 15);
	body_line(b, "\t.pushsection .rodata.group, \"a\"\n\t.p2align 2\n.L%u_%u:", n,
		  table);
	for (unsigned i = 0; i < cases; i++)
		body_line(b, "\t.4byte .L%u_%u - .L%u_%u", n, labels[i], n, table);
	/* The next table may begin at once. */
	body_line(b, "%s\t.popsection", rng_chance(b->rng, 50) ? "\t.4byte 1\n" : "");
}
