/* SPDX-License-Identifier: Apache-2.0 */
/* Functions of one name get names that tell them apart. */
#include "fixture.h"
#include "image/image_state.h"

/* Sorted by name, one of each, as in an image. */
static struct image_symbol symbols[] = {
    {"copy", 0x100},	    {"copy.part.0", 0x200}, {"copy_more", 0x300},
    {"part.part.0", 0x500}, {"put", 0x600},	    {"put.isra.0", 0x700},
    {"put.part.0", 0x900},  {"set", 0xe00},	    {"settle", 0xf00},
};

/* The last name is the one that is expected. */
static struct {
	const char *name, *place;
	uint64_t entry;
	const char *want;
} const cases[] = {
    /* A function and a part of it, which has two ranges. */
    {"copy", "slab.c:5", 0x100, "copy"},
    {"copy", "slab.c:5", 0x200, "copy.part.0"},
    {"copy", "slab.c:5", 0x200, "copy.part.0"},
    {"copy_more", "slab.c:9", 0x300, "copy_more"},
    /* A part without the function, which is inlined everywhere. */
    {"part", "slab.c:7", 0x500, "part"},
    /* Two functions with variants. */
    {"put", "a.c:1", 0x600, "put (a.c:1)"},
    {"put", "a.c:1", 0x700, "put.isra.0 (a.c:1)"},
    {"put", "b.c:2", 0x800, "put (b.c:2)"},
    {"put", "b.c:2", 0x900, "put.part.0 (b.c:2)"},
    /* Copies of a header's function in several files: only one has a symbol of its own.
     */
    {"copied", "list.h:3", 0xa00, "copied (0xa00)"},
    {"copied", "list.h:3", 0xb00, "copied (0xb00)"},
    /* An alias whose name goes on without a dot is no variant. */
    {"set", "a.c:9", 0xe00, "set (0xe00)"},
    {"set", "a.c:9", 0xf00, "set (0xf00)"},
    /* Without places, symbols with a suffix are names of their own. */
    {"bare", NULL, 0xc00, "bare (0xc00)"},
    {"bare", NULL, 0xd00, "bare (0xd00)"},
};
enum { CASES = sizeof(cases) / sizeof(*cases) };

int main(void)
{
	struct tr_function functions[CASES];
	struct tr_image image = {
	    .functions = functions,
	    .nfunctions = CASES,
	    .symbols = symbols,
	    .nsymbols = sizeof(symbols) / sizeof(*symbols),
	};
	for (size_t i = 0; i < CASES; i++)
		functions[i] = (struct tr_function){
		    .name = cases[i].name,
		    .place = cases[i].place,
		    .entry = cases[i].entry,
		};
	CHECK_EQ(tr_image_namesakes_tell_apart(&image), TR_OK);
	for (size_t i = 0; i < CASES; i++)
		CHECK_STR(functions[i].name, cases[i].want);
	tr_arena_reset(&image.names);
	return check_done();
}
