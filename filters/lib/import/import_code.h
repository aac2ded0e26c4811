/* SPDX-License-Identifier: Apache-2.0 */
/* The code that ran, for formats that record only transfers of control. It is in ELF
 * files, each at its own address or at the base that its list gives. */
#ifndef TR_IMPORT_CODE_H
#define TR_IMPORT_CODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Where code runs. */
struct import_place {
	uint64_t context; /* the address space of user code; 0 if it is not reported */
	uint8_t priv;	  /* IMPORT_PRIV_UNKNOWN */
};

enum import_transfer {
	IMPORT_FALLS = 0, /* none: the code ends here */
	IMPORT_BRANCH,
	IMPORT_JUMP,	 /* to a fixed target */
	IMPORT_INDIRECT, /* to an address in a register or a table */
	IMPORT_XRET,
	IMPORT_TRAP, /* ecall, ebreak */
};

/* Instructions one after the other, of which the last one transfers control. */
struct import_run {
	const uint8_t *code;
	uint64_t pc, last, end; /* of the first one, of the last one, and after it */
	uint64_t target;	/* of a branch or a jump */
	uint32_t count, binary;
	enum import_transfer transfer;
};

struct import_code;

/* Opens ELF files, and those in lists. On failure `message` is set. Returns a status. */
int tr_import_code_open(struct import_code **code, const char *const *paths, size_t count,
			char *message, size_t size);
void tr_import_code_close(struct import_code *code);
unsigned tr_import_code_xlen(const struct import_code *code);
/* Returns the isa of a binary (stream/isa.h). A file for RV32 without this
 * information, whose ABI has no doubles either, is assumed to have Zcmp. */
unsigned tr_import_code_isa(const struct import_code *code, uint32_t binary);

/* Returns the run at `pc`, valid until the next call; NULL if the code is not known, or
 * when out of memory. */
const struct import_run *tr_import_code_run(struct import_code *code,
					    const struct import_place *place,
					    uint64_t pc);
/* Returns the number of binaries. */
uint32_t tr_import_code_count(const struct import_code *code);
/* Returns true if a binary may run at `pc`. */
bool tr_import_code_has(const struct import_code *code, const struct import_place *place,
			uint32_t binary, uint64_t pc);
/* Chooses the binary that runs in a context; returns the one that was chosen, or
 * UINT32_MAX. The first that has the code runs if none is chosen, or it does not have
 * it. */
uint32_t tr_import_code_chosen(const struct import_code *code, uint64_t context);
void tr_import_code_choose(struct import_code *code, uint64_t context, uint32_t binary);

#endif
