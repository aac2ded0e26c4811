/* SPDX-License-Identifier: Apache-2.0 */
/* Draws single changes of C or SystemVerilog: one line of output each, in the order in
 * which the seed draws them, with fields separated by tabs:
 *
 * 	OFFSET LENGTH NEW FILE:LINE: OLD → NEW
 *
 * The order is a hash of the seed, the file, the line and the place in it, so an edit of
 * one line does not affect the changes of others. With `every` instead of a seed, these
 * are all changes that any seed can draw. */
#include <ctype.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mutate.h"

static struct change *changes;
static size_t nchanges, room;
static uint64_t seed;
static bool with_choices;
static unsigned turn; /* which of the choices, if with_choices */

static uint64_t mix(uint64_t hash, const char *text, size_t size)
{
	for (size_t i = 0; i < size; i++)
		hash = (hash ^ (uint8_t)text[i]) * UINT64_C(0x100000001b3);
	hash ^= hash >> 29;
	hash *= UINT64_C(0x9e3779b97f4a7c15);
	return hash ^ hash >> 32;
}

/* Returns a hash of the line at `at` and of its index among equal lines of the file. */
static uint64_t hash_line(const struct source *source, size_t at)
{
	size_t start = at, end = at;
	while (start > 0 && source->text[start - 1] != '\n')
		start--;
	while (source->text[end] && source->text[end] != '\n')
		end++;
	const char *line = source->text + start;
	uint64_t same = 0;
	for (const char *p = source->text; p + (end - start) <= line;) {
		same += memcmp(p, line, end - start + 1) == 0;
		p = strchr(p, '\n') + 1;
	}
	uint64_t hash = mix(seed, source->path, strlen(source->path));
	hash = mix(hash + same, line, end - start);
	return hash + (at - start);
}

static bool is_one_of(const struct source *source, size_t i, const char *const *texts)
{
	for (; *texts; texts++)
		if (source_is(source, i, *texts))
			return true;
	return false;
}

struct change *add(const struct source *source, size_t token, size_t length,
		   uint64_t kind)
{
	if (nchanges == room) {
		room = room ? room * 2 : 1024;
		changes = realloc(changes, room * sizeof(*changes));
		if (!changes) {
			perror("mutate");
			exit(2);
		}
	}
	const struct token *t = &source->tokens[token];
	struct change *change = &changes[nchanges++];
	*change = (struct change){.source = source,
				  .at = t->at,
				  .length = length,
				  .line = t->line,
				  .choices = 1};
	char kind_byte = (char)kind;
	change->rank = mix(hash_line(source, t->at), &kind_byte, 1);
	return change;
}

unsigned choose(struct change *change, unsigned among)
{
	change->choices = among;
	if (with_choices)
		return turn % among;
	return (unsigned)(mix(change->rank, "choice", 6) % among);
}

static bool ends_operand(const struct source *source, size_t i)
{
	const struct token *token = &source->tokens[i];
	static const char *const NOT[] = {"return", "case", "sizeof", "else", NULL};
	if (token->kind == TOKEN_NUMBER)
		return true;
	if (token->kind == TOKEN_WORD)
		return !source_is_type(source, i) && !is_one_of(source, i, NOT);
	if (source_is(source, i, ")"))
		return !source_is_type(source, i - 1) && !source_is(source, i - 1, "*");
	return source_is(source, i, "]");
}

void add_replacement(const struct source *source, size_t i, const struct replacement *r)
{
	unsigned n = 0;
	while (n < REPLACEMENTS_MAX && r->new[n])
		n++;
	struct change *c = add(source, i, source->tokens[i].length, 'o');
	snprintf(c->new, NEW_MAX, "%s", r->new[choose(c, n)]);
}

static void mutate_operator(const struct source *source, size_t i)
{
	static const struct replacement OPERATORS[] = {
	    {"<", {"<=", ">", ">=", "=="}, false},
	    {"<=", {"<", ">", ">=", "=="}, false},
	    {">", {">=", "<", "<=", "!="}, false},
	    {">=", {">", "<", "<=", "=="}, false},
	    {"==", {"!=", "<", ">", "<=", ">="}, false},
	    {"!=", {"==", "<", ">", "<=", ">="}, false},
	    {"+", {"-", "*"}, true},
	    {"-", {"+", "*"}, true},
	    {"*", {"+", "-"}, true},
	    {"&", {"|"}, true},
	    {"|", {"&"}, false},
	    {"<<", {">>"}, false},
	    {">>", {"<<"}, false},
	    {"&&", {"||"}, false},
	    {"||", {"&&"}, false},
	    {"+=", {"-=", "="}, false},
	    {"-=", {"+=", "="}, false},
	    {"|=", {"&=", "="}, false},
	    {"&=", {"|=", "="}, false},
	    {"++", {"--"}, false},
	    {"--", {"++"}, false},
	    {"true", {"false"}, false},
	    {"false", {"true"}, false},
	};
	for (size_t k = 0; k < sizeof(OPERATORS) / sizeof(OPERATORS[0]); k++)
		if (source_is(source, i, OPERATORS[k].old) &&
		    (!OPERATORS[k].binary || ends_operand(source, i - 1)))
			add_replacement(source, i, &OPERATORS[k]);
}

static void mutate_number(const struct source *source, size_t i)
{
	const struct token *token = &source->tokens[i];
	char *suffix;
	unsigned long long value = strtoull(source->text + token->at, &suffix, 0);
	bool hex = tolower((unsigned char)source->text[token->at + 1]) == 'x';
	struct change *c = add(source, i, token->length, 'n');
	value = value == 0 || choose(c, 2) ? value + 1 : value - 1;
	int length = (int)(source->text + token->at + token->length - suffix);
	snprintf(c->new, NEW_MAX, hex ? "%#llx%.*s" : "%llu%.*s", value, length, suffix);
}

/* Returns the token that closes the parenthesis at `i`. */
static size_t closing(const struct source *source, size_t i)
{
	unsigned depth = 0;
	for (; i < source->count; i++) {
		depth += source_is(source, i, "(");
		depth -= source_is(source, i, ")");
		if (depth == 0)
			break;
	}
	return i;
}

void mutate_condition(const struct source *source, size_t i)
{
	bool loop = source_is(source, i, "while");
	if (!source_is(source, i + 1, "(") || (!loop && !source_is(source, i, "if")))
		return;
	size_t end = closing(source, i + 1);
	size_t at = source->tokens[i + 1].at;
	size_t length = source->tokens[end].at + 1 - at;
	struct change *c = add(source, i + 1, length, 'c');
	switch (choose(c, loop ? 2 : 3)) {
	case 0:
		snprintf(c->new, NEW_MAX, "(!%.*s)", (int)length, source->text + at);
		break;
	case 1:
		snprintf(c->new, NEW_MAX, "(0)");
		break;
	default:
		snprintf(c->new, NEW_MAX, "(1)");
		break;
	}
}

static bool starts_statement(const struct source *source, size_t i)
{
	static const char *const BEFORE[] = {";", "}", "else", ":", NULL};
	if (source_is(source, i - 1, "{"))
		return !source_is(source, i - 2, "=");
	if (is_one_of(source, i - 1, BEFORE))
		return true;
	if (!source_is(source, i - 1, ")"))
		return false;
	/* Does it belong to `if (...)`, `for (...)` or `while (...)`? */
	unsigned depth = 0;
	size_t k = i - 1;
	for (; k > 0; k--) {
		depth += source_is(source, k, ")");
		depth -= source_is(source, k, "(");
		if (depth == 0)
			break;
	}
	static const char *const KEYS[] = {"if", "for", "while", NULL};
	return k > 0 && is_one_of(source, k - 1, KEYS);
}

/* Removes a statement, or returns a default value. */
static void mutate_statement(const struct source *source, size_t i, bool in_for)
{
	static const char *const OTHERS[] = {"if",   "for",	"while", "do", "switch",
					     "else", "default", "case",	 NULL};
	static const char *const PUNCTUATORS[] = {"*", "(", "++", "--", NULL};
	bool word = source->tokens[i].kind == TOKEN_WORD;
	if (in_for || source_is_type(source, i) || is_one_of(source, i, OTHERS) ||
	    (!word && !is_one_of(source, i, PUNCTUATORS)) ||
	    !starts_statement(source, i) || source_is(source, i + 1, ":"))
		return;
	size_t end = i;
	while (end < source->count && !source_is(source, end, ";"))
		end++;
	size_t from = source->tokens[i].at;
	bool value = source_is(source, i, "return") && end > i + 1;
	if (value && end == i + 2 && source_is(source, i + 1, "0"))
		return;
	struct change *c = add(source, i, source->tokens[end].at + 1 - from, 's');
	snprintf(c->new, NEW_MAX, value ? "return 0;" : ";");
}

static void mutate_c(const struct source *source)
{
	size_t for_end = 0;
	for (size_t i = 2; i < source->count; i++) {
		if (!source->tokens[i].body)
			continue;
		if (source_is(source, i, "for"))
			for_end = closing(source, i + 1);
		mutate_condition(source, i);
		if (source->tokens[i].fixed)
			continue;
		mutate_statement(source, i, i <= for_end);
		if (source->tokens[i].kind == TOKEN_NUMBER)
			mutate_number(source, i);
		else if (source->tokens[i].kind != TOKEN_TEXT)
			mutate_operator(source, i);
	}
}

static int compare(const void *a, const void *b)
{
	const struct change *x = a, *y = b;
	if (x->rank != y->rank)
		return x->rank < y->rank ? -1 : 1;
	return x->at < y->at ? -1 : x->at > y->at;
}

/* Prints the text with each run of white space as a single space. */
static void print_flat(const char *text, size_t size)
{
	bool space = false;
	for (size_t i = 0; i < size; i++) {
		if (isspace((unsigned char)text[i])) {
			space = true;
			continue;
		}
		if (space)
			putchar(' ');
		space = false;
		putchar(text[i]);
	}
}

static void print_change(const struct change *c)
{
	printf("%zu\t%zu\t", c->at, c->length);
	print_flat(c->new, strlen(c->new));
	printf("\t%s:%u: ", c->source->path, c->line);
	print_flat(c->source->text + c->at, c->length);
	printf(c->new[0] ? " → " : " →");
	print_flat(c->new, strlen(c->new));
	putchar('\n');
}

static void mutate_source(const struct source *source)
{
	if (source->sv)
		mutate_sv(source);
	else
		mutate_c(source);
}

/* Adds the changes with the other choices. */
static void add_choices(const struct source *source, size_t first)
{
	unsigned most = 1;
	for (size_t i = first; i < nchanges; i++)
		most = changes[i].choices > most ? changes[i].choices : most;
	for (turn = 1; turn < most; turn++) {
		size_t kept = nchanges, begin = nchanges;
		mutate_source(source);
		for (size_t i = begin; i < nchanges; i++)
			if (changes[i].choices > turn)
				changes[kept++] = changes[i];
		nchanges = kept;
	}
	turn = 0;
}

int main(int argc, char **argv)
{
	if (argc < 3) {
		fprintf(stderr, "usage: mutate SEED|every FILE...\n");
		return 2;
	}
	with_choices = strcmp(argv[1], "every") == 0;
	seed = strtoull(argv[1], NULL, 0) + UINT64_C(0xcbf29ce484222325);
	for (int i = 2; i < argc; i++) {
		struct source *source = malloc(sizeof(*source));
		if (!source) {
			perror("mutate");
			return 2;
		}
		size_t first = nchanges;
		source_read(source, argv[i]);
		mutate_source(source);
		if (with_choices)
			add_choices(source, first);
	}
	qsort(changes, nchanges, sizeof(*changes), compare);
	for (size_t i = 0; i < nchanges; i++)
		print_change(&changes[i]);
	return fflush(stdout) ? 2 : 0;
}
