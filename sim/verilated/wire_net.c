/* SPDX-License-Identifier: Apache-2.0 */
/* The wire that leads to the other nodes of a network. Its time is the network's: cycles
 * since the first wire_sync(). */
#include <stdlib.h>
#include <string.h>

#include "net/port.h"
#include "wire_state.h"

static void send_away(struct wire *w, struct wire_frame *frame, uint64_t cycle)
{
	if (!net_port_send(w->user, cycle - w->origin, frame->bytes, frame->size))
		w->fault = "the other nodes do not take its frames";
	free(frame);
}

/* Takes over the frames that arrive before the limit. */
static void take_net_frames(struct wire *w)
{
	const struct net_frame *f;

	while ((f = net_port_next(w->user))) {
		struct wire_frame *frame = malloc(sizeof(*frame));

		if (!frame || f->size > WIRE_FRAME) {
			w->fault =
			    frame ? "a frame of more than 10240 bytes" : "out of memory";
			free(frame);
			return;
		}
		frame->next = NULL;
		frame->at = w->origin + f->first;
		frame->size = f->size;
		memcpy(frame->bytes, f->bytes, f->size);
		net_port_pop(w->user);
		wire_deliver(w, frame);
	}
}

static uint64_t lower_wire_cycle(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* The others wait for this node's frames at the latest an epoch from now. */
static void set_turn(struct wire *w, uint64_t now)
{
	const struct net_options *o = net_port_options(w->user);
	uint64_t down = net_port_down(w->user);

	w->turn = lower_wire_cycle(net_port_limit(w->user), now + o->epoch);
	if (w->up && down <= now) {
		w->up = false;
		w->next = w->origin + now;
	}
	if (w->up)
		w->turn = lower_wire_cycle(w->turn, down);
	else
		w->turn = NET_NEVER; /* nobody is left */
	if (w->turn != NET_NEVER)
		w->turn += w->origin;
}

static bool net_wire_sync(struct wire *w, uint64_t cycle)
{
	static char fault[64];

	if (w->turn == 0)
		w->origin = cycle;
	uint64_t now = cycle - w->origin;
	switch (net_port_advance(w->user, now)) {
	case NET_GO:
		take_net_frames(w);
		set_turn(w, now);
		return !w->fault;
	case NET_DEAD:
		snprintf(fault, sizeof(fault), "peer died: node %u of the network",
			 net_port_dead(w->user));
		w->fault = fault;
		return false;
	case NET_ALONE:
		w->fault = "soc-net has ended";
		return false;
	default:
		return false;
	}
}

static void net_wire_leave(struct wire *w, uint64_t cycle)
{
	net_port_leave(w->user, cycle - w->origin);
}

static void net_wire_release(struct wire *w)
{
	net_port_close(w->user);
}

struct wire *wire_new_net(struct net_port *port)
{
	struct wire *w = wire_new();

	if (!w)
		return NULL;
	w->user = port;
	w->rate = *net_port_options(port);
	w->turn = 0;
	w->sent = send_away;
	w->sync = net_wire_sync;
	w->leave = net_wire_leave;
	w->release = net_wire_release;
	return w;
}
