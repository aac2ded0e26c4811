/* SPDX-License-Identifier: Apache-2.0 */
/* What tasks are busy with, and the machine's devices. */
#ifndef WORK_H
#define WORK_H

#include <stdbool.h>
#include <stdint.h>

#include "soc.h"

#define NOINLINE __attribute__((noinline, noclone))

/* Loops in a leaf, calls to a depth, both, a call through a pointer. */
uint64_t work_loop(uint64_t seed, unsigned rounds);
uint64_t work_tree(uint64_t seed, unsigned depth);
uint64_t work_mixed(uint64_t seed);

/* The next timer interrupt comes at the next step of mtime but `steps`. */
void timer_set(unsigned steps);
void timer_off(void);
/* The software interrupt of the hart. */
void software_set(bool on);
void power_off(void) __attribute__((noreturn));

#endif
