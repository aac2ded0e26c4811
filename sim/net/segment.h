/* SPDX-License-Identifier: Apache-2.0 */
/* Memory shared by the processes of a network: each node publishes the frames that it
 * sends, and how far its time has advanced. There is no other process in between, and no
 * result depends on when a node looks.
 *
 * A frame ends in the cycle of its last word, and arrives elsewhere `latency` cycles
 * later at the earliest. So a node whose peers have all published their frames up to
 * cycle T knows everything that arrives before T + latency, and may run until then.
 *
 * Cycles are those of the target's clock, which all nodes share. */
#ifndef NET_SEGMENT_H
#define NET_SEGMENT_H

#include <stdbool.h>
#include <stdint.h>

enum { NET_NODES_MAX = 64, NET_FRAME_MAX = 16384 }; /* bytes of a frame */
#define NET_LATENCY_MAX 1000000
#define NET_NEVER	UINT64_MAX

struct net_options {
	unsigned nodes;	  /* 1 to NET_NODES_MAX */
	uint64_t latency; /* cycles, 1 to NET_LATENCY_MAX */
	uint64_t epoch;	  /* cycles between two publications, 1 to latency */
	uint64_t rate;	  /* of each link, bits per second; 0: 8 bytes a cycle */
};

/* The header of a frame in a ring; its bytes follow, padded to 8. */
struct net_record {
	uint64_t end; /* cycle of its last word */
	uint32_t size;
	uint32_t unused;
};

enum net_state { NET_RUNS, NET_OFF, NET_DIED };

struct net_segment;

/* Creates the memory. Returns a file descriptor that children inherit, or -1 with errno.
 */
int net_segment_create(const struct net_options *options);
/* Maps the memory. Returns NULL with errno; EINVAL if it is none. */
struct net_segment *net_segment_open(int fd);
void net_segment_close(struct net_segment *s);
const struct net_options *net_segment_options(const struct net_segment *s);

/* Appends a frame to the node's ring; it becomes visible with net_publish(). Returns
 * false if the ring is full, which a node that respects its limit cannot cause. */
bool net_append(struct net_segment *s, unsigned node, const struct net_record *record,
		const uint8_t *bytes);
/* All frames of the node that end before `cycle` are in its ring. */
void net_publish(struct net_segment *s, unsigned node, uint64_t cycle);
/* The node has ended in this cycle; the switch dropped so many frames for it. */
void net_leave(struct net_segment *s, unsigned node, uint64_t cycle, uint64_t dropped);
/* Called by another process: the node will publish nothing any more. */
void net_bury(struct net_segment *s, unsigned node);

struct net_progress {
	enum net_state state;
	uint64_t cycle;	  /* published; of NET_OFF: in which it ended */
	uint64_t written; /* bytes of its ring, from the start of the run */
	uint64_t dropped; /* of NET_OFF: frames that the switch dropped */
};
void net_read_progress(const struct net_segment *s, unsigned node,
		       struct net_progress *progress);
/* Waits until the node's progress differs from this one, or some milliseconds have
 * passed. */
void net_wait(struct net_segment *s, unsigned node, const struct net_progress *seen);
/* Gets the record of a node at this position of its ring, and its bytes, at most
 * NET_FRAME_MAX. Returns the position of the next record, or 0 if the memory is damaged.
 */
uint64_t net_record_at(const struct net_segment *s, unsigned node, uint64_t position,
		       struct net_record *record, uint8_t *bytes);
/* Reader `node` has copied everything of `from` before this position. */
void net_drained(struct net_segment *s, unsigned node, unsigned from, uint64_t position);

#endif
