/* SPDX-License-Identifier: Apache-2.0 */
/* Packets of TACIT. */
#ifndef TR_IMPORT_TACIT_H
#define TR_IMPORT_TACIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "import/import_path.h"

enum tacit_kind {
	TACIT_TAKEN = 0,
	TACIT_NOT_TAKEN = 1,
	TACIT_INDIRECT = 2,
	TACIT_JUMP = 3,
	TACIT_TRANSITION = 4,
	TACIT_SYNC = 5,
};
enum { TACIT_EXCEPTION = 1, TACIT_INTERRUPT = 2, TACIT_RETURN = 4 };  /* sub */
enum { TACIT_START = 1, TACIT_PERIODIC = 2, TACIT_END = 3 };	      /* of a SYNC */
enum { TACIT_BEGIN = 0x36, TACIT_OLD_BEGIN = 0x16, TACIT_BITS = 40 }; /* first bytes */
enum { TACIT_MODES = 64, TACIT_ENTRIES = 64 }; /* of the predictor */
enum { TACIT_PREDICTS = 2 };		       /* mode */

/* A packet; its addresses are in bytes. */
struct tacit_packet {
	uint64_t context, from, target;
	uint64_t time; /* cycles, of a SYNC the time, or a number of branches */
	uint8_t kind, sub, from_priv, to_priv, mode;
};

/* The state of a conversion. */
struct tacit {
	struct import_path path;
	bool begun, on; /* a packet of synchronisation began it */
	bool has_priv;
	bool predicts;
	uint64_t time; /* of the last packet */
	uint8_t *counters;
	uint32_t entries;
	const char *problem; /* of the packet that is taken */
};

/* Returns the number of bytes of the packet at `data`, 0 if some are missing, -1 if it is
 * none. */
int tr_tacit_parse(const uint8_t *data, size_t size, bool has_priv,
		   struct tacit_packet *packet);

/* Return the whole address of a packet's, and the address to which control goes from
 * `from`. */
uint64_t tr_tacit_absolute(uint64_t address);
uint64_t tr_tacit_relative(const struct tr_import *im, uint64_t from, uint64_t change);
/* The position in the program is lost until a packet has it. `problem` is what was
 * expected; NULL: its code is not known. */
void tr_tacit_lose(struct tacit *t, const char *problem);
/* Runs up to the instruction at `pc`, without it. */
void tr_tacit_before(struct tr_import *im, struct tacit *t, uint64_t pc);
/* Takes a packet between two transitions. */
void tr_tacit_flow(struct tr_import *im, struct tacit *t, const struct tacit_packet *p);
/* Chooses the program that runs from here on, by the packets at `data`. */
void tr_tacit_choose(struct tr_import *im, struct tacit *t, const char *data,
		     size_t size);

#endif
