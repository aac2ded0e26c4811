/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the places of probes in the programs of a run. */
#ifndef REPLAY_RESOLVE_H
#define REPLAY_RESOLVE_H

#include "probe/probe.h"
#include "stream/header.h"

enum { REPLAY_RESOLVE_MESSAGE = 1024 };

/* Where a place is. */
struct replay_place {
	uint32_t number;  /* N: in code that the trace's notes attribute to bin.N;
			   * TR_NOTE_UNKNOWN: at its own address, and not in U-mode */
	uint64_t address; /* as in notes on that binary */
};

/* The binaries that probes name are those of the notes in a matched stream, bin.N of its
 * header; and the ELF files in `programs`, which were loaded at their own addresses.
 * Returns a new array, with an element for each place; NULL, with a message, if a binary
 * or a name in it cannot be found, or memory runs out. */
struct replay_place *replay_resolve(struct tr_probes *probes,
				    const struct tr_header *header,
				    const char *const *programs, size_t nprograms,
				    char message[REPLAY_RESOLVE_MESSAGE]);

#endif
