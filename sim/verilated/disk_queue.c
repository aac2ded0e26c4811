/* SPDX-License-Identifier: Apache-2.0 */
/* Serves the requests of a disk's queue, one after the other. */
#include <stdlib.h>

#include "disk_queue_state.h"

enum { AVAILABLE_NO_INTERRUPT = 1 };
/* Cycles until the registers have an answer. */
enum { ANSWER_CYCLES = 4 };

struct disk_queue *disk_queue_new(struct memory *memory, uint64_t ram_size,
				  struct soc_disk *disk,
				  const struct soc_disk_timing *timing)
{
	struct disk_queue *q = calloc(1, sizeof(*q));

	if (!q)
		return NULL;
	q->memory = memory;
	q->ram_size = ram_size;
	q->disk = disk;
	q->timing = *timing;
	q->due = q->next = NEVER;
	return q;
}

void disk_queue_free(struct disk_queue *q)
{
	free(q);
}

uint64_t disk_queue_next(const struct disk_queue *q)
{
	return q->next;
}

/* ------------------------------------------------------------ serving a request */

static void require_reset(struct disk_queue *q, struct disk_pins *pins)
{
	pins->fault = true;
	q->phase = IDLE;
	q->due = NEVER;
}

static void begin_to_find(struct disk_queue *q, uint64_t cycle)
{
	q->phase = FIND;
	q->notified = false;
	q->nlines = 0;
	q->since = cycle;
}

/* The request is found. It may be that of a checkpoint, whose end is known. */
static void await_medium(struct disk_queue *q)
{
	q->phase = WAIT;
	if (q->due != NEVER)
		return;
	q->due = q->since + q->timing.access;
	if (disk_queue_is_on_disk(q))
		q->due += disk_queue_moved_bytes(&q->request) / SOC_DISK_SECTOR *
			  q->timing.sector;
}

/* Returns whether something has happened, as the steps below do. */
static bool step_find(struct disk_queue *q, uint64_t cycle, struct disk_pins *pins)
{
	if (disk_queue_is_busy(q))
		return false;
	switch (disk_queue_find(q)) {
	case FOUND_WAITS:
		disk_queue_read_missing(q, cycle);
		return false;
	case FOUND:
		await_medium(q);
		return true;
	case FOUND_NONE:
		if (q->due != NEVER) {
			require_reset(q, pins);
			return true;
		}
		q->phase = IDLE;
		if (q->notified)
			begin_to_find(q, cycle);
		return q->phase == FIND;
	default:
		require_reset(q, pins);
		return true;
	}
}

static void write_status(struct disk_queue *q, uint64_t cycle)
{
	const struct request *r = &q->request;
	uint64_t left;

	disk_queue_write_few(q, cycle, disk_queue_locate(r, true, r->in - 1, &left),
			     &q->result, 1);
	if (q->written == r->in - 1)
		q->written++;
	q->phase = ELEMENT;
}

static void write_element(struct disk_queue *q, uint64_t cycle, struct disk_pins *pins)
{
	const uint32_t element[2] = {q->request.head, (uint32_t)q->written};
	const uint64_t at = q->queue.device + 4 + UINT64_C(8) * (q->used % q->queue.size);

	if (!is_in_ram(q, at, sizeof(element)) || !is_in_ram(q, q->queue.device, 4)) {
		require_reset(q, pins);
		return;
	}
	disk_queue_write_few(q, cycle, at, element, sizeof(element));
	q->phase = INDEX;
}

static void write_index(struct disk_queue *q, uint64_t cycle)
{
	q->used++;
	q->last++;
	disk_queue_write_few(q, cycle, q->queue.device + 2, &q->used, sizeof(q->used));
	q->phase = FLAGS;
	q->nlines = 0;
}

/* Ends the request when the flags of the available ring are known. */
static bool step_flags(struct disk_queue *q, uint64_t cycle, struct disk_pins *pins)
{
	uint16_t flags = 0;

	if (disk_queue_get_bytes(q, q->queue.driver, &flags, sizeof(flags)) ==
	    FOUND_WAITS) {
		disk_queue_read_missing(q, cycle);
		return false;
	}
	pins->used = !(flags & AVAILABLE_NO_INTERRUPT);
	q->due = NEVER;
	begin_to_find(q, cycle);
	return true;
}

static bool step_disk(struct disk_queue *q, uint64_t cycle, struct disk_pins *pins)
{
	switch (q->phase) {
	case FIND:
		return step_find(q, cycle, pins);
	case WAIT:
		if (cycle < q->due)
			return false;
		disk_queue_begin_to_move(q);
		return true;
	case MOVE:
		return disk_queue_step_move(q, cycle);
	case IDLE:
		return false;
	default:
		break;
	}
	if (disk_queue_is_busy(q))
		return false;
	if (q->phase == FLAGS)
		return step_flags(q, cycle, pins);
	if (q->phase == STATUS)
		write_status(q, cycle);
	else if (q->phase == ELEMENT)
		write_element(q, cycle, pins);
	else
		write_index(q, cycle);
	return true;
}

void disk_queue_drive(struct disk_queue *q, uint64_t cycle, struct disk_pins *pins)
{
	*pins = (struct disk_pins){0};
	while (step_disk(q, cycle, pins))
		;
	q->next = NEVER;
	if (q->phase == WAIT)
		q->next = q->due;
	if (pins->used || pins->fault) {
		q->settled = cycle + ANSWER_CYCLES;
		q->next = cycle + 1;
	}
}

/* ------------------------------------------------------------ the registers */

/* The queue has ended. Lines under way are waited for before the next request is looked
 * for. */
static void end_queue(struct disk_queue *q)
{
	q->phase = IDLE;
	q->due = NEVER;
	q->last = q->used = 0;
	q->notified = false;
}

void disk_queue_note(struct disk_queue *q, uint64_t cycle, const struct disk_event *event)
{
	if (event->stop)
		end_queue(q);
	if (!event->start)
		return;
	if (q->phase != IDLE) {
		q->notified = true;
		return;
	}
	q->queue = *event;
	begin_to_find(q, cycle);
	q->next = 0;
}

bool disk_queue_save(const struct disk_queue *q, uint64_t cycle, struct soc_state *s)
{
	if (q->phase == FIND || q->phase == FLAGS || cycle < q->settled ||
	    (q->phase == IDLE && disk_queue_is_busy(q)))
		return false;
	s->disk.last = q->last;
	s->disk.used = q->used;
	s->disk.due = q->due < cycle ? cycle : q->due;
	return true;
}

void disk_queue_restore(struct disk_queue *q, uint64_t cycle, const struct soc_state *s)
{
	q->queue = (struct disk_event){.size = (unsigned)s->disk.size,
				       .descriptors = s->disk.descriptors,
				       .driver = s->disk.driver,
				       .device = s->disk.device};
	q->last = (uint16_t)s->disk.last;
	q->used = (uint16_t)s->disk.used;
	if (s->disk.due == SOC_DISK_IDLE)
		return;
	begin_to_find(q, cycle);
	q->due = s->disk.due;
	q->next = 0;
}
