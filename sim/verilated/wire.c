/* SPDX-License-Identifier: Apache-2.0 */
/* Frames and words of a wire: words become frames, which come back or go to the network,
 * and frames that are delivered become words. */
#include "wire.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "net/pcap.h"
#include "net/port.h"

enum { WORD = 8 };

struct wire_frame {
	struct wire_frame *next;
	uint64_t at; /* cycle of its first word; when delivered, the earliest one */
	unsigned size;
	uint8_t bytes[WIRE_FRAME];
};

struct wire {
	struct net_port *port; /* NULL: frames come back */
	struct net_options options;
	uint64_t origin;  /* cycle 0 of the network's time */
	uint64_t turn;	  /* cycle of the next wire_sync(), or NET_NEVER */
	FILE *pcap;	  /* or NULL */
	const char *path; /* of it */

	bool up, sends;	     /* a frame is being sent */
	uint64_t sends_next; /* cycle from which on the next word may be sent */
	struct wire_frame *out;
	struct wire_frame *first, **last; /* to be delivered, in order */
	unsigned position;		  /* bytes of the first one that were delivered */
	uint64_t next, free; /* the cycle from which on the link to the core is free */
	const char *fault;
	char dead[64], unwritten[256]; /* messages */
};

static void fail_to_write(struct wire *w)
{
	snprintf(w->unwritten, sizeof(w->unwritten), "%s: %s", w->path, strerror(errno));
	w->fault = w->unwritten;
}

struct wire *wire_new(struct net_port *port, uint64_t latency, FILE *pcap,
		      const char *path)
{
	struct wire *w = calloc(1, sizeof(*w));

	if (!w)
		return NULL;
	w->port = port;
	w->turn = port ? 0 : NET_NEVER;
	w->options =
	    port ? *net_port_options(port) : (struct net_options){.latency = latency};
	w->last = &w->first;
	w->up = true;
	w->next = 0; /* the first cycle sees the link */
	w->pcap = pcap;
	w->path = path;
	if (pcap && !pcap_begin(pcap))
		fail_to_write(w);
	return w;
}

void wire_free(struct wire *w)
{
	if (!w)
		return;
	if (w->port)
		net_port_close(w->port);
	while (w->first) {
		struct wire_frame *next = w->first->next;

		free(w->first);
		w->first = next;
	}
	free(w->out);
	free(w);
}

uint64_t wire_next(const struct wire *w)
{
	return w->next < w->turn ? w->next : w->turn;
}

const char *wire_fault(const struct wire *w)
{
	return w->fault;
}

static uint64_t frame_cycles(const struct wire *w, const struct wire_frame *f)
{
	return net_cycles(&w->options, (f->size + WORD - 1) / WORD);
}

static void record_frame(struct wire *w, const struct wire_frame *f, uint64_t cycle)
{
	if (w->pcap && !pcap_frame(w->pcap, cycle - w->origin, f->bytes, f->size))
		fail_to_write(w);
}

/* Delivers a frame from cycle frame->at on, after those before it. */
static void deliver_frame(struct wire *w, struct wire_frame *frame)
{
	if (frame->at < w->free)
		frame->at = w->free;
	w->free = frame->at + frame_cycles(w, frame);
	*w->last = frame;
	w->last = &frame->next;
	if (frame->at < w->next)
		w->next = frame->at;
}

/* ------------------------------------------------------------ the network */

/* Takes over the frames that arrive before the limit. */
static void take_net_frames(struct wire *w)
{
	const struct net_frame *f;

	while ((f = net_port_next(w->port))) {
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
		net_port_pop(w->port);
		deliver_frame(w, frame);
	}
}

static uint64_t lower_wire_cycle(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* The others wait for this node's frames at the latest an epoch from now. */
static void set_turn(struct wire *w, uint64_t now)
{
	uint64_t down = net_port_down(w->port);

	w->turn = lower_wire_cycle(net_port_limit(w->port), now + w->options.epoch);
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

bool wire_sync(struct wire *w, uint64_t cycle)
{
	if (cycle < w->turn)
		return true;
	if (w->turn == 0)
		w->origin = cycle;
	uint64_t now = cycle - w->origin;
	switch (net_port_advance(w->port, now)) {
	case NET_GO:
		take_net_frames(w);
		set_turn(w, now);
		return !w->fault;
	case NET_DEAD:
		snprintf(w->dead, sizeof(w->dead), "peer died: node %u of the network",
			 net_port_dead(w->port));
		w->fault = w->dead;
		return false;
	case NET_ALONE:
		w->fault = "soc-net has ended";
		return false;
	default:
		return false;
	}
}

void wire_leave(struct wire *w, uint64_t cycle)
{
	if (w->port)
		net_port_leave(w->port, cycle - w->origin);
}

/* ------------------------------------------------------------ the words */

/* The frame has ended in this cycle, and is no longer the core's. */
static void pass_frame(struct wire *w, struct wire_frame *frame, uint64_t cycle)
{
	record_frame(w, frame, cycle);
	if (!w->port) {
		frame->at += w->options.latency;
		if (frame->at <= cycle)
			frame->at = cycle + 1;
		deliver_frame(w, frame);
		return;
	}
	if (!net_port_send(w->port, cycle - w->origin, frame->bytes, frame->size))
		w->fault = "the other nodes do not take its frames";
	free(frame);
}

/* Words that are sent later than the link's rate allows do not make it idle earlier. */
static void pace_sends(struct wire *w, const struct wire_frame *f, uint64_t cycle)
{
	if (!w->options.rate)
		return;
	w->sends_next = f->at + frame_cycles(w, f);
	if (w->next > cycle + 1)
		w->next = cycle + 1;
}

void wire_send(struct wire *w, uint64_t cycle, const struct wire_word *word)
{
	struct wire_frame *f = w->out;

	if (!f)
		f = w->out = malloc(sizeof(*f));
	if (!f) {
		w->fault = "out of memory";
		return;
	}
	if (!w->sends) {
		f->next = NULL;
		f->at = cycle;
		f->size = 0;
	}
	if (f->size + word->bytes > WIRE_FRAME) {
		w->fault = "a frame of more than 10240 bytes";
		return;
	}
	for (unsigned i = 0; i < word->bytes; i++)
		f->bytes[f->size++] = (uint8_t)(word->data >> 8 * i);
	pace_sends(w, f, cycle);
	w->sends = !word->last;
	if (w->sends)
		return;
	w->out = NULL;
	pass_frame(w, f, cycle);
}

/* The next word of the first frame. */
static void take_received_word(struct wire *w, uint64_t cycle, struct wire_word *word)
{
	struct wire_frame *f = w->first;
	unsigned left = f->size - w->position;

	word->bytes = left < WORD ? left : WORD;
	word->last = left <= WORD;
	word->data = 0;
	memcpy(&word->data, f->bytes + w->position, word->bytes);
	w->position += word->bytes;
	if (!word->last)
		return;
	record_frame(w, f, cycle);
	w->position = 0;
	w->first = f->next;
	if (!w->first)
		w->last = &w->first;
	free(f);
}

/* Returns the cycle of the next word to be delivered, or UINT64_MAX. */
static uint64_t next_word_cycle(const struct wire *w)
{
	return w->first ? w->first->at + net_cycles(&w->options, w->position / WORD)
			: UINT64_MAX;
}

void wire_drive(struct wire *w, uint64_t cycle, struct wire_pins *pins)
{
	*pins = (struct wire_pins){.up = w->up, .ready = cycle >= w->sends_next};
	w->next = pins->ready ? UINT64_MAX : w->sends_next;
	if (next_word_cycle(w) <= cycle) {
		pins->valid = true;
		take_received_word(w, cycle, &pins->word);
		w->next = cycle + 1;
	} else if (next_word_cycle(w) < w->next) {
		w->next = next_word_cycle(w);
	}
}
