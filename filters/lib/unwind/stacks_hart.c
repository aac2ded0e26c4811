/* SPDX-License-Identifier: Apache-2.0 */
/* What the tracking of stacks keeps of a hart. */
#include "unwind/stacks_hart.h"

void tr_tracking_begin(struct hart *h)
{
	h->stacks = (struct hart_stacks){.state = IS_ADRIFT, .binary = TR_NOTE_UNKNOWN};
}

uint64_t tr_tracking_lap(struct hart *h)
{
	const uint64_t cycles = hart_cycle(h) - h->stacks.doubted_since;
	h->stacks.doubted_since = hart_cycle(h);
	return cycles;
}
