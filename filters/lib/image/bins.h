/* SPDX-License-Identifier: Apache-2.0 */
/* The list of a trace's binaries. */
#ifndef TR_BINS_H
#define TR_BINS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "image/image.h"

/* An entry of bins.lst: "PATH [firmware|kernel|user] [base=0xADDRESS] [stubs=FOLDER]
 * [optional]" on a line; '#' starts a comment. PATH and FOLDER are relative to the folder
 * of the list, and may be quoted with "…". */
struct tr_bin {
	char *path;
	enum tr_role role;
	bool has_base;
	uint64_t base;	    /* address of the first loaded byte, from the line */
	const char *list;   /* name of the list, as given; for an ELF file its own */
	unsigned long line; /* in the list, from 1; 0 without a list */
	bool in_sysroot;    /* found below a folder, so it need not have run */
	bool is_optional;   /* the list says that it need not have run */
	char *part;	    /* of the file, see tr_image_options; NULL: all */
	char *stubs;  /* folder of the run-time profiler's files for this program; NULL:
		       * it runs without stubs */
	dev_t device; /* identity of the file; 0 if it does not exist */
	ino_t inode;
};
struct tr_bins {
	struct tr_bin *bins;
	size_t count, capacity;
	char message[1024]; /* "bins.lst: line 3: no such role \"kernal\"" */
};
/* Reads a list. Returns TR_OK, TR_E_IO, TR_E_CORRUPT (the message is set) or
 * TR_E_NOMEM. */
int tr_bins_read(struct tr_bins *bins, const char *path);
/* Adds the entries of another list, or an ELF file; `path` must outlive `bins`. Returns
 * TR_OK, TR_E_IO, TR_E_CORRUPT (the message is set) or TR_E_NOMEM. */
int tr_bins_add(struct tr_bins *bins, const char *path);
/* Adds each RISC-V executable and shared object below a folder as a user program, sorted
 * by path. Symbolic links, other file systems, and the debug information in usr/lib/debug
 * are left out. `folder` must outlive `bins`. Returns TR_OK, TR_E_IO or TR_E_CORRUPT (the
 * message is set; also if there is none) or TR_E_NOMEM. */
int tr_bins_add_sysroot(struct tr_bins *bins, const char *folder);
/* Adds another part of the file of binary `i`, with a role of its own. Returns TR_OK or
 * TR_E_NOMEM. */
int tr_bins_add_part(struct tr_bins *bins, size_t i, const char *part, enum tr_role role);
/* Removes binary `i`; the later ones move up. */
void tr_bins_remove(struct tr_bins *bins, size_t i);
/* Prefixes `message` about binary `i` with the name and line of its list, if it has one.
 * Returns bins->message. */
const char *tr_bins_blame(struct tr_bins *bins, size_t i, const char *message);
/* Returns NULL, or such a message if the image at its base would exceed the address
 * space. */
const char *tr_bins_check_base(struct tr_bins *bins, size_t i,
			       const struct tr_image *image);
void tr_bins_release(struct tr_bins *bins);

/* Returns "firmware", "kernel" or "user", as in a list, or "any". */
const char *tr_role_name(enum tr_role role);

#endif
