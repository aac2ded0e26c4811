/* SPDX-License-Identifier: Apache-2.0 */
/* The unwind tables in .eh_frame, which programs keep when they are stripped: the ranges
 * of functions, and where exceptions continue. Formats: DWARF 4, section 6.4, with the
 * pointer encodings and augmentations of the LSB ("Exception Frames"), and the tables of
 * call sites that the C++ ABI for Itanium calls LSDA. */
#ifndef PROF_UNWIND_TABLES_H
#define PROF_UNWIND_TABLES_H

#include "elf_file.h"

struct prof_unwind_entry {
	uint64_t start, end; /* addresses of the range */
	uint64_t call_sites; /* address of its table of call sites; 0: it has none */
	uint64_t at;	     /* byte of the file */
};

/* Calls `visit` for each range that has code, in the order of the tables, until it
 * returns false. Returns false then, or with *trouble set if the tables are damaged. A
 * program without tables has no ranges. */
bool prof_visit_unwind(const struct prof_elf *elf, struct prof_trouble *trouble,
		       bool (*visit)(void *context,
				     const struct prof_unwind_entry *entry),
		       void *context);

/* Calls `visit` for the address of each landing pad in the table of call sites of
 * `entry`. Returns false if the table cannot be read: its landing pads are not known. */
bool prof_visit_landing_pads(const struct prof_elf *elf,
			     const struct prof_unwind_entry *entry,
			     void (*visit)(void *context, uint64_t address),
			     void *context);

#endif
