/* SPDX-License-Identifier: Apache-2.0 */
/* Functions by the ELF symbol table alone, to check the names that walks and tr-unwind
 * take from the same image. */
#ifndef TRUTH_NAMES_H
#define TRUTH_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct name {
	char *name; /* up to the first dot, without ".isra.0" */
	uint64_t low, high;
	bool is_label; /* local, without a size: it ends no other one */
	bool is_local;
};

struct names {
	struct name *names; /* sorted by low */
	size_t count, room;
	uint64_t longest; /* bytes */
};

/* Returns false if the file has none or memory runs out. */
bool names_open(struct names *names, const char *path);
void names_close(struct names *names);

/* Counts whether a symbol of that name covers `address`. */
void names_check(const struct names *names, const char *name, uint64_t address);
/* Prints the counts. Returns whether no name is wrong. */
bool names_print(FILE *out);

#endif
