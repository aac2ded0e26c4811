/* SPDX-License-Identifier: Apache-2.0 */
/* Frames and words of a wire, and the wire that returns its frames. */
#include "wire.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "net/pcap.h"
#include "net/port.h"
#include "wire_state.h"

enum { WORD = 8 };

struct wire *wire_new(void)
{
	struct wire *w = calloc(1, sizeof(*w));

	if (!w)
		return NULL;
	w->last = &w->first;
	w->up = true;
	w->next = 0; /* the first cycle sees the link */
	w->turn = UINT64_MAX;
	return w;
}

void wire_free(struct wire *w)
{
	if (!w)
		return;
	if (w->release)
		w->release(w);
	while (w->first) {
		struct wire_frame *next = w->first->next;

		free(w->first);
		w->first = next;
	}
	free(w->out);
	free(w);
}

void wire_set_pcap(struct wire *w, FILE *file)
{
	w->pcap = file;
	if (!pcap_begin(file))
		w->fault = strerror(errno);
}

static void record_frame(struct wire *w, const struct wire_frame *f, uint64_t cycle)
{
	if (w->pcap && !pcap_frame(w->pcap, cycle - w->origin, f->bytes, f->size))
		w->fault = strerror(errno);
}

bool wire_sync(struct wire *w, uint64_t cycle)
{
	return !w->sync || cycle < w->turn || w->sync(w, cycle);
}

void wire_leave(struct wire *w, uint64_t cycle)
{
	if (w->leave)
		w->leave(w, cycle);
}

uint64_t wire_next(const struct wire *w)
{
	return w->next < w->turn ? w->next : w->turn;
}

/* Words that are sent later than the link's rate allows do not make it idle earlier. */
static void pace_sends(struct wire *w, const struct wire_frame *f, uint64_t cycle)
{
	uint64_t words = (f->size + WORD - 1) / WORD;

	if (!w->rate.rate)
		return;
	w->sends_next = f->at + net_cycles(&w->rate, words);
	if (w->next > cycle + 1)
		w->next = cycle + 1;
}

const char *wire_fault(const struct wire *w)
{
	return w->fault;
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
	record_frame(w, f, cycle);
	w->sent(w, f, cycle);
}

void wire_deliver(struct wire *w, struct wire_frame *frame)
{
	if (frame->at < w->free)
		frame->at = w->free;
	w->free = frame->at + net_cycles(&w->rate, (frame->size + WORD - 1) / WORD);
	*w->last = frame;
	w->last = &frame->next;
	if (frame->at < w->next)
		w->next = frame->at;
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
	return w->first ? w->first->at + net_cycles(&w->rate, w->position / WORD)
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

static void send_back(struct wire *w, struct wire_frame *frame, uint64_t cycle)
{
	frame->at += w->latency;
	if (frame->at <= cycle)
		frame->at = cycle + 1;
	wire_deliver(w, frame);
}

struct wire *wire_new_loopback(uint64_t latency)
{
	struct wire *w = wire_new();

	if (!w)
		return NULL;
	w->latency = latency;
	w->sent = send_back;
	return w;
}
