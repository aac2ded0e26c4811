/* SPDX-License-Identifier: Apache-2.0 */
/* Random functions with jumps in their first bytes, or to them. */
#include "classes.h"
#include "pieces.h"

/* t1 has a value behind the first bytes, so that the way back of a far stub needs one of
 * t2 to t6. */
static void append_scratch(struct body *b)
{
	body_insn(b, 2, REASON_NONE, "\tc.mv x6, x12");
	body_writes(b, T1);
	append_some(b, 2, 2);
	body_insn(b, 2, REASON_NONE, "\tc.add x13, x6");
	body_writes(b, 13);
}

void write_entry_loop(struct body *b)
{
	append_some(b, 0, 4);
	append_loop(b);
	append_rest(b);
	append_return(b);
}

/* A branch in the first bytes: forward, to another function, or to what precedes. */
void write_branch(struct body *b)
{
	unsigned other;

	if (rng_chance(b->rng, 30))
		read_scratch(b);
	append_some(b, 0, rng_below(b->rng, 3));
	if (rng_chance(b->rng, 15) && pick_callee(b, 0, &other) && b->number - other < 40)
		body_insn(b, 4, REASON_NONE, "\tb%s x%u, x0, f%05u",
			  rng_chance(b->rng, 50) ? "lt" : "ge", body_read(b, UINT32_MAX),
			  other);
	else
		append_skip(b, rng_below(b->rng, 3), 5);
	append_rest(b);
	append_return(b);
}

/* A branch in the first bytes that reads t1, which is dead where it goes to: a far stub
 * may overwrite it there. */
void write_dead_branch(struct body *b)
{
	static const char *const kinds[] = {"beq", "bne", "blt", "bgeu"};
	unsigned label = body_label(b);

	body_insn(b, 2, REASON_NONE, "\tc.mv x6, x%u", rng_chance(b->rng, 50) ? 12 : 13);
	body_insn(b, 4, REASON_NONE, "\t%s x6, x12, .L%u_%u", RNG_PICK(b->rng, kinds),
		  b->number, label);
	append_some(b, 1, 4);
	body_land(b, label);
	b->readable = ~SCRATCH;
	append_rest(b);
	append_return(b);
}

/* A jump in the first bytes, over others, which some branch may reach. */
void write_jump(struct body *b)
{
	unsigned over = body_label(b), back = body_label(b);
	bool returns = rng_chance(b->rng, 40);

	append_some(b, 0, rng_below(b->rng, 3));
	if (rng_chance(b->rng, 30))
		append_skip(b, 0, 1);
	if (rng_chance(b->rng, 50))
		body_insn(b, 2, REASON_NONE, "\tc.j .L%u_%u", b->number, over);
	else
		body_insn(b, 4, REASON_NONE, "\tjal x0, .L%u_%u", b->number, over);
	uint32_t readable = b->readable;
	if (returns) { /* is the target of the branch below */
		body_land(b, back);
		append_some(b, 0, 2);
		body_insn(b, 2, REASON_NONE, "\tc.jr x1");
	} else {
		append_some(b, 0, 3);
	}
	body_land(b, over);
	b->readable = readable;
	append_some(b, 0, 3);
	if (returns)
		append_branch(b, back, false);
	append_return(b);
}

/* auipc first: an address that is used at once, and ones that are far away. */
void write_auipc(struct body *b)
{
	unsigned reg = body_written(b, 0xfffffff8U & ~(1U << 8)), other,
		 label = body_label(b);

	append_some(b, 0, rng_below(b->rng, 2));
	switch (rng_below(b->rng, 6)) {
	case 0:
		body_insn(b, 4, REASON_NONE, "\tauipc x%u, 0x%x", reg,
			  rng_chance(b->rng, 50) ? 0x80000 + rng_below(b->rng, 32)
						 : 0x7ffff - rng_below(b->rng, 32));
		b->perhaps |= 1U << REASON_REACH;
		break;
	case 1: /* a load of code that is not replaced */
		body_line(b, ".L%u_%u:", b->number, label);
		body_insn(b, 4, REASON_NONE, "\tauipc x%u, %%pcrel_hi(away%u + 8)", reg,
			  current_group());
		body_insn(b, 4, REASON_NONE, "\tlw x%u, %%pcrel_lo(.L%u_%u)(x%u)", reg,
			  b->number, label, reg);
		break;
	case 2: /* a tail call as by `tail`, which uses t1 */
		if (pick_callee(b, 0, &other)) {
			b->perhaps |= 1U << REASON_REGISTER;
			body_line(b, ".L%u_%u:", b->number, label);
			body_insn(b, 4, REASON_NONE, "\tauipc x6, %%pcrel_hi(f%05u)",
				  other);
			body_insn(b, 4, REASON_NONE, "\tjalr x0, %%pcrel_lo(.L%u_%u)(x6)",
				  b->number, label);
			body_writes(b, T1);
			return;
		}
		/* fallthrough */
	default: /* not into tables: an address there is taken for the end of one */
		body_insn(b, 4, REASON_NONE, "\tauipc x%u, 0x%x", reg,
			  0xfffff - rng_below(b->rng, 64));
		body_insn(b, 4, REASON_NONE, "\taddi x%u, x%u, %d", reg, reg,
			  (int)rng_below(b->rng, 4096) - 2048);
	}
	body_writes(b, reg);
	append_rest(b);
	append_return(b);
}

/* A case of a switch before it, which may read what the caller has in a register. */
static void append_case(struct body *b, unsigned label, unsigned reads)
{
	unsigned over = body_label(b);

	body_insn(b, 2, REASON_NONE, "\tc.j .L%u_%u", b->number, over);
	body_land(b, label);
	if (reads)
		body_insn(b, 4, REASON_NONE, "\tadd x11, x11, x%u", reads);
	body_insn(b, 2, REASON_NONE, "\tc.jr x1");
	body_land(b, over);
}

/* A jump table, one of whose targets may be among the first bytes, or before the jump. */
void write_table(struct body *b)
{
	unsigned cases = rng_range(b->rng, 4, 8), labels[8], first = 0, place;
	unsigned reads = rng_chance(b->rng, 40) ? rng_bit(b->rng, SCRATCH) : 0;
	unsigned reader = rng_below(b->rng, 2); /* the case that reads it */

	for (unsigned i = 0; i < cases; i++)
		labels[i] = body_label(b);
	if (rng_chance(b->rng, 30))
		append_scratch(b);
	/* a0 is a small index, most times. */
	body_insn(b, 4, REASON_NONE, "\tandi x10, x17, %u",
		  rng_chance(b->rng, 50) ? 7 : 3);
	body_writes(b, 10);
	place = labels[cases - 1];
	if (rng_chance(b->rng, 40)) {
		first++;
		append_some(b, 0, 1);
		body_land(b, place);
	} else if (rng_chance(b->rng, 50)) {
		first++;
		append_some(b, 0, 1);
		append_case(b, place, reader ? 0 : reads);
		if (!reader) /* none of those below */
			reader = cases;
	} else {
		reader = 1;
	}
	uint32_t written = b->readable;
	body_insn(b, 2, REASON_NONE, "\tc.addi x17, -1");
	unsigned out = body_label(b);
	body_insn(b, 4, REASON_NONE, "\tbge x0, x17, .L%u_%u", b->number, out);
	b->readable = ~SCRATCH;
	append_switch(b, cases, labels);
	for (unsigned i = 0; i + first < cases; i++) {
		body_land(b, labels[i]);
		if (reads && reader == i) /* case 0 is also that of other values */
			body_insn(b, 4, REASON_NONE, "\tadd x11, x11, x%u", reads);
		append_some(b, 0, 2);
		b->readable = ~SCRATCH;
		if (rng_chance(b->rng, 50))
			body_insn(b, 2, REASON_NONE, "\tc.jr x1");
	}
	body_land(b, out);
	append_return(b);
	if ((reads == T0 || reads == T1) && !(written >> reads & 1))
		b->reasons |= 1U << REASON_LIVE;
}

/* A jump table with the entry itself among its targets. */
void write_table_loop(struct body *b)
{
	unsigned labels[4], out = body_label(b);

	for (unsigned i = 0; i < 4; i++)
		labels[i] = body_label(b);
	body_line(b, ".L%u_%u:", b->number, labels[3]);
	append_some(b, 2, 3);
	body_insn(b, 2, REASON_NONE, "\tc.addi x17, -1");
	body_insn(b, 4, REASON_NONE, "\tbge x0, x17, .L%u_%u", b->number, out);
	body_insn(b, 4, REASON_NONE, "\tandi x10, x17, 3");
	body_writes(b, 10);
	b->readable = ~SCRATCH;
	append_switch(b, 4, labels);
	for (unsigned i = 0; i < 3; i++) {
		body_land(b, labels[i]);
		append_some(b, 0, 2);
		b->readable = ~SCRATCH;
	}
	body_land(b, out);
	append_return(b);
	b->loops = true;
}

/* A backward branch, which may be to the first bytes. */
void write_target(struct body *b)
{
	unsigned label = body_label(b);

	append_some(b, 1, 3);
	body_land(b, label);
	b->readable = ~SCRATCH;
	append_some(b, 0, 3);
	body_insn(b, 2, REASON_NONE, "\tc.addi x17, -1");
	body_insn(b, 4, REASON_NONE, "\tblt x0, x17, .L%u_%u", b->number, label);
	append_rest(b);
	append_return(b);
}

/* A symbol among the first bytes, of a function or of none. */
void write_symbol(struct body *b)
{
	append_some(b, 1, 1);
	bool function = rng_chance(b->rng, 50);
	if (function)
		body_line(b, "\t.type f%05u_inside, @function", b->number);
	body_line(b, "\t.globl f%05u_inside\nf%05u_inside:", b->number, b->number);
	b->targets[b->target_count++] = b->size;
	b->readable = ~SCRATCH;
	append_some(b, 3, 5);
	if (function) /* which of these it is, the extractor may choose */
		b->perhaps |= 1U << REASON_OVERLAP | 1U << REASON_SMALL;
	append_return(b);
}

/* The branch to the first bytes is in another function, which follows. */
void write_outside(struct body *b)
{
	append_some(b, 1, 2);
	body_land(b, body_label(b));
	b->readable = ~SCRATCH;
	append_some(b, 3, 5);
	append_return(b);
	body_line(b,
		  "\t.size f%05u, . - f%05u\n\t.type o%05u, @function\no%05u:", b->number,
		  b->number, b->number, b->number);
	body_line(b,
		  "\t.option norvc\n\tslli x12, x12, 1\n\taddi x11, x11, 1\n\tblt x12, "
		  "x11, .L%u_0\n\tjalr x0, 0(x1)",
		  b->number);
	body_line(b, "\t.size o%05u, . - o%05u", b->number, b->number);
	b->ended = true;
}

/* As compilers do: a frame, a call, the frame taken away. */
void write_frame(struct body *b, unsigned kind)
{
	unsigned other;
	bool waits = rng_chance(b->rng, 60);

	if (!pick_callee(b, kind, &other)) {
		write_plain(b);
		return;
	}
	body_insn(b, 2, REASON_NONE, "\tc.addi16sp sp, -32");
	if (rng_chance(b->rng, 40))
		append_scratch(b);
	if (waits)
		append_some(b, 0, 3);
	body_insn(b, 2, REASON_NONE, "\tc.sdsp x1, 24(sp)");
	body_insn(b, 2, REASON_NONE, "\tc.sdsp x8, 16(sp)");
	append_some(b, 0, 3);
	body_insn(b, 4, REASON_CALL, "\tjal x1, f%05u", other);
	b->readable = ~SCRATCH;
	body_insn(b, 2, REASON_NONE, "\tc.mv x8, sp");
	b->written = UINT32_MAX;
	b->pointers = 1U << 2 | 1U << 8;
	append_some(b, 0, 3);
	body_insn(b, 2, REASON_NONE, "\tc.ldsp x1, 24(sp)");
	body_insn(b, 2, REASON_NONE, "\tc.ldsp x8, 16(sp)");
	body_insn(b, 2, REASON_NONE, "\tc.addi16sp sp, 32");
	append_return(b);
}

/* A tail call, also of a function that gets values in t2 to t6. */
void write_tail(struct body *b)
{
	unsigned other;

	if (rng_chance(b->rng, 30))
		append_scratch(b);
	append_some(b, 0, 4);
	if (!pick_callee(b, rng_below(b->rng, 2), &other)) {
		append_return(b);
		return;
	}
	if (rng_chance(b->rng, 30) && b->number - other < 40)
		body_insn(b, 4, REASON_NONE, "\tbne x12, x13, f%05u", other);
	body_insn(b, 4, REASON_NONE, "\tjal x0, f%05u", other);
}

/* A tail call in the first bytes, of a function that is far away. */
void write_away(struct body *b)
{
	append_some(b, 0, rng_below(b->rng, 3));
	if (rng_chance(b->rng, 30))
		append_skip(b, 0, 1);
	body_insn(b, 4, REASON_NONE, "\tjal x0, away%u", current_group());
}

/* The last instruction is followed by the next function. */
void write_through(struct body *b)
{
	append_some(b, 2, 6);
	b->continues = true;
}
