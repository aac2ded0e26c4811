/* SPDX-License-Identifier: Apache-2.0 */
/* Generates the C sources of big: gen_big PART prints one of its PARTS files.
 *
 * Functions form levels and call only the level below (and leaves), so that every run
 * terminates; each has a caller. Bodies are random but reproducible: loops, switches, and
 * branches, most of which are rarely taken, as in real code; some depend on a state that
 * seldom changes, the rest on the data. */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { PARTS = 8, LEVELS = 5, LEAF = LEVELS - 1 };

static const struct {
	const char *name;
	unsigned count; /* number of functions */
	unsigned calls; /* per function to the next level, enough to reach all of it */
} levels[LEVELS] = {
    {"job", 50, 4},   {"task", 160, 2}, {"step", 280, 2},
    {"part", 340, 2}, {"leaf", 400, 0},
};

/* Context of a statement. */
struct place {
	unsigned level;
	unsigned indent;
	bool rare; /* under a condition that seldom holds */
	bool loop;
};

static uint32_t seed;

static uint32_t below(uint32_t limit)
{
	seed ^= seed << 13;
	seed ^= seed >> 17;
	seed ^= seed << 5;
	return (uint32_t)((uint64_t)seed * limit >> 32);
}

static char variable(void)
{
	return "abc"[below(3)];
}

static void indent(const struct place *place)
{
	for (unsigned i = 0; i < place->indent; i++)
		putchar('\t');
}

static void operand(void)
{
	switch (below(7)) {
	case 0:
		printf("0x%xu", below(0x10000));
		break;
	case 1:
		printf("s->words[%u]", below(256));
		break;
	case 2:
		printf("s->bytes[%c & 255]", variable());
		break;
	default:
		putchar(variable());
	}
}

static void expression(void)
{
	static const char *const operators[] = {"+", "^", "-", "|"};

	switch (below(5)) {
	case 0:
		printf("(%c >> %u)", variable(), 1 + below(20));
		break;
	case 1:
		printf("(%c << %u)", variable(), 1 + below(12));
		break;
	case 2:
		printf("%c * 0x%xu", variable(), below(0x1000) * 2 + 1);
		break;
	default:
		putchar(variable());
	}
	printf(" %s (", operators[below(4)]);
	operand();
	printf(")");
}

/* Prints a condition. Returns whether it seldom holds. */
static bool condition(bool may_be_rare)
{
	unsigned kind = below(20);

	if (kind < 12 && may_be_rare) {
		printf("(%c & 0x%x) == 0", variable(), 31U << below(6));
		return true;
	}
	if (kind < 17)
		printf("(s->phase & 0x%x) != 0", 1U << below(11));
	else
		printf("(%c & 15) < %u", variable(), 2 + below(12));
	return false;
}

static void statements(struct place place, unsigned count);

static void assignment(const struct place *place)
{
	indent(place);
	if (below(4) == 0)
		printf("s->words[%u] = ", below(256));
	else
		printf("%c %s= ", variable(), below(2) ? "^" : "+");
	expression();
	printf(";\n");
}

static void branch(const struct place *place)
{
	struct place inner = *place;

	inner.indent++;
	indent(place);
	printf("if (");
	inner.rare = condition(!place->rare && !place->loop) || place->rare;
	printf(") {\n");
	statements(inner, 1 + below(5) / 4);
	if (inner.rare && below(4) == 0) {
		indent(&inner);
		printf("return a ^ 0x%xu;\n", below(0x10000));
	} else if (below(3) == 0) {
		indent(place);
		printf("} else {\n");
		inner.rare = place->rare;
		statements(inner, 1 + below(5) / 4);
	}
	indent(place);
	printf("}\n");
}

static void loop(const struct place *place)
{
	struct place inner = *place;

	inner.indent++;
	inner.loop = true;
	indent(place);
	if (below(2))
		printf("for (uint32_t i = s->phase >> %u & 7; i < 9; i++) {\n",
		       below(28));
	else
		printf("for (uint32_t i = %c >> %u & 3; i < 5; i++) {\n", variable(),
		       below(28));
	indent(&inner);
	printf("%c += s->words[(%c + i) & 255];\n", variable(), variable());
	statements(inner, 1 + below(5) / 4);
	indent(place);
	printf("}\n");
}

static void choice(const struct place *place)
{
	struct place inner = *place;
	unsigned cases = below(2) ? 8 : 6;

	inner.indent++;
	indent(place);
	if (below(2))
		printf("switch ((s->phase >> %u) %% %u) {\n", below(24), cases);
	else
		printf("switch ((%c >> %u) %% %u) {\n", variable(), below(16), cases);
	for (unsigned i = 0; i < cases; i++) {
		indent(place);
		if (i + 1 < cases)
			printf("case %u:\n", i);
		else
			printf("default:\n");
		statements(inner, 1 + below(5) / 4);
		indent(&inner);
		printf("break;\n");
	}
	indent(place);
	printf("}\n");
}

static void copy(const struct place *place)
{
	indent(place);
	printf("memcpy(s->bytes + %u, s->bytes + (%c & 127), %u + (%c & 3));\n",
	       256 + below(128), variable(), 1 + below(8), variable());
}

static void call(const struct place *place, unsigned level, unsigned number)
{
	indent(place);
	printf("%c += %s_%u(s, %c);\n", variable(), levels[level].name, number,
	       variable());
}

/* A call of one of the leaves that all levels call. */
static void popular(const struct place *place)
{
	if (place->level == LEAF || place->loop)
		assignment(place);
	else
		call(place, LEAF, below(1 + below(1 + below(levels[LEAF].count))));
}

static void statements(struct place place, unsigned count)
{
	while (count-- > 0) {
		unsigned kind = below(100);
		if (kind < 24 || place.indent > 3)
			assignment(&place);
		else if (kind < 76)
			branch(&place);
		else if (kind < 84 && !place.loop)
			loop(&place);
		else if (kind < 87 && !place.loop)
			choice(&place);
		else if (kind < 88)
			copy(&place);
		else
			popular(&place);
	}
}

static void function(unsigned level, unsigned number)
{
	struct place place = {.level = level, .indent = 1};
	unsigned next = level + 1;

	printf("uint32_t %s_%u(struct state *s, uint32_t x)\n{\n", levels[level].name,
	       number);
	printf("\tuint32_t a = x, b = s->words[%u], c = a + b;\n\n", below(256));
	statements(place, 2 + below(3));
	for (unsigned i = 0; i < levels[level].calls; i++) {
		bool both = below(2);
		if (!both)
			printf("\tif ((s->phase & 0x%xu) != 0)\n\t", 1U << below(32));
		call(&place, next,
		     (number * levels[level].calls + i) % levels[next].count);
		statements(place, 1);
	}
	printf("\treturn a + (b ^ c);\n}\n\n");
}

static void declarations(void)
{
	printf("#include \"big.h\"\n\n");
	for (unsigned level = 0; level < LEVELS; level++)
		for (unsigned i = 0; i < levels[level].count; i++)
			printf("job %s_%u;\n", levels[level].name, i);
	printf("\n");
}

static void job_table(void)
{
	printf("job *const jobs[] = {\n");
	for (unsigned i = 0; i < levels[0].count; i++)
		printf("\t%s_%u,\n", levels[0].name, i);
	printf("};\nconst uint32_t job_count = %u;\n", levels[0].count);
}

int main(int argc, char **argv)
{
	unsigned part = argc == 2 ? (unsigned)atoi(argv[1]) : PARTS;

	if (part >= PARTS) {
		fprintf(stderr, "usage: gen_big PART (0 to %d)\n", PARTS - 1);
		return 2;
	}
	seed = 0x2545f491 + part;
	declarations();
	for (unsigned level = 0; level < LEVELS; level++)
		for (unsigned i = 0; i < levels[level].count; i++)
			if (i % PARTS == part)
				function(level, i);
	if (part == 0)
		job_table();
	return fflush(stdout) == 0 && !ferror(stdout) ? 0 : 2;
}
