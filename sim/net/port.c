/* SPDX-License-Identifier: Apache-2.0 */
#include "port.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "soc.h"

enum { ADDRESS_BYTES = 6, GROUP = 1 };

/* A frame that has been copied out of its sender's ring. */
struct copied {
	struct copied *next;
	struct net_frame
	    frame; /* `first` is its end at the sender until it is delivered */
	uint8_t bytes[];
};

struct queue {
	struct copied *first, **last;
};

struct peer {
	struct queue known; /* in order of their ends */
	struct net_progress progress;
	uint64_t read; /* position in its ring */
};

struct net_port {
	struct net_segment *segment;
	struct net_options options;
	unsigned self, dead;
	pid_t parent;
	struct peer peers[NET_NODES_MAX];
	struct queue delivered;
	uint64_t busy;	/* the switch's output is free from this cycle on */
	uint64_t limit; /* may run cycles before it */
	uint64_t down;
	struct net_counts counts;
	bool failed; /* damaged memory */
};

static void append_frame(struct queue *q, struct copied *c)
{
	c->next = NULL;
	*q->last = c;
	q->last = &c->next;
}

static struct copied *take_first_frame(struct queue *q)
{
	struct copied *c = q->first;

	q->first = c->next;
	if (!q->first)
		q->last = &q->first;
	return c;
}

static void empty_queue(struct queue *q)
{
	while (q->first)
		free(take_first_frame(q));
}

static struct net_port *new_port(struct net_segment *segment, unsigned node)
{
	struct net_port *p = calloc(1, sizeof(*p));

	if (!p)
		return NULL;
	p->segment = segment;
	p->options = *net_segment_options(segment);
	p->self = node;
	p->parent = getppid();
	p->down = NET_NEVER;
	p->delivered.last = &p->delivered.first;
	for (unsigned n = 0; n < NET_NODES_MAX; n++)
		p->peers[n].known.last = &p->peers[n].known.first;
	return p;
}

struct net_port *net_port_open(void)
{
	const char *words = getenv("SOC_NET");
	unsigned node;
	int fd;

	errno = words ? EINVAL : ENOENT;
	if (!words || sscanf(words, "%d:%u", &fd, &node) != 2)
		return NULL;
	struct net_segment *segment = net_segment_open(fd);
	if (!segment)
		return NULL;
	if (node >= net_segment_options(segment)->nodes) {
		net_segment_close(segment);
		errno = EINVAL;
		return NULL;
	}
	struct net_port *p = new_port(segment, node);
	if (!p)
		net_segment_close(segment);
	return p;
}

void net_port_close(struct net_port *p)
{
	if (!p)
		return;
	for (unsigned n = 0; n < p->options.nodes; n++)
		empty_queue(&p->peers[n].known);
	empty_queue(&p->delivered);
	net_segment_close(p->segment);
	free(p);
}

const struct net_options *net_port_options(const struct net_port *p)
{
	return &p->options;
}

unsigned net_port_node(const struct net_port *p)
{
	return p->self;
}

uint64_t net_address(unsigned node)
{
	return UINT64_C(2) | (uint64_t)(node + 1) << 40;
}

uint64_t net_cycles(const struct net_options *o, uint64_t words)
{
	if (!o->rate)
		return words;
	return (words * 64 * SOC_CLOCK_HZ + o->rate - 1) / o->rate;
}

bool net_port_send(struct net_port *p, uint64_t end, const uint8_t *bytes, uint32_t size)
{
	const struct net_record record = {.end = end, .size = size};

	p->counts.sent++;
	return net_append(p->segment, p->self, &record, bytes);
}

/* Copies what a peer has published out of its ring. */
static bool drain_peer(struct net_port *p, unsigned n)
{
	static uint8_t bytes[NET_FRAME_MAX];
	struct peer *peer = &p->peers[n];
	struct net_record record;

	while (peer->read < peer->progress.written) {
		peer->read = net_record_at(p->segment, n, peer->read, &record, bytes);
		struct copied *c = peer->read ? malloc(sizeof(*c) + record.size) : NULL;
		if (!c)
			return false;
		c->frame = (struct net_frame){record.end, record.size, c->bytes};
		memcpy(c->bytes, bytes, record.size);
		append_frame(&peer->known, c);
	}
	net_drained(p->segment, p->self, n, peer->read);
	return true;
}

static bool is_for(const struct net_port *p, const struct net_frame *f)
{
	uint64_t address = 0;

	if (f->size < ADDRESS_BYTES)
		return false;
	memcpy(&address, f->bytes, ADDRESS_BYTES);
	return address & GROUP || address == net_address(p->self);
}

/* The frame has arrived at the switch's output. */
static void deliver_frame(struct net_port *p, struct copied *c)
{
	uint64_t arrives = c->frame.first + p->options.latency;
	uint64_t longest = net_cycles(&p->options, NET_BUFFER_BYTES / 8);

	if (!is_for(p, &c->frame)) {
		p->counts.others++;
		free(c);
		return;
	}
	if (p->busy > arrives + longest) {
		p->counts.dropped++;
		free(c);
		return;
	}
	p->counts.delivered++;
	c->frame.first = arrives > p->busy ? arrives : p->busy;
	p->busy = c->frame.first + net_cycles(&p->options, (c->frame.size + 7) / 8);
	append_frame(&p->delivered, c);
}

/* Returns the peer whose frame is next of those that end before `cycle`, or NULL. */
static struct peer *next_of(struct net_port *p, uint64_t cycle)
{
	struct peer *next = NULL;

	for (unsigned n = 0; n < p->options.nodes; n++) {
		struct peer *peer = &p->peers[n];

		if (n == p->self || !peer->known.first ||
		    peer->known.first->frame.first >= cycle)
			continue;
		if (!next ||
		    peer->known.first->frame.first < next->known.first->frame.first)
			next = peer;
	}
	return next;
}

/* Reads what all others have published. Returns the node to wait for: the slowest, or one
 * that has died; or `self` if there is no other. */
static unsigned read_all_peers(struct net_port *p)
{
	uint64_t known = NET_NEVER, last = 0;
	unsigned slowest = p->self;
	struct peer *next;

	for (unsigned n = 0; n < p->options.nodes; n++) {
		struct peer *peer = &p->peers[n];

		if (n == p->self)
			continue;
		net_read_progress(p->segment, n, &peer->progress);
		p->failed |= !drain_peer(p, n);
		bool is_off = peer->progress.state == NET_OFF;
		if (is_off && peer->progress.cycle > last)
			last = peer->progress.cycle;
		if (!is_off && (slowest == p->self || peer->progress.cycle < known)) {
			known = peer->progress.cycle;
			slowest = n;
		}
		if (peer->progress.state == NET_DIED) {
			p->dead = n;
			return n;
		}
	}
	while ((next = next_of(p, known)))
		deliver_frame(p, take_first_frame(&next->known));
	if (slowest == p->self && p->options.nodes > 1)
		p->down = last + p->options.latency;
	p->limit = known > NET_NEVER - p->options.latency ? NET_NEVER
							  : known + p->options.latency;
	return slowest;
}

enum net_go net_port_advance(struct net_port *p, uint64_t cycle)
{
	net_publish(p->segment, p->self, cycle);
	unsigned slowest = read_all_peers(p);
	if (slowest != p->self && p->peers[slowest].progress.state == NET_DIED)
		return NET_DEAD;
	if (p->failed || getppid() != p->parent)
		return NET_ALONE;
	if (p->limit > cycle)
		return NET_GO;
	net_wait(p->segment, slowest, &p->peers[slowest].progress);
	return NET_AGAIN;
}

uint64_t net_port_limit(const struct net_port *p)
{
	return p->limit;
}

unsigned net_port_dead(const struct net_port *p)
{
	return p->dead;
}

void net_port_leave(struct net_port *p, uint64_t cycle)
{
	net_leave(p->segment, p->self, cycle, p->counts.dropped);
}

const struct net_frame *net_port_next(const struct net_port *p)
{
	return p->delivered.first ? &p->delivered.first->frame : NULL;
}

void net_port_pop(struct net_port *p)
{
	free(take_first_frame(&p->delivered));
}

uint64_t net_port_down(const struct net_port *p)
{
	return p->down;
}

const struct net_counts *net_port_counts(const struct net_port *p)
{
	return &p->counts;
}
