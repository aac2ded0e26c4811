/* SPDX-License-Identifier: Apache-2.0 */
/* Finds what belongs to a process or thread by its number, among thousands: a hash table
 * whose entries are part of the caller's structures. Several may have one number. */
#ifndef PID_TABLE_H
#define PID_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct pid_entry {
	pid_t id;
	struct pid_entry *next; /* in its chain */
};

struct pid_table {
	struct pid_entry **chains;
	size_t size, count; /* chains, a power of two; entries */
};

/* Returns false without memory, which cannot be if the table has had an entry. */
bool add_pid_entry(struct pid_table *table, struct pid_entry *entry, pid_t id);
void remove_pid_entry(struct pid_table *table, struct pid_entry *entry);
/* Returns the first entry of a number that was added, or NULL; the next one. */
struct pid_entry *find_pid_entry(const struct pid_table *table, pid_t id);
struct pid_entry *next_pid_entry(const struct pid_entry *entry);
/* Returns any entry, or NULL. */
struct pid_entry *any_pid_entry(const struct pid_table *table);
void free_pid_table(struct pid_table *table);

#endif
