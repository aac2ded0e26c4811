/* SPDX-License-Identifier: Apache-2.0 */
/* The list of binaries that a trace is of. */
#ifndef TR_BINS_H
#define TR_BINS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "image/bins.h"
#include "image/image.h"

/* bins.lst: a line a binary, "PATH [firmware|kernel|user] [base=0xADDRESS]";
 * '#' begins a comment; PATH is relative to the list's own folder, and may be
 * quoted with "…". */
struct tr_bin {
	char *path;
	enum tr_role role;
	bool has_base;
	uint64_t base;	    /* address of the first loaded byte, from the line */
	const char *list;   /* that has it, as given; for an ELF file itself */
	unsigned long line; /* of the list, from 1; 0: no list */
	dev_t device;	    /* which file it is; 0 if there is none */
	ino_t inode;
};
struct tr_bins {
	struct tr_bin *bins;
	size_t count, capacity;
	char message[1024]; /* "bins.lst: line 3: no such role \"kernal\"" */
};
/* TR_OK, TR_E_IO, TR_E_CORRUPT (message), TR_E_NOMEM. */
int tr_bins_read(struct tr_bins *bins, const char *path);
/* Adds what another list has, or an ELF file; `path` has to stay. Returns as above. */
int tr_bins_add(struct tr_bins *bins, const char *path);
/* The message of what is wrong with a file, behind the name of its list, if it is of
 * one, and its line; in bins->message. */
const char *tr_bins_blame(struct tr_bins *bins, size_t i, const char *message);
/* NULL, or such a message: at its base the image would go beyond the last address. */
const char *tr_bins_check_base(struct tr_bins *bins, size_t i,
			       const struct tr_image *image);
void tr_bins_release(struct tr_bins *bins);

#endif
