/* SPDX-License-Identifier: Apache-2.0 */
/* Interfaces between the parts of the firmware. */
#ifndef FIRMWARE_H
#define FIRMWARE_H

#include <stdbool.h>

#include "../csr.h"
#include "../frame.h"

/* Firmware for one hart, or for up to HARTS. */
#ifndef HARTS
#define HARTS 1
#endif

static inline unsigned this_hart(void)
{
	return HARTS > 1 ? (unsigned)csr_read(mhartid) : 0;
}

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
enum { SBI_OK = 0, SBI_NOT_SUPPORTED = -2, SBI_INVALID = -3, SBI_AVAILABLE = -6 };
/* Completes everything that other harts wrote, to code and to page tables. */
static inline void fence_all(void)
{
	__asm__ volatile("fence.i; sfence.vma" : : : "memory");
}

/* harts.c, in the firmware for several harts. The supervisor names harts by a mask, whose
 * bit 0 is hart `first`, or all by first = UINT64_MAX; these return an SBI status. */
int64_t harts_send_ipi(uint64_t mask, uint64_t first);
/* Returns when the fence has completed on all of these harts. */
int64_t harts_fence(uint64_t mask, uint64_t first);
/* Starts, stops or suspends harts, or gets their state. */
int64_t harts_manage(const struct frame *frame, uint64_t *value);
/* This hart enters the supervisor. */
void harts_enter(void);
/* Handles a software interrupt. */
void harts_interrupt(void);
/* Where a hart starts. */
struct hart_entry {
	uint64_t pc, argument;
};
/* Waits until another hart starts this one. */
const struct hart_entry *firmware_wait(void);
/* start.S: waits on an empty stack. */
_Noreturn void hart_wait(void);

void uart_init(void);
void uart_put(char c);
int uart_get(void); /* negative: no input */
_Noreturn void power(unsigned value);

#endif
