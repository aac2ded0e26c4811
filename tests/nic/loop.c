/* SPDX-License-Identifier: Apache-2.0 */
/* Sends frames to itself, one subject at a time. */
#include "nic.h"

enum { SOURCE = 1 << 17, BUFFERS = 64, BUFFER = 12288, JUMBO = 9018 };

static uint8_t source[SOURCE] __attribute__((aligned(64)));
static uint8_t buffers[BUFFERS][BUFFER] __attribute__((aligned(64)));
static uint64_t seed = 1;
static volatile unsigned interrupts;
static uint32_t sent; /* requests */

static void fill(uint8_t *at, size_t n)
{
	for (size_t i = 0; i < n; i++)
		at[i] = (uint8_t)next_random(&seed);
}

/* Returns the entry of the next frame. */
static uint64_t receive(void)
{
	uint64_t entry;

	do
		entry = nic_read(NIC_RECEIVED);
	while (!(entry & NIC_VALID));
	return entry;
}

static void await_sent(unsigned requests)
{
	sent += requests;
	while ((uint32_t)nic_read(NIC_SENT) != sent)
		;
}

/* The bytes around the frame are those of the buffer before. */
static bool is_framed(const uint8_t *buffer, size_t before, size_t n)
{
	for (size_t i = 0; i < before; i++)
		if (buffer[i] != 0xa5)
			return false;
	for (size_t i = before + n; i < before + n + 70; i++)
		if (buffer[i] != 0xa5)
			return false;
	return true;
}

static bool is_same(const uint8_t *a, const uint8_t *b, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (a[i] != b[i])
			return false;
	return true;
}

/* The frame and the buffer are in the L1D, modified, when DMA begins. */
static void round_trip(size_t n, size_t from, size_t to, bool split, int number)
{
	uint8_t *buffer = buffers[n % BUFFERS];

	fill(source + from, n);
	for (size_t i = 0; i < to + n + 70; i++)
		buffer[i] = 0xa5;
	nic_post(buffer + to, n);
	if (split) {
		nic_send(source + from, n / 3, true);
		nic_send(source + from + n / 3, 0, true);
		nic_send(source + from + n / 3, n - n / 3, false);
	} else {
		nic_send(source + from, n, false);
	}
	check((receive() & 0xffff) == n, number);
	check(is_same(buffer + to, source + from, n), number + 1);
	check(is_framed(buffer, to, n), number + 2);
	await_sent(split ? 3 : 1);
}

static void lengths(void)
{
	for (size_t n = 1; n < 140; n++)
		round_trip(n, next_random(&seed) % 64, next_random(&seed) % 64,
			   next_random(&seed) & 1, 1);
	for (unsigned i = 0; i < 30; i++)
		round_trip(1 + next_random(&seed) % 1514, next_random(&seed) % 64,
			   next_random(&seed) % 64, next_random(&seed) & 1, 1);
	round_trip(JUMBO, 2, 2, true, 1);
	round_trip(10240, 0, 0, false, 1);
}

static void registers(void)
{
	volatile uint32_t *halves = (volatile uint32_t *)nic(NIC_MAC);

	check(nic_read(NIC_MAC) == 0x010000000002, 10);
	check(halves[0] == 0x00000002 && halves[1] == 0x0100, 10);
	check(nic_read(NIC_INFO) == (UINT64_C(10240) << 16 | 8 << 8 | 64), 11);
	check((nic_read(NIC_STATUS) & 7) == 1, 12);
	check(nic_read(NIC_CONTROL) == 3, 12);
	check(nic_read(NIC_OCCUPANCY) == 0, 13);
	check(nic_read(0xff8) == 0, 13);
}

static unsigned get(const uint8_t *at)
{
	return at[0] * 256U + at[1];
}

static unsigned sum(const uint8_t *at, size_t n, unsigned total)
{
	for (size_t i = 0; i < n; i += 2)
		total += i + 1 < n ? get(at + i) : at[i] * 256U;
	while (total >> 16)
		total = (total & 0xffff) + (total >> 16);
	return total;
}

static void put(uint8_t *at, unsigned value)
{
	at[0] = (uint8_t)(value >> 8);
	at[1] = (uint8_t)value;
}

/* TCP over IPv4, with the sum of the pseudo-header where the checksum will be. */
static void make_packet(uint8_t *p, size_t n)
{
	fill(p, n);
	put(p + 12, 0x0800);
	p[14] = 0x45;
	put(p + 16, (unsigned)n - 14);
	put(p + 20, 0x4000);
	p[23] = 6;
	put(p + 24, 0);
	put(p + 24, ~sum(p + 14, 20, 0));
	put(p + 50, sum(p + 26, 8, 6 + (unsigned)n - 34));
}

static void checksums(void)
{
	for (size_t n = 60; n < 1600; n += 77) {
		uint8_t *p = source + n % 8;

		make_packet(p, n);
		nic_post(buffers[0], BUFFER);
		*(volatile uint32_t *)nic(NIC_SEND_CSUM) = 1U << 31 | 50 << 16 | 34;
		nic_send(p, n, false);
		uint64_t entry = receive();
		check((entry & NIC_GOOD) == NIC_GOOD, 20);
		check(sum(buffers[0] + 34, n - 34,
			  sum(p + 26, 8, 6 + (unsigned)n - 34)) == 0xffff,
		      21);
		check((entry >> 32 & 0xff) << 8 ==
			  (sum(buffers[0] + 14, n - 14, 0) & 0xff00),
		      22);
		check(is_same(p, buffers[0], 50) &&
			  is_same(p + 52, buffers[0] + 52, n - 52),
		      23);
		/* A wrong bit in what was received: sent as it is. */
		buffers[0][14 + n / 2] ^= 4;
		nic_post(buffers[1], BUFFER);
		nic_send(buffers[0], n, false);
		check((receive() & NIC_GOOD) != NIC_GOOD, 24);
		check(is_same(buffers[0], buffers[1], n), 25);
		await_sent(2);
	}
}

#define PLIC ((volatile uint32_t *)(uintptr_t)SOC_PLIC_BASE)
enum {
	PLIC_ENABLE = 0x2000 / 4,
	PLIC_THRESHOLD = 0x200000 / 4,
	PLIC_CLAIM = 0x200004 / 4
};

void interrupt(void)
{
	uint32_t source_number = PLIC[PLIC_CLAIM];

	check(source_number == SOC_NIC_RECV_IRQ || source_number == SOC_NIC_SEND_IRQ, 30);
	if (source_number == SOC_NIC_RECV_IRQ) {
		check(nic_read(NIC_RECEIVED) & NIC_VALID, 31);
		interrupts += 1;
	} else {
		sent = (uint32_t)nic_read(NIC_SENT);
		interrupts += 1 << 16;
	}
	PLIC[PLIC_CLAIM] = source_number;
}

/* An interrupt per frame, each way, while the core sleeps. */
static void interrupts_per_frame(void)
{
	PLIC[SOC_NIC_SEND_IRQ] = PLIC[SOC_NIC_RECV_IRQ] = 1;
	PLIC[PLIC_ENABLE] = 1 << SOC_NIC_SEND_IRQ | 1 << SOC_NIC_RECV_IRQ;
	PLIC[PLIC_THRESHOLD] = 0;
	nic_write(NIC_INT_ENABLE, 3);
	__asm__ volatile("csrs mie, %0; csrsi mstatus, 8" ::"r"(1 << 11) : "memory");
	for (unsigned i = 1; i <= 20; i++) {
		nic_post(buffers[0], BUFFER);
		nic_send(source, 100 + i, false);
		__asm__ volatile("csrci mstatus, 8" ::: "memory");
		while ((interrupts & 0xffff) != i || interrupts >> 16 != i)
			__asm__ volatile("wfi; csrsi mstatus, 8; csrci mstatus, 8" ::
					     : "memory");
		__asm__ volatile("csrsi mstatus, 8" ::: "memory");
	}
	nic_write(NIC_INT_DISABLE, 7);
	nic_post(buffers[0], BUFFER);
	nic_send(source, 100, false);
	receive();
	await_sent(1);
	check(interrupts == (20 << 16 | 20), 32);
	/* The link came up after reset. */
	check(nic_read(NIC_INT_STATUS) == 4, 33);
	nic_write(NIC_INT_STATUS, 4);
	check(nic_read(NIC_INT_STATUS) == 0, 34);
	__asm__ volatile("csrci mstatus, 8" ::: "memory");
}

/* A write by DMA ends a reservation of its line, and of no other. */
static void reservations(void)
{
	uint64_t *line = (uint64_t *)buffers[2], failed;

	for (unsigned i = 0; i < 4; i++) {
		uint64_t *reserved = i & 1 ? line + 8 : line;

		nic_post(line, 64);
		nic_send(source, 64, false);
		__asm__ volatile("lr.d %0, (%2)\n"
				 "1: ld %0, 0(%1)\n"
				 "srli %0, %0, 31\n"
				 "andi %0, %0, 1\n"
				 "beqz %0, 1b\n"
				 "sc.d %0, zero, (%2)"
				 : "=&r"(failed)
				 : "r"(nic(NIC_RECEIVED)), "r"(reserved)
				 : "memory");
		check(failed == !(i & 1), 40);
		await_sent(1);
	}
}

/* Received instructions are executed after fence.i; before it the old ones may be. */
static void code(void)
{
	for (uint32_t i = 0; i < 5; i++) {
		uint32_t *program = (uint32_t *)source, *to = (uint32_t *)buffers[3];
		unsigned (*function)(void);

		program[0] = 0x00000513 | i << 20; /* li a0, i */
		program[1] = 0x00008067;
		nic_post(to, 64);
		nic_send(program, 64, false);
		receive();
		*(void **)&function = to;
		if (i > 0)
			check(function() - (i - 1) <= 1, 51);
		__asm__ volatile("fence.i" ::: "memory");
		check(function() == i, 50);
		await_sent(1);
	}
}

static uint64_t drops(void)
{
	return nic_read(NIC_RX_DROPS_FULL) + nic_read(NIC_RX_DROPS_SIZE) +
	       nic_read(NIC_RX_DROPS_OFF);
}

/* Too small a buffer, no buffer, a receiver that is off: each frame is counted once. */
static void dropped(void)
{
	nic_post(buffers[4], 99);
	for (unsigned i = 0; i < 3; i++)
		nic_send(source, 100 + i, false);
	nic_send(source, 99, false);
	check((receive() & 0xffff) == 99, 60);
	check(nic_read(NIC_RX_DROPS_SIZE) == 3, 61);
	await_sent(4);
	for (unsigned i = 0; i < 90; i++) {
		nic_send(source, 1000, false);
		await_sent(1);
	}
	while (nic_read(NIC_STATUS) & 2)
		;
	for (uint64_t end = cycles() + 8000; cycles() < end;)
		;
	uint64_t full = nic_read(NIC_RX_DROPS_FULL);
	check(full > 20 && full < 30, 62);
	for (unsigned i = 0; i < 90 - full; i++)
		nic_post(buffers[i % BUFFERS], BUFFER), receive();
	check(!(nic_read(NIC_RECEIVED) & NIC_VALID), 63);
	nic_write(NIC_CONTROL, 1);
	nic_send(source, 1000, false);
	await_sent(1);
	while (nic_read(NIC_RX_DROPS_OFF) == 0)
		;
	check((nic_read(NIC_STATUS) & 4) == 0, 64);
	nic_write(NIC_CONTROL, 3);
}

int main(void)
{
	nic_write(NIC_CONTROL, 3);
	registers();
	lengths();
	checksums();
	interrupts_per_frame();
	reservations();
	code();
	dropped();
	check(nic_read(NIC_TX_FRAMES) == nic_read(NIC_RX_FRAMES) + drops(), 70);
	check(nic_read(NIC_TX_DROPS) == 0, 71);
	/* A frame of no bytes is dropped and counted, too. */
	nic_send(source, 0, false);
	await_sent(1);
	while (nic_read(NIC_TX_DROPS) != 1)
		;
	return 0;
}
