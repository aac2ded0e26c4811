/* SPDX-License-Identifier: Apache-2.0 */
/* Access to mapped files that others may cut meanwhile: memory behind their new end
 * raises SIGBUS. */
#ifndef PROF_GUARDED_MEMORY_H
#define PROF_GUARDED_MEMORY_H

#include <stdbool.h>

/* Calls `access` with `context`. Returns false if an access to memory raised SIGBUS in
 * it, at which point `access` was left: it must hold no lock and own no memory. Any
 * threads may call this at the same time, and `access` may itself.
 *
 * The first call installs a handler of SIGBUS. Such a signal outside of `access`, or one
 * that was sent, goes to the handler that was there before, or does what it does by
 * default. A program that installs a handler later has no guard any more. */
bool access_guarded(void (*access)(void *context), void *context);

#endif
