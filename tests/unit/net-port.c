/* SPDX-License-Identifier: Apache-2.0 */
/* Nodes of a network, each a process: what each receives, and when, does not depend on
 * epochs and on the order in which the processes run; it is that of a list of all frames,
 * sorted. A node that leaves or dies is noticed. */
#include "net/port.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "check.h"

enum { NODES = 3, FRAMES = 400, LAST = 400000, LATENCY = 6400, LONGEST = 2000 };

/* A frame, as sent or as received. */
struct event {
	uint64_t cycle; /* of its last word at the sender; of its first at the receiver */
	uint32_t size, sum;
	unsigned from, to;
};

struct log {
	unsigned count;
	uint64_t down;
	struct net_counts counts;
	struct event events[NODES * FRAMES];
};

static uint64_t draw(uint64_t *state)
{
	*state = *state * UINT64_C(6364136223846793005) + 1442695040888963407;
	return *state >> 33;
}

static uint32_t sum_of(const uint8_t *bytes, uint32_t size)
{
	uint32_t sum = 2166136261;

	for (uint32_t i = 0; i < size; i++)
		sum = (sum ^ bytes[i]) * 16777619;
	return sum;
}

/* Writes the frame `i` of a node; `to` is a node, or NODES for all. Bursts follow pauses.
 */
static void make_frame(unsigned node, unsigned i, uint64_t *state, struct event *e,
		       uint8_t *bytes)
{
	e->from = node;
	e->to = (unsigned)(draw(state) % (NODES + 1));
	e->size = 14 + (uint32_t)(draw(state) % LONGEST);
	e->cycle += (e->size + 7) / 8 + (draw(state) % 8 ? 0 : draw(state) % 5000);
	uint64_t address = e->to == NODES ? UINT64_C(0xffffffffffff) : net_address(e->to);
	memcpy(bytes, &address, 6);
	for (uint32_t k = 6; k < e->size; k++)
		bytes[k] = (uint8_t)(node + i + k);
	e->sum = sum_of(bytes, e->size);
}

static int by_end(const void *a, const void *b)
{
	const struct event *x = a, *y = b;

	if (x->cycle != y->cycle)
		return x->cycle < y->cycle ? -1 : 1;
	return (x->from > y->from) - (x->from < y->from);
}

/* The frames of all nodes, sorted, as one of them receives them. */
static void expect(const struct net_options *o, unsigned node, struct log *log)
{
	static struct event all[NODES * FRAMES];
	static uint8_t bytes[NET_FRAME_MAX];
	uint64_t busy = 0;
	unsigned n = 0;

	for (unsigned from = 0; from < NODES; from++) {
		struct event e = {.cycle = 100};
		uint64_t state = from + 1;

		for (unsigned i = 0; i < FRAMES; i++) {
			make_frame(from, i, &state, &e, bytes);
			all[n++] = e;
		}
	}
	qsort(all, n, sizeof(all[0]), by_end);
	memset(log, 0, sizeof(*log));
	for (unsigned i = 0; i < n; i++) {
		struct event e = all[i];
		uint64_t arrives = e.cycle + LATENCY;

		if (e.from == node || (e.to != node && e.to != NODES))
			continue;
		e.cycle = arrives > busy ? arrives : busy;
		busy = e.cycle + net_cycles(o, (e.size + 7) / 8);
		log->events[log->count++] = e;
	}
}

static void receive(struct net_port *p, uint64_t before, struct log *log)
{
	const struct net_frame *f;

	while ((f = net_port_next(p)) && f->first < before) {
		log->events[log->count++] = (struct event){
		    .cycle = f->first, .size = f->size, .sum = sum_of(f->bytes, f->size)};
		net_port_pop(p);
	}
}

static void dawdle(unsigned node, uint64_t *state)
{
	struct timespec t = {.tv_nsec = (long)(draw(state) % 200000)};

	if (draw(state) % 4 == node)
		nanosleep(&t, NULL);
}

/* A node: sends its frames, and runs until LAST, an epoch at a time. */
static void run_node(unsigned node, struct log *log)
{
	static uint8_t bytes[NET_FRAME_MAX];
	struct net_port *p = net_port_open();
	uint64_t state = node + 1, noise = (uint64_t)getpid(), now = 0;
	struct event e = {.cycle = 100};
	unsigned made = 1;

	CHECK(p && net_port_node(p) == node);
	make_frame(node, 0, &state, &e, bytes);
	while (now < LAST) {
		uint64_t to = now + net_port_options(p)->epoch;
		enum net_go go;

		while ((go = net_port_advance(p, now)) == NET_AGAIN)
			continue;
		CHECK(go == NET_GO && net_port_limit(p) > now);
		if (to > net_port_limit(p))
			to = net_port_limit(p);
		while (e.cycle < to && made <= FRAMES) {
			CHECK(net_port_send(p, e.cycle, bytes, e.size));
			if (made++ < FRAMES)
				make_frame(node, made - 1, &state, &e, bytes);
		}
		receive(p, to, log);
		now = to;
		dawdle(node, &noise);
	}
	CHECK(made == FRAMES + 1 && e.cycle + LATENCY < LAST);
	log->down = net_port_down(p);
	log->counts = *net_port_counts(p);
	net_port_leave(p, now);
	net_port_close(p);
}

/* Starts a process for each node. */
static void run_nodes(int fd, struct log *logs)
{
	for (unsigned n = 0; n < NODES; n++) {
		char words[32];

		snprintf(words, sizeof(words), "%d:%u", fd, n);
		setenv("SOC_NET", words, 1);
		if (fork() == 0) {
			run_node(n, &logs[n]);
			_exit(check_done());
		}
	}
	for (unsigned n = 0; n < NODES; n++) {
		int status = -1;

		wait(&status);
		CHECK(status == 0);
	}
}

static void check_log(const struct log *got, const struct log *want)
{
	CHECK(got->count == want->count && want->count > FRAMES);
	for (unsigned i = 0; i < want->count; i++)
		CHECK(got->events[i].cycle == want->events[i].cycle &&
		      got->events[i].size == want->events[i].size &&
		      got->events[i].sum == want->events[i].sum);
	CHECK(got->counts.sent == FRAMES && got->counts.delivered == want->count &&
	      got->counts.dropped == 0 &&
	      got->counts.delivered + got->counts.others == (NODES - 1) * FRAMES);
}

static void same_for_all_epochs(uint64_t rate)
{
	static const uint64_t epochs[] = {6400, 640, 64};
	struct log *logs = mmap(NULL, NODES * sizeof(*logs), PROT_READ | PROT_WRITE,
				MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	static struct log want;

	for (unsigned i = 0; i < 3; i++) {
		const struct net_options o = {
		    .nodes = NODES, .latency = LATENCY, .epoch = epochs[i], .rate = rate};
		int fd = net_segment_create(&o);

		CHECK(fd >= 0);
		memset(logs, 0, NODES * sizeof(*logs));
		run_nodes(fd, logs);
		for (unsigned n = 0; n < NODES; n++) {
			expect(&o, n, &want);
			check_log(&logs[n], &want);
		}
		close(fd);
	}
	munmap(logs, NODES * sizeof(*logs));
}

static struct net_port *port_of(int fd, unsigned node)
{
	char words[32];

	snprintf(words, sizeof(words), "%d:%u", fd, node);
	setenv("SOC_NET", words, 1);
	return net_port_open();
}

/* More than the buffer at once, from two nodes: the rest is dropped, and counted. */
static void full_buffer_drops(void)
{
	static const uint8_t frame[9000] = {0xff, 0xff, 0xff, 0xff, 0xff, 0xff};
	const struct net_options o = {.nodes = 3, .latency = 1000000, .epoch = 1000000};
	int fd = net_segment_create(&o);
	struct net_port *p[3] = {port_of(fd, 0), port_of(fd, 1), port_of(fd, 2)};
	unsigned sent = 0;

	for (uint64_t end = 1125; end < 300000; end += 1125, sent += 2) {
		CHECK(net_port_send(p[0], end, frame, sizeof(frame)));
		CHECK(net_port_send(p[1], end, frame, sizeof(frame)));
	}
	CHECK(net_port_advance(p[0], 1000000) == NET_AGAIN);
	CHECK(net_port_advance(p[1], 1000000) == NET_AGAIN);
	CHECK(net_port_advance(p[2], 0) == NET_GO);
	CHECK(net_port_counts(p[2])->dropped > 100);
	CHECK(net_port_counts(p[2])->dropped + net_port_counts(p[2])->delivered == sent);
	for (unsigned n = 0; n < 3; n++)
		net_port_close(p[n]);
	close(fd);
}

/* A node that leaves is a link down, when all others have; one that dies is told. */
static void leaves_and_dies(void)
{
	const struct net_options o = {.nodes = 3, .latency = 100, .epoch = 100};
	int fd = net_segment_create(&o);
	struct net_port *p[3] = {port_of(fd, 0), port_of(fd, 1), port_of(fd, 2)};
	struct net_segment *s = net_segment_open(fd);

	CHECK(net_port_advance(p[0], 0) == NET_GO && net_port_limit(p[0]) == 100);
	net_port_leave(p[1], 4000);
	CHECK(net_port_advance(p[0], 100) == NET_AGAIN &&
	      net_port_down(p[0]) == NET_NEVER);
	net_port_leave(p[2], 3000);
	CHECK(net_port_advance(p[0], 100) == NET_GO && net_port_down(p[0]) == 4100);
	CHECK(net_port_limit(p[0]) == NET_NEVER);
	net_bury(s, 1); /* which has left: that is no death */
	CHECK(net_port_advance(p[0], 200) == NET_GO);
	net_port_close(p[2]);
	net_segment_close(s);
	close(fd);

	fd = net_segment_create(&o);
	p[2] = port_of(fd, 2);
	s = net_segment_open(fd);
	net_bury(s, 1);
	CHECK(net_port_advance(p[2], 0) == NET_DEAD && net_port_dead(p[2]) == 1);
	for (unsigned n = 0; n < 3; n++)
		net_port_close(p[n]);
	net_segment_close(s);
	close(fd);
}

/* Neither a ring that nobody drains nor damaged memory is overrun. */
static void full_ring_and_damage(void)
{
	static const uint8_t frame[NET_FRAME_MAX];
	const struct net_options o = {.nodes = 2, .latency = 100, .epoch = 100};
	const struct net_options bad = {.nodes = 2, .latency = 100, .epoch = 101};
	int fd = net_segment_create(&o), file = memfd_create("damaged", 0);
	struct net_port *p = port_of(fd, 0);
	unsigned sent = 0;

	while (sent < 100 && net_port_send(p, sent, frame, sizeof(frame)))
		sent++;
	CHECK(sent >= 2 && sent < 100);
	CHECK(net_segment_create(&bad) < 0 && errno == EINVAL);
	CHECK(!port_of(fd, 2) && errno == EINVAL);
	CHECK(!port_of(file, 0) && errno == EINVAL);
	CHECK(ftruncate(file, 1 << 20) == 0 && !port_of(file, 0) && errno == EINVAL);
	setenv("SOC_NET", "wire", 1);
	CHECK(!net_port_open() && errno == EINVAL);
	unsetenv("SOC_NET");
	CHECK(!net_port_open() && errno == ENOENT);
	net_port_close(p);
	close(file);
	close(fd);
}

int main(void)
{
	same_for_all_epochs(0);
	same_for_all_epochs(UINT64_C(40000000000));
	full_buffer_drops();
	leaves_and_dies();
	full_ring_and_damage();
	return check_done();
}
