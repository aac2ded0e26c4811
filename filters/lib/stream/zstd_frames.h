/* SPDX-License-Identifier: Apache-2.0 */
/* Counts the zstd frames of a file without decompressing it. */
#ifndef TR_ZSTD_FRAMES_H
#define TR_ZSTD_FRAMES_H

#include <stdint.h>

struct tr_zstd_frames {
	uint64_t frames, skippable;
};
/* TR_OK (also for a plain file: no frames); TR_E_IO (errno); TR_E_CORRUPT, with
 * the frames so far, when something else stands where a frame should. */
int tr_zstd_frames(const char *path, struct tr_zstd_frames *found);

#endif
