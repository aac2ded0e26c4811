/* SPDX-License-Identifier: Apache-2.0 */
/* Counts the zstd frames of a file without decompressing it. */
#ifndef TR_ZSTD_FRAMES_H
#define TR_ZSTD_FRAMES_H

#include <stdint.h>

struct tr_zstd_frames {
	uint64_t frames, skippable;
};
/* Counts the frames. Returns TR_OK (for a plain file as well, without frames); TR_E_IO
 * (errno is set); or TR_E_CORRUPT, with the count so far, when the file does not consist
 * of zstd frames. */
int tr_zstd_frames(const char *path, struct tr_zstd_frames *found);

#endif
