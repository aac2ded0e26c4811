/* SPDX-License-Identifier: Apache-2.0 */
/* Addresses of loads and stores: the sections ACCESSES of frames of rows, which a reader
 * of rows skips. tr-stream(5), "Addresses of accesses".
 *
 * An access is an instruction that a row commits: a load, a store, or an atomic one, an
 * LR or SC included, also an SC that fails. Their order is that of the rows and their
 * tokens. A frame has the addresses of all accesses of a row, or of none.
 *
 * A frame is encoded and decoded without those before it. Functions that return a status
 * return TR_OK, TR_E_NOMEM, or what they say. */
#ifndef TR_ACCESSES_H
#define TR_ACCESSES_H

#include "base/buffer.h"
#include "base/status.h"
#include "stream/stream.h"

/* A load, a store, or both: an AMO. SC: a store that may have failed. SP: at a constant
 * from sp. */
enum {
	TR_ACCESS_LOAD = 1,
	TR_ACCESS_STORE = 2,
	TR_ACCESS_SC = 4,
	TR_ACCESS_DEVICE = 8,
	TR_ACCESS_SP = 16
};

/* In a frame. */
enum { TR_ACCESSES_MAX = 1 << 22 };

struct tr_access {
	uint64_t address;  /* virtual */
	uint64_t physical; /* of a device, if the kind says so */
	uint8_t token;	   /* in its row */
	uint8_t size;	   /* bytes */
	uint8_t kind;	   /* TR_ACCESS_* */
};

/* ------------------------------------------------------------ reading */

struct tr_accesses;

/* Creates what decodes a stream's accesses. Returns NULL when out of memory;
 * tr_accesses_free() accepts NULL. */
struct tr_accesses *tr_accesses_new(void);
void tr_accesses_free(struct tr_accesses *a);
/* Decodes those of a frame, in place of those before. Returns a status, or TR_E_CORRUPT
 * if they are damaged. */
int tr_accesses_frame(struct tr_accesses *a, const struct tr_frame *frame);
/* Returns the accesses of a row of the frame's hart number `part`, from 0, and their
 * number; it is 0 of a row without addresses as well. Never NULL; valid until the next
 * frame. */
const struct tr_access *tr_accesses_row(const struct tr_accesses *a, uint32_t part,
					uint32_t row, unsigned *count);
/* Returns how many accesses of the frame have addresses, and how many have none. */
struct tr_accesses_sum {
	uint64_t known, unknown;
};
struct tr_accesses_sum tr_accesses_sum(const struct tr_accesses *a);

/* ------------------------------------------------------------ writing */

/* The address of an access as a source has it. */
struct tr_accessed {
	uint64_t address;
	uint64_t page; /* physical: bits 63 to 12; 1 in bit 0 if it is of a device */
};

static inline struct tr_accessed tr_accessed_of(const struct tr_access *access)
{
	return (struct tr_accessed){access->address,
				    (access->physical & ~UINT64_C(4095)) |
					!!(access->kind & TR_ACCESS_DEVICE)};
}

/* Returns the addresses of the `count` accesses of a row that has some, or NULL if they
 * are not known; valid until the next call. It is called once for each such row of the
 * frame, in order of the harts and rows. */
typedef const struct tr_accessed *tr_accesses_of_row(void *user, uint32_t part,
						     uint32_t row, unsigned count);

/* Appends a section for each hart that has rows, or nothing if no address is known.
 * Returns a status; TR_E_ARGUMENT if addresses contradict the code, or there are more
 * than TR_ACCESSES_MAX. */
int tr_accesses_encode(struct tr_accesses *a, const struct tr_frame *frame,
		       tr_accesses_of_row *addresses, void *user, struct tr_buffer *out);

/* Returns how many accesses a block has from this token on. */
unsigned tr_accesses_of_block(const struct tr_block *block, unsigned token);

#endif
