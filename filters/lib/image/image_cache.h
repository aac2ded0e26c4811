/* SPDX-License-Identifier: Apache-2.0 */
/* Files with the DWARF indices of images seen before.
 *
 * They lie in $XDG_CACHE_HOME/tr-profiler, or ~/.cache/tr-profiler, one a file
 * content and kind. Only a regular file that belongs to the user, and that nobody else
 * may write, is read. What cannot be read or written is as if it were not there.
 */
#ifndef TR_IMAGE_CACHE_H
#define TR_IMAGE_CACHE_H

#include "image/image_index.h"

/* False when there is none. The bytes still need image_index_read(). */
bool image_cache_load(const struct image_key *key, enum image_index_kind kind,
		      struct tr_buffer *index);
void image_cache_store(const struct image_key *key, enum image_index_kind kind,
		       const uint8_t *data, size_t size);

#endif
