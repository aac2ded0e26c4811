/* SPDX-License-Identifier: Apache-2.0 */
/* A state machine over text, as in CoreMark: words that are integers, fractions, numbers
 * with an exponent, or invalid. */
#include "benchmark.h"

#include <string.h>

enum { WORDS = 512, TURNS = 8, KINDS = 4 };
enum state {
	START,
	SIGN,
	INTEGER,
	POINT,
	FRACTION,
	EXPONENT,
	EXPONENT_SIGN,
	SCIENTIFIC,
	INVALID
};

static const char *const samples[KINDS][4] = {
    {"5012 ", "-874 ", "+122 ", "7 "},
    {"35.54400 ", ".1234500 ", "-110.700 ", "+0.64400 "},
    {"5.500e+3 ", "-.123e-2 ", "-87e+832 ", "+0.6e-12 "},
    {"T0.3e-1F ", "-T.T++Tq ", "1T3.4e4z ", "34.0e-T^ "},
};
static char text[WORDS * 10];
static uint32_t made[KINDS], found[KINDS];

KEEP static enum state next_state(enum state state, char c)
{
	bool digit = c >= '0' && c <= '9';

	switch (state) {
	case START:
		if (c == '+' || c == '-')
			return SIGN;
		/* fallthrough */
	case SIGN:
		return digit ? INTEGER : c == '.' ? POINT : INVALID;
	case INTEGER:
		if (c == '.')
			return FRACTION;
		/* fallthrough */
	case FRACTION:
		if (c == 'e')
			return EXPONENT;
		return digit ? state : INVALID;
	case POINT:
		return digit ? FRACTION : INVALID;
	case EXPONENT:
		if (c == '+' || c == '-')
			return EXPONENT_SIGN;
		/* fallthrough */
	case EXPONENT_SIGN:
	case SCIENTIFIC:
		return digit ? SCIENTIFIC : INVALID;
	default:
		return INVALID;
	}
}

KEEP static void scan(const char *at)
{
	static const uint8_t kind[] = {[INTEGER] = 0, [FRACTION] = 1, [SCIENTIFIC] = 2};

	while (*at) {
		enum state state = START;
		while (*at != ' ')
			state = next_state(state, *at++);
		at++;
		if (state == INTEGER || state == FRACTION || state == SCIENTIFIC)
			found[kind[state]]++;
		else
			found[3]++;
	}
}

void prepare(void)
{
	uint32_t seed = 7;
	char *end = text;

	for (int i = 0; i < WORDS; i++) {
		uint32_t choice = random_next(&seed) >> 8;
		const char *word = samples[choice % KINDS][choice / KINDS % 4];
		made[choice % KINDS]++;
		strcpy(end, word);
		end += strlen(word);
	}
	scan(text);
	memset(found, 0, sizeof(found));
}

uint64_t benchmark(void)
{
	for (int i = 0; i < TURNS; i++)
		scan(text);
	return found[3];
}

bool right(uint64_t invalid)
{
	for (int i = 0; i < KINDS; i++)
		if (found[i] != TURNS * made[i])
			return false;
	return invalid == TURNS * made[3];
}
