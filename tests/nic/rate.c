/* SPDX-License-Identifier: Apache-2.0 */
/* The rate of frames sent to itself: prints "WHAT BYTES CYCLES" for each measurement. The
 * queues are kept full; what counts are the cycles from one frame received to another, in
 * the steady state. */
#include "nic.h"

enum { AREA = 8 << 20, NEAR = 256 << 10, WARM = 40, COUNT = 120, DEPTH = 60 };

static uint8_t area[AREA] __attribute__((aligned(64)));

void interrupt(void)
{
	power_off(9);
}

static void print(const char *text)
{
	while (*text)
		*(volatile uint8_t *)(uintptr_t)SOC_UART_BASE = (uint8_t)*text++;
}

static void print_number(uint64_t value)
{
	char digits[24];
	unsigned n = sizeof(digits) - 1;

	digits[n] = 0;
	do
		digits[--n] = (char)('0' + value % 10);
	while ((value /= 10) != 0);
	print(digits + n);
}

static size_t next_place;

/* Sends frames of n bytes from places `step` apart in the first half of `span`, and
 * returns the cycles from frame WARM to the last. Buffers are in the other half. */
static uint64_t measure(size_t n, size_t step, size_t span)
{
	size_t to = span / 2 / step;
	unsigned submitted = 0, received = 0;
	uint64_t begin = 0;

	while (received < WARM + COUNT) {
		if (submitted < WARM + COUNT && submitted - received < DEPTH) {
			size_t place = next_place++ % to * step;

			submitted++;
			nic_post(area + span / 2 + place, step);
			nic_send(area + place, n, false);
		}
		if (!(nic_read(NIC_RECEIVED) & NIC_VALID))
			continue;
		if (++received == WARM)
			begin = cycles();
	}
	return cycles() - begin;
}

static void report(const char *what, size_t n, size_t step, size_t span)
{
	measure(n, step, span);
	uint64_t spent = measure(n, step, span);
	print(what);
	print(" ");
	print_number(n * COUNT);
	print(" ");
	print_number(spent);
	print("\n");
}

int main(void)
{
	nic_write(NIC_CONTROL, 3);
	report("l2_1514", 1514, 1536, NEAR);
	report("l2_9018", 9018, 9024, NEAR);
	report("dram_1514", 1514, 1536, AREA);
	report("dram_9018", 9018, 9024, AREA);
	check(nic_read(NIC_TX_FRAMES) == nic_read(NIC_RX_FRAMES), 1);
	return 0;
}
