/* SPDX-License-Identifier: Apache-2.0 */
/* Compiled with -msave-restore, so functions save registers by calls through x5 into
 * shared code: save_restore [rounds]. Evaluates expressions. */
#include "user.h"

struct parser {
	const char *text;
	const uint32_t *variables;
};

static uint32_t sum(struct parser *parser);

KEEP static uint32_t atom(struct parser *parser)
{
	uint32_t value = 0;

	if (*parser->text == '(') {
		parser->text++;
		value = sum(parser);
		parser->text++;
		return value;
	}
	if (*parser->text >= 'a')
		return parser->variables[*parser->text++ - 'a'];
	while (*parser->text >= '0' && *parser->text <= '9')
		value = value * 10 + (uint32_t)(*parser->text++ - '0');
	return value;
}

KEEP static uint32_t product(struct parser *parser)
{
	uint32_t value = atom(parser);

	while (*parser->text == '*' || *parser->text == '/') {
		char operation = *parser->text++;
		uint32_t right = atom(parser);
		value = operation == '*' ? value * right : right ? value / right : 0;
	}
	return value;
}

KEEP static uint32_t sum(struct parser *parser)
{
	uint32_t value = product(parser);

	while (*parser->text == '+' || *parser->text == '-') {
		char operation = *parser->text++;
		uint32_t right = product(parser);
		value = operation == '+' ? value + right : value - right;
	}
	return value;
}

/* Uses all callee-saved registers. */
KEEP static uint32_t many(struct parser *parser, uint32_t a, uint32_t b, uint32_t c)
{
	uint32_t d = a + b, e = b ^ c, f = c - a, g = a * 3, h = b * 5, i = c * 7;
	uint32_t first = sum(parser);

	return first + sum(parser) + a + (b ^ d) + (c ^ e) + (f ^ g) + (h ^ i);
}

int main(int argc, char **argv)
{
	static const char text[] = "2*(a+b*(c-1))-(a*b/(c+1)+3)*(7-a)";
	uint32_t rounds = argument(argc, argv, 1, 300);
	uint32_t total = 0;

	for (uint32_t round = 0; round < rounds; round++) {
		uint32_t variables[] = {round, round * 3 + 1, round ^ 5};
		struct parser parser = {text, variables};
		struct parser twice = {"a+1)b*2", variables};
		total += sum(&parser);
		total ^= many(&twice, round, total, 3);
	}
	printf("save_restore: 0x%08lx\n", (unsigned long)total);
	return 0;
}
