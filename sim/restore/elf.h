/* SPDX-License-Identifier: Apache-2.0 */
/* Writes memory as an ELF file. */
#ifndef RESTORE_ELF_H
#define RESTORE_ELF_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct restore_elf {
	const uint8_t *ram; /* from SOC_RAM_BASE */
	uint64_t ram_size;  /* bytes: a multiple of 4096 */
	/* A page of 4096 bytes outside of RAM; NULL: there is none. */
	const uint8_t *page;
	uint64_t page_at;
	bool fpu; /* for RV64GC */
};

/* Writes an executable whose segments are the pages of RAM that are not zero, with few
 * pages of zeros between, and the page outside, in the order of their addresses. Its
 * entry is SOC_RESET_PC. Returns false if memory runs out; a failure to write shows in
 * `file`. */
bool restore_write_elf(FILE *file, const struct restore_elf *elf);

#endif
