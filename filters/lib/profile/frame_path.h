/* SPDX-License-Identifier: Apache-2.0 */
/* Files named after frames. */
#ifndef TR_FRAME_PATH_H
#define TR_FRAME_PATH_H

#include "profile/folded.h"

/* "DIRECTORY/NAME" without an ending, for the caller to free: the name is the frame's,
 * with '_' for what is not good in a path, and a number when `taken`, which holds
 * the names in use, has it. NULL when out of memory. */
char *tr_frame_path(const char *directory, const char *frame, struct tr_folded *taken);

#endif
