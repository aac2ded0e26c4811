/* SPDX-License-Identifier: Apache-2.0 */
/* A hash table by the numbers of processes, which are given out one after the other. */
#include "pid_table.h"

#include <stdlib.h>

enum { FIRST_SIZE = 16 };

static struct pid_entry **find_chain(const struct pid_table *table, pid_t id)
{
	return &table->chains[(size_t)id & (table->size - 1)];
}

/* At the end of its chain: entries of one number stay in their order. */
static void link_entry(struct pid_table *table, struct pid_entry *entry)
{
	struct pid_entry **at = find_chain(table, entry->id);

	while (*at)
		at = &(*at)->next;
	entry->next = NULL;
	*at = entry;
}

/* Without memory for more chains, those that are there get longer. */
static void grow_table(struct pid_table *table)
{
	struct pid_table larger = {.size = table->size ? 2 * table->size : FIRST_SIZE,
				   .count = table->count};

	larger.chains = calloc(larger.size, sizeof(*larger.chains));
	if (!larger.chains)
		return;
	for (size_t i = 0; i < table->size; i++)
		for (struct pid_entry *entry = table->chains[i], *next; entry;
		     entry = next) {
			next = entry->next;
			link_entry(&larger, entry);
		}
	free(table->chains);
	*table = larger;
}

bool add_pid_entry(struct pid_table *table, struct pid_entry *entry, pid_t id)
{
	if (table->count == table->size)
		grow_table(table);
	if (!table->size)
		return false;
	entry->id = id;
	link_entry(table, entry);
	table->count++;
	return true;
}

void remove_pid_entry(struct pid_table *table, struct pid_entry *entry)
{
	struct pid_entry **at = find_chain(table, entry->id);

	while (*at != entry)
		at = &(*at)->next;
	*at = entry->next;
	table->count--;
}

static struct pid_entry *find_from(struct pid_entry *entry, pid_t id)
{
	while (entry && entry->id != id)
		entry = entry->next;
	return entry;
}

struct pid_entry *find_pid_entry(const struct pid_table *table, pid_t id)
{
	return table->size ? find_from(*find_chain(table, id), id) : NULL;
}

struct pid_entry *next_pid_entry(const struct pid_entry *entry)
{
	return find_from(entry->next, entry->id);
}

struct pid_entry *any_pid_entry(const struct pid_table *table)
{
	for (size_t i = 0; i < table->size; i++)
		if (table->chains[i])
			return table->chains[i];
	return NULL;
}

void free_pid_table(struct pid_table *table)
{
	free(table->chains);
	*table = (struct pid_table){0};
}
