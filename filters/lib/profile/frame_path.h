/* SPDX-License-Identifier: Apache-2.0 */
/* File names derived from frames. */
#ifndef TR_FRAME_PATH_H
#define TR_FRAME_PATH_H

#include "profile/folded.h"

/* Returns "DIRECTORY/NAME" without a suffix, for the caller to free. NAME is the frame's
 * name with '_' for characters unsafe in a path, and with a number if it is in `taken`,
 * the set of names in use. Returns NULL when out of memory. */
char *tr_frame_path(const char *directory, const char *frame, struct tr_folded *taken);

#endif
