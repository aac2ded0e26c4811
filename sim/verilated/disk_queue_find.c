/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the requests of a disk's queue: the available ring, descriptors and headers. */
#include <string.h>

#include "disk_queue_state.h"

enum { DESCRIPTOR_NEXT = 1, DESCRIPTOR_WRITE = 2, DESCRIPTOR_FLAGS = 3 };

static const uint8_t *find_line(const struct disk_queue *q, uint64_t line)
{
	for (unsigned i = 0; i < q->nlines; i++)
		if (q->lines[i].line == line)
			return q->lines[i].bytes;
	return NULL;
}

enum found disk_queue_get_bytes(struct disk_queue *q, uint64_t address, void *data,
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

void disk_queue_read_missing(struct disk_queue *q, uint64_t cycle)
{
	const unsigned n = q->nlines++;

	q->lines[n].line = q->missing;
	disk_queue_read_line(q, cycle, q->missing, q->lines[n].bytes, LINE);
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
		enum found got = disk_queue_get_bytes(
		    q, q->queue.descriptors + UINT64_C(16) * index, &d, sizeof(d));
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

uint64_t disk_queue_locate(const struct request *r, bool in, uint64_t at, uint64_t *left)
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
		const uint64_t address = disk_queue_locate(r, false, at, &left);

		n = left < HEADER_BYTES - at ? (unsigned)left : HEADER_BYTES - at;
		const enum found got = disk_queue_get_bytes(q, address, header + at, n);
		if (got != FOUND)
			return got;
	}
	memcpy(&r->type, header, sizeof(r->type));
	memcpy(&r->sector, header + 8, sizeof(r->sector));
	return FOUND;
}

enum found disk_queue_find(struct disk_queue *q)
{
	uint16_t available[2], entry;
	enum found got =
	    disk_queue_get_bytes(q, q->queue.driver, available, sizeof(available));

	if (got != FOUND)
		return got;
	const uint16_t waiting = (uint16_t)(available[1] - q->last);
	if (waiting == 0)
		return FOUND_NONE;
	if (waiting > q->queue.size)
		return FOUND_BAD;
	got = disk_queue_get_bytes(
	    q, q->queue.driver + 4 + UINT64_C(2) * (q->last % q->queue.size), &entry,
	    sizeof(entry));
	if (got == FOUND)
		got = read_descriptors(q, entry);
	return got == FOUND ? read_request_header(q) : got;
}
