/* SPDX-License-Identifier: Apache-2.0 */
/* Cache files with the DWARF indices of images.
 *
 * They are in $XDG_CACHE_HOME/tr-profiler or ~/.cache/tr-profiler, one for each file
 * content and kind. A file is used only if it is a regular file that the user owns and
 * nobody else can write. Errors of reading and writing are treated as cache misses. */
#ifndef TR_IMAGE_CACHE_H
#define TR_IMAGE_CACHE_H

#include "image/image_index.h"

/* Reads an index, which the caller still has to verify by tr_image_index_read(). Returns
 * false when there is none. */
bool tr_image_cache_load(const struct image_key *key, enum image_index_kind kind,
			 struct tr_buffer *index);
void tr_image_cache_store(const struct image_key *key, enum image_index_kind kind,
			  const uint8_t *data, size_t size);

#endif
