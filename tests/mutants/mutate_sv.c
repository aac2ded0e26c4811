/* SPDX-License-Identifier: Apache-2.0 */
/* The changes of SystemVerilog: numbers, operators, conditions, assignments. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mutate.h"

enum { DIGITS_MAX = 128 };

static bool ends_operand(const struct source *source, size_t i)
{
	enum token_kind kind = source->tokens[i].kind;
	return kind == TOKEN_NUMBER || kind == TOKEN_WORD || source_is(source, i, ")") ||
	       source_is(source, i, "]") || source_is(source, i, "}");
}

static void mutate_operator(const struct source *source, size_t i)
{
	static const struct replacement OPERATORS[] = {
	    {"<", {"<=", ">", ">=", "=="}, false},
	    {"<=", {"<", ">", ">=", "=="}, false},
	    {">", {">=", "<", "<=", "!="}, false},
	    {">=", {">", "<", "<=", "=="}, false},
	    {"==", {"!="}, false}, /* codes have no order */
	    {"!=", {"=="}, false},
	    {"+", {"-"}, true},
	    {"-", {"+"}, true},
	    {"*", {"+"}, true},
	    {"&", {"|"}, false},
	    {"|", {"&"}, false},
	    {"^", {"|", "&"}, true},
	    {"<<", {">>"}, false},
	    {">>", {"<<"}, false},
	    {">>>", {">>"}, false},
	    {"&&", {"||"}, false},
	    {"||", {"&&"}, false},
	    {"!", {""}, false},
	    {"~", {""}, false},
	    {"?", {"== 1'b0 ?"}, false},
	    {"$signed", {"$unsigned"}, false},
	};
	for (size_t k = 0; k < sizeof(OPERATORS) / sizeof(OPERATORS[0]); k++)
		if (source_is(source, i, OPERATORS[k].old) &&
		    (!OPERATORS[k].binary || ends_operand(source, i - 1)))
			add_replacement(source, i, &OPERATORS[k]);
}

/* Writes the next or the previous number of the width, in the base of the old one. */
static void mutate_value(struct change *c, unsigned width, char base, const char *digits)
{
	unsigned long long value = strtoull(digits, NULL, base == 'h' ? 16 : 10);
	value += choose(c, 2) ? 1 : ~0ULL;
	if (width < 64)
		value &= (1ULL << width) - 1;
	snprintf(c->new, NEW_MAX, base == 'h' ? "%u'h%llx" : "%u'd%llu", width, value);
}

/* Inverts one of the bits; a don't-care bit becomes 1. */
static void mutate_bits(struct change *c, unsigned width, char *digits)
{
	char *digit = &digits[choose(c, (unsigned)strlen(digits))];
	*digit = *digit == '0' ? '1' : '0';
	snprintf(c->new, NEW_MAX, "%u'b%s", width, digits);
}

static void mutate_number(const struct source *source, size_t i)
{
	const struct token *token = &source->tokens[i];
	const char *text = source->text + token->at, *end = text + token->length;
	char *tick, digits[DIGITS_MAX] = "";
	unsigned long width = strtoul(text, &tick, 10);
	struct change *c = add(source, i, token->length, 'n');
	size_t n = 0;
	if (tick == end) { /* an index, or a count */
		bool more = width == 0 || choose(c, 2);
		snprintf(c->new, NEW_MAX, "%lu", more ? width + 1 : width - 1);
		return;
	}
	if (tick == text) {
		snprintf(c->new, NEW_MAX, text[1] == '0' ? "'1" : "'0");
		return;
	}
	for (const char *p = tick + 2; p < end && n < DIGITS_MAX - 1; p++)
		if (*p != '_')
			digits[n++] = *p;
	if (tick[1] == 'b')
		mutate_bits(c, (unsigned)width, digits);
	else
		mutate_value(c, (unsigned)width, tick[1], digits);
}

/* Removes an assignment. */
static void mutate_statement(const struct source *source, size_t i)
{
	size_t end = i;
	while (end < source->count && !source_is(source, end, ";"))
		end++;
	size_t from = source->tokens[i].at;
	struct change *c = add(source, i, source->tokens[end].at + 1 - from, 's');
	snprintf(c->new, NEW_MAX, ";");
}

void mutate_sv(const struct source *source)
{
	for (size_t i = 1; i < source->count; i++) {
		const struct token *token = &source->tokens[i];
		if (!token->body)
			continue;
		mutate_condition(source, i);
		if (token->starts)
			mutate_statement(source, i);
		if (token->kind == TOKEN_NUMBER)
			mutate_number(source, i);
		else if (token->kind != TOKEN_TEXT && !token->assigns)
			mutate_operator(source, i);
	}
}
