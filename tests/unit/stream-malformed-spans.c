/* SPDX-License-Identifier: Apache-2.0 */
/* Counts by address that no writer produces, with valid checksums: each is refused for
 * the right reason. */
#include "stream-malformed.h"

enum { HEAD, FUNCS, NODES, SCOPES, SPANS, SITES, COUNTS, BRANCHES };

/* f calls g, on no hart. f is at 0x10, a span of two instructions, lengths 2 and 4, g at
 * 0x18, a span of one with an inlined call. */
static const struct payload GOOD =
    {
	.parts =
	    {
		[HEAD] = {0, 2, {0, 0}},
		[FUNCS] = {13, 10, {0, 0x10, 1, 'f', 0, 0, 0x18, 1, 'g', 0}},
		[NODES] = {15, 4, {0, 0, 1, 1}},
		/* f; then h, inlined into it in line 7, discriminator 1 */
		[SCOPES] = {24, 15, {0, 5, 1, 'f', 0, 0, 1, 7, 1, 3, 1, 'h', 1, '_', 0}},
		[SPANS] = {26, 23, {0, 0, 0x20, 2, 1,	 2, 1, 1, 6, 0, 1, 2,
				    4, 9, 1,	3, 0x10, 1, 2, 1, 0, 0, 0}},
		[SITES] = {28, 2, {2, 2}},
		[COUNTS] = {30, 12, {2, 0, 9, 1, 1, 6, 2, 2, 4, 1, 0, 5}},
		[BRANCHES] = {32, 3, {2, 2, 9}},
	    },
	.nparts = 8,
};
static const char END[] = "instructions=0\ncycles=0\nframes=1\n";

#define HUGE (UINT64_C(1) << 63)
static const char SCOPE[] = "damaged scope", SPAN[] = "damaged span of instructions",
		  SITE[] = "damaged call site", COUNT[] = "damaged count of a span",
		  BRANCH[] = "damaged count of branches";

static const struct change CHANGES[] = {
    {SCOPES, 0, 1, SCOPE},	    /* inlined into itself */
    {SCOPES, 1, UINT32_MAX, SCOPE}, /* line */
    {SCOPES, 2, 200, SCOPE},	    /* bytes of the name */
    {SCOPES, 3, ';', SCOPE},	    /* the name */
    {SCOPES, 6, 2, SCOPE},	    /* inlined into itself */
    {SCOPES, 7, UINT32_MAX, SCOPE}, /* line of the call */
    {SCOPES, 8, UINT32_MAX, SCOPE}, /* its discriminator */
    {SPANS, 0, 2, SPAN},	    /* function */
    {SPANS, 1, 1 << 24, SPAN},	    /* binary */
    {SPANS, 3, 0, SPAN},	    /* instructions */
    {SPANS, 3, 257, SPAN},
    {SPANS, 4, 0, SPAN}, /* length */
    {SPANS, 4, 5, SPAN},
    {SPANS, 6, 0, SPAN}, /* instructions in a place */
    {SPANS, 6, 3, SPAN},
    {SPANS, 7, 3, SPAN},	  /* scope */
    {SPANS, 8, UINT32_MAX, SPAN}, /* line */
    {SPANS, 9, UINT32_MAX, SPAN}, /* discriminator */
    {SPANS, 2, HUGE, ""},	  /* addresses may be anywhere */
    {SITES, 0, 0, SITE},	  /* node */
    {SITES, 0, 3, SITE},
    {SITES, 1, 6, SITE}, /* spot */
    {SITES, 1, 1, SITE},
    {COUNTS, 0, 0, COUNT}, /* node: the root */
    {COUNTS, 0, 1, COUNT}, /* node: -1 */
    {COUNTS, 0, 6, COUNT},
    {COUNTS, 1, 4, COUNT}, /* span */
    {COUNTS, 2, 0, COUNT}, /* executions */
    {COUNTS, 2, HUGE - 1, COUNT},
    {COUNTS, 3, 3, COUNT},	    /* instructions with other cycles */
    {COUNTS, 4, 2, COUNT},	    /* index */
    {COUNTS, 5, 2 * 10 - 1, COUNT}, /* fewer cycles than none */
    {COUNTS, 5, 2 * 9 - 1, ""},	    /* none */
    {COUNTS, 5, UINT64_MAX, COUNT},
    {COUNTS, 5, HUGE - 1, COUNT},
    {BRANCHES, 0, 6, BRANCH}, /* from */
    {BRANCHES, 0, 1, BRANCH},
    {BRANCHES, 1, 4, BRANCH}, /* to */
    {BRANCHES, 1, 5, BRANCH},
    {BRANCHES, 2, 0, BRANCH}, /* times */
    {BRANCHES, 2, HUGE, BRANCH},
};

/* Sections may be missing, but not what they refer to. */
static void missing(void)
{
	static const char *const said_without[] = {[SCOPES] = SPAN,
						   [SPANS] = SITE,
						   [SITES] = "",
						   [COUNTS] = "",
						   [BRANCHES] = ""};
	for (unsigned part = SCOPES; part <= BRANCHES; part++) {
		char said[256];
		struct payload p = GOOD;
		p.parts[part].kind = 200;
		read_frame(TR_CHUNK_STACKS, &p, END, said);
		CHECK_STR(said, said_without[part]);
	}
}

int main(void)
{
	char said[256];
	read_frame(TR_CHUNK_STACKS, &GOOD, END, said);
	CHECK_STR(said, "");
	for (size_t i = 0; i < sizeof(CHANGES) / sizeof(CHANGES[0]); i++)
		check_change(TR_CHUNK_STACKS, &GOOD, END, &CHANGES[i]);
	missing();
	return check_done();
}
