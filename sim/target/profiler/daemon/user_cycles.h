/* SPDX-License-Identifier: Apache-2.0 */
/* The cycles of the hart. */
#ifndef USER_CYCLES_H
#define USER_CYCLES_H

#include <stdint.h>

/* Returns the counter of the hart that executes this, as rdcycle reads it, or 0: the
 * kernel does not let programs read it. The first call installs a handler of SIGILL for a
 * moment: no other thread may depend on that signal. */
uint64_t read_user_cycles(void);

#endif
