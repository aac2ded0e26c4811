/* SPDX-License-Identifier: Apache-2.0 */
/* The language of assertions about functions. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "profile/assertions_internal.h"

__extension__ typedef unsigned __int128 u128;

/* Their names, and units: "*" is the profile's. */
static const struct tr_assertion_figure function_figures[ASSERTION_FIGURES + 1] = {
    [CALLS] = {"calls", "calls"},
    [SELF] = {"self", "*"},
    [SELF_PERCENT] = {"self_percent", "%"},
    [TOTAL] = {"total", "*"},
    [TOTAL_PERCENT] = {"total_percent", "%"},
    [MIN] = {"min", "*"},
    [MEDIAN] = {"median", "*"},
    [P90] = {"p90", "*"},
    [P99] = {"p99", "*"},
    [MAX] = {"max", "*"},
    [AWAY] = {"away", "cycles"},
    [INSTRUCTIONS] = {"instructions", "instructions"},
    [IPC] = {"ipc", ""},
};

enum op { LESS, AT_MOST, MORE, AT_LEAST, EQUAL, UNEQUAL, OPS };
static const char *const ops[OPS] = {"<", "<=", ">", ">=", "==", "!="};

/* Text from `begin` to `end`, without spaces around it. */
struct piece {
	const char *begin, *end;
};

static struct piece trim_piece(const char *begin, const char *end)
{
	while (begin < end && *begin == ' ')
		begin++;
	while (begin < end && end[-1] == ' ')
		end--;
	return (struct piece){begin, end};
}

static bool is_piece(const struct piece *piece, const char *text)
{
	const size_t length = (size_t)(piece->end - piece->begin);
	return strlen(text) == length && memcmp(piece->begin, text, length) == 0;
}

/* Parses digits, with up to 9 decimals. Returns what follows, or NULL. */
static const char *parse_decimals(const char *text, uint64_t *bound, uint64_t *scale)
{
	enum { MOST_DECIMALS = 1000000000 };
	bool has_digits = false, has_point = false;
	*bound = 0;
	*scale = 1;
	for (;; text++) {
		if (*text == '.' && !has_point && has_digits) {
			has_point = true;
			continue;
		}
		if (*text < '0' || *text > '9')
			return has_digits && text[-1] != '.' ? text : NULL;
		if (has_point && (*scale *= 10) > MOST_DECIMALS)
			return NULL;
		has_digits = true;
		if (__builtin_mul_overflow(*bound, 10U, bound) ||
		    __builtin_add_overflow(*bound, (unsigned)(*text - '0'), bound))
			return NULL;
	}
}

/* Parses NUMBER. Returns what follows, or NULL. */
static const char *parse_bound(struct tr_assertion *a, const char *text)
{
	static const char suffixes[] = "kMG";
	text = parse_decimals(text, &a->bound, &a->scale);
	const char *suffix = text && *text ? strchr(suffixes, *text) : NULL;
	for (const char *s = suffixes; suffix && s <= suffix; s++) {
		if (a->scale >= 1000)
			a->scale /= 1000;
		else if (__builtin_mul_overflow(a->bound, 1000 / a->scale, &a->bound))
			return NULL;
		else
			a->scale = 1;
	}
	return suffix ? text + 1 : text;
}

static unsigned find_op(const struct piece *piece)
{
	unsigned op = 0;
	while (op < OPS && !is_piece(piece, ops[op]))
		op++;
	return op;
}

/* Returns the number of a figure, that of the end of the table if there is none. */
static unsigned find_figure(const struct tr_assertion_figure *figures,
			    const struct piece *piece)
{
	unsigned figure = 0;
	while (figures[figure].name && !is_piece(piece, figures[figure].name))
		figure++;
	return figure;
}

/* Writes "calls, self, …". */
static void list_figures(const struct tr_assertion_figure *figures, char *text,
			 size_t size)
{
	size_t length = 0;
	for (unsigned i = 0; figures[i].name && length < size; i++)
		length += (size_t)snprintf(text + length, size - length, "%s%s",
					   i ? ", " : "", figures[i].name);
}

static int check_assertion_unit(const struct tr_assertion_figure *figure,
				const char *text, const char *unit, char *message,
				size_t size)
{
	const struct piece given = trim_piece(text, text + strlen(text));
	const char *own = figure->unit;
	own = strcmp(own, "*") == 0 ? unit : own;
	if (given.begin == given.end || is_piece(&given, own))
		return TR_OK;
	if (*own)
		snprintf(message, size, "the unit of %s is %s, not %s", figure->name, own,
			 given.begin);
	else
		snprintf(message, size, "%s has no unit", figure->name);
	return TR_E_ARGUMENT;
}

static int refuse_form(const struct tr_assertion_figure *figures, char *message,
		       size_t size)
{
	snprintf(message, size,
		 "not %s.FIGURE OP NUMBER, as in 'main.max < 20k', where OP is <, <=, >, "
		 ">=, == or !=",
		 figures == function_figures ? "FUNCTION" : "NAME");
	return TR_E_ARGUMENT;
}

/* Takes FUNCTION.FIGURE apart. */
static int parse_subject(struct tr_assertion *a, const struct piece *subject,
			 const struct tr_assertion_figure *figures, char *message,
			 size_t size)
{
	const char *dot = subject->end;
	while (dot > subject->begin && *dot != '.')
		dot--;
	const struct piece function = trim_piece(subject->begin, dot);
	const struct piece figure = trim_piece(dot + 1, subject->end);
	if (function.begin == function.end)
		return refuse_form(figures, message, size);
	a->figure = find_figure(figures, &figure);
	if (!figures[a->figure].name) {
		const int length =
		    snprintf(message, size, "no such figure: %.*s (there are ",
			     (int)(figure.end - figure.begin), figure.begin);
		if (length > 0 && (size_t)length < size)
			list_figures(figures, message + length, size - (size_t)length);
		const size_t end = strlen(message);
		snprintf(message + end, size - end, ")");
		return TR_E_ARGUMENT;
	}
	a->function = strndup(function.begin, (size_t)(function.end - function.begin));
	return a->function ? TR_OK : TR_E_NOMEM;
}

int tr_assertion_parse_figure(struct tr_assertion *a, const char *text,
			      const struct tr_assertion_figure *figures, const char *unit,
			      char *message, size_t size)
{
	static const char characters[] = "<>=!";
	*a = (struct tr_assertion){.text = text};
	const char *end = text + strlen(text);
	while (end > text && !strchr(characters, end[-1]))
		end--;
	const char *begin = end;
	while (begin > text && strchr(characters, begin[-1]))
		begin--;
	const struct piece op = {begin, end};
	const struct piece subject = trim_piece(text, begin);
	a->op = find_op(&op);
	if (a->op == OPS || subject.begin == subject.end)
		return refuse_form(figures, message, size);
	int status = parse_subject(a, &subject, figures, message, size);
	if (status)
		return status;
	const char *rest = parse_bound(a, end + strspn(end, " "));
	if (!rest) {
		snprintf(message, size,
			 "not a number below 2^64 with at most 9 decimals:%s%s",
			 *end == ' ' ? "" : " ", end);
		return TR_E_ARGUMENT;
	}
	return check_assertion_unit(&figures[a->figure], rest, unit, message, size);
}

int tr_assertion_parse(struct tr_assertion *a, const char *text, const char *unit,
		       bool is_counter, char *message, size_t size)
{
	const int status =
	    tr_assertion_parse_figure(a, text, function_figures, unit, message, size);
	if (status || !is_counter || !assertion_is_of_calls(a->figure))
		return status;
	snprintf(message, size, "calls have no %s with --unit %s",
		 function_figures[a->figure].name, unit);
	return TR_E_ARGUMENT;
}

void tr_assertion_release(struct tr_assertion *a)
{
	free(a->function);
	a->function = NULL;
}

/* Returns a number below, above or equal to 0 as low or high is below, above or equal to
 * the bound. The products are below 2^128: low * 100 * 10^9, and bound * per. */
static int compare_value(const struct tr_assertion *a,
			 const struct tr_assertion_value *value, uint64_t end)
{
	const u128 left = (u128)end * value->factor * a->scale;
	const u128 right = (u128)a->bound * value->per;
	return (left > right) - (left < right);
}

bool tr_assertion_holds(const struct tr_assertion *a,
			const struct tr_assertion_value *value)
{
	const int low = compare_value(a, value, value->low);
	const int high = compare_value(a, value, value->high);
	switch (a->op) {
	case LESS:
		return high < 0;
	case AT_MOST:
		return high <= 0;
	case MORE:
		return low > 0;
	case AT_LEAST:
		return low >= 0;
	case EQUAL:
		return low == 0 && high == 0;
	default:
		return low > 0 || high < 0;
	}
}

bool tr_assertion_is_of_none(const struct tr_assertion *a)
{
	const struct tr_assertion_value none = {.factor = 1, .per = 1},
					one = {
					    .low = 1, .high = 1, .factor = 1, .per = 1};
	return tr_assertion_holds(a, &none) && !tr_assertion_holds(a, &one);
}

bool tr_assertion_forbids_calls(const struct tr_assertion *a)
{
	return a->figure == CALLS && tr_assertion_is_of_none(a);
}
