/* SPDX-License-Identifier: Apache-2.0 */
/* What tr-match found: the binaries of each address space, and where they are. */
#ifndef TR_PLACES_H
#define TR_PLACES_H

#include "base/map.h"
#include "base/report.h"
#include "stream/header.h"
#include "stream/kernel_tasks.h"
#include "stream/reader.h"

enum { TR_PLACES_SHOWN = 200 };

/* A binary at one place of a space; or, with TR_NOTE_*, code of no binary. */
struct tr_found {
	uint32_t space, binary;
	uint64_t bias;	       /* run-time address - address in the file */
	uint64_t low, high;    /* run-time addresses of its code that ran */
	uint64_t instructions; /* executed */
	uint64_t distinct;     /* instructions of its blocks */
	uint64_t others;       /* instructions of unknown blocks in [low, high) */
	uint64_t order;
};

struct tr_stray {
	uint64_t pc;
	uint32_t space, tokens;
};

/* All zero is empty. */
struct tr_places {
	struct tr_found *found;
	struct tr_stray *strays; /* unknown blocks */
	size_t count, room, nstrays, stray_room;
	struct tr_map index; /* by hash of space, binary and bias */
	struct tr_map pairs; /* from (space, block) to its place, in this generation */
	uint64_t generation, instructions;
	struct tr_kernel_tasks *tasks; /* NULL if no probe reports tasks */
	uint64_t tp[TR_MAX_HARTS];     /* of the kernel, by place in `harts`; 0: none */
	uint32_t harts[TR_MAX_HARTS], nharts;
	struct tr_map owners; /* from space to the task of its process */
};

/* Adds the notes and rows of a frame. Returns TR_OK or TR_E_NOMEM. */
int tr_places_add(struct tr_places *places, const struct tr_reader *reader,
		  const struct tr_frame *frame);
/* Reports the table "places", by privilege and space; in text only the TR_PLACES_SHOWN
 * that ran most. `header` names the binaries. Returns TR_OK or TR_E_NOMEM. */
int tr_places_report(struct tr_places *places, const struct tr_header *header,
		     struct tr_report *report);
void tr_places_release(struct tr_places *places);

#endif
