/* SPDX-License-Identifier: Apache-2.0 */
/* The keys bin.N of a header, which tell later filters where code comes from: paths,
 * names, roles, build-ids and segments (tr-stream(5)). Each call adds those of number
 * `n`; all return TR_OK, or an error of tr_header_set(). */
#ifndef TR_BIN_KEYS_H
#define TR_BIN_KEYS_H

#include "image/bins.h"
#include "image/image.h"
#include "image/stub_files.h"
#include "stream/header.h"

/* A binary, or a part of one. */
int tr_bin_keys_binary(struct tr_header *header, size_t n, const struct tr_image *image,
		       const struct tr_bin *bin);
/* The stubs of a program, which is bin.`program`, its image and its role. */
int tr_bin_keys_stubs(struct tr_header *header, size_t n,
		      const struct tr_stub_files *files, size_t program,
		      const struct tr_image *image, enum tr_role role);
/* A map of JIT code, opened as `part`. */
int tr_bin_keys_map(struct tr_header *header, size_t n, const struct tr_image *image,
		    const char *part);

#endif
