/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of the firmware. */
#ifndef FIRMWARE_H
#define FIRMWARE_H

#include <stdbool.h>

#include "../frame.h"

/* C parts of the assembly in start.S. */
void firmware_main(void);
void firmware_trap(struct frame *frame);
_Noreturn void firmware_panic(void);

/* Byte at `address` as the code that trapped would load it, with more bits of
 * mstatus (STATUS_MXR) if asked. -1: it faulted, cause and tval are in `fault`. */
long guest_load(uint64_t address, uint64_t unused, struct frame *fault, uint64_t status);
/* Stores a byte; 0, or -1 as above. */
long guest_store(uint64_t address, uint64_t byte, struct frame *fault, uint64_t status);

/* Emulates the load or store of a misaligned access, or hands the trap on. */
void misaligned(struct frame *frame);
/* Lets the supervisor see the trap that `frame` tells of. */
void redirect(struct frame *frame, uint64_t cause, uint64_t tval);

/* Answers an ecall of the supervisor. */
void sbi_call(struct frame *frame);

void uart_init(void);
void uart_put(char c);
int uart_get(void); /* negative: nothing there */
_Noreturn void power(unsigned value);

#endif
