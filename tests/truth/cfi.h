/* SPDX-License-Identifier: Apache-2.0 */
/* Call frame information: .debug_frame and .eh_frame of an ELF file, and its rows. */
#ifndef TRUTH_CFI_H
#define TRUTH_CFI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* x0 to x31, and 64: the pc that a trap interrupted. */
enum { CFI_COLUMNS = 65, CFI_INTERRUPTED = 64, CFI_REMEMBERED = 8, CFI_SECTIONS = 2 };

enum cfi_kind {
	CFI_SAME = 0, /* also the default */
	CFI_UNDEFINED,
	CFI_OFFSET,   /* in memory at CFA + value */
	CFI_REGISTER, /* in register `value` */
};

struct cfi_rule {
	int64_t value;
	uint8_t kind;
};

struct cfi_row {
	struct cfi_rule rules[CFI_COLUMNS];
	int64_t cfa_offset;
	unsigned cfa_register;
};

struct cfi_cie {
	const uint8_t *code, *end; /* initial instructions of every row */
	uint64_t offset;	   /* of the entry in its section */
	unsigned section;	   /* section number */
	uint64_t code_align;
	int64_t data_align;
	unsigned return_column;
	bool is_signal;	  /* the caller is code interrupted by a trap */
	bool has_data;	  /* entries have augmentation data, with its length */
	bool is_relative; /* addresses are four bytes, pc-relative */
};

struct cfi_fde {
	const uint8_t *code, *end;
	uint64_t low, high;
	uint32_t cie;
};

struct cfi {
	uint8_t *sections[CFI_SECTIONS];
	struct cfi_cie *cies;
	struct cfi_fde *fdes; /* sorted */
	size_t ncies, nfdes, cie_room, fde_room;
	const char *error;
};

/* Reads the file, which may have none. Returns false with `error` set on failure. */
bool cfi_open(struct cfi *cfi, const char *path);
void cfi_close(struct cfi *cfi);

/* Returns the FDE for `pc`, or NULL if there is none. */
const struct cfi_fde *cfi_find(const struct cfi *cfi, uint64_t pc);
const struct cfi_cie *cfi_cie_of(const struct cfi *cfi, const struct cfi_fde *fde);

/* Gets the row at `pc`. Returns false if an instruction is not supported. */
bool cfi_row_at(const struct cfi *cfi, const struct cfi_fde *fde, uint64_t pc,
		struct cfi_row *row);
/* Whether the function's frame is complete at `pc`, or it has none. */
enum cfi_place { CFI_LEAF, CFI_PARTIAL, CFI_BODY };
enum cfi_place cfi_place_of(const struct cfi *cfi, const struct cfi_fde *fde,
			    uint64_t pc);

#endif
