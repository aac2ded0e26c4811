/* SPDX-License-Identifier: Apache-2.0 */
/* Compares two streams of rows, token by token and event by event, up to the first
 * difference.
 *
 * Ignored are provenance, header keys, the division into blocks and frames, tr-match's
 * notes, and information that, by its header, only one stream supplies. Memory is bounded
 * by a frame of each stream. */
#ifndef TR_COMPARE_H
#define TR_COMPARE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "stream/reader.h"

/* A token (kind 0) or an event. */
struct tr_item {
	uint64_t ordinal; /* number of the hart's tokens before it */
	uint64_t cycle;	  /* of its commit, or at the event */
	uint64_t pc, insn;
	struct tr_space_id space;
	uint64_t value[4];     /* fields of an event, depending on its kind */
	uint64_t classes;      /* hash of all runs of lost slots, 0 for none */
	struct tr_run runs[4]; /* the first runs */
	uint16_t kind;	       /* enum tr_event_kind, or 0 */
	uint8_t priv;
	uint8_t bytes; /* length of the instruction */
};

enum { TR_COMPARE_CONTEXT = 8 };

/* Properties compared in addition to pc and cycle: those that both streams supply. */
struct tr_compared {
	bool insn, satp, priv, traps, classes;
	uint32_t registers; /* one bit each */
};
/* Returns the scope for two streams. */
struct tr_compared tr_compare_scope(struct tr_reader *const readers[2]);

struct tr_difference {
	struct tr_item context[TR_COMPARE_CONTEXT]; /* preceding items, oldest first */
	struct tr_item item[2];
	bool missing[2]; /* this stream has no such item */
	unsigned ncontext;
	uint32_t hart;
};

/* Finds the first difference. Returns TR_OK if there is one, TR_END if there is none, or
 * an error: *failed is then the reader that has the message, or NULL if neither has
 * (TR_E_NOMEM, or TR_E_UNSUPPORTED for more than TR_MAX_HARTS harts). */
int tr_compare(struct tr_reader *const readers[2], struct tr_difference *difference,
	       const struct tr_reader **failed);

/* Prints an item, as in "token 812, cycle 900: pc 0x80000004, insn 0x00000013, satp 0x0,
 * priv M". */
void tr_item_print(FILE *file, const struct tr_item *item);

#endif
