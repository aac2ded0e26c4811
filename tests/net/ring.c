/* SPDX-License-Identifier: Apache-2.0 */
/* Three nodes in a ring: each sends frames to the next, with at most a few more than it
 * has received from the one before, and checks all that arrive. The status is the number
 * of the check that failed, or 0. */
#include "nic.h"

enum { NODES = 3, FRAMES = 200, AHEAD = 8, BUFFERS = 32, BUFFER = 2048, HEADER = 16 };

static uint8_t outgoing[2 * AHEAD][BUFFER] __attribute__((aligned(64)));
static uint8_t incoming[BUFFERS][BUFFER] __attribute__((aligned(64)));

void interrupt(void)
{
}

/* Writes frame `i` of a node: addresses, number and bytes follow from both. Returns its
 * size. */
static size_t make(uint8_t *at, unsigned from, unsigned i)
{
	uint64_t seed = from * 1000003U + i;
	size_t size = HEADER + next_random(&seed) % 1500;

	for (unsigned k = 0; k < 12; k++)
		at[k] = 0;
	at[0] = at[6] = 2;
	at[5] = (uint8_t)((from + 1) % NODES + 1);
	at[11] = (uint8_t)(from + 1);
	at[12] = 0x88;
	at[13] = 0xb5;
	for (size_t k = 14; k < size; k++)
		at[k] = (uint8_t)next_random(&seed);
	return size;
}

/* Takes a frame of the node before, if there is one. Returns whether there was. */
static bool take(unsigned from, unsigned i)
{
	static uint8_t expected[BUFFER];
	uint8_t *buffer = incoming[i % BUFFERS];
	uint64_t entry = nic_read(NIC_RECEIVED);

	if (!(entry & NIC_VALID))
		return false;
	size_t size = make(expected, from, i);
	check((entry & 0xffff) == size, 1);
	for (size_t k = 0; k < size; k++)
		check(buffer[k] == expected[k], 2);
	nic_post(buffer, BUFFER);
	return true;
}

int main(void)
{
	unsigned node = (unsigned)(nic_read(NIC_MAC) >> 40 & 0xff) - 1, sent = 0, got = 0;

	check(node < NODES, 3);
	nic_write(NIC_CONTROL, 3);
	check(nic_read(NIC_STATUS) & 1, 4);
	for (unsigned i = 0; i < BUFFERS; i++)
		nic_post(incoming[i], BUFFER);
	while (sent < FRAMES || got < FRAMES) {
		if (sent < FRAMES && sent < got + AHEAD) {
			uint8_t *frame = outgoing[sent % (2 * AHEAD)];

			nic_send(frame, make(frame, node, sent), false);
			sent++;
		}
		if (take((node + NODES - 1) % NODES, got))
			got++;
	}
	while (nic_read(NIC_TX_FRAMES) < FRAMES)
		;
	check(nic_read(NIC_TX_FRAMES) == FRAMES && nic_read(NIC_RX_FRAMES) == FRAMES, 5);
	check(nic_read(NIC_TX_DROPS) + nic_read(NIC_RX_DROPS_FULL) +
		      nic_read(NIC_RX_DROPS_SIZE) + nic_read(NIC_RX_DROPS_OFF) ==
		  0,
	      6);
	return 0;
}
