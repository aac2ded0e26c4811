/* SPDX-License-Identifier: Apache-2.0 */
/* random-functions: writes COUNT random functions as assembly to standard output, and to
 * EXPECTED a line for each: its name, 1 if it jumps to its own entry, the reasons of
 * which one has to be given if it is not counted by a near entry, the same of a far one
 * (`-`: it has to be counted), and the reasons that may be given as well. The functions
 * are in three groups, which the linker puts so far apart that those of the second need
 * far entries. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "body.h"
#include "classes.h"
#include "pieces.h"

static void print_reasons(FILE *out, uint32_t reasons)
{
	const char *separator = " ";

	for (unsigned i = REASON_CALL; i < REASONS; i++) {
		if (!(reasons >> i & 1))
			continue;
		fprintf(out, "%s%s", separator, reason_names[i]);
		separator = ",";
	}
	if (!reasons)
		fputs(" -", out);
}

/* Writes the function and what is expected of it. */
static void finish_function(struct body *b, FILE *expected)
{
	/* What one reads is live in the other, and an indirect jump may go there. */
	if (b->joined || b->continues)
		b->perhaps |=
		    1U << REASON_LIVE | 1U << REASON_REGISTER | 1U << REASON_UNKNOWN;
	printf("\t.globl f%05u\n\t.type f%05u, @function\nf%05u:\n%s", b->number,
	       b->number, b->number, b->text);
	if (!b->ended)
		printf("\t.size f%05u, . - f%05u\n", b->number, b->number);
	fprintf(expected, "%c%05u %d", b->letter, b->number, b->loops);
	print_reasons(expected, body_reasons(b, 4));
	print_reasons(expected, body_reasons(b, 8));
	print_reasons(expected, b->perhaps);
	putc('\n', expected);
}

/* Starts a group, with a function that is almost 1 MiB away from the others: a jump there
 * is not in reach of the stubs. */
static void start_group(unsigned group)
{
	printf("\t.section .text.away%u, \"ax\"\n\t.option norvc\n\t.globl away%u\n"
	       "\t.type away%u, @function\naway%u:\n\taddi x11, x11, 1\n"
	       "\txor x12, x12, x11\n\tjalr x0, 0(x1)\n\t.size away%u, . - away%u\n",
	       group, group, group, group, group, group);
	printf("\t.section .text.group%u, \"ax\"\n", group);
	open_group(group);
}

int main(int argc, char **argv)
{
	static struct body body;
	FILE *expected;

	if (argc != 4 || !(expected = fopen(argv[3], "w"))) {
		fputs("usage: random-functions SEED COUNT EXPECTED > FUNCTIONS.S\n",
		      stderr);
		return 2;
	}
	uint64_t seed = strtoull(argv[1], NULL, 0);
	unsigned count = (unsigned)strtoul(argv[2], NULL, 0);

	for (unsigned i = 0, group = 0; i < count; i++) {
		struct rng rng = rng_make(seed, i);

		if (i == 0 || (uint64_t)i * 3 / count != group) {
			group = (unsigned)((uint64_t)i * 3 / count);
			start_group(group);
		}
		if (rng_chance(&rng, 30))
			puts("\t.p2align 2");
		bool joined = body.continues;
		body_start(&body, &rng, i);
		body.joined = joined;
		class_write(&body, i);
		finish_function(&body, expected);
	}
	return fclose(stdout) | fclose(expected) ? 2 : 0;
}
