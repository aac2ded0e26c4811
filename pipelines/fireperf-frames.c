/* SPDX-License-Identifier: Apache-2.0 */
/* fireperf-frames NODE FILE: counts and checks the frames in the pcap file that soc-sim
 * wrote for this node. All checksums of IPv4, TCP and UDP are computed again, and TCP's
 * payload is put together. Prints
 *
 *	frames sent 11782 received 638		and their bytes
 *	bytes sent 17493067 received 42380
 *	checksums 12420				frames whose checksums are right
 *	flow sent 10.0.0.2:52388 10.0.0.1:5201 bytes 16777253 segments 11600 again 0
 *	     sacks 0 hash 6f8c0b1e1f4a5c3d steady 15728640 from 9223372 to 43980465
 *
 * with a line for each flow, that is each direction of a TCP connection. `steady` is the
 * payload after the first MiB, and `from` and `to` are the nanoseconds between which it
 * passed. Status 1: a checksum is wrong, or bytes of a flow are missing. Status 2: the
 * file is not such a file, or damaged. */
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fireperf-flow.h"

enum { FILE_HEADER = 24, FRAME_HEADER = 16, FRAME_MAX = 16384, NODES_MAX = 64 };
enum { ETHERNET = 14, IP_HEADER = 20, UDP_HEADER = 8, TCP_HEADER = 20 };
enum { TYPE_IP = 0x0800, PROTOCOL_TCP = 6, PROTOCOL_UDP = 17, TCP_SYN = 2 };
enum { OPTION_END, OPTION_NONE, OPTION_SACK = 5 };
enum { NEGATIVE = 1, TROUBLE = 2 };
#define MAGIC_NANOSECONDS 0xa1b23c4dU
#define FRAGMENT	  0x3fffU
#define STEADY_AFTER	  (1U << 20)
#define SECOND_NS	  UINT64_C(1000000000)

struct count {
	uint64_t frames, bytes;
};

struct capture {
	const char *name;
	unsigned node;
	uint8_t *bytes;
	size_t size;
	uint64_t number; /* of the frame, from 1 */
	uint64_t ns;
	struct count sent, received;
	uint64_t checksums;
	struct flows sent_flows, received_flows;
};

__attribute__((noreturn, format(printf, 3, 4))) static void
stop(const struct capture *c, int status, const char *format, ...)
{
	va_list arguments;

	fprintf(stderr, "fireperf-frames: %s: ", c->name);
	if (c->number)
		fprintf(stderr, "frame %" PRIu64 ": ", c->number);
	va_start(arguments, format);
	vfprintf(stderr, format, arguments);
	va_end(arguments);
	fputc('\n', stderr);
	exit(status);
}

static void read_file(struct capture *c)
{
	FILE *file = fopen(c->name, "rb");
	size_t room = 0, got;

	if (!file)
		stop(c, TROUBLE, "%s", strerror(errno));
	do {
		if (c->size == room) {
			room = room ? 2 * room : 1 << 20;
			c->bytes = realloc(c->bytes, room);
			if (!c->bytes)
				stop(c, TROUBLE, "out of memory");
		}
		got = fread(c->bytes + c->size, 1, room - c->size, file);
		c->size += got;
	} while (got);
	if (ferror(file))
		stop(c, TROUBLE, "%s", strerror(errno));
	fclose(file);
}

static uint32_t little(const uint8_t *p)
{
	return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 |
	       (uint32_t)p[3] << 24;
}

static uint16_t big16(const uint8_t *p)
{
	return (uint16_t)(p[0] << 8 | p[1]);
}

static uint32_t big32(const uint8_t *p)
{
	return (uint32_t)big16(p) << 16 | big16(p + 2);
}

/* Adds bytes to a sum of 16-bit words. */
static uint64_t sum(uint64_t total, const uint8_t *p, size_t size)
{
	for (size_t i = 0; i + 1 < size; i += 2)
		total += big16(p + i);
	return size % 2 ? total + ((uint64_t)p[size - 1] << 8) : total;
}

static bool is_right(uint64_t total)
{
	while (total >> 16)
		total = (total & 0xffff) + (total >> 16);
	return total == 0xffff;
}

/* Returns whether the options of a TCP header have SACK blocks. */
static bool has_sack(const uint8_t *options, size_t size)
{
	size_t i = 0;

	while (i < size && options[i] != OPTION_END) {
		if (options[i] == OPTION_NONE) {
			i++;
			continue;
		}
		if (options[i] == OPTION_SACK)
			return true;
		if (i + 1 == size || options[i + 1] < 2)
			return false;
		i += options[i + 1];
	}
	return false;
}

static void take_tcp(struct capture *c, const uint8_t *ip, const uint8_t *tcp,
		     size_t size, bool is_sent)
{
	size_t header = size < TCP_HEADER ? 0 : (size_t)(tcp[12] >> 4) * 4;
	struct segment s;
	const char *wrong;

	if (header < TCP_HEADER || header > size)
		stop(c, NEGATIVE, "the header of TCP is cut short");
	s = (struct segment){
	    .source = big32(ip + 12),
	    .target = big32(ip + 16),
	    .source_port = big16(tcp),
	    .target_port = big16(tcp + 2),
	    .sequence = big32(tcp + 4),
	    .syn = tcp[13] & TCP_SYN,
	    .sack = has_sack(tcp + TCP_HEADER, header - TCP_HEADER),
	    .bytes = tcp + header,
	    .size = size - header,
	    .ns = c->ns,
	};
	wrong = flows_add(is_sent ? &c->sent_flows : &c->received_flows, &s);
	if (wrong)
		stop(c, NEGATIVE, "%s", wrong);
}

static void take_ip(struct capture *c, const uint8_t *ip, size_t room, bool is_sent)
{
	size_t header = room < IP_HEADER ? 0 : (size_t)(ip[0] & 15) * 4, size;
	uint64_t pseudo;

	if (header < IP_HEADER || ip[0] >> 4 != 4 || header > big16(ip + 2) ||
	    big16(ip + 2) > room)
		stop(c, NEGATIVE, "the header of IP is not one, or cut short");
	if (!is_right(sum(0, ip, header)))
		stop(c, NEGATIVE, "wrong checksum of IP");
	c->checksums++;
	size = big16(ip + 2) - header;
	if (big16(ip + 6) & FRAGMENT || (ip[9] != PROTOCOL_TCP && ip[9] != PROTOCOL_UDP))
		return;
	pseudo = sum(ip[9] + size, ip + 12, 8);
	if (ip[9] == PROTOCOL_UDP && size >= UDP_HEADER && !big16(ip + header + 6))
		return; /* it has none */
	if (!is_right(sum(pseudo, ip + header, size)))
		stop(c, NEGATIVE, "wrong checksum of %s",
		     ip[9] == PROTOCOL_TCP ? "TCP" : "UDP");
	if (ip[9] == PROTOCOL_TCP)
		take_tcp(c, ip, ip + header, size, is_sent);
}

/* Node n has the address 02:00:00:00:00:n + 1. */
static bool is_of_node(const uint8_t *address, unsigned node)
{
	static const uint8_t start[5] = {2};

	return !memcmp(address, start, sizeof(start)) && address[5] == node + 1;
}

static void take_frame(struct capture *c, const uint8_t *frame, size_t size)
{
	bool is_sent;
	struct count *count;

	if (size < ETHERNET)
		stop(c, NEGATIVE, "no header of Ethernet");
	is_sent = is_of_node(frame + 6, c->node);
	count = is_sent ? &c->sent : &c->received;
	if (!is_sent && !(frame[0] & 1) && !is_of_node(frame, c->node))
		stop(c, NEGATIVE, "neither from nor to node %u", c->node);
	count->frames++;
	count->bytes += size;
	if (big16(frame + 12) == TYPE_IP)
		take_ip(c, frame + ETHERNET, size - ETHERNET, is_sent);
}

static void take_frames(struct capture *c)
{
	size_t at = FILE_HEADER;

	if (c->size < FILE_HEADER || little(c->bytes) != MAGIC_NANOSECONDS)
		stop(c, TROUBLE, "not a pcap file in nanoseconds");
	while (at < c->size) {
		const uint8_t *header = c->bytes + at;
		uint32_t size;

		c->number++;
		if (c->size - at < FRAME_HEADER)
			stop(c, TROUBLE, "truncated");
		size = little(header + 8);
		if (size > FRAME_MAX || size != little(header + 12))
			stop(c, TROUBLE, "%" PRIu32 " bytes", size);
		at += FRAME_HEADER;
		if (c->size - at < size)
			stop(c, TROUBLE, "truncated");
		c->ns = little(header) * SECOND_NS + little(header + 4);
		take_frame(c, c->bytes + at, size);
		at += size;
	}
	c->number = 0;
}

static void print_address(uint32_t a, uint16_t port)
{
	printf(" %u.%u.%u.%u:%u", a >> 24, a >> 16 & 255, a >> 8 & 255, a & 255, port);
}

static void print_flows(const struct capture *c, const struct flows *flows,
			const char *way)
{
	for (size_t i = 0; i < flows->count; i++) {
		const struct flow *f = &flows->flows[i];

		if (!flow_is_complete(f))
			stop(c, NEGATIVE, "bytes of a flow were never %s", way);
		printf("flow %s", way);
		print_address(f->first.source, f->first.source_port);
		print_address(f->first.target, f->first.target_port);
		printf(" bytes %" PRIu64 " segments %" PRIu64 " again %" PRIu64, f->size,
		       f->segments, f->again);
		printf(" sacks %" PRIu64 " hash %016" PRIx64, f->sacks, flow_hash(f));
		printf(" steady %" PRIu64 " from %" PRIu64 " to %" PRIu64 "\n",
		       f->steady_bytes, f->steady_from, f->steady_to);
	}
}

int main(int argc, char **argv)
{
	struct capture c = {.name = argc > 2 ? argv[2] : "",
			    .sent_flows.skip = STEADY_AFTER,
			    .received_flows.skip = STEADY_AFTER};
	char *end = NULL;
	unsigned long node = argc == 3 ? strtoul(argv[1], &end, 10) : 0;

	if (argc != 3 || end == argv[1] || *end || node >= NODES_MAX) {
		fprintf(stderr, "usage: fireperf-frames NODE FILE\n");
		return TROUBLE;
	}
	c.node = (unsigned)node;
	read_file(&c);
	take_frames(&c);
	printf("frames sent %" PRIu64 " received %" PRIu64 "\n", c.sent.frames,
	       c.received.frames);
	printf("bytes sent %" PRIu64 " received %" PRIu64 "\n", c.sent.bytes,
	       c.received.bytes);
	printf("checksums %" PRIu64 "\n", c.checksums);
	print_flows(&c, &c.sent_flows, "sent");
	print_flows(&c, &c.received_flows, "received");
	flows_release(&c.sent_flows);
	flows_release(&c.received_flows);
	free(c.bytes);
	if (fclose(stdout)) {
		fprintf(stderr, "fireperf-frames: <stdout>: %s\n", strerror(errno));
		return TROUBLE;
	}
	return 0;
}
