/* SPDX-License-Identifier: Apache-2.0 */
/* Formats numbers for people: with thousands separators, or in three digits. */
#include <inttypes.h>
#include <stdio.h>

#include "flame/flame.h"

char *tr_flame_number(uint64_t number, char text[28])
{
	char digits[24];
	int count = snprintf(digits, sizeof(digits), "%" PRIu64, number);
	char *to = text;
	for (int i = 0; i < count; i++) {
		if (i && (count - i) % 3 == 0)
			*to++ = ' ';
		*to++ = digits[i];
	}
	*to = '\0';
	return text;
}

/* Formats three digits and one of `units`, each 1000 times the previous one. */
static void format_scaled(double number, double step, const char *const *units,
			  size_t count, char text[32])
{
	size_t i = 0;
	for (; i + 1 < count && (step > 1 ? number >= 999.5 : number < 0.9995); i++)
		number /= step;
	snprintf(text, 32, "%.3g %s", number, units[i]);
}

void tr_flame_total(char *text, size_t size, uint64_t total, const char *unit,
		    uint64_t clock_hz)
{
	static const char *const powers[] = {"", "k", "M", "G", "T", "P", "E"};
	static const char *const times[] = {"s", "ms", "us", "ns"};
	char number[32], clock[32], time[32];
	if (total < 100000)
		snprintf(number, sizeof(number), "%" PRIu64, total);
	else
		format_scaled((double)total, 1000, powers, 7, number);
	if (!clock_hz) {
		snprintf(text, size, "%s %s", number, unit);
		return;
	}
	format_scaled((double)clock_hz, 1000, powers, 7, clock);
	format_scaled((double)total / (double)clock_hz, 0.001, times, 4, time);
	snprintf(text, size, "%s %s at %sHz = %s", number, unit, clock, time);
}
