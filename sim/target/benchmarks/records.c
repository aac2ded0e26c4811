/* SPDX-License-Identifier: Apache-2.0 */
/* Records and strings, as in Dhrystone: structure assignments, string comparison and
 * copying, and small functions that call each other. */
#include "benchmark.h"

#include <string.h>

enum { TURNS = 2500 };
enum colour { RED, GREEN, BLUE };

struct record {
	struct record *link;
	enum colour colour;
	int32_t number;
	char name[32];
};
static struct record first, second;
static int32_t table[16];

KEEP static enum colour after(enum colour colour)
{
	return colour == BLUE ? RED : colour + 1;
}

KEEP static bool later(const char *a, const char *b)
{
	return strcmp(a, b) > 0;
}

KEEP static void fill_table(int32_t *entries, int32_t at, int32_t value)
{
	entries[at] = value;
	entries[at + 1] = entries[at];
	entries[at + 4] = at;
	for (int32_t i = at; i <= at + 1; i++)
		entries[i + 8] += i;
}

KEEP static void change(struct record *record)
{
	struct record *other = record->link;

	*other = *record;
	other->link = record;
	other->number += 5;
	other->colour = after(record->colour);
	record->number = other->number - 4;
	record->colour = after(other->colour);
}

KEEP static uint64_t turn(int32_t n)
{
	char name[32];
	uint64_t good;

	strcpy(name, "a record of the second kind");
	good = later(name, first.name);
	change(&first);
	fill_table(table, n & 3, n);
	strcpy(second.name, name);
	good += later(second.name, first.name) && second.link == &first;
	return good + (table[n & 3] == n);
}

void prepare(void)
{
	first.link = &second;
	strcpy(first.name, "a record of the first kind");
	turn(0);
	first.number = 0;
	first.colour = RED;
}

uint64_t benchmark(void)
{
	uint64_t good = 0;

	for (int32_t n = 1; n <= TURNS; n++)
		good += turn(n);
	return good;
}

/* Each iteration adds 1 to the number, and 2 to the colour modulo three. */
bool right(uint64_t good)
{
	return good == 3 * TURNS && first.number == TURNS &&
	       first.colour == (enum colour)(2 * TURNS % 3) && second.number == TURNS + 4;
}
