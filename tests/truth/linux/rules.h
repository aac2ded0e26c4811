/* SPDX-License-Identifier: Apache-2.0 */
/* Code of Linux, the vdso and musl that has no call frame information. */
#ifndef TRUTH_LINUX_RULES_H
#define TRUTH_LINUX_RULES_H

#include "../hand.h"
#include "task.h"

extern const struct hand_rule linux_rules[];

struct linux_places {
	struct layout layout;
	uint64_t ret_from_exception;
	/* In handle_exception, which may check first that the frame fits: sp is changed
	 * behind `checked`, and its own again behind `reloaded` (0: no check). Then sp
	 * is the kernel's; all registers but sp have copies; all is there, and sscratch
	 * 0. */
	uint64_t checked, reloaded, loaded, stored, entered;
	uint64_t switch_stored; /* in __switch_to: the old thread's registers are */
	uint64_t sigreturn;	/* in the vdso; 0: there is none */
};
extern struct linux_places linux_places;

/* False, after a message, if the kernel is not as this expects. */
bool linux_find_places(const struct machine *m);

/* A frame was left behind a call: what was not called, but will be returned to. */
enum left linux_pass(struct unwinding *u);

#endif
