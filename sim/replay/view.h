/* SPDX-License-Identifier: Apache-2.0 */
/* Registers and memory of a hart of the model, as probes see them. */
#ifndef REPLAY_VIEW_H
#define REPLAY_VIEW_H

#include "model/model.h"
#include "probe/probe.h"
#include "stacks.h"

struct replay_view {
	const struct soc *soc;
	unsigned hart;
	struct stacks *stacks; /* NULL: nothing is known of them */
};
/* Returns the machine of a probe; `view` must exist as long. */
struct tr_probe_machine replay_machine(struct replay_view *view, uint64_t pc,
				       uint64_t cycle);

#endif
