/* SPDX-License-Identifier: Apache-2.0 */
/* Colours of functions: by kind, then by the role of their binary. */
#ifndef TR_TINT_H
#define TR_TINT_H

#include "profile/folded.h"
#include "stream/header.h"
#include "stream/stream.h"

/* Returns an enum tr_tint; `header` is the stream's struct tr_header. */
uint8_t tr_tint_of(const void *header, const struct tr_func *func);

#endif
