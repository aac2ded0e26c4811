/* SPDX-License-Identifier: Apache-2.0 */
/* Registers of the network interface (rtl/nic/nic.md), and what the programs share. They
 * run bare, in M-mode, on a machine whose link returns its frames. */
#ifndef NIC_H
#define NIC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "soc.h"

enum nic_register {
	NIC_SEND = 0x00,
	NIC_RECV = 0x08,
	NIC_SENT = 0x10,
	NIC_RECEIVED = 0x18,
	NIC_SEND_CSUM = 0x20,
	NIC_INT_STATUS = 0x28,
	NIC_INT_ENABLE = 0x30,
	NIC_INT_DISABLE = 0x38,
	NIC_CONTROL = 0x40,
	NIC_STATUS = 0x48,
	NIC_OCCUPANCY = 0x50,
	NIC_MAC = 0x58,
	NIC_TX_FRAMES = 0x60,
	NIC_TX_BYTES = 0x68,
	NIC_TX_DROPS = 0x70,
	NIC_RX_FRAMES = 0x78,
	NIC_RX_BYTES = 0x80,
	NIC_RX_DROPS_FULL = 0x88,
	NIC_RX_DROPS_SIZE = 0x90,
	NIC_RX_DROPS_OFF = 0x98,
	NIC_INFO = 0xa0,
};

#define NIC_PARTIAL (UINT64_C(1) << 63)
#define NIC_VALID   (UINT64_C(1) << 31)
#define NIC_GOOD    (UINT64_C(3) << 29)

static inline volatile uint64_t *nic(enum nic_register r)
{
	return (volatile uint64_t *)(uintptr_t)(SOC_NIC_BASE + (unsigned)r);
}

static inline uint64_t nic_read(enum nic_register r)
{
	return *nic(r);
}

static inline void nic_write(enum nic_register r, uint64_t value)
{
	__asm__ volatile("fence" ::: "memory");
	*nic(r) = value;
}

static inline void nic_send(const void *at, size_t bytes, bool partial)
{
	nic_write(NIC_SEND,
		  (partial ? NIC_PARTIAL : 0) | (uint64_t)bytes << 48 | (uintptr_t)at);
}

static inline void nic_post(void *at, size_t size)
{
	nic_write(NIC_RECV, (uint64_t)size << 48 | (uintptr_t)at);
}

static inline uint64_t cycles(void)
{
	uint64_t value;

	__asm__ volatile("csrr %0, mcycle" : "=r"(value)::"memory");
	return value;
}

/* A random number (Knuth's MMIX). */
static inline uint32_t next_random(uint64_t *state)
{
	*state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (uint32_t)(*state >> 33);
}

/* Powers off with this status. */
_Noreturn void power_off(int status);
/* Called for machine external interrupts. */
void interrupt(void);

static inline void check(bool good, int number)
{
	if (!good)
		power_off(number);
}

#endif
