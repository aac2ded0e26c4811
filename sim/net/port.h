/* SPDX-License-Identifier: Apache-2.0 */
/* A node's port of the network. Each node does the work of the switch for its own port:
 * frames of all others are merged in the order of (end, node), those for other addresses
 * are left out, and the rest leaves the switch one after another, at the link's rate.
 *
 *	first word = max(end at the sender + latency, end of the frame before)
 *
 * Behind the sender's port the switch stores a frame of 512 KiB at most; what finds its
 * output full is dropped, and counted. */
#ifndef NET_PORT_H
#define NET_PORT_H

#include "segment.h"

enum { NET_BUFFER_BYTES = 512 << 10 };

struct net_port;

struct net_frame {
	uint64_t first; /* cycle of its first word */
	uint32_t size;	/* bytes */
	const uint8_t *bytes;
};

struct net_counts {
	uint64_t sent;	    /* frames of this node */
	uint64_t delivered; /* frames to this node */
	uint64_t others;    /* frames of others that are not for this node */
	uint64_t dropped;   /* frames for this node that found the buffer full */
};

/* Opens the port named by SOC_NET in the environment, which soc-net sets. Returns NULL
 * with errno; ENOENT without SOC_NET. */
struct net_port *net_port_open(void);
void net_port_close(struct net_port *p);
const struct net_options *net_port_options(const struct net_port *p);
unsigned net_port_node(const struct net_port *p);

/* The Ethernet address of a node: 02:00:00:00:00:01 is that of node 0. Its first byte is
 * in bits 7:0. */
uint64_t net_address(unsigned node);
/* Cycles that this many words of 8 bytes take on a link. */
uint64_t net_cycles(const struct net_options *o, uint64_t words);

/* The node has sent a frame; its last word left in cycle `end`, not before that of the
 * frame before. Returns false if the ring is full. */
bool net_port_send(struct net_port *p, uint64_t end, const uint8_t *bytes, uint32_t size);

enum net_go {
	NET_GO,	   /* the node may run cycles before net_port_limit() */
	NET_AGAIN, /* others are slow: look for signals, and call again */
	NET_DEAD,  /* a node has died: net_port_dead() */
	NET_ALONE, /* soc-net has died */
};
/* The node has run all cycles before `cycle`; waits until it may run that one. */
enum net_go net_port_advance(struct net_port *p, uint64_t cycle);
uint64_t net_port_limit(const struct net_port *p);
unsigned net_port_dead(const struct net_port *p);
/* The node ends in this cycle: for the others the link goes down. */
void net_port_leave(struct net_port *p, uint64_t cycle);

/* The next frame, or NULL if none begins before the limit. net_port_pop() removes it, and
 * ends the life of its bytes. */
const struct net_frame *net_port_next(const struct net_port *p);
void net_port_pop(struct net_port *p);
/* The cycle from which on all other nodes are off, so that the link is down; NET_NEVER if
 * that is not before the limit. */
uint64_t net_port_down(const struct net_port *p);
const struct net_counts *net_port_counts(const struct net_port *p);

#endif
