/* SPDX-License-Identifier: Apache-2.0 */
/* The controller of the hardware's disk against the model's disk: the same queues of
 * random requests, most of which are good, give the same memory, disk and answers,
 * whenever memory answers; and what happens when the driver ends the queue in between,
 * and when the state can be saved. */
#include "../../sim/verilated/disk_queue.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../../sim/model/disk.h"
#include "../../sim/model/model.h"
#include "../../sim/model/state.h"
#include "../../sim/verilated/memory.h"
#include "check.h"

#define BASE	    0x80000000 /* an endless loop */
#define DESCRIPTORS (BASE + 0x1008)
#define AVAILABLE   (BASE + 0x203e) /* its ring begins in the next line */
#define USED	    (BASE + 0x3036)
#define DATA	    (BASE + 0x4000)

enum { RAM = 0x10000, SECTORS = 40, QUEUE = 64, SLOTS = L2_DRAM_DISK_LINES };
enum { LINE = L2_DRAM_LINE };
enum { NEXT = 1, WRITES = 2 };
enum { CASES = 20000, MOST_CYCLES = 1000000 };
enum { NEEDS_RESET = 64, DRIVING = 15 };
/* The largest request, its parts, and a memory and a queue that are large enough. */
enum { LARGEST = 16 << 20, PART = 0x22000, LARGE_RAM = 0x40000, LARGE_QUEUE = 128 };

static const struct soc_disk_timing timing = {.access = 3, .sector = 1};
static char path[] = "/tmp/disk-queue.XXXXXX";
static struct soc *soc;
static struct soc_disk *model_disk, *disk;
static uint8_t image[LARGE_RAM], ram[LARGE_RAM];
static uint64_t ram_size = RAM;
static uint64_t seed = 1;

/* The memory: a line under way in each slot. */
static struct {
	uint64_t answer; /* cycle, or 0 */
	uint64_t address, mask;
	bool write;
	uint8_t data[LINE];
} lines[SLOTS];
static unsigned latency; /* at most; different for each line */
static struct disk_queue *queue;

static unsigned random_below(unsigned n)
{
	seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407;
	return (unsigned)((seed >> 33) % n);
}

static bool one_in(unsigned n)
{
	return random_below(n) == 0;
}

static void begin_line(unsigned slot, uint64_t cycle, uint64_t address)
{
	CHECK(slot < SLOTS && !lines[slot].answer);
	CHECK(address % LINE == 0 && address >= BASE && address < BASE + ram_size);
	for (unsigned i = 0; i < SLOTS; i++)
		CHECK(!lines[i].answer || lines[i].address != address);
	lines[slot].answer = cycle + 1 + random_below(latency);
	lines[slot].address = address;
}

void memory_disk_read(struct memory *m, uint64_t cycle, unsigned slot, uint64_t address)
{
	(void)m;
	begin_line(slot, cycle, address);
	lines[slot].write = false;
}

void memory_disk_write(struct memory *m, uint64_t cycle, unsigned slot, uint64_t address,
		       const uint8_t data[LINE], uint64_t mask)
{
	(void)m;
	begin_line(slot, cycle, address);
	lines[slot].write = true;
	lines[slot].mask = mask;
	memcpy(lines[slot].data, data, LINE);
}

static void answer_lines(uint64_t cycle)
{
	for (unsigned i = 0; i < SLOTS; i++) {
		uint8_t *bytes = ram + (lines[i].address - BASE);

		if (lines[i].answer != cycle || !cycle)
			continue;
		for (unsigned k = 0; lines[i].write && k < LINE; k++)
			if (lines[i].mask >> k & 1)
				bytes[k] = lines[i].data[k];
		lines[i].answer = 0;
		disk_queue_done(queue, i, bytes);
	}
}

static bool has_lines(void)
{
	for (unsigned i = 0; i < SLOTS; i++)
		if (lines[i].answer)
			return true;
	return false;
}

/* Runs the controller from a cycle until nothing is left to do, but not longer than to
 * `end`. Returns the cycle; counts the answers. */
static uint64_t run_queue(uint64_t cycle, uint64_t end, unsigned *used, unsigned *faults)
{
	struct disk_pins pins;

	for (; cycle < end && (has_lines() || disk_queue_next(queue) != UINT64_MAX);
	     cycle++) {
		answer_lines(cycle);
		if (disk_queue_next(queue) > cycle)
			continue;
		disk_queue_drive(queue, cycle, &pins);
		*used += pins.used;
		*faults += pins.fault;
	}
	return cycle;
}

/* ------------------------------------------------------------ random requests */

static void put(uint64_t address, const void *data, size_t size)
{
	memcpy(image + (address - BASE), data, size);
}

static void describe(unsigned index, uint64_t address, uint32_t size, unsigned flags,
		     unsigned next)
{
	struct {
		uint64_t address;
		uint32_t size;
		uint16_t flags, next;
	} d = {address, size, (uint16_t)flags, (uint16_t)next};

	put(DESCRIPTORS + 16 * index, &d, sizeof(d));
}

/* Anywhere in the memory behind the rings, which seldom is behind its end. */
static uint64_t random_address(void)
{
	static const uint64_t others[] = {
	    0, BASE + RAM - 8, BASE + RAM, UINT64_MAX - 8, DESCRIPTORS, AVAILABLE, USED};

	if (one_in(400))
		return others[random_below(sizeof(others) / sizeof(*others))];
	return DATA + random_below(RAM / 2);
}

/* Describes `size` bytes in parts from descriptor *index on, as a piece of a chain. */
static void describe_parts(unsigned *index, uint64_t address, uint32_t size,
			   unsigned flags, bool last)
{
	unsigned parts = 1 + random_below(3);

	while (parts > 0 && *index < QUEUE) {
		const uint32_t n = parts == 1 ? size : random_below(size + 1);
		unsigned more = last && parts == 1 ? 0 : NEXT;

		if (one_in(300))
			more ^= one_in(2) ? NEXT : 4;
		describe(*index, address, n, flags | more,
			 one_in(300) ? random_below(QUEUE + 2) : *index + 1);
		(*index)++;
		address += n;
		size -= n;
		parts--;
	}
}

/* Makes a request from descriptor `index` on. Returns the next one. */
static unsigned make_request(unsigned index)
{
	static const uint32_t types[] = {0, 0, 0, 1, 1, 1, 4, 8, 8, 3};
	const uint32_t type = types[random_below(sizeof(types) / sizeof(*types))];
	const uint64_t header[2] = {type, random_below(SECTORS + 2)};
	const uint64_t at = DATA + random_below(RAM / 4);
	uint32_t size = random_below(20) * 512;

	if (type == 8 || one_in(20))
		size = random_below(600);
	put(at, header, sizeof(header));
	describe_parts(&index, one_in(400) ? random_address() : at, sizeof(header), 0,
		       false);
	if (size > 0)
		describe_parts(&index, random_address(), size, type == 1 ? 0 : WRITES,
			       false);
	describe_parts(&index, random_address(), one_in(200) ? 0 : 1, WRITES, true);
	return index;
}

/* Fills memory and the queue, from entry `from` of the available ring on. */
static void make_queue(uint16_t from)
{
	static const uint32_t loop = 0x0000006f;
	const uint16_t flags = one_in(8);
	uint16_t n = 0;

	for (unsigned i = 0; i < RAM; i++)
		image[i] = (uint8_t)random_below(256);
	put(BASE, &loop, sizeof(loop));
	for (unsigned index = 0; n < 4; n++) {
		const uint16_t head =
		    one_in(300) ? (uint16_t)random_below(QUEUE + 1) : (uint16_t)index;

		put(AVAILABLE + 4 + 2 * ((unsigned)(from + n) % QUEUE), &head,
		    sizeof(head));
		index = make_request(index);
	}
	n = (uint16_t)(from + (one_in(100) ? QUEUE + random_below(3) : n));
	put(AVAILABLE, &flags, sizeof(flags));
	put(AVAILABLE + 2, &n, sizeof(n));
}

/* ------------------------------------------------------------ the comparison */

static void set_registers(struct soc_state *s, uint16_t from)
{
	soc_get_state(soc, 0, s);
	s->pc = BASE;
	s->disk.status = DRIVING;
	s->disk.accepted[1] = 1;
	s->disk.size = QUEUE;
	s->disk.ready = 1;
	s->disk.descriptors = DESCRIPTORS;
	s->disk.driver = AVAILABLE;
	s->disk.device = one_in(300) ? random_address() : USED;
	s->disk.interrupt = 0;
	s->disk.last = s->disk.used = from;
	s->disk.due = s->cycle + 1;
}

static void compare_disks(void)
{
	static uint8_t is[SECTORS * SOC_DISK_SECTOR], want[SECTORS * SOC_DISK_SECTOR];

	CHECK(soc_disk_read(disk, 0, is, SECTORS));
	CHECK(soc_disk_read(model_disk, 0, want, SECTORS));
	CHECK(memcmp(is, want, sizeof(is)) == 0);
}

/* Returns how many requests were served; counts the faults. */
static unsigned run_case(unsigned *all_faults)
{
	const uint16_t from = (uint16_t)(one_in(4) ? 65534 : random_below(100));
	struct soc_state before, after, is = {0};
	unsigned used = 0, faults = 0;

	make_queue(from);
	memcpy(ram, image, RAM);
	soc_write_physical(soc, BASE, image, RAM);
	set_registers(&before, from);
	soc_set_state(soc, 0, &before);
	latency = one_in(2) ? 1 : 1 + random_below(200);
	queue = disk_queue_new(NULL, RAM, disk, &timing);
	disk_queue_restore(queue, before.cycle + 1, &before);
	const uint64_t end =
	    run_queue(before.cycle + 1, before.cycle + MOST_CYCLES, &used, &faults);

	CHECK_EQ(soc_run(soc, UINT64_MAX, before.cycle + 2000), SOC_STOP_LIMIT);
	soc_get_state(soc, 0, &after);
	CHECK(disk_queue_save(queue, end + 10, &is));
	CHECK_EQ(is.disk.last, after.disk.last);
	CHECK_EQ(is.disk.used, after.disk.used);
	CHECK_EQ(is.disk.due, SOC_DISK_IDLE);
	CHECK_EQ(after.disk.due, SOC_DISK_IDLE);
	CHECK_EQ(faults, (after.disk.status & NEEDS_RESET) != 0);
	CHECK_EQ((used ? 1 : 0) | (faults ? 2 : 0), after.disk.interrupt);
	soc_read_physical(soc, BASE, image, RAM);
	CHECK(memcmp(ram, image, RAM) == 0);
	compare_disks();
	disk_queue_free(queue);
	*all_faults += faults;
	return (uint16_t)(after.disk.used - from);
}

static void test_random(void)
{
	unsigned served = 0, faults = 0;

	for (unsigned i = 0; i < CASES && check_failures == 0; i++)
		served += run_case(&faults);
	CHECK(served > 2 * CASES && faults > CASES / 20 && faults < CASES / 2);
}

/* ------------------------------------------------------------ the queue's end */

/* The driver ends the queue in cycle `at`: nothing is written afterwards but lines under
 * way, no answer comes, and the next queue begins at 0. */
static void end_in_cycle(uint64_t at)
{
	const struct disk_event stop = {.stop = true};
	const struct disk_event start = {.start = true,
					 .size = QUEUE,
					 .descriptors = DESCRIPTORS,
					 .driver = AVAILABLE,
					 .device = USED};
	struct soc_state is = {0};
	unsigned used = 0, faults = 0;

	memcpy(ram, image, RAM);
	queue = disk_queue_new(NULL, RAM, disk, &timing);
	disk_queue_note(queue, 1, &start);
	uint64_t cycle = run_queue(1, at, &used, &faults);
	const bool has_ended = used > 0 || cycle < at;
	used = 0;
	disk_queue_note(queue, cycle, &stop);
	cycle = run_queue(cycle, cycle + 1000, &used, &faults);
	CHECK(!used && !faults);
	CHECK(disk_queue_save(queue, cycle + 10, &is));
	CHECK(is.disk.last == 0 && is.disk.used == 0 && is.disk.due == SOC_DISK_IDLE);
	memcpy(ram, image, RAM);
	disk_queue_note(queue, cycle, &start);
	run_queue(cycle, cycle + MOST_CYCLES, &used, &faults);
	CHECK(used == 1 && !faults);
	CHECK(ram[DATA - BASE + 0x1000] == 0 || has_ended); /* the status */
	CHECK_EQ(ram[USED - BASE + 2], 1);
	disk_queue_free(queue);
}

static void test_end(void)
{
	static const uint16_t available[] = {0, 1, 0};
	static const uint64_t header[2] = {0, 3};

	memset(image, 0, RAM);
	put(AVAILABLE, available, sizeof(available));
	put(DATA, header, sizeof(header));
	describe(0, DATA, sizeof(header), NEXT, 1);
	describe(1, DATA + 0x801, 1024, NEXT | WRITES, 2);
	describe(2, DATA + 0x1000, 1, WRITES, 0);
	latency = 20;
	for (uint64_t at = 2; at < 250; at++)
		end_in_cycle(at);
}

/* ------------------------------------------------------------ the largest request */

/* Makes a request to read so many bytes, in parts that lie upon each other, whose status
 * is the last byte of memory. */
static void make_large_request(uint32_t bytes)
{
	static const uint16_t available[] = {0, 1, 0};
	static const uint64_t header[2] = {0, 0};
	unsigned index = 1;

	memset(image, 0xff, LARGE_RAM);
	memset(image + (USED - BASE), 0, 4);
	put(BASE, &(uint32_t){0x0000006f}, 4);
	put(AVAILABLE, available, sizeof(available));
	put(DATA, header, sizeof(header));
	describe(0, DATA, sizeof(header), NEXT, 1);
	for (uint32_t n; bytes > 0; bytes -= n, index++) {
		n = bytes < PART ? bytes : PART;
		describe(index, DATA + 0x1000, n, NEXT | WRITES, index + 1);
	}
	describe(index, BASE + LARGE_RAM - 1, 1, WRITES, 0);
}

/* Serves the request by the controller. */
static void run_large(struct soc_disk *large)
{
	const struct disk_event start = {.start = true,
					 .size = LARGE_QUEUE,
					 .descriptors = DESCRIPTORS,
					 .driver = AVAILABLE,
					 .device = USED};
	unsigned used = 0, faults = 0;

	memcpy(ram, image, LARGE_RAM);
	latency = 1;
	queue = disk_queue_new(NULL, LARGE_RAM, large, &timing);
	disk_queue_note(queue, 1, &start);
	run_queue(1, 4 * MOST_CYCLES, &used, &faults);
	CHECK(used == 1 && !faults);
	disk_queue_free(queue);
}

/* The same by the model. */
static void run_large_model(struct soc *machine, uint8_t memory[LARGE_RAM])
{
	struct soc_state s;

	soc_write_physical(machine, BASE, image, LARGE_RAM);
	soc_get_state(machine, 0, &s);
	s.pc = BASE;
	s.disk.status = DRIVING;
	s.disk.accepted[1] = 1;
	s.disk.size = LARGE_QUEUE;
	s.disk.ready = 1;
	s.disk.descriptors = DESCRIPTORS;
	s.disk.driver = AVAILABLE;
	s.disk.device = USED;
	s.disk.last = s.disk.used = 0;
	s.disk.due = s.cycle + 1;
	soc_set_state(machine, 0, &s);
	CHECK_EQ(soc_run(machine, UINT64_MAX, s.cycle + 100000), SOC_STOP_LIMIT);
	soc_read_physical(machine, BASE, memory, LARGE_RAM);
}

static struct soc_disk *make_large_disk(void)
{
	char name[] = "/tmp/disk-queue.XXXXXX", message[SOC_DISK_MESSAGE];
	int fd = mkstemp(name);

	CHECK_EQ(ftruncate(fd, LARGEST + SOC_DISK_SECTOR), 0);
	CHECK_EQ(pwrite(fd, "first", 5, 0), 5);
	CHECK_EQ(pwrite(fd, "last", 4, LARGEST - 4), 4);
	close(fd);
	struct soc_disk *made = soc_disk_open(name, message);
	unlink(name);
	return made;
}

/* 16 MiB are moved, and a sector more is refused, although the disk has it. */
static void test_largest(void)
{
	static uint8_t memory[LARGE_RAM];
	const struct soc_config config = {
	    .ram_size = LARGE_RAM, .harts = 1, .features.disk = true};
	struct soc_disk *large = make_large_disk();
	struct soc *machine = soc_new(&config);

	if (!CHECK(large && machine))
		return;
	ram_size = LARGE_RAM;
	soc_set_disk(machine, large, &timing);
	for (unsigned more = 0; more < 2; more++) {
		uint32_t length;

		make_large_request(LARGEST + more * SOC_DISK_SECTOR);
		run_large(large);
		run_large_model(machine, memory);
		CHECK(memcmp(ram, memory, LARGE_RAM) == 0);
		CHECK_EQ(ram[LARGE_RAM - 1], more);
		memcpy(&length, ram + (USED - BASE) + 8, sizeof(length));
		CHECK_EQ(length, more ? 0 : LARGEST + 1);
	}
	ram_size = RAM;
	soc_free(machine);
	soc_disk_close(large);
}

int main(void)
{
	const struct soc_config config = {
	    .ram_size = RAM, .harts = 1, .features.disk = true};
	char message[SOC_DISK_MESSAGE];
	FILE *file = fdopen(mkstemp(path), "wb");

	for (unsigned i = 0; i < SECTORS * SOC_DISK_SECTOR; i++)
		putc((int)(i / 7 % 251), file);
	CHECK_EQ(fclose(file), 0);
	disk = soc_disk_open(path, message);
	model_disk = soc_disk_open(path, message);
	soc = soc_new(&config);
	if (!CHECK(disk && model_disk && soc))
		return check_done();
	soc_set_disk(soc, model_disk, &timing);
	test_random();
	test_end();
	test_largest();
	soc_free(soc);
	soc_disk_close(disk);
	soc_disk_close(model_disk);
	unlink(path);
	return check_done();
}
