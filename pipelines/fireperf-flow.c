/* SPDX-License-Identifier: Apache-2.0 */
#include "fireperf-flow.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

enum { SIZE_MAX_LOG2 = 28, ROOM_MIN = 1 << 16 };

void flows_release(struct flows *f)
{
	for (size_t i = 0; i < f->count; i++) {
		free(f->flows[i].bytes);
		free(f->flows[i].known);
	}
	free(f->flows);
	f->flows = NULL;
	f->count = 0;
}

static bool is_of(const struct flow *f, const struct segment *s)
{
	return f->first.source == s->source && f->first.target == s->target &&
	       f->first.source_port == s->source_port &&
	       f->first.target_port == s->target_port;
}

/* Returns the segment's flow, a new one if there is none, or NULL without memory. */
static struct flow *flow_of(struct flows *f, const struct segment *s)
{
	struct flow *grown;

	for (size_t i = 0; i < f->count; i++)
		if (is_of(&f->flows[i], s))
			return &f->flows[i];
	grown = realloc(f->flows, (f->count + 1) * sizeof(*grown));
	if (!grown)
		return NULL;
	f->flows = grown;
	grown = &grown[f->count++];
	*grown = (struct flow){.first = *s, .origin = s->sequence + s->syn};
	grown->first.bytes = NULL;
	return grown;
}

static bool make_room(struct flow *f, size_t size)
{
	size_t room = f->room ? f->room : ROOM_MIN;
	uint8_t *bytes, *known;

	if (size <= f->room)
		return true;
	while (room < size)
		room *= 2;
	bytes = realloc(f->bytes, room);
	if (bytes)
		f->bytes = bytes;
	known = realloc(f->known, room);
	if (known)
		f->known = known;
	if (!bytes || !known)
		return false;
	memset(known + f->room, 0, room - f->room);
	f->room = room;
	return true;
}

static void note_steady(struct flow *f, uint64_t skip, uint64_t before, uint64_t ns)
{
	if (f->size == before || f->size <= skip)
		return;
	if (before <= skip)
		f->steady_from = ns;
	else
		f->steady_bytes += f->size - before;
	f->steady_to = ns;
}

/* Puts the payload into its place. */
static const char *place(struct flow *f, const struct segment *s, size_t at)
{
	bool is_known = false;

	if (!make_room(f, at + s->size))
		return "out of memory";
	for (size_t i = 0; i < s->size; i++) {
		if (!f->known[at + i])
			continue;
		is_known = true;
		if (f->bytes[at + i] != s->bytes[i])
			return "other bytes than before at the same place of a flow";
	}
	memcpy(f->bytes + at, s->bytes, s->size);
	memset(f->known + at, 1, s->size);
	f->segments++;
	f->again += is_known;
	if (at + s->size > f->size)
		f->size = at + s->size;
	return NULL;
}

const char *flows_add(struct flows *f, const struct segment *segment)
{
	struct flow *flow = flow_of(f, segment);
	const char *wrong;
	uint64_t before;
	uint32_t at;

	if (!flow)
		return "out of memory";
	flow->sacks += segment->sack;
	if (!segment->size)
		return NULL;
	at = segment->sequence + segment->syn - flow->origin;
	if (at >> SIZE_MAX_LOG2)
		return "a sequence number far from the flow's first";
	before = flow->size;
	wrong = place(flow, segment, at);
	if (!wrong)
		note_steady(flow, f->skip, before, segment->ns);
	return wrong;
}

bool flow_is_complete(const struct flow *f)
{
	return !f->size || !memchr(f->known, 0, f->size);
}

uint64_t flow_hash(const struct flow *f)
{
	return XXH3_64bits(f->bytes, f->size);
}
