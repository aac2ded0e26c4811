/* SPDX-License-Identifier: Apache-2.0 */
/* Two harts: hart 0 sends frames whose bytes both have written, hart 1 gets the
 * interrupt, checks them and writes into the buffer, which receives again. Both add to a
 * counter in a line that a frame begins in. Then a frame ends a reservation of hart 1. */
#include "nic.h"

enum { FRAMES = 300, BUFFERS = 4, BUFFER = 2048, LINE = 64, AT = 16 };

/* Frames begin at byte AT. */
static uint8_t source[BUFFERS][BUFFER] __attribute__((aligned(LINE)));
static uint8_t buffers[BUFFERS][BUFFER] __attribute__((aligned(LINE)));
static uint64_t *volatile counter;
static uint64_t added[2];
static volatile unsigned received, ready, reserved, done;

#define PLIC ((volatile uint32_t *)(uintptr_t)SOC_PLIC_BASE)
enum { HART_1_M = 2 }; /* the context */
enum { PLIC_ENABLE = (0x2000 + 0x80 * HART_1_M) / 4 };
enum { PLIC_CLAIM = (0x200004 + 0x1000 * HART_1_M) / 4 };

static size_t size_of(unsigned frame)
{
	return 17 + frame * 37 % 1500;
}

static uint8_t pattern(unsigned frame, size_t i)
{
	return (uint8_t)(frame * 31 + i * 7 + (i >> 8));
}

static void add(unsigned hart)
{
	__atomic_fetch_add(counter, 1, __ATOMIC_RELAXED);
	added[hart]++;
}

/* Hart 1, in its interrupt: even bytes of the next but one frame are its own. */
static void take(uint64_t entry)
{
	unsigned frame = received, next = frame + 2;
	uint8_t *buffer = buffers[frame % BUFFERS] + AT;
	size_t n = size_of(frame);

	check((entry & 0xffff) == n, 1);
	for (size_t i = 0; i < n; i++)
		check(buffer[i] == pattern(frame, i), 2);
	for (size_t i = 0; i < n; i++)
		buffer[i] = 0xa5;
	for (size_t i = 0; i < size_of(next); i += 2)
		source[next % BUFFERS][AT + i] = pattern(next, i);
	nic_post(buffer, BUFFER - AT);
	__atomic_store_n(&received, frame + 1, __ATOMIC_RELEASE);
}

void interrupt(void)
{
	uint32_t number = PLIC[PLIC_CLAIM];
	uint64_t entry;

	check(number == SOC_NIC_RECV_IRQ, 3);
	while ((entry = nic_read(NIC_RECEIVED)) & NIC_VALID)
		take(entry);
	PLIC[PLIC_CLAIM] = number;
}

/* The line is reserved before the frame is sent. */
static void lose_reservation(void)
{
	uint64_t failed;

	for (unsigned i = 1; i <= 8; i++) {
		uint64_t *line = (uint64_t *)buffers[0] + (i & 1 ? 8 : 0);

		ready = i;
		__asm__ volatile("lr.d %0, (%2)\n"
				 "1: ld %0, 0(%1)\n"
				 "srli %0, %0, 31\n"
				 "andi %0, %0, 1\n"
				 "beqz %0, 1b\n"
				 "sc.d %0, zero, (%2)"
				 : "=&r"(failed)
				 : "r"(nic(NIC_RECEIVED)), "r"(line)
				 : "memory");
		check(failed == !(i & 1), 10);
		reserved = i;
	}
}

void second(void)
{
	while (!counter)
		;
	PLIC[SOC_NIC_RECV_IRQ] = 1;
	PLIC[PLIC_ENABLE] = 1 << SOC_NIC_RECV_IRQ;
	PLIC[PLIC_CLAIM - 1] = 0;
	__asm__ volatile("csrs mie, %0; csrsi mstatus, 8" ::"r"(1 << 11) : "memory");
	ready = 1;
	while (received < FRAMES) {
		add(1);
		if (received % 4 == 3 && received < FRAMES - 4)
			__asm__ volatile("wfi");
	}
	__asm__ volatile("csrci mstatus, 8" ::: "memory");
	done = 1;
	while (done == 1)
		;
	lose_reservation();
}

static void send_frames(void)
{
	for (unsigned frame = 0; frame < FRAMES; frame++) {
		uint8_t *from = source[frame % BUFFERS] + AT;

		while (__atomic_load_n(&received, __ATOMIC_ACQUIRE) + 1 < frame)
			add(0);
		for (size_t i = frame > 1; i<size_of(frame); i += frame> 1 ? 2 : 1)
			from[i] = pattern(frame, i);
		nic_send(from, size_of(frame), false);
	}
	while (!done)
		add(0);
}

int main(void)
{
	nic_write(NIC_CONTROL, 3);
	nic_write(NIC_INT_ENABLE, 2);
	for (unsigned i = 0; i < BUFFERS; i++)
		nic_post(buffers[i] + AT, BUFFER - AT);
	counter = (uint64_t *)buffers[1];
	while (!ready)
		;
	send_frames();
	check(*counter == added[0] + added[1] && added[0] && added[1], 4);
	check(nic_read(NIC_RX_FRAMES) == FRAMES, 5);
	/* The buffers of the first part are discarded. */
	nic_write(NIC_CONTROL, 1);
	while (nic_read(NIC_STATUS) & 4)
		;
	nic_write(NIC_CONTROL, 3);
	ready = 0;
	done = 2;
	for (unsigned i = 1; i <= 8; i++) {
		while (ready != i)
			;
		nic_post(buffers[0], LINE);
		nic_send(source[0], LINE, false);
		while (reserved != i)
			;
	}
	return 0;
}
