/* SPDX-License-Identifier: Apache-2.0 */
/* The inlined calls in the functions of a file, and what is around each. */
#ifndef TR_IMAGE_DWARF_CALLS_H
#define TR_IMAGE_DWARF_CALLS_H

#include "image/image_dwarf_names.h"
#include "image/image_dwarf_ranges.h"
#include "image/image_places.h"
#include "image/image_scopes.h"
#include "image/image_state.h"

struct image_dwarf_call {
	uint32_t around;   /* index + 1 of the call that holds it; 0: a function */
	uint32_t function; /* index of the function called */
};

/* Zero-initialised, but for `elf`, is empty. */
struct image_dwarf_calls {
	const struct image_elf *elf; /* whose code counts */
	struct image_dwarf_call *calls;
	struct image_dwarf_name *functions;
	size_t ncalls, calls_room, nfunctions, functions_room;
	struct tr_map by_die;	    /* functions */
	struct tr_buffer ranges;    /* scratch */
	struct image_places places; /* claims, of calls by index + 1 at first */
	bool failed;		    /* out of memory */
};

/* Adds the calls below the DIE of a function that has code. False: damage. */
bool image_dwarf_calls_take(struct image_dwarf_calls *calls,
			    const struct image_dwarf_unit *unit, Dwarf_Die function);
/* Gives the calls their names; when all scopes are known. */
void image_dwarf_calls_finish(struct image_dwarf_calls *calls, Dwarf_Debug dbg,
			      const struct image_scopes *scopes);
void image_dwarf_calls_release(struct image_dwarf_calls *calls);

#endif
