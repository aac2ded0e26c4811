/* SPDX-License-Identifier: Apache-2.0 */
/* Nodes 0 and 1 send 1 MiB each to node 2, as fast as the link takes it, and stay until
 * the switch has passed everything on. */
#include "nic.h"

enum { FRAMES = 128, BYTES = 8192, AHEAD = 32, TARGET = 2, STAY = 400000 };

static uint8_t frame[BYTES] __attribute__((aligned(64)));

void interrupt(void)
{
}

int main(void)
{
	uint64_t sent = 0;

	frame[0] = 2;
	frame[5] = TARGET + 1;
	nic_write(NIC_CONTROL, 1);
	while (sent < FRAMES)
		if (sent - nic_read(NIC_SENT) < AHEAD) {
			nic_send(frame, BYTES, false);
			sent++;
		}
	while (nic_read(NIC_TX_FRAMES) < FRAMES)
		;
	while (cycles() < STAY)
		;
	return 0;
}
