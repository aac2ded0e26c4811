/* SPDX-License-Identifier: Apache-2.0 */
/* The shared memory: a header, the nodes' progress, and a ring of frames for each. */
#include "segment.h"

#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { MAGIC = 0x31746e73, SPINS = 2000, WAIT_MS = 100 };
/* A frame of one byte takes a cycle, and a record with 8 bytes. A reader may have drained
 * nothing for two latencies and two epochs. */
enum { BYTES_PER_CYCLE = sizeof(struct net_record) + 8 };

struct node {
	_Atomic uint32_t changes; /* the futex: counts publications */
	_Atomic uint32_t state;
	_Atomic uint64_t cycle;
	_Atomic uint64_t written;
	_Atomic uint64_t dropped;
	_Atomic uint64_t drained[NET_NODES_MAX];
	uint64_t appended; /* its own, ahead of `written` */
};

struct shared {
	uint32_t magic, bytes_per_ring;
	struct net_options options;
	struct node nodes[NET_NODES_MAX];
};

struct net_segment {
	struct shared *shared;
	size_t bytes;
};

static uint64_t ring_bytes(const struct net_options *o)
{
	return BYTES_PER_CYCLE * (2 * o->latency + 2 * o->epoch) + 4 * NET_FRAME_MAX;
}

static size_t total_bytes(const struct net_options *o)
{
	return sizeof(struct shared) + o->nodes * ring_bytes(o);
}

static bool is_valid(const struct net_options *o)
{
	return o->nodes >= 1 && o->nodes <= NET_NODES_MAX && o->latency >= 1 &&
	       o->latency <= NET_LATENCY_MAX && o->epoch >= 1 && o->epoch <= o->latency;
}

static struct net_segment *map_segment(int fd, size_t bytes)
{
	struct net_segment *s = calloc(1, sizeof(*s));
	void *memory;

	if (!s)
		return NULL;
	memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (memory == MAP_FAILED) {
		free(s);
		return NULL;
	}
	s->shared = memory;
	s->bytes = bytes;
	return s;
}

int net_segment_create(const struct net_options *options)
{
	size_t bytes = total_bytes(options);

	if (!is_valid(options)) {
		errno = EINVAL;
		return -1;
	}
	int fd = memfd_create("soc-net", 0);
	if (fd < 0)
		return -1;
	struct net_segment *s =
	    ftruncate(fd, (off_t)bytes) == 0 ? map_segment(fd, bytes) : NULL;
	if (!s) {
		close(fd);
		return -1;
	}
	s->shared->magic = MAGIC;
	s->shared->bytes_per_ring = (uint32_t)ring_bytes(options);
	s->shared->options = *options;
	net_segment_close(s);
	return fd;
}

struct net_segment *net_segment_open(int fd)
{
	struct stat status;

	if (fstat(fd, &status) != 0)
		return NULL;
	if ((size_t)status.st_size < sizeof(struct shared)) {
		errno = EINVAL;
		return NULL;
	}
	struct net_segment *s = map_segment(fd, (size_t)status.st_size);
	if (!s)
		return NULL;
	if (s->shared->magic != MAGIC || !is_valid(&s->shared->options) ||
	    s->bytes != total_bytes(&s->shared->options)) {
		net_segment_close(s);
		errno = EINVAL;
		return NULL;
	}
	return s;
}

void net_segment_close(struct net_segment *s)
{
	if (!s)
		return;
	munmap(s->shared, s->bytes);
	free(s);
}

const struct net_options *net_segment_options(const struct net_segment *s)
{
	return &s->shared->options;
}

static uint8_t *ring_of(const struct net_segment *s, unsigned node)
{
	return (uint8_t *)(s->shared + 1) + (size_t)node * s->shared->bytes_per_ring;
}

/* Copies to or from a ring, around its end. */
static void copy_ring_bytes(const struct net_segment *s, unsigned node, uint64_t position,
			    void *data, size_t size, bool to_ring)
{
	size_t room = s->shared->bytes_per_ring, at = position % room;
	size_t first = size < room - at ? size : room - at;
	uint8_t *ring = ring_of(s, node), *bytes = data;

	if (to_ring) {
		memcpy(ring + at, bytes, first);
		memcpy(ring, bytes + first, size - first);
	} else {
		memcpy(bytes, ring + at, first);
		memcpy(bytes + first, ring, size - first);
	}
}

static uint64_t record_bytes(uint32_t size)
{
	return sizeof(struct net_record) + ((uint64_t)size + 7) / 8 * 8;
}

/* The oldest byte that a reader still needs. */
static uint64_t oldest_needed_byte(const struct net_segment *s, const struct node *writer,
				   unsigned self)
{
	uint64_t least = writer->appended;

	for (unsigned n = 0; n < s->shared->options.nodes; n++) {
		uint64_t drained = atomic_load(&writer->drained[n]);

		if (n != self && drained < least &&
		    atomic_load(&s->shared->nodes[n].state) == NET_RUNS)
			least = drained;
	}
	return least;
}

bool net_append(struct net_segment *s, unsigned node, const struct net_record *record,
		const uint8_t *bytes)
{
	struct node *self = &s->shared->nodes[node];
	struct net_record own = *record;
	uint64_t end = self->appended + record_bytes(own.size);

	if (own.size > NET_FRAME_MAX ||
	    end - oldest_needed_byte(s, self, node) > s->shared->bytes_per_ring)
		return false;
	copy_ring_bytes(s, node, self->appended, &own, sizeof(own), true);
	copy_ring_bytes(s, node, self->appended + sizeof(own), (void *)(uintptr_t)bytes,
			own.size, true);
	self->appended = end;
	return true;
}

static void wake_waiters(struct node *node)
{
	atomic_fetch_add(&node->changes, 1);
	syscall(SYS_futex, &node->changes, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
}

void net_publish(struct net_segment *s, unsigned node, uint64_t cycle)
{
	struct node *self = &s->shared->nodes[node];

	atomic_store(&self->written, self->appended);
	atomic_store(&self->cycle, cycle);
	wake_waiters(self);
}

void net_leave(struct net_segment *s, unsigned node, uint64_t cycle, uint64_t dropped)
{
	struct node *self = &s->shared->nodes[node];

	atomic_store(&self->dropped, dropped);
	net_publish(s, node, cycle);
	atomic_store(&self->state, NET_OFF);
	wake_waiters(self);
}

void net_bury(struct net_segment *s, unsigned node)
{
	struct node *dead = &s->shared->nodes[node];
	uint32_t runs = NET_RUNS;

	if (atomic_compare_exchange_strong(&dead->state, &runs, NET_DIED))
		wake_waiters(dead);
}

/* The state is read first, and `written` last: a node that has left has published all. */
void net_read_progress(const struct net_segment *s, unsigned node,
		       struct net_progress *progress)
{
	struct node *other = &s->shared->nodes[node];

	progress->state = (enum net_state)atomic_load(&other->state);
	progress->cycle = atomic_load(&other->cycle);
	progress->written = atomic_load(&other->written);
	progress->dropped = atomic_load(&other->dropped);
}

static bool is_unchanged(const struct net_segment *s, unsigned node,
			 const struct net_progress *seen)
{
	struct net_progress now;

	net_read_progress(s, node, &now);
	return now.state == seen->state && now.cycle == seen->cycle;
}

void net_wait(struct net_segment *s, unsigned node, const struct net_progress *seen)
{
	static const struct timespec limit = {.tv_nsec = WAIT_MS * 1000000L};
	struct node *other = &s->shared->nodes[node];

	for (unsigned i = 0; i < SPINS; i++)
		if (!is_unchanged(s, node, seen))
			return;
	uint32_t changes = atomic_load(&other->changes);
	if (is_unchanged(s, node, seen))
		syscall(SYS_futex, &other->changes, FUTEX_WAIT, changes, &limit, NULL, 0);
}

uint64_t net_record_at(const struct net_segment *s, unsigned node, uint64_t position,
		       struct net_record *record, uint8_t *bytes)
{
	copy_ring_bytes(s, node, position, record, sizeof(*record), false);
	if (record->size > NET_FRAME_MAX)
		return 0;
	copy_ring_bytes(s, node, position + sizeof(*record), bytes, record->size, false);
	return position + record_bytes(record->size);
}

void net_drained(struct net_segment *s, unsigned node, unsigned from, uint64_t position)
{
	atomic_store(&s->shared->nodes[from].drained[node], position);
}
