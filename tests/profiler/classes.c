/* SPDX-License-Identifier: Apache-2.0 */
/* Kinds of random functions. */
#include "classes.h"

#include <stddef.h>

#include "pieces.h"

static unsigned plain_number; /* plain functions so far */

/* Each instruction is the first, the second and the third. */
void write_plain(struct body *b)
{
	unsigned form = plain_number % form_count(), at = plain_number / form_count() % 3;
	bool takes = rng_chance(b->rng, 30);

	plain_number++;
	if (takes)
		read_scratch(b);
	append_some(b, at, at);
	form_append(b, form);
	append_rest(b);
	append_return(b);
	if (!b->joined && !(b->perhaps >> REASON_UNKNOWN & 1))
		add_callee(b, takes);
}

/* LR and SC in the first bytes, or a reservation that is still valid behind them. */
static void write_reservation(struct body *b)
{
	char width = rng_chance(b->rng, 50) ? 'w' : 'd';

	append_some(b, 0, rng_below(b->rng, 2));
	body_insn(b, 4, REASON_NONE, "\tlr.%c x11, (x18)", width);
	append_some(b, 0, 2);
	body_insn(b, 4, REASON_NONE, "\tsc.%c x12, x13, (x18)", width);
	append_rest(b);
	append_return(b);
}

/* Another name of the same function, also a local or weak one. */
static void write_alias(struct body *b)
{
	static const char *const kinds[] = {"globl", "weak", "local"};
	unsigned kind = rng_below(b->rng, 3);

	/* Of two global names of the same length the first is the function's. */
	b->letter = kind == 0 ? 'a' : 'f';
	body_line(b, "\t.%s a%05u\n\t.type a%05u, @function\n\t.set a%05u, f%05u",
		  kinds[kind], b->number, b->number, b->number, b->number);
	write_plain(b);
	body_line(b, "\t.size a%05u, . - a%05u", b->number, b->number);
}

void class_write(struct body *b, unsigned number)
{
	static const struct {
		void (*write)(struct body *b);
		unsigned weight;
	} classes[] = {
	    {write_plain, 460},	    {write_entry_loop, 70},  {write_branch, 110},
	    {write_jump, 40},	    {write_auipc, 50},	     {write_table, 40},
	    {write_table_loop, 10}, {write_target, 30},	     {write_symbol, 10},
	    {write_outside, 10},    {write_live, 30},	     {write_stop, 50},
	    {write_small, 15},	    {write_unknown, 20},     {write_full_registers, 15},
	    {write_foreign, 5},	    {write_reservation, 6},  {write_away, 20},
	    {write_tail, 30},	    {write_through, 10},     {write_alias, 10},
	    {write_overlap, 2},	    {write_dead_branch, 15},
	};
	unsigned at = number * 389 % 1118;

	for (size_t i = 0; i < sizeof(classes) / sizeof(*classes); i++) {
		if (at < classes[i].weight) {
			classes[i].write(b);
			return;
		}
		at -= classes[i].weight;
	}
	write_frame(b, at % 5 == 0);
}
