/* SPDX-License-Identifier: Apache-2.0 */
/* Looks up addresses of functions in ELF files by name. */
#ifndef RUN_SYMBOL_H
#define RUN_SYMBOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Returns whether an ELF file has a code or data symbol of exactly this name. */
bool symbol_is_in(const char *path, const char *name);

/* Finds [FILE:]NAME, by default in the given files: a symbol, or else a function as
 * tables of profiles print it ("ns::Class::f(int)", or without its parameters). Returns
 * false with a line in `message` if there is none or more than one. */
bool symbol_find(const char *name, const char *const *paths, size_t count,
		 uint64_t *address, char *message, size_t size);

#endif
