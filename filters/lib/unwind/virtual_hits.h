/* SPDX-License-Identifier: Apache-2.0 */
/* Hits of probes that tell which function of an interpreted language runs: the fields
 * vframe and vframe_* of tr-unwind(1), "Interpreted languages". */
#ifndef TR_VIRTUAL_HITS_H
#define TR_VIRTUAL_HITS_H

#include "stream/probes.h"

enum { TR_VIRTUAL_NAME = 640, TR_VIRTUAL_MODULE = 256 };

/* What a hit tells. */
struct tr_virtual_hit {
	uint64_t frame, caller; /* identities; 0: none */
	bool is_known;		/* `frame` is there, not missing */
	bool has_caller;	/* the caller is told, and not missing */
	bool has_name;		/* it may begin a frame; otherwise it can only end some */
	bool is_call;		/* a new frame is a call, not one that is resumed */
	bool is_again; /* if the frame is there already, another function begins in
			* it */
	char name[TR_VIRTUAL_NAME]; /* "py:f (app.py:3)"; valid in a stream of stacks */
	char module[TR_VIRTUAL_MODULE];
};

struct tr_virtual_hits;

/* Sets *hits to NULL if no probe has the field vframe. Keeps `names`. Returns TR_OK or
 * TR_E_NOMEM. tr_virtual_hits_free() accepts NULL. */
int tr_virtual_hits_new(struct tr_virtual_hits **hits,
			const struct tr_probe_names *names);
void tr_virtual_hits_free(struct tr_virtual_hits *hits);

/* Returns whether a probe tells of virtual frames. */
bool tr_virtual_hits_tells(const struct tr_virtual_hits *hits, uint32_t probe);
/* Reads a hit of such a probe. */
void tr_virtual_hits_read(const struct tr_virtual_hits *hits, const struct tr_hit *hit,
			  struct tr_virtual_hit *to);

#endif
