/* SPDX-License-Identifier: Apache-2.0 */
/* Inlined calls, DW_TAG_inlined_subroutine in the blocks of functions: for the index of
 * calls, by the names of the functions; and for that of scopes, with the functions
 * themselves and the places of all calls. */
#ifndef TR_IMAGE_DWARF_CALLS_H
#define TR_IMAGE_DWARF_CALLS_H

#include "image/image_dwarf_die.h"
#include "image/image_places.h"

/* All zero, except `elf`, is empty. Others use `places`, which has the claims of the code
 * ranges, and `failed`. */
struct image_dwarf_calls {
	const struct image_elf *elf; /* calls outside its code are ignored */
	struct image_dwarf_call *calls;
	struct image_dwarf_name *functions;
	size_t ncalls, calls_room, nfunctions, functions_room;
	struct tr_map by_die;	    /* functions */
	struct tr_buffer ranges;    /* scratch */
	struct image_places places; /* claims, by index of the call + 1 at first */
	bool failed;		    /* out of memory */
};
void tr_image_dwarf_calls_release(struct image_dwarf_calls *calls);

/* Adds the inlined calls below the DIE of a function with code. Returns false on
 * damage. */
bool tr_image_dwarf_calls_take(struct image_dwarf_calls *calls,
			       const struct image_dwarf_unit *unit, Dwarf_Die function);
/* Adds the function as a call, with the inlined calls below its DIE in it. Returns false
 * on damage. */
bool tr_image_dwarf_scopes_take(struct image_dwarf_calls *calls,
				const struct image_dwarf_unit *unit, Dwarf_Die function);

/* Settle the places, once all units were read: of the index of calls, named by their
 * functions, with the names of scopes; and of the index of scopes. */
void tr_image_dwarf_calls_finish(struct image_dwarf_calls *calls, Dwarf_Debug dbg,
				 const struct image_scopes *scopes);
void tr_image_dwarf_scopes_finish(struct image_dwarf_calls *calls, Dwarf_Debug dbg);

#endif
