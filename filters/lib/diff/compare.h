/* SPDX-License-Identifier: Apache-2.0 */
/* Two streams of rows, token by token and event by event: the first difference.
 *
 * Provenance, header keys, the way that blocks and frames are cut and what
 * tr-match found do not count, nor does what only one of the streams supplies by its
 * header. Memory is that of a frame of each stream.
 */
#ifndef TR_COMPARE_H
#define TR_COMPARE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "stream/reader.h"

/* A token (kind 0) or an event. */
struct tr_item {
	uint64_t ordinal; /* tokens of the hart before it */
	uint64_t cycle;	  /* of its commit, or where the event stands */
	uint64_t pc, insn;
	uint64_t satp;
	uint64_t value[4];     /* of an event, as its kind has it */
	uint64_t classes;      /* hash of all runs of lost slots, 0 for none */
	struct tr_run runs[4]; /* the first of them */
	uint16_t kind;	       /* enum tr_event_kind, or 0 */
	uint8_t priv;
	uint8_t bytes; /* of the instruction */
};

enum { TR_COMPARE_CONTEXT = 8 };

/* What is compared beside pc and cycle: all but what one stream supplies and the other
 * does not. */
struct tr_scope {
	bool insn, satp, priv, traps, classes;
	uint32_t registers; /* a bit each */
};
struct tr_scope tr_compare_scope(struct tr_reader *const readers[2]);

struct tr_difference {
	struct tr_item context[TR_COMPARE_CONTEXT]; /* what came before, oldest first */
	struct tr_item item[2];
	bool missing[2]; /* this stream has nothing there */
	unsigned ncontext;
	uint32_t hart;
};

/* TR_OK: a difference; TR_END: none; or an error: *failed is the reader that
 * has the message, NULL when it is neither's (TR_E_NOMEM, or TR_E_UNSUPPORTED:
 * more than TR_MAX_HARTS harts). */
int tr_compare(struct tr_reader *const readers[2], struct tr_difference *difference,
	       const struct tr_reader **failed);

/* "token 812, cycle 900: pc 0x80000004, insn 0x00000013, satp 0x0, priv M" */
void tr_item_print(FILE *file, const struct tr_item *item);

#endif
