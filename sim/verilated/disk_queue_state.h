/* SPDX-License-Identifier: Apache-2.0 */
/* The controller of the disk inside, for disk_queue*.c. */
#ifndef VERILATED_DISK_QUEUE_STATE_H
#define VERILATED_DISK_QUEUE_STATE_H

#include "disk_queue.h"
#include "memory.h"
#include "model/disk.h"
#include "model/model.h"
#include "model/state.h"
#include "soc.h"

#define NEVER UINT64_MAX

enum { LINE = L2_DRAM_LINE, SLOTS = L2_DRAM_DISK_LINES };
enum { REQUEST_IN = 0, REQUEST_OUT = 1, REQUEST_FLUSH = 4, REQUEST_GET_ID = 8 };
enum { HEADER_BYTES = 16 };
/* Lines that are read to find a request: both words of the available ring, all
 * descriptors, and a header in parts of a byte, each of two lines at most. */
enum { FOUND_LINES = 4 + SOC_VIRTIO_QUEUE * 16 / LINE + 1 + 2 * HEADER_BYTES };

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

static inline bool is_in_ram(const struct disk_queue *q, uint64_t address, uint64_t size)
{
	return address >= SOC_RAM_BASE && size <= q->ram_size &&
	       address - SOC_RAM_BASE <= q->ram_size - size;
}

/* Returns how many of the bytes from this address on are in its line. */
static inline unsigned bytes_of_line(uint64_t address, uint64_t size)
{
	const unsigned most = LINE - (unsigned)(address % LINE);

	return size < most ? (unsigned)size : most;
}

/* disk_queue_move.c: lines of memory. Returns whether one is under way. */
bool disk_queue_is_busy(const struct disk_queue *q);
/* Begins to read bytes of a line. Returns false if there is no slot. */
bool disk_queue_read_line(struct disk_queue *q, uint64_t cycle, uint64_t address,
			  uint8_t *to, unsigned size);
/* Writes bytes of at most two lines, when no slot is busy. */
void disk_queue_write_few(struct disk_queue *q, uint64_t cycle, uint64_t address,
			  const void *data, unsigned size);

/* disk_queue_find.c: looks for the oldest request of the queue, as far as lines were
 * read.
 */
enum found disk_queue_find(struct disk_queue *q);
/* Gets bytes of the lines that were read. Returns FOUND, FOUND_BAD if they are not in
 * RAM, or FOUND_WAITS. */
enum found disk_queue_get_bytes(struct disk_queue *q, uint64_t address, void *data,
				uint64_t size);
/* Begins to read the missing line, when no slot is busy. */
void disk_queue_read_missing(struct disk_queue *q, uint64_t cycle);
/* Gets the address of byte `at` of what the device reads, or of what it writes, and how
 * many bytes follow there. */
uint64_t disk_queue_locate(const struct request *r, bool in, uint64_t at, uint64_t *left);

/* disk_queue_move.c: returns the bytes that the request moves from or to the disk;
 * whether they are on it. */
uint64_t disk_queue_moved_bytes(const struct request *r);
bool disk_queue_is_on_disk(const struct disk_queue *q);
/* Begins to move the data, of which there may be none; moves the next ones. The latter
 * returns whether something has happened. */
void disk_queue_begin_to_move(struct disk_queue *q);
bool disk_queue_step_move(struct disk_queue *q, uint64_t cycle);

#endif
