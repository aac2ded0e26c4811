/* SPDX-License-Identifier: Apache-2.0 */
/* Keeps the queues full while the core works on lines that DMA reads and writes: frames
 * of random lengths and fragments, interrupts, AMOs, and stores beside the bytes of
 * buffers. */
#include "nic.h"

enum { FRAMES = 400, SLOTS = 32, SLOT = 2048, LINE = 64 };

/* Buffers begin and end within lines whose other bytes are the core's. */
static uint8_t source[SLOTS][SLOT] __attribute__((aligned(LINE)));
static uint8_t buffers[SLOTS][SLOT] __attribute__((aligned(LINE)));
static unsigned lengths[SLOTS], requests[SLOTS];
static uint64_t seed = 7, counter, work;
static volatile unsigned received;
static unsigned submitted, waiting; /* frames; requests not yet sent */
static uint32_t sent;

#define PLIC ((volatile uint32_t *)(uintptr_t)SOC_PLIC_BASE)
enum { PLIC_ENABLE = 0x2000 / 4, PLIC_CLAIM = 0x200004 / 4 };

static unsigned offset_of(unsigned frame)
{
	return 1 + frame % 61;
}

static uint8_t pattern(unsigned frame, unsigned i)
{
	return (uint8_t)(frame * 31 + i * 7 + (i >> 8));
}

/* A frame has come: its bytes, and the core's before and after it. */
static void take(uint64_t entry)
{
	unsigned frame = received, slot = frame % SLOTS, at = offset_of(frame);
	unsigned n = lengths[slot];

	check((entry & 0xffff) == n, 1);
	for (unsigned i = 0; i < n; i++)
		check(buffers[slot][at + i] == pattern(frame, i), 2);
	check(buffers[slot][0] == (uint8_t)frame, 3);
	check(buffers[slot][at + n] == (uint8_t)~frame, 4);
	received = frame + 1;
}

void interrupt(void)
{
	uint32_t number = PLIC[PLIC_CLAIM];
	uint64_t entry;

	check(number == SOC_NIC_RECV_IRQ, 5);
	while ((entry = nic_read(NIC_RECEIVED)) & NIC_VALID)
		take(entry);
	PLIC[PLIC_CLAIM] = number;
}

static void submit(unsigned frame)
{
	unsigned slot = frame % SLOTS, n = 1 + next_random(&seed) % 1600, done = 0;
	unsigned at = offset_of(frame), from = next_random(&seed) % LINE;

	lengths[slot] = n;
	for (unsigned i = 0; i < n; i++)
		source[slot][from + i] = pattern(frame, i);
	nic_post(&buffers[slot][at], n);
	/* While the buffer waits, the core writes the bytes around it. */
	buffers[slot][0] = (uint8_t)frame;
	buffers[slot][at + n] = (uint8_t)~frame;
	requests[slot] = 1 + next_random(&seed) % 4;
	for (unsigned i = 1; i <= requests[slot]; i++) {
		unsigned part =
		    i == requests[slot] ? n - done : next_random(&seed) % (n - done + 1);

		nic_send(&source[slot][from + done], part, i != requests[slot]);
		done += part;
	}
	waiting += requests[slot];
}

/* Something for the L1D to do. */
static void do_work(void)
{
	for (unsigned i = 0; i < 20; i++) {
		uint32_t *word =
		    (uint32_t *)&source[next_random(&seed) % SLOTS][SLOT - LINE];

		__asm__ volatile("amoadd.d zero, %0, (%1)" ::"r"(1), "r"(&counter)
				 : "memory");
		__asm__ volatile("amoadd.w zero, %0, (%1)" ::"r"(1), "r"(word)
				 : "memory");
		work++;
	}
}

int main(void)
{
	uint64_t total = 0;

	nic_write(NIC_CONTROL, 3);
	PLIC[SOC_NIC_RECV_IRQ] = 1;
	PLIC[PLIC_ENABLE] = 1 << SOC_NIC_RECV_IRQ;
	nic_write(NIC_INT_ENABLE, 2);
	__asm__ volatile("csrs mie, %0; csrsi mstatus, 8" ::"r"(1 << 11) : "memory");
	while (received < FRAMES) {
		uint32_t now = (uint32_t)nic_read(NIC_SENT);

		waiting -= now - sent;
		sent = now;
		if (submitted < FRAMES && submitted - received < SLOTS && waiting < 60)
			submit(submitted++);
		else
			do_work();
	}
	check(counter == work, 6);
	for (unsigned i = 0; i < SLOTS; i++)
		total += *(uint32_t *)&source[i][SLOT - LINE];
	check(total == work, 7);
	check(nic_read(NIC_RX_FRAMES) == FRAMES, 8);
	check(nic_read(NIC_TX_BYTES) == nic_read(NIC_RX_BYTES), 9);
	check((nic_read(NIC_OCCUPANCY) & 0xffff00ff) == 0, 10);
	return 0;
}
