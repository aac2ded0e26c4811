/* SPDX-License-Identifier: Apache-2.0 */
/* The functions of a program: where each one begins, and with which instruction. They
 * come from nm and objdump, in a file of text (entries.sh):
 *
 *     code ADDRESS SIZE           of the segment that is executed, SIZE in bytes
 *     ADDRESS INSTRUCTION NAME    of each function, by address, in hexadecimal
 */
#ifndef WATCHED_PROGRAMS_H
#define WATCHED_PROGRAMS_H

#include <stddef.h>
#include <stdint.h>

struct entry_point {
	uint64_t address;
	uint32_t bits; /* its first instruction in the file */
	char *name;
};

struct watched_program {
	char *name;	     /* of the file, without folder */
	uint64_t code, size; /* of what is executed */
	struct entry_point *entries;
	size_t count;
};

struct watched_programs {
	struct watched_program *programs;
	size_t count;
};

/* Reads a program from "NAME=FILE". Returns NULL, or the message of what is wrong, which
 * is static. */
const char *read_watched_program(struct watched_programs *all, const char *operand);
void free_watched_programs(struct watched_programs *all);
/* Returns the number of the program that a path has, or SIZE_MAX. */
size_t find_watched_program(const struct watched_programs *all, const char *path,
			    size_t length);
/* Returns the first function at or above an address; `count` if there is none. */
size_t find_next_entry(const struct watched_program *program, uint64_t address);

#endif
