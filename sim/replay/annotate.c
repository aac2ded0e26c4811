/* SPDX-License-Identifier: Apache-2.0 */
#include "annotate.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "stream/chunk.h"
#include "stream/codec.h"
#include "stream/frame.h"

/* What a frame has of a hart, and the hits in it, in order. */
struct part {
	uint32_t hart;
	uint64_t first_row, last_row; /* among all of the hart: from, and up to */
	const struct tr_event *events;
	uint32_t nevents, nhits;
	struct tr_event *hits;
	size_t hit_room;
};

/* A frame that is not written yet. Once the reader has the next frame, all is in `data`.
 */
struct held {
	struct held *next;
	struct tr_payload payload;
	const struct tr_note *notes;
	const struct tr_frame *frame; /* held, with the addresses of accesses */
	uint32_t nnotes, nparts;
	struct part parts[TR_MAX_HARTS];
	size_t hit_bytes; /* at most, when they are written */
	struct tr_arena data;
	bool is_retained;
};

struct annotate {
	struct replay *replay;
	struct tr_reader *reader;
	struct tr_writer *writer;
	struct addresses *addresses; /* NULL: not wanted */
	uint32_t first_probe;	     /* the input's header has those before it */
	uint64_t rows[SOC_HARTS_MAX];
	struct held *oldest, *newest;
	uint64_t hits, hits_written;
};

/* ------------------------------------------------------------ header */

/* Returns the fields of a probe, separated by commas, in memory of the caller. */
static char *join_probe_fields(const struct tr_probes *probes, size_t probe)
{
	struct tr_buffer text = {0};

	for (size_t i = 0; i < tr_probes_field_count(probes, probe); i++) {
		const char *name = tr_probes_field_name(probes, probe, i);

		if (i)
			tr_buffer_add(&text, ",", 1);
		tr_buffer_add(&text, name, strlen(name));
	}
	tr_buffer_add(&text, "", 1);
	if (!text.failed)
		return (char *)text.data;
	tr_buffer_free(&text);
	return NULL;
}

/* Sets the keys of probe `number` of the header. */
static int put_probe(struct tr_header *header, size_t number, const char *name,
		     const char *fields, const char *absence)
{
	char key[48];
	int status;

	snprintf(key, sizeof(key), "probe.%zu", number);
	status = tr_header_set(header, key, name);
	snprintf(key, sizeof(key), "probe.%zu.fields", number);
	if (!status)
		status = tr_header_set(header, key, fields);
	snprintf(key, sizeof(key), "probe.%zu.absent", number);
	if (!status && absence)
		status = tr_header_set(header, key, absence);
	return status;
}

static size_t count_probes(const struct tr_probes *probes)
{
	return probes ? tr_probes_count(probes) : 0;
}

int annotate_header(struct tr_header *header, const struct tr_probes *probes,
		    bool has_marks)
{
	struct tr_probe_names names;
	int status = tr_probe_names_read(&names, header);
	size_t first = names.count, count = count_probes(probes);

	tr_probe_names_release(&names);
	if (first + count + has_marks > TR_MAX_PROBES)
		return TR_E_ARGUMENT;
	for (size_t i = 0; i < count && !status; i++) {
		char *fields = join_probe_fields(probes, i);

		if (!fields)
			return TR_E_NOMEM;
		if (tr_probes_field_count(probes, i) > TR_MAX_PROBE_FIELDS)
			status = TR_E_ARGUMENT;
		else
			status = put_probe(header, first + i, tr_probes_name(probes, i),
					   fields, tr_probes_absence(probes, i));
		free(fields);
	}
	if (has_marks && !status)
		status =
		    put_probe(header, first + count, "mark", "name,kind,number", NULL);
	return status;
}

/* ------------------------------------------------------------ frames */

struct annotate *annotate_new(struct replay *replay, struct tr_reader *reader,
			      struct tr_writer *writer, struct addresses *addresses)
{
	struct annotate *a = calloc(1, sizeof(*a));

	if (!a)
		return NULL;
	a->replay = replay;
	a->reader = reader;
	a->writer = writer;
	a->addresses = addresses;
	a->first_probe = tr_reader_probes(reader)->count;
	return a;
}

static void drop_oldest(struct annotate *a)
{
	struct held *held = a->oldest;

	a->oldest = held->next;
	if (!a->oldest)
		a->newest = NULL;
	for (uint32_t i = 0; i < held->nparts; i++)
		free(held->parts[i].hits);
	tr_arena_reset(&held->data);
	tr_frame_release(held->frame);
	free(held);
}

void annotate_free(struct annotate *a)
{
	while (a && a->oldest)
		drop_oldest(a);
	free(a);
}

int annotate_take(struct annotate *a, const struct tr_frame *frame)
{
	struct held *held = calloc(1, sizeof(*held));

	if (!held)
		return TR_E_NOMEM;
	held->payload = tr_reader_payload(a->reader);
	held->notes = frame->notes;
	held->nnotes = frame->nnotes;
	held->nparts = frame->nharts;
	if (a->addresses)
		held->frame = tr_frame_hold(frame);
	for (uint32_t i = 0; i < frame->nharts; i++) {
		const struct tr_hart_frame *hart = &frame->harts[i];
		uint64_t *rows = hart->hart < SOC_HARTS_MAX ? &a->rows[hart->hart] : NULL;

		held->parts[i] = (struct part){.hart = hart->hart,
					       .first_row = rows ? *rows : 0,
					       .events = hart->events,
					       .nevents = hart->nevents};
		if (rows)
			*rows += hart->nrows;
		held->parts[i].last_row = held->parts[i].first_row + hart->nrows;
	}
	if (a->newest)
		a->newest->next = held;
	else
		a->oldest = held;
	a->newest = held;
	return TR_OK;
}

static struct part *find_frame_part(struct annotate *a, unsigned hart, uint64_t row,
				    struct held **held)
{
	for (*held = a->oldest; *held; *held = (*held)->next)
		for (uint32_t i = 0; i < (*held)->nparts; i++) {
			struct part *part = &(*held)->parts[i];

			if (part->hart == hart && row >= part->first_row &&
			    row < part->last_row)
				return part;
		}
	return NULL;
}

/* Returns whether a frame still has room for a hit with `size` bytes of values. */
static bool has_room(struct held *held, size_t size)
{
	enum { PLACE = 16 }; /* kind, row, token, probe and number of values */

	held->hit_bytes += size + PLACE;
	return size <= TR_EVENT_MAX_BYTES &&
	       held->payload.size + held->hit_bytes <= TR_CHUNK_MAX;
}

/* Adds the event of a hit to the frame of a row, whose number among all of the hart's it
 * has not yet. */
static int add_event(struct annotate *a, unsigned hart, uint64_t row,
		     struct tr_event *event)
{
	struct held *held;
	struct part *part = find_frame_part(a, hart, row, &held);
	int status;

	if (!part)
		return TR_E_ARGUMENT;
	event->row = (uint32_t)(row - part->first_row);
	if (!has_room(held, event->u.probe.size))
		return TR_E_UNSUPPORTED;
	if (!tr_grow(&part->hits, &part->hit_room, part->nhits + 1UL,
		     sizeof(*part->hits)))
		return TR_E_NOMEM;
	status = tr_event_copy_data(event, &held->data);
	if (status)
		return status;
	part->hits[part->nhits++] = *event;
	a->hits++;
	return TR_OK;
}

/* Adds a hit before a token, of a probe of this run, with `count` values. */
static int add_hit(struct annotate *a, const struct replay_reached *at, size_t probe,
		   const struct tr_probe_value *values, size_t count)
{
	struct tr_buffer encoded = {0};
	struct tr_event event = {.kind = TR_EV_PROBE, .token = (uint16_t)at->token};
	int status = TR_E_NOMEM;

	tr_hit_encode(&encoded, values, count);
	event.u.probe.probe = a->first_probe + (uint32_t)probe;
	event.u.probe.count = (uint32_t)count;
	event.u.probe.values = encoded.data;
	event.u.probe.size = (uint32_t)encoded.size;
	if (!encoded.failed)
		status = add_event(a, at->hart, at->row, &event);
	tr_buffer_free(&encoded);
	return status;
}

int annotate_hit(struct annotate *a, const struct tr_probes *probes,
		 const struct replay_reached *at, const struct tr_probe_hit *hit)
{
	return add_hit(a, at, hit->probe, hit->values,
		       tr_probes_field_count(probes, hit->probe));
}

int annotate_mark(struct annotate *a, const struct tr_probes *probes,
		  const struct page_mark *mark)
{
	char name[TR_MARK_NAME];
	const char *kind = tr_mark_kind_name(mark->kind);
	const int length = snprintf(name, sizeof(name), "mark %" PRIu64, mark->number);
	const struct tr_probe_value values[TR_MARK_FIELDS] = {
	    {.kind = TR_PROBE_STRING,
	     .data = (const uint8_t *)name,
	     .size = (size_t)length},
	    {.kind = TR_PROBE_STRING,
	     .data = (const uint8_t *)kind,
	     .size = strlen(kind)},
	    {.kind = TR_PROBE_UNSIGNED, .number = mark->number}};
	const struct replay_reached at = {
	    .hart = mark->hart, .row = mark->row, .token = mark->token};

	return add_hit(a, &at, count_probes(probes), values, TR_MARK_FIELDS);
}

/* ------------------------------------------------------------ output */

/* Returns whether `a` stands before `b`, or at the same place. */
static bool is_up_to(const struct tr_event *a, const struct tr_event *b)
{
	return a->row < b->row || (a->row == b->row && a->token <= b->token);
}

/* Returns the events with the hits, which are behind other events at their place. */
static struct tr_event *merge_hits(const struct part *part)
{
	struct tr_event *all = malloc((part->nevents + part->nhits + 1UL) * sizeof(*all));
	uint32_t e = 0, h = 0;

	while (all && e + h < part->nevents + part->nhits) {
		bool is_event =
		    h == part->nhits ||
		    (e < part->nevents && is_up_to(&part->events[e], &part->hits[h]));

		all[e + h] = is_event ? part->events[e] : part->hits[h];
		e += is_event;
		h += !is_event;
	}
	return all;
}

static int encode_accesses(struct annotate *a, const struct held *held,
			   struct tr_buffer *out)
{
	uint64_t first_rows[TR_MAX_HARTS];

	for (uint32_t i = 0; i < held->nparts; i++)
		first_rows[i] = held->parts[i].first_row;
	return addresses_encode(a->addresses, held->frame, first_rows, out);
}

static int write_oldest(struct annotate *a)
{
	struct held *held = a->oldest;
	const struct tr_event *events[TR_MAX_HARTS];
	uint32_t nevents[TR_MAX_HARTS];
	struct tr_buffer sections = {0};
	const struct tr_pass pass = {.payload = held->payload,
				     .events = events,
				     .nevents = nevents,
				     .notes = held->notes,
				     .nharts = held->nparts,
				     .nnotes = held->nnotes,
				     .accesses = a->addresses ? &sections : NULL};
	int status = a->addresses ? encode_accesses(a, held, &sections) : TR_OK;

	for (uint32_t i = 0; i < held->nparts; i++) {
		const struct part *part = &held->parts[i];

		events[i] = part->nhits ? merge_hits(part) : part->events;
		nevents[i] = part->nevents + part->nhits;
		a->hits_written += part->nhits;
		if (!events[i] && !status)
			status = TR_E_NOMEM;
	}
	if (!status)
		status = tr_writer_pass(a->writer, &pass);
	for (uint32_t i = 0; i < held->nparts; i++)
		if (events[i] != held->parts[i].events)
			free((void *)events[i]);
	tr_buffer_free(&sections);
	return status;
}

/* Returns whether the replay has followed all of the frame. */
static bool is_frame_followed(const struct annotate *a, const struct held *held)
{
	for (uint32_t i = 0; i < held->nparts; i++)
		if (replay_rows(a->replay, held->parts[i].hart) < held->parts[i].last_row)
			return false;
	return true;
}

/* Copies what is of the reader's frame. */
static int retain_frame(struct held *held)
{
	uint8_t *payload = tr_arena_take(&held->data, held->payload.size);
	struct tr_note *notes =
	    tr_arena_take(&held->data, held->nnotes * sizeof(*held->notes));
	int status = payload && notes ? TR_OK : TR_E_NOMEM;

	if (status)
		return status;
	memcpy(payload, held->payload.data, held->payload.size);
	held->payload.data = payload;
	if (held->nnotes)
		memcpy(notes, held->notes, held->nnotes * sizeof(*notes));
	held->notes = notes;
	for (uint32_t i = 0; i < held->nparts && !status; i++) {
		struct part *part = &held->parts[i];
		size_t size = part->nevents * sizeof(*part->events);
		struct tr_event *events = tr_arena_take(&held->data, size);

		if (!events)
			return TR_E_NOMEM;
		if (size)
			memcpy(events, part->events, size);
		part->events = events;
		for (uint32_t e = 0; e < part->nevents && !status; e++)
			status = tr_event_copy_data(&events[e], &held->data);
	}
	held->is_retained = true;
	return status;
}

int annotate_write(struct annotate *a)
{
	int status = TR_OK;

	while (a->oldest && !status && is_frame_followed(a, a->oldest)) {
		status = write_oldest(a);
		drop_oldest(a);
	}
	for (struct held *held = a->oldest; held && !status; held = held->next)
		if (!held->is_retained)
			status = retain_frame(held);
	return status;
}

uint64_t annotate_hits(const struct annotate *a)
{
	return a->hits;
}

uint64_t annotate_hits_written(const struct annotate *a)
{
	return a->hits_written;
}
