/* SPDX-License-Identifier: Apache-2.0 */
/* Busy work of the tasks, and the machine's devices. */
#ifndef WORK_H
#define WORK_H

#include <stdbool.h>
#include <stdint.h>

#include "soc.h"

#define NOINLINE __attribute__((noinline, noclone))

/* Leaf loops, nested calls, both, and a call through a pointer. */
uint64_t work_loop(uint64_t seed, unsigned rounds);
uint64_t work_tree(uint64_t seed, unsigned depth);
uint64_t work_mixed(uint64_t seed);

/* Sets the next timer interrupt to the next step of mtime plus `steps`. */
void timer_set(unsigned steps);
void timer_off(void);
/* Sets or clears the hart's software interrupt. */
void software_set(bool on);
void power_off(void) __attribute__((noreturn));

#endif
