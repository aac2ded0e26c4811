/* SPDX-License-Identifier: Apache-2.0 */
/* Code of Linux, the vdso and musl without call frame information. */
#ifndef TRUTH_LINUX_RULES_H
#define TRUTH_LINUX_RULES_H

#include "../hand.h"
#include "task.h"

extern const struct hand_rule linux_rules[];

struct linux_places {
	struct layout layout;
	uint64_t ret_from_exception;
	/* In handle_exception, which may first check that the frame fits: sp is changed
	 * after `checked`, and restored after `reloaded` (0: no check). Then, in order:
	 * sp is the kernel's; all registers except sp are saved; all are saved, and
	 * sscratch is 0. */
	uint64_t checked, reloaded, loaded, stored, entered;
	uint64_t switch_stored; /* in __switch_to: the old thread's registers are saved */
	uint64_t sigreturn;	/* in the vdso; 0: none */
};
extern struct linux_places linux_places;

/* Returns false, after a message, if the kernel is not as expected. */
bool linux_find_places(const struct machine *m);

/* After a frame returned by a call: handles frames that were never called but are
 * returned to. */
enum left linux_pass(struct unwinding *u);

#endif
