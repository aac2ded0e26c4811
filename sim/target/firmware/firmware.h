/* SPDX-License-Identifier: Apache-2.0 */
/* Interfaces between the parts of the firmware. */
#ifndef FIRMWARE_H
#define FIRMWARE_H

#include <stdbool.h>

#include "../frame.h"

/* C functions called by the assembly in start.S. */
void firmware_main(void);
void firmware_trap(struct frame *frame);
_Noreturn void firmware_panic(void);

/* Returns the byte at `address` as loaded with the rights of the trapped code, with
 * additional bits of mstatus (STATUS_MXR) if requested; -1 if it faulted, with cause and
 * tval in `fault`. */
long guest_load(uint64_t address, uint64_t unused, struct frame *fault, uint64_t status);
/* Stores a byte with the same rights. Returns 0, or -1 if it faulted, as above. */
long guest_store(uint64_t address, uint64_t byte, struct frame *fault, uint64_t status);

/* Emulates a misaligned load or store, or redirects the trap to the supervisor. */
void misaligned(struct frame *frame);
/* Makes the supervisor handle the trap of `frame`. */
void redirect(struct frame *frame, uint64_t cause, uint64_t tval);

/* Handles an ecall of the supervisor. */
void sbi_call(struct frame *frame);

void uart_init(void);
void uart_put(char c);
int uart_get(void); /* negative: no input */
_Noreturn void power(unsigned value);

#endif
