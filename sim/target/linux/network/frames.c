/* SPDX-License-Identifier: Apache-2.0 */
/* frames INTERFACE COUNT: sends frames of all lengths to its own address through an
 * interface whose wire returns them, and compares what arrives.
 */
#include <linux/if_ether.h>
#include <linux/if_packet.h>
#include <arpa/inet.h>
#include <net/if.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

enum { PROTOCOL = 0x88b5, AHEAD = 16, LONGEST = 9000 + ETH_HLEN, BUFFER = 4 << 20 };

static uint8_t address[ETH_ALEN];
static unsigned mtu;

static void fail(const char *what)
{
	perror(what);
	exit(1);
}

static int open_socket(const char *interface)
{
	struct sockaddr_ll at = {.sll_family = AF_PACKET,
				 .sll_protocol = htons(PROTOCOL)};
	int s = socket(AF_PACKET, SOCK_RAW, htons(PROTOCOL));
	struct ifreq request = {0};
	int bytes = BUFFER;

	if (s < 0)
		fail("socket");
	if (setsockopt(s, SOL_SOCKET, SO_RCVBUFFORCE, &bytes, sizeof(bytes)) != 0)
		fail("SO_RCVBUFFORCE");
	snprintf(request.ifr_name, sizeof(request.ifr_name), "%s", interface);
	if (ioctl(s, SIOCGIFHWADDR, &request) != 0)
		fail(interface);
	memcpy(address, request.ifr_hwaddr.sa_data, ETH_ALEN);
	if (ioctl(s, SIOCGIFMTU, &request) != 0)
		fail(interface);
	mtu = (unsigned)request.ifr_mtu;
	if (ioctl(s, SIOCGIFINDEX, &request) != 0)
		fail(interface);
	at.sll_ifindex = request.ifr_ifindex;
	if (bind(s, (struct sockaddr *)&at, sizeof(at)) != 0)
		fail("bind");
	return s;
}

/* Writes frame `n`: its length and bytes follow from the number. Returns its size. */
static unsigned make(uint8_t *frame, unsigned n)
{
	unsigned size = ETH_HLEN + 4 + n * 7919 % (mtu - 3);
	uint32_t state = n + 1;

	memcpy(frame, address, ETH_ALEN);
	memcpy(frame + ETH_ALEN, address, ETH_ALEN);
	frame[12] = PROTOCOL >> 8;
	frame[13] = PROTOCOL & 0xff;
	memcpy(frame + ETH_HLEN, &n, sizeof(n));
	for (unsigned i = ETH_HLEN + 4; i < size; i++) {
		state = state * 1664525 + 1013904223;
		frame[i] = (uint8_t)(state >> 24);
	}
	return size;
}

int main(int argc, char **argv)
{
	static uint8_t sent[LONGEST], got[LONGEST];
	unsigned count = argc == 3 ? (unsigned)atoi(argv[2]) : 0, next = 0, differ = 0;
	uint64_t bytes = 0;
	int s;

	if (!count)
		return 2;
	s = open_socket(argv[1]);
	for (unsigned n = 0; n < count + AHEAD; n++) {
		unsigned size = make(sent, n);

		if (n < count && write(s, sent, size) != (ssize_t)size)
			fail("write");
		if (n < AHEAD)
			continue;
		size = make(sent, next++);
		ssize_t arrived = read(s, got, sizeof(got));
		if (arrived < 0)
			fail("read");
		bytes += (uint64_t)arrived;
		if (arrived != (ssize_t)size || memcmp(sent, got, size) != 0)
			differ++;
	}
	printf("frames: %u sent and received, %llu bytes, %u differ\n", count,
	       (unsigned long long)bytes, differ);
	return differ != 0;
}
