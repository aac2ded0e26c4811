/* SPDX-License-Identifier: Apache-2.0 */
/* The disk as a device: a block device of VIRTIO 1.2 behind virtio-mmio version 2, with
 * one queue. sim/README.md describes what a driver sees.
 *
 * The device serves one request at a time, in the order of the queue. A request that is
 * found begins at once, and its data, status and entry of the used ring are written in
 * the cycle in which it ends. Until then its memory belongs to the device, so the
 * descriptors are read again at the end, and nothing else is in flight. */
#include <string.h>

#include "disk.h"
#include "internal.h"

enum { MAGIC = 0x74726976, VERSION = 2, BLOCK_DEVICE = 2, VENDOR = 0x636f73 };
enum {
	REG_MAGIC = 0x000,
	REG_VERSION = 0x004,
	REG_DEVICE_ID = 0x008,
	REG_VENDOR_ID = 0x00c,
	REG_DEVICE_FEATURES = 0x010,
	REG_DEVICE_FEATURES_SEL = 0x014,
	REG_DRIVER_FEATURES = 0x020,
	REG_DRIVER_FEATURES_SEL = 0x024,
	REG_QUEUE_SEL = 0x030,
	REG_QUEUE_NUM_MAX = 0x034,
	REG_QUEUE_NUM = 0x038,
	REG_QUEUE_READY = 0x044,
	REG_QUEUE_NOTIFY = 0x050,
	REG_INTERRUPT_STATUS = 0x060,
	REG_INTERRUPT_ACK = 0x064,
	REG_STATUS = 0x070,
	REG_QUEUE_DESC = 0x080,
	REG_QUEUE_DRIVER = 0x090,
	REG_QUEUE_DEVICE = 0x0a0,
	REG_SHM_LEN = 0x0b0,
	REG_SHM_END = 0x0c0,
	REG_CAPACITY = 0x100,
	REG_SEG_MAX = 0x10c,
};
enum { FEATURE_SEG_MAX = 1 << 2, FEATURE_FLUSH = 1 << 9 };
enum { FEATURE_VERSION_1 = 1 }; /* of the upper 32 */
enum { STATUS_DRIVER_OK = 4, STATUS_FEATURES_OK = 8, STATUS_NEEDS_RESET = 64 };
enum { STATUS_WRITABLE = 0xff & ~STATUS_NEEDS_RESET };
enum { INTERRUPT_USED = 1, INTERRUPT_CONFIG = 2 };
enum { DESCRIPTOR_NEXT = 1, DESCRIPTOR_WRITE = 2, DESCRIPTOR_FLAGS = 3 };
enum { AVAILABLE_NO_INTERRUPT = 1 };
enum { REQUEST_IN = 0, REQUEST_OUT = 1, REQUEST_FLUSH = 4, REQUEST_GET_ID = 8 };
enum { RESULT_OK = 0, RESULT_IOERR = 1, RESULT_UNSUPP = 2 };
enum { HEADER_BYTES = 16, ID_BYTES = 20, REQUEST_MOST = 16 << 20 };

/* A request: descriptors that the device reads, and then those that it writes. */
struct request {
	struct part {
		uint64_t address;
		uint32_t size;
	} parts[SOC_VIRTIO_QUEUE];
	unsigned readable, count;
	uint64_t out, in; /* bytes of both */
	uint32_t type;
	uint64_t sector;
};

static void update_disk_line(struct soc *soc)
{
	soc_plic_line(soc, SOC_DISK_IRQ, soc_virtio_interrupts(soc));
}

bool soc_virtio_interrupts(const struct soc *soc)
{
	return soc->virtio.interrupt != 0;
}

static void write_memory(struct soc *soc, uint64_t address, const void *data,
			 uint32_t size)
{
	const struct soc_hooks *hooks = &soc->hooks;

	soc_write_physical(soc, address, data, size);
	if (hooks->device_write && size)
		hooks->device_write(hooks->user, soc->virtio.due + 1, address, data,
				    size);
}

/* The driver has broken the rules: only a reset helps. */
static void require_reset(struct soc *soc)
{
	soc->virtio.status |= STATUS_NEEDS_RESET;
	soc->virtio.interrupt |= INTERRUPT_CONFIG;
	soc->virtio.due = SOC_NEVER;
	update_disk_line(soc);
}

/* --- requests */

/* Reads the descriptors from `index` on. Returns false if they are no request: with a
 * loop, outside RAM, with flags that were not negotiated, or out of order. */
static bool read_descriptors(const struct soc *soc, uint32_t index, struct request *r)
{
	const struct soc_virtio *v = &soc->virtio;
	struct {
		uint64_t address;
		uint32_t size;
		uint16_t flags, next;
	} d = {.flags = DESCRIPTOR_NEXT};

	*r = (struct request){.count = 0};
	for (; d.flags & DESCRIPTOR_NEXT; index = d.next) {
		if (index >= v->size || r->count == v->size ||
		    !soc_read_physical(soc, v->descriptors + UINT64_C(16) * index, &d,
				       sizeof(d)) ||
		    d.flags & ~DESCRIPTOR_FLAGS || !soc_in_ram(soc, d.address, d.size))
			return false;
		r->parts[r->count++] = (struct part){d.address, d.size};
		if (d.flags & DESCRIPTOR_WRITE) {
			r->in += d.size;
			continue;
		}
		if (r->in || r->readable + 1 != r->count)
			return false;
		r->readable = r->count;
		r->out += d.size;
	}
	return r->out >= HEADER_BYTES && r->in > 0;
}

/* Copies `size` bytes from byte `at` of what the device reads, or to that of what it
 * writes. */
static void copy_request_bytes(struct soc *soc, const struct request *r, bool in,
			       uint64_t at, uint8_t *data, uint64_t size)
{
	const unsigned end = in ? r->count : r->readable;

	for (unsigned i = in ? r->readable : 0; i < end && size; i++) {
		const struct part *part = &r->parts[i];

		if (at >= part->size) {
			at -= part->size;
			continue;
		}
		const uint64_t n = part->size - at < size ? part->size - at : size;
		if (in)
			write_memory(soc, part->address + at, data, (uint32_t)n);
		else
			soc_read_physical(soc, part->address + at, data, n);
		data += n;
		size -= n;
		at = 0;
	}
}

/* Gets the oldest request of the queue, and its number. Returns 1; 0 if the queue is
 * empty; -1 if the driver has broken the rules. */
static int find_request(struct soc *soc, struct request *r, uint32_t *head)
{
	const struct soc_virtio *v = &soc->virtio;
	uint16_t available[2], entry;
	uint8_t header[HEADER_BYTES];

	if (!soc_read_physical(soc, v->driver, available, sizeof(available)))
		return -1;
	const uint16_t waiting = (uint16_t)(available[1] - v->last);
	if (waiting == 0)
		return 0;
	if (waiting > v->size ||
	    !soc_read_physical(soc, v->driver + 4 + UINT64_C(2) * (v->last % v->size),
			       &entry, sizeof(entry)) ||
	    !read_descriptors(soc, entry, r))
		return -1;
	copy_request_bytes(soc, r, false, 0, header, HEADER_BYTES);
	memcpy(&r->type, header, 4);
	memcpy(&r->sector, header + 8, 8);
	*head = entry;
	return 1;
}

/* Returns the bytes that the request moves from or to the disk. */
static uint64_t count_moved_bytes(const struct request *r)
{
	return r->type == REQUEST_IN	? r->in - 1
	       : r->type == REQUEST_OUT ? r->out - HEADER_BYTES
					: 0;
}

static bool is_on_disk(const struct soc *soc, const struct request *r)
{
	const uint64_t bytes = count_moved_bytes(r),
		       sectors = soc_disk_sectors(soc->virtio.disk);

	return bytes % SOC_DISK_SECTOR == 0 && bytes <= REQUEST_MOST &&
	       r->sector <= sectors && bytes / SOC_DISK_SECTOR <= sectors - r->sector;
}

/* Begins the next request, if there is one. It takes a cycle at least: else rings that
 * lie upon each other, and so fill themselves, would keep the machine from going on. */
static void begin_request(struct soc *soc, uint64_t now)
{
	struct soc_virtio *v = &soc->virtio;
	struct request r;
	uint32_t head;

	v->due = SOC_NEVER;
	const int found = find_request(soc, &r, &head);
	if (found < 0)
		require_reset(soc);
	if (found <= 0)
		return;
	v->due = now + v->timing.access;
	if (is_on_disk(soc, &r))
		v->due += count_moved_bytes(&r) / SOC_DISK_SECTOR * v->timing.sector;
	if (v->due == now)
		v->due++;
}

/* Moves the data of a request from or to the disk, a page at a time. */
static bool move_data(struct soc *soc, const struct request *r)
{
	struct soc_disk *disk = soc->virtio.disk;
	uint64_t sectors = count_moved_bytes(r) / SOC_DISK_SECTOR, sector = r->sector, n;
	uint8_t page[SOC_DISK_PAGE];
	bool good = true;

	for (uint64_t at = 0; sectors && good; at += n * SOC_DISK_SECTOR) {
		n = sectors < sizeof(page) / SOC_DISK_SECTOR
			? sectors
			: sizeof(page) / SOC_DISK_SECTOR;
		if (r->type == REQUEST_IN) {
			good = soc_disk_read(disk, sector, page, n);
			if (good)
				copy_request_bytes(soc, r, true, at, page,
						   n * SOC_DISK_SECTOR);
		} else {
			copy_request_bytes(soc, r, false, HEADER_BYTES + at, page,
					   n * SOC_DISK_SECTOR);
			good = soc_disk_write(disk, sector, page, n);
		}
		sector += n;
		sectors -= n;
	}
	return good;
}

/* Does what the request asks for. Returns its status, and the bytes written from the
 * first that the device may write on, without the status. */
static uint8_t do_request(struct soc *soc, const struct request *r, uint64_t *written)
{
	uint8_t id[ID_BYTES] = "soc-disk";

	*written = 0;
	switch (r->type) {
	case REQUEST_IN:
	case REQUEST_OUT:
		if (!is_on_disk(soc, r) || !move_data(soc, r))
			return RESULT_IOERR;
		*written = r->type == REQUEST_IN ? r->in - 1 : 0;
		return RESULT_OK;
	case REQUEST_FLUSH:
		return RESULT_OK;
	case REQUEST_GET_ID:
		*written = r->in - 1 < ID_BYTES ? r->in - 1 : ID_BYTES;
		copy_request_bytes(soc, r, true, 0, id, *written);
		return RESULT_OK;
	default:
		return RESULT_UNSUPP;
	}
}

/* Puts the request into the used ring. Returns false if that is outside RAM. */
static bool put_used(struct soc *soc, uint32_t head, uint64_t written)
{
	struct soc_virtio *v = &soc->virtio;
	const uint32_t element[2] = {head, (uint32_t)written};
	const uint64_t at = v->device + 4 + UINT64_C(8) * (v->used % v->size);

	if (!soc_in_ram(soc, at, sizeof(element)) || !soc_in_ram(soc, v->device, 4))
		return false;
	v->used++;
	write_memory(soc, at, element, sizeof(element));
	write_memory(soc, v->device + 2, &v->used, sizeof(v->used));
	return true;
}

void soc_virtio_serve(struct soc *soc)
{
	struct soc_virtio *v = &soc->virtio;
	const uint64_t now = v->due;
	struct request r;
	uint64_t written;
	uint32_t head;
	uint16_t flags = 0;

	if (find_request(soc, &r, &head) <= 0) {
		require_reset(soc);
		return;
	}
	uint8_t status = do_request(soc, &r, &written);
	copy_request_bytes(soc, &r, true, r.in - 1, &status, 1);
	if (written == r.in - 1)
		written++;
	if (!put_used(soc, head, written)) {
		require_reset(soc);
		return;
	}
	v->last++;
	soc_read_physical(soc, v->driver, &flags, sizeof(flags));
	if (!(flags & AVAILABLE_NO_INTERRUPT))
		v->interrupt |= INTERRUPT_USED;
	update_disk_line(soc);
	begin_request(soc, now);
}

/* --- registers */

static uint32_t offered_features(uint32_t half)
{
	return half == 0   ? FEATURE_SEG_MAX | FEATURE_FLUSH
	       : half == 1 ? FEATURE_VERSION_1
			   : 0;
}

static uint32_t read_config(const struct soc_virtio *v, uint64_t offset)
{
	const uint64_t sectors = soc_disk_sectors(v->disk);

	switch (offset) {
	case REG_CAPACITY:
		return (uint32_t)sectors;
	case REG_CAPACITY + 4:
		return (uint32_t)(sectors >> 32);
	case REG_SEG_MAX:
		return SOC_VIRTIO_QUEUE - 2; /* besides header and status */
	default:
		return 0;
	}
}

static uint32_t read_disk_register(const struct soc_virtio *v, uint64_t offset)
{
	switch (offset) {
	case REG_MAGIC:
		return MAGIC;
	case REG_VERSION:
		return VERSION;
	case REG_DEVICE_ID:
		return BLOCK_DEVICE;
	case REG_VENDOR_ID:
		return VENDOR;
	case REG_DEVICE_FEATURES:
		return offered_features(v->offered_half);
	case REG_QUEUE_NUM_MAX:
		return v->selected == 0 ? SOC_VIRTIO_QUEUE : 0;
	case REG_QUEUE_READY:
		return v->selected == 0 && v->ready;
	case REG_INTERRUPT_STATUS:
		return v->interrupt;
	case REG_STATUS:
		return v->status;
	default:
		if (offset >= REG_SHM_LEN && offset < REG_SHM_END)
			return UINT32_MAX; /* there is no shared memory */
		return offset >= REG_CAPACITY ? read_config(v, offset) : 0;
	}
}

bool soc_virtio_load(const struct soc *soc, uint64_t offset, unsigned size,
		     uint64_t *value)
{
	*value = 0;
	if (size != 4)
		return false;
	if (!soc->following)
		*value = read_disk_register(&soc->virtio, offset);
	return true;
}

void soc_virtio_reset(struct soc *soc)
{
	struct soc_virtio *v = &soc->virtio;

	*v = (struct soc_virtio){.disk = v->disk, .timing = v->timing, .due = SOC_NEVER};
	update_disk_line(soc);
}

static bool are_features_good(const struct soc_virtio *v)
{
	return !(v->accepted[0] & ~offered_features(0)) &&
	       v->accepted[1] == FEATURE_VERSION_1;
}

static void write_status(struct soc *soc, uint32_t value)
{
	struct soc_virtio *v = &soc->virtio;

	if (value == 0) {
		soc_virtio_reset(soc);
		return;
	}
	v->status = (v->status & STATUS_NEEDS_RESET) | (value & STATUS_WRITABLE);
	if (!are_features_good(v))
		v->status &= ~(uint32_t)STATUS_FEATURES_OK;
}

static void write_ready(struct soc_virtio *v, uint32_t value)
{
	const bool ready = (value & 1U) && v->size;

	if (ready != v->ready) {
		v->last = v->used = 0;
		v->due = SOC_NEVER;
	}
	v->ready = ready;
}

/* Registers of the queue that is selected; a queue that is ready keeps them. */
static void write_queue(struct soc_virtio *v, uint64_t offset, uint32_t value)
{
	uint64_t *const addresses[] = {&v->descriptors, &v->driver, &v->device};
	const unsigned shift = offset % 8 ? 32 : 0;

	if (v->selected != 0)
		return;
	if (offset == REG_QUEUE_READY) {
		write_ready(v, value);
	} else if (!v->ready && offset == REG_QUEUE_NUM) {
		v->size = value <= SOC_VIRTIO_QUEUE && !(value & (value - 1)) ? value : 0;
	} else if (!v->ready && offset >= REG_QUEUE_DESC && offset % 16 < 8) {
		uint64_t *address = addresses[(offset - REG_QUEUE_DESC) / 16];

		*address &= ~((uint64_t)UINT32_MAX << shift);
		*address |= (uint64_t)value << shift;
	}
}

/* The store commits in cycle `now`. */
static void take_notice(struct soc *soc, uint32_t queue, uint64_t now)
{
	struct soc_virtio *v = &soc->virtio;

	if (queue != 0 || !v->ready || v->due != SOC_NEVER ||
	    !(v->status & STATUS_DRIVER_OK) || !(v->status & STATUS_FEATURES_OK) ||
	    v->status & STATUS_NEEDS_RESET)
		return;
	begin_request(soc, now);
	soc->attention = true;
}

static void write_disk_register(struct soc_hart *h, uint64_t offset, uint32_t value)
{
	struct soc_virtio *v = &h->soc->virtio;

	switch (offset) {
	case REG_DEVICE_FEATURES_SEL:
		v->offered_half = value;
		break;
	case REG_DRIVER_FEATURES:
		if (v->accepted_half < 2 && !(v->status & STATUS_FEATURES_OK))
			v->accepted[v->accepted_half] = value;
		break;
	case REG_DRIVER_FEATURES_SEL:
		v->accepted_half = value;
		break;
	case REG_QUEUE_SEL:
		v->selected = value;
		break;
	case REG_QUEUE_NOTIFY:
		take_notice(h->soc, value, h->now + 1);
		break;
	case REG_INTERRUPT_ACK:
		v->interrupt &= ~value;
		update_disk_line(h->soc);
		break;
	case REG_STATUS:
		write_status(h->soc, value);
		break;
	default:
		if (offset < REG_SHM_LEN)
			write_queue(v, offset, value);
		break;
	}
}

bool soc_virtio_store(struct soc_hart *h, uint64_t offset, unsigned size, uint64_t value)
{
	if (size != 4)
		return false;
	if (!h->soc->following)
		write_disk_register(h, offset, (uint32_t)value);
	return true;
}

void soc_set_disk(struct soc *soc, struct soc_disk *disk,
		  const struct soc_disk_timing *timing)
{
	soc->virtio.disk = disk;
	soc->virtio.timing = *timing;
	soc_virtio_reset(soc);
}
