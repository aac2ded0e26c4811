/* SPDX-License-Identifier: Apache-2.0 */
#include "disk_queue.h"

#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "model/disk.h"
#include "model/model.h"
#include "model/state.h"
#include "soc.h"

#define NEVER UINT64_MAX

enum { LINE = L2_DRAM_LINE, SLOTS = L2_DRAM_DISK_LINES };
enum { DESCRIPTOR_NEXT = 1, DESCRIPTOR_WRITE = 2, DESCRIPTOR_FLAGS = 3 };
enum { AVAILABLE_NO_INTERRUPT = 1 };
enum { REQUEST_IN = 0, REQUEST_OUT = 1, REQUEST_FLUSH = 4, REQUEST_GET_ID = 8 };
enum { RESULT_OK = 0, RESULT_IOERR = 1, RESULT_UNSUPP = 2 };
enum { HEADER_BYTES = 16, ID_BYTES = 20, REQUEST_MOST = 16 << 20 };
/* Lines that are read to find a request: both words of the available ring, all
 * descriptors, and a header in parts of a byte, each of two lines at most. */
enum { FOUND_LINES = 4 + SOC_VIRTIO_QUEUE * 16 / LINE + 1 + 2 * HEADER_BYTES };
/* Cycles until the registers have an answer. */
enum { ANSWER_CYCLES = 4 };

enum phase {
	IDLE,
	FIND,	 /* reads the queue and a request */
	WAIT,	 /* for the medium */
	MOVE,	 /* its data */
	STATUS,	 /* the data are moved */
	ELEMENT, /* the status is written */
	INDEX,	 /* the element of the used ring is written */
	FLAGS,	 /* the index is written: reads whether the driver wants an interrupt */
};

/* A request: descriptors that the device reads, and then those that it writes. */
struct request {
	struct part {
		uint64_t address;
		uint32_t size;
	} parts[SOC_VIRTIO_QUEUE];
	unsigned readable, count;
	uint64_t out, in; /* bytes of both */
	uint32_t type, head;
	uint64_t sector;
};

/* What comes of looking for a request. */
enum found { FOUND_NONE, FOUND, FOUND_BAD, FOUND_WAITS /* for q->missing */ };

struct disk_queue {
	struct memory *memory;
	uint64_t ram_size;
	struct soc_disk *disk;
	struct soc_disk_timing timing;

	struct disk_event queue;
	uint16_t last, used; /* requests taken from the queue, and put into the ring */

	enum phase phase;
	bool notified;	  /* since it began to look for a request */
	uint64_t since;	  /* cycle of the notice, or of the end of the one before */
	uint64_t due;	  /* NEVER: not known, or no request */
	uint64_t settled; /* from this cycle on the registers have the last answer */
	uint64_t next;
	struct request request;
	uint8_t result;
	uint64_t written; /* bytes, without the status */

	/* Lines under way; those of a queue that has ended, too. */
	struct slot {
		bool busy;
		uint64_t line;
		uint8_t *to; /* gets `size` bytes from byte `at`; NULL: a write */
		unsigned at, size;
	} slots[SLOTS];

	/* Lines that were read to find a request. */
	struct {
		uint64_t line;
		uint8_t bytes[LINE];
	} lines[FOUND_LINES];
	unsigned nlines;
	uint64_t missing;

	/* Data: up to a page of bytes [page_at, page_end) of what is moved. */
	uint8_t page[SOC_DISK_PAGE];
	uint64_t page_at, page_end;
	uint64_t at, end; /* byte that is moved next, and all of them */
};

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

static bool is_in_ram(const struct disk_queue *q, uint64_t address, uint64_t size)
{
	return address >= SOC_RAM_BASE && size <= q->ram_size &&
	       address - SOC_RAM_BASE <= q->ram_size - size;
}

/* ------------------------------------------------------------ lines */

static bool is_busy(const struct disk_queue *q)
{
	for (unsigned i = 0; i < SLOTS; i++)
		if (q->slots[i].busy)
			return true;
	return false;
}

/* Returns a free slot for this line, or NULL: one access to a line waits for another. */
static struct slot *find_slot(struct disk_queue *q, uint64_t line)
{
	struct slot *free_slot = NULL;

	for (unsigned i = 0; i < SLOTS; i++) {
		struct slot *s = &q->slots[i];

		if (s->busy && s->line == line)
			return NULL;
		if (!s->busy && !free_slot)
			free_slot = s;
	}
	return free_slot;
}

/* Returns how many of the bytes from this address on are in its line. */
static unsigned bytes_of_line(uint64_t address, uint64_t size)
{
	const unsigned most = LINE - (unsigned)(address % LINE);

	return size < most ? (unsigned)size : most;
}

/* Begins to read bytes of a line. Returns false if there is no slot. */
static bool read_line(struct disk_queue *q, uint64_t cycle, uint64_t address, uint8_t *to,
		      unsigned size)
{
	const uint64_t line = address / LINE * LINE;
	struct slot *s = find_slot(q, line);

	if (!s)
		return false;
	*s = (struct slot){.busy = true,
			   .line = line,
			   .to = to,
			   .at = (unsigned)(address - line),
			   .size = size};
	memory_disk_read(q->memory, cycle, (unsigned)(s - q->slots), line);
	return true;
}

static bool write_line(struct disk_queue *q, uint64_t cycle, uint64_t address,
		       const uint8_t *from, unsigned size)
{
	const uint64_t line = address / LINE * LINE;
	const unsigned at = (unsigned)(address - line);
	const uint64_t ones = size == LINE ? UINT64_MAX : (UINT64_C(1) << size) - 1;
	struct slot *s = find_slot(q, line);
	uint8_t bytes[LINE] = {0};

	if (!s)
		return false;
	*s = (struct slot){.busy = true, .line = line};
	memcpy(bytes + at, from, size);
	memory_disk_write(q->memory, cycle, (unsigned)(s - q->slots), line, bytes,
			  ones << at);
	return true;
}

/* Writes bytes of at most two lines, when no slot is busy. */
static void write_few(struct disk_queue *q, uint64_t cycle, uint64_t address,
		      const void *data, unsigned size)
{
	const unsigned n = bytes_of_line(address, size);

	write_line(q, cycle, address, data, n);
	if (n < size)
		write_line(q, cycle, address + n, (const uint8_t *)data + n, size - n);
}

void disk_queue_done(struct disk_queue *q, unsigned slot, const uint8_t *line)
{
	struct slot *s = &q->slots[slot];

	if (s->to)
		memcpy(s->to, line + s->at, s->size);
	s->busy = false;
	q->next = 0;
}

/* ------------------------------------------------------------ finding a request */

static const uint8_t *find_line(const struct disk_queue *q, uint64_t line)
{
	for (unsigned i = 0; i < q->nlines; i++)
		if (q->lines[i].line == line)
			return q->lines[i].bytes;
	return NULL;
}

/* Gets bytes of the lines that were read. Returns FOUND, FOUND_BAD if they are not in
 * RAM, or FOUND_WAITS. */
static enum found get_bytes(struct disk_queue *q, uint64_t address, void *data,
			    uint64_t size)
{
	uint8_t *to = data;

	if (!is_in_ram(q, address, size))
		return FOUND_BAD;
	for (unsigned n; size; address += n, to += n, size -= n) {
		const uint64_t line = address / LINE * LINE;
		const uint8_t *bytes = find_line(q, line);

		n = bytes_of_line(address, size);
		if (!bytes) {
			q->missing = line;
			return FOUND_WAITS;
		}
		memcpy(to, bytes + (address - line), n);
	}
	return FOUND;
}

/* Begins to read the missing line, when no slot is busy. */
static void read_missing(struct disk_queue *q, uint64_t cycle)
{
	const unsigned n = q->nlines++;

	q->lines[n].line = q->missing;
	read_line(q, cycle, q->missing, q->lines[n].bytes, LINE);
}

/* Reads the descriptors from `index` on. They are bad with a loop, outside RAM, with
 * flags that were not negotiated, or out of order. */
static enum found read_descriptors(struct disk_queue *q, uint32_t index)
{
	struct request *r = &q->request;
	struct {
		uint64_t address;
		uint32_t size;
		uint16_t flags, next;
	} d = {.flags = DESCRIPTOR_NEXT};

	*r = (struct request){.head = index};
	for (; d.flags & DESCRIPTOR_NEXT; index = d.next) {
		if (index >= q->queue.size || r->count == q->queue.size)
			return FOUND_BAD;
		enum found got = get_bytes(q, q->queue.descriptors + UINT64_C(16) * index,
					   &d, sizeof(d));
		if (got != FOUND)
			return got;
		if (d.flags & ~DESCRIPTOR_FLAGS || !is_in_ram(q, d.address, d.size))
			return FOUND_BAD;
		r->parts[r->count++] = (struct part){d.address, d.size};
		if (d.flags & DESCRIPTOR_WRITE) {
			r->in += d.size;
			continue;
		}
		if (r->in || r->readable + 1 != r->count)
			return FOUND_BAD;
		r->readable = r->count;
		r->out += d.size;
	}
	return r->out >= HEADER_BYTES && r->in > 0 ? FOUND : FOUND_BAD;
}

/* Gets the address of byte `at` of what the device reads, or of what it writes, and how
 * many bytes follow there. */
static uint64_t locate_byte(const struct request *r, bool in, uint64_t at, uint64_t *left)
{
	unsigned i = in ? r->readable : 0;

	while (at >= r->parts[i].size)
		at -= r->parts[i++].size;
	*left = r->parts[i].size - at;
	return r->parts[i].address + at;
}

static enum found read_request_header(struct disk_queue *q)
{
	struct request *r = &q->request;
	uint8_t header[HEADER_BYTES];
	uint64_t left;

	for (unsigned at = 0, n; at < HEADER_BYTES; at += n) {
		const uint64_t address = locate_byte(r, false, at, &left);

		n = left < HEADER_BYTES - at ? (unsigned)left : HEADER_BYTES - at;
		const enum found got = get_bytes(q, address, header + at, n);
		if (got != FOUND)
			return got;
	}
	memcpy(&r->type, header, sizeof(r->type));
	memcpy(&r->sector, header + 8, sizeof(r->sector));
	return FOUND;
}

/* Looks for the oldest request of the queue, as far as lines were read. */
static enum found find_request(struct disk_queue *q)
{
	uint16_t available[2], entry;
	enum found got = get_bytes(q, q->queue.driver, available, sizeof(available));

	if (got != FOUND)
		return got;
	const uint16_t waiting = (uint16_t)(available[1] - q->last);
	if (waiting == 0)
		return FOUND_NONE;
	if (waiting > q->queue.size)
		return FOUND_BAD;
	got = get_bytes(q, q->queue.driver + 4 + UINT64_C(2) * (q->last % q->queue.size),
			&entry, sizeof(entry));
	if (got == FOUND)
		got = read_descriptors(q, entry);
	return got == FOUND ? read_request_header(q) : got;
}

/* ------------------------------------------------------------ serving a request */

/* Returns the bytes that the request moves from or to the disk. */
static uint64_t count_moved_bytes(const struct request *r)
{
	return r->type == REQUEST_IN	? r->in - 1
	       : r->type == REQUEST_OUT ? r->out - HEADER_BYTES
					: 0;
}

static bool is_on_disk(const struct disk_queue *q)
{
	const struct request *r = &q->request;
	const uint64_t bytes = count_moved_bytes(r), sectors = soc_disk_sectors(q->disk);

	return bytes % SOC_DISK_SECTOR == 0 && bytes <= REQUEST_MOST &&
	       r->sector <= sectors && bytes / SOC_DISK_SECTOR <= sectors - r->sector;
}

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
	if (is_on_disk(q))
		q->due +=
		    count_moved_bytes(&q->request) / SOC_DISK_SECTOR * q->timing.sector;
}

/* Returns whether something has happened, as the steps below do. */
static bool step_find(struct disk_queue *q, uint64_t cycle, struct disk_pins *pins)
{
	if (is_busy(q))
		return false;
	switch (find_request(q)) {
	case FOUND_WAITS:
		read_missing(q, cycle);
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

/* Begins to move the data, of which there may be none. */
static void begin_to_move(struct disk_queue *q)
{
	const struct request *r = &q->request;

	q->phase = MOVE;
	q->result = RESULT_OK;
	q->at = q->end = q->page_at = q->page_end = q->written = 0;
	switch (r->type) {
	case REQUEST_IN:
	case REQUEST_OUT:
		if (is_on_disk(q))
			q->end = count_moved_bytes(r);
		else
			q->result = RESULT_IOERR;
		break;
	case REQUEST_FLUSH:
		break;
	case REQUEST_GET_ID:
		memset(q->page, 0, ID_BYTES);
		strcpy((char *)q->page, "soc-disk");
		q->page_end = q->end = r->in - 1 < ID_BYTES ? r->in - 1 : ID_BYTES;
		break;
	default:
		q->result = RESULT_UNSUPP;
		break;
	}
	if (r->type != REQUEST_OUT)
		q->written = q->end;
}

/* Ends the data early: the file cannot be read. */
static void fail_to_move(struct disk_queue *q)
{
	q->result = RESULT_IOERR;
	q->written = 0;
	q->end = q->page_at = q->page_end = q->at;
}

/* The page has been moved: begins with the next. For a request that writes to the disk,
 * its bytes have been read from memory. */
static void turn_page(struct disk_queue *q)
{
	const bool in = q->request.type != REQUEST_OUT;
	const uint64_t sector = q->request.sector;
	bool good = true;

	if (!in && q->page_end > q->page_at)
		good =
		    soc_disk_write(q->disk, sector + q->page_at / SOC_DISK_SECTOR,
				   q->page, (q->page_end - q->page_at) / SOC_DISK_SECTOR);
	q->page_at = q->at;
	q->page_end = q->end - q->at < SOC_DISK_PAGE ? q->end : q->at + SOC_DISK_PAGE;
	if (in && good && q->page_end > q->page_at)
		good =
		    soc_disk_read(q->disk, sector + q->page_at / SOC_DISK_SECTOR, q->page,
				  (q->page_end - q->page_at) / SOC_DISK_SECTOR);
	if (!good)
		fail_to_move(q);
}

/* Moves the next bytes of the page. Returns false if there is no slot. */
static bool move_bytes(struct disk_queue *q, uint64_t cycle)
{
	const bool in = q->request.type != REQUEST_OUT;
	uint8_t *bytes = q->page + (q->at - q->page_at);
	uint64_t left;
	const uint64_t address =
	    locate_byte(&q->request, in, in ? q->at : HEADER_BYTES + q->at, &left);

	if (left > q->page_end - q->at)
		left = q->page_end - q->at;
	const unsigned n = bytes_of_line(address, left);
	if (!(in ? write_line(q, cycle, address, bytes, n)
		 : read_line(q, cycle, address, bytes, n)))
		return false;
	q->at += n;
	return true;
}

static bool step_move(struct disk_queue *q, uint64_t cycle)
{
	if (q->at < q->page_end)
		return move_bytes(q, cycle);
	const bool is_read = q->request.type == REQUEST_OUT && q->page_end > q->page_at;
	if (is_read && is_busy(q))
		return false;
	if (is_read || q->at < q->end)
		turn_page(q);
	else
		q->phase = STATUS;
	return true;
}

static void write_status(struct disk_queue *q, uint64_t cycle)
{
	const struct request *r = &q->request;
	uint64_t left;

	write_few(q, cycle, locate_byte(r, true, r->in - 1, &left), &q->result, 1);
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
	write_few(q, cycle, at, element, sizeof(element));
	q->phase = INDEX;
}

static void write_index(struct disk_queue *q, uint64_t cycle)
{
	q->used++;
	q->last++;
	write_few(q, cycle, q->queue.device + 2, &q->used, sizeof(q->used));
	q->phase = FLAGS;
	q->nlines = 0;
}

/* Ends the request when the flags of the available ring are known. */
static bool step_flags(struct disk_queue *q, uint64_t cycle, struct disk_pins *pins)
{
	uint16_t flags = 0;

	if (get_bytes(q, q->queue.driver, &flags, sizeof(flags)) == FOUND_WAITS) {
		read_missing(q, cycle);
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
		begin_to_move(q);
		return true;
	case MOVE:
		return step_move(q, cycle);
	case IDLE:
		return false;
	default:
		break;
	}
	if (is_busy(q))
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
	    (q->phase == IDLE && is_busy(q)))
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
