/* SPDX-License-Identifier: Apache-2.0 */
/* Builds the stub of one function (stubs/stubs.h): the code that counts, the instructions
 * that the entry replaces, rewritten where they depend on their address, and the jump
 * back. Needs nothing but the C library. */
#ifndef PROF_STUB_BUILD_H
#define PROF_STUB_BUILD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "stubs/stubs.h"

/* Why a function is not counted. PROF_COUNTED must be 0. PROF_REFUSED_OVERLAP and some of
 * PROF_REFUSED_REACH are found by the caller. */
enum prof_refusal {
	PROF_COUNTED = 0,
	PROF_REFUSED_CALL,     /* a call in the replaced bytes: it would return there */
	PROF_REFUSED_ECALL,    /* the kernel may look at, and restart at, its address */
	PROF_REFUSED_EBREAK,   /* its address is told to debuggers and handlers */
	PROF_REFUSED_TARGET,   /* something jumps into the replaced bytes */
	PROF_REFUSED_SMALL,    /* it is shorter than what is replaced */
	PROF_REFUSED_LIVE,     /* t0 or t1 is read before it is written */
	PROF_REFUSED_REACH,    /* out of reach of a jump, or of an address */
	PROF_REFUSED_REGISTER, /* no register is free for a far jump */
	PROF_REFUSED_UNKNOWN,  /* an instruction that is not understood */
	PROF_REFUSED_OVERLAP,  /* of functions, or of replaced bytes */
	PROF_REFUSALS,
};

/* Returns the word for --why and --list: "call", ...; "counted" for PROF_COUNTED. Static
 * storage. */
const char *prof_name_refusal(enum prof_refusal refusal);

enum {
	PROF_STUB_MAX = 80,  /* bytes */
	PROF_LABELS_MAX = 8, /* of a stub */
};

struct prof_request {
	const uint8_t *code; /* of the function */
	uint64_t address, size;
	enum tr_stubs_kind kind; /* of its entry */
	uint32_t counter;	 /* its index */
	/* Addresses at which the stub may begin, both included. They decide which jumps
	 * are near, and whether addresses are in reach; not whether the entry reaches the
	 * stub, which is the caller's to see to. */
	uint64_t lowest, highest;
	/* Return the live registers at an address (prof_live_at()); and whether something
	 * may jump to an address that is not the function's first. */
	uint32_t (*live_at)(const void *context, uint64_t address);
	bool (*is_target)(const void *context, uint64_t address);
	const void *context;
};

/* What shows that a refusal is right, as addresses; those that have no meaning are 0. */
struct prof_obstacle {
	/* The instruction that cannot be moved, or is a target; where the stub jumps back
	 * to, if that jump is what has no register. */
	uint64_t at;
	/* For `reach` and `register` what it refers to, and for `reach` a place in the
	 * stub from which that is too far. */
	uint64_t target, place;
	uint32_t needed; /* for `small`, bytes of whole instructions */
};

struct prof_stub {
	uint32_t size; /* of the code in bytes; a multiple of 2 */
	uint8_t code[PROF_STUB_MAX];
	uint32_t label_count;
	/* What depends on places, by `at`, which is relative to the stub. The
	 * instructions are in `code`, with offsets 0. */
	struct tr_stubs_label labels[PROF_LABELS_MAX];
	/* As in struct tr_stubs_function: */
	uint64_t resume;
	uint8_t entry_size;
	uint8_t moved[TR_STUBS_ENTRY_MAX / 2];
	uint8_t tail;
	bool loops; /* a moved instruction jumps to the entry */
	struct prof_obstacle obstacle;
};

/* Builds the stub. Returns PROF_COUNTED with *stub, or the first reason why there is
 * none, with stub->obstacle except for what is live, in this order: small, the kind of an
 * instruction, target, live (or unknown), and for the first instruction in question reach
 * and register. */
enum prof_refusal prof_build_stub(const struct prof_request *request,
				  struct prof_stub *stub);

#endif
