/* SPDX-License-Identifier: Apache-2.0 */
/* Moves the data of a disk's requests, line by line, from and to memory. */
#include <string.h>

#include "disk_queue_state.h"

enum { RESULT_OK = 0, RESULT_IOERR = 1, RESULT_UNSUPP = 2 };
enum { ID_BYTES = 20, REQUEST_MOST = 16 << 20 };

bool disk_queue_is_busy(const struct disk_queue *q)
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

bool disk_queue_read_line(struct disk_queue *q, uint64_t cycle, uint64_t address,
			  uint8_t *to, unsigned size)
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

void disk_queue_write_few(struct disk_queue *q, uint64_t cycle, uint64_t address,
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

uint64_t disk_queue_moved_bytes(const struct request *r)
{
	return r->type == REQUEST_IN	? r->in - 1
	       : r->type == REQUEST_OUT ? r->out - HEADER_BYTES
					: 0;
}

bool disk_queue_is_on_disk(const struct disk_queue *q)
{
	const struct request *r = &q->request;
	const uint64_t bytes = disk_queue_moved_bytes(r),
		       sectors = soc_disk_sectors(q->disk);

	return bytes % SOC_DISK_SECTOR == 0 && bytes <= REQUEST_MOST &&
	       r->sector <= sectors && bytes / SOC_DISK_SECTOR <= sectors - r->sector;
}

void disk_queue_begin_to_move(struct disk_queue *q)
{
	const struct request *r = &q->request;

	q->phase = MOVE;
	q->result = RESULT_OK;
	q->at = q->end = q->page_at = q->page_end = q->written = 0;
	switch (r->type) {
	case REQUEST_IN:
	case REQUEST_OUT:
		if (disk_queue_is_on_disk(q))
			q->end = disk_queue_moved_bytes(r);
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
	    disk_queue_locate(&q->request, in, in ? q->at : HEADER_BYTES + q->at, &left);

	if (left > q->page_end - q->at)
		left = q->page_end - q->at;
	const unsigned n = bytes_of_line(address, left);
	if (!(in ? write_line(q, cycle, address, bytes, n)
		 : disk_queue_read_line(q, cycle, address, bytes, n)))
		return false;
	q->at += n;
	return true;
}

bool disk_queue_step_move(struct disk_queue *q, uint64_t cycle)
{
	if (q->at < q->page_end)
		return move_bytes(q, cycle);
	const bool is_read = q->request.type == REQUEST_OUT && q->page_end > q->page_at;
	if (is_read && disk_queue_is_busy(q))
		return false;
	if (is_read || q->at < q->end)
		turn_page(q);
	else
		q->phase = STATUS;
	return true;
}
