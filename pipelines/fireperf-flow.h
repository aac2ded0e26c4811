/* SPDX-License-Identifier: Apache-2.0 */
/* One direction of a TCP connection, put together from its segments as they appear on a
 * wire: each byte once, in order. */
#ifndef FIREPERF_FLOW_H
#define FIREPERF_FLOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct segment {
	uint32_t source, target; /* addresses of IPv4 */
	uint16_t source_port, target_port;
	uint32_t sequence; /* of its first byte, or of SYN */
	bool syn, sack;	   /* sack: it acknowledges selectively */
	const uint8_t *bytes;
	size_t size;
	uint64_t ns; /* time on the wire */
};

struct flow {
	struct segment first; /* its addresses and ports; no bytes */
	uint64_t segments;    /* with payload */
	uint64_t again;	      /* of these, with bytes that an earlier one had */
	uint64_t sacks;
	uint64_t size; /* bytes from the first to the highest */

	/* Of what follows the first `skip` bytes: the interval in which `steady_bytes`
	 * arrived; its ends are segments, the first of which does not count. */
	uint64_t steady_bytes, steady_from, steady_to;

	uint32_t origin; /* sequence number of byte 0 */
	uint8_t *bytes, *known;
	size_t room;
};

struct flows {
	struct flow *flows;
	size_t count;
	uint64_t skip; /* bytes of each flow before its steady state */
};

void flows_release(struct flows *f);
/* Adds a segment. Returns NULL, or what is wrong: no memory, bytes that differ from those
 * sent before at the same place, a place beyond 256 MiB. */
const char *flows_add(struct flows *f, const struct segment *segment);
/* Returns whether no byte of the flow is missing. */
bool flow_is_complete(const struct flow *f);
/* A hash of the flow's bytes. */
uint64_t flow_hash(const struct flow *f);

#endif
