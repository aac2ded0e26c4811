/* SPDX-License-Identifier: Apache-2.0 */
/* What is at the addresses of a file's data: its symbols, and sections where there is no
 * symbol. Of several symbols at an address the largest is taken, then a global one, then
 * the first by name. A symbol without a size extends to the next one, or to the end of
 * its section. Functions are no data: of code there is only the section. */
#ifndef TR_DATA_SYMBOLS_H
#define TR_DATA_SYMBOLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

struct tr_data_symbol {
	const char *name;   /* demangled; "[.rodata]" is a section */
	uint64_t low, high; /* as linked */
	bool is_section;
};

struct tr_data_symbols;

/* Reads the symbols of an executable or a shared object. Other files, and those that
 * cannot be read, have none. Returns TR_OK or TR_E_NOMEM; then *symbols is NULL. */
int tr_data_symbols_open(struct tr_data_symbols **symbols, const char *path);
void tr_data_symbols_close(struct tr_data_symbols *symbols);
size_t tr_data_symbols_count(const struct tr_data_symbols *symbols);
const struct tr_data_symbol *tr_data_symbols_get(const struct tr_data_symbols *symbols,
						 size_t i);
/* Returns the number of what is at an address, or SIZE_MAX. */
size_t tr_data_symbols_at(const struct tr_data_symbols *symbols, uint64_t address);

#endif
