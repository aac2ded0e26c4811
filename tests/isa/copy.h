/* SPDX-License-Identifier: Apache-2.0 */
/* The instruction of the copy unit (rtl/mem/copy.md). */
#ifndef COPY_H
#define COPY_H

#include "test.h"

/* Copies up to rd bytes from source to destination; rd becomes their number. */
.macro cpy rd, destination, source
	.insn	r 0x0b, 0, 0, \rd, \destination, \source
.endm

#endif
