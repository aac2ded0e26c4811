/* SPDX-License-Identifier: Apache-2.0 */
/* What is at an address that an instruction accesses: a symbol of a binary that runs
 * there, or a stack.
 *
 * A binary's data are as far from its code as in its file. Where the code is, the notes
 * of tr-match tell, for each address space. A stack is each page without a symbol that
 * was accessed before at a constant from sp, or that a constant added to sp has passed.
 * Nothing else is known. */
#ifndef TR_MEMORY_PLACES_H
#define TR_MEMORY_PLACES_H

#include "base/status.h"
#include "image/data_members.h"
#include "image/data_symbols.h"
#include "stream/accesses.h"
#include "stream/reader.h"
#include "unwind/symbols.h"

struct tr_places;

enum tr_place_kind {
	TR_PLACE_UNKNOWN,
	TR_PLACE_STACK,
	TR_PLACE_DEVICE,
	TR_PLACE_SYMBOL,
	TR_PLACE_HEAP,
	TR_PLACE_FREED /* heap that was freed, and not allocated since */
};

struct tr_place {
	enum tr_place_kind kind;
	uint32_t binary; /* N of bin.N, of a symbol */
	uint32_t symbol; /* its number in the binary; of the heap: that of the site */
	uint64_t offset; /* from its beginning */
	uint32_t member; /* number of its member; UINT32_MAX: none, or not wanted */
	uint32_t space;	 /* of the symbol, or of the code */
	bool is_bytes;	 /* the symbol is an array of bytes; with members only */
	uint32_t insn; /* 1 + number of the instruction (memory/typed.h); 0: not wanted */
};

static inline bool tr_place_is_on_heap(const struct tr_place *place)
{
	return place->kind == TR_PLACE_HEAP || place->kind == TR_PLACE_FREED;
}

/* With `members`, finds those of structures as well. Returns NULL when out of memory;
 * tr_places_free() accepts NULL. The symbols stay the caller's. */
struct tr_places *tr_places_new(struct tr_symbols *symbols, bool members);
void tr_places_free(struct tr_places *p);
/* Takes the notes of a frame, before its rows. Returns a status, also of opening a
 * binary. */
int tr_places_frame(struct tr_places *p, const struct tr_frame *frame);
/* Finds what code accesses that runs in this context. Returns a status. */
int tr_places_find(struct tr_places *p, const struct tr_context *context,
		   const struct tr_access *access, struct tr_place *place);
/* Returns the space to which an address belongs that code in this context accesses: that
 * of supervisors in the upper half. */
uint32_t tr_places_space(const struct tr_context *context, uint64_t address);
/* The same of an access, which firmware may make for another mode. */
uint32_t tr_places_space_of(const struct tr_context *context,
			    const struct tr_access *access);
/* Finds the binary of code at `pc`, and its address in the file. Returns false if it is
 * not known. */
bool tr_places_code(const struct tr_places *p, const struct tr_context *context,
		    uint64_t pc, uint32_t *binary, uint64_t *address);
/* Writes the function and the line of code in a file: "make (list.c:12)". */
void tr_places_code_name(const struct tr_places *p, uint32_t binary, uint64_t address,
			 char *text, size_t size);
/* Code in this context has moved sp by a constant over these addresses. Returns TR_OK or
 * TR_E_NOMEM. */
int tr_places_stack(struct tr_places *p, const struct tr_context *context, uint64_t low,
		    uint64_t high);
/* Returns the image of a binary that has run, NULL if types of its code are not known: a
 * part of a file, or with stubs. */
const struct tr_image *tr_places_image(const struct tr_places *p, uint32_t binary);
/* Return the path, the symbols, and the members of a binary that has run. */
const char *tr_places_path(const struct tr_places *p, uint32_t binary);
const struct tr_data_symbols *tr_places_symbols(const struct tr_places *p,
						uint32_t binary);
const struct tr_data_members *tr_places_members(const struct tr_places *p,
						uint32_t binary);
uint32_t tr_places_binaries(const struct tr_places *p);

#endif
