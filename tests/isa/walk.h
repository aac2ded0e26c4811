/* SPDX-License-Identifier: Apache-2.0 */
/* Each kind of access to the address in a0 must be an access fault. */
#ifndef WALK_H
#define WALK_H

#include "test.h"

.macro ALL_DENIED mode
	TRYV	\mode, ld a1, 0(a0)
	WANT	LOAD_ACCESS
	EQ_REG	s4, a0
	TRYV	\mode, sd a1, 0(a0)
	WANT	STORE_ACCESS
	EQ_REG	s4, a0
	TRY_JUMP \mode, a0
	WANT_AT	FETCH_ACCESS, a0, a0
.endm

#endif
