/* SPDX-License-Identifier: Apache-2.0 */
/* The disk as a driver sees it, and what it answers to a hostile one: descriptors in a
 * loop, outside memory, too long, of no request, and rings of random bytes. Files that
 * cannot be a disk are refused. */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../../sim/model/disk.h"
#include "../../sim/model/model.h"
#include "../../sim/model/state.h"
#include "check.h"

#define CODE	    0x80000000 /* a load, a store, and an endless loop */
#define DESCRIPTORS 0x80001000
#define AVAILABLE   0x80002000
#define USED	    0x80003000
#define HEADER	    0x80004000
#define STATUS	    0x80004800
#define DATA	    0x80005000
#define RAM	    0x100000

enum { SECTORS = 20, QUEUE = 8, ACCESS = 1000, PER_SECTOR = 10 };
enum { NEXT = 1, WRITES = 2, INDIRECT = 4 };
enum { NOTIFY = 0x050, INTERRUPT = 0x060, ACK = 0x064, DEVICE_STATUS = 0x070 };
enum { NEEDS_RESET = 64, DRIVING = 15 };

static char path[] = "/tmp/soc-disk.XXXXXX";
static struct soc *soc;
static struct soc_disk *disk;
static uint16_t requests;
static uint64_t written; /* bytes, by the hook */

static void on_device_write(void *user, uint64_t cycle, uint64_t address,
			    const uint8_t *data, uint32_t size)
{
	uint8_t is[4096];

	(void)user;
	CHECK_EQ(cycle, soc_cycle(soc, 0) + 1);
	CHECK(size <= sizeof(is));
	CHECK(soc_read_physical(soc, address, is, size) && memcmp(is, data, size) == 0);
	written += size;
}

static bool make_machine(void)
{
	const struct soc_config config = {
	    .ram_size = RAM, .harts = 1, .features.disk = true};
	const struct soc_disk_timing timing = {ACCESS, PER_SECTOR};
	const struct soc_hooks hooks = {.device_write = on_device_write};

	soc_free(soc);
	soc = soc_new(&config);
	if (!CHECK(soc))
		return false;
	soc_set_disk(soc, disk, &timing);
	soc_set_hooks(soc, &hooks);
	return true;
}

static void put_file(size_t bytes)
{
	int fd = open(path, O_WRONLY | O_TRUNC);

	for (size_t i = 0; i < bytes; i++) {
		uint8_t byte = (uint8_t)(i / 512 + 1);
		if (write(fd, &byte, 1) != 1)
			abort();
	}
	close(fd);
}

static uint32_t load(uint64_t offset)
{
	soc_set_x(soc, 0, 10, SOC_DISK_BASE + offset);
	soc_set_pc(soc, 0, CODE);
	soc_step(soc);
	return (uint32_t)soc_x(soc, 0, 11);
}

static void store(uint64_t offset, uint32_t value)
{
	soc_set_x(soc, 0, 10, SOC_DISK_BASE + offset);
	soc_set_x(soc, 0, 11, value);
	soc_set_pc(soc, 0, CODE + 4);
	soc_step(soc);
}

/* Returns false if the disk has overwritten the code, and nothing runs any more. */
static bool wait_cycles(uint64_t cycles)
{
	soc_set_pc(soc, 0, CODE + 8);
	return soc_run(soc, UINT64_MAX, soc_cycle(soc, 0) + cycles) == SOC_STOP_LIMIT;
}

static void store_wide(uint64_t offset, uint64_t value)
{
	store(offset, (uint32_t)value);
	store(offset + 4, (uint32_t)(value >> 32));
}

static void begin(void)
{
	static const uint32_t code[] = {0x00056583, 0x00b52023, 0x0000006f}, zero;

	soc_write_physical(soc, CODE, code, sizeof(code));
	store(DEVICE_STATUS, 0);
	store(DEVICE_STATUS, 3);
	store(0x024, 1);
	store(0x020, 1); /* VIRTIO_F_VERSION_1 */
	store(DEVICE_STATUS, 11);
	store(0x038, QUEUE);
	store_wide(0x080, DESCRIPTORS);
	store_wide(0x090, AVAILABLE);
	store_wide(0x0a0, USED);
	soc_write_physical(soc, AVAILABLE, &zero, 4);
	soc_write_physical(soc, USED, &zero, 4);
	store(0x044, 1);
	store(DEVICE_STATUS, DRIVING);
	CHECK_EQ(load(DEVICE_STATUS), DRIVING);
	requests = 0;
}

static void describe(unsigned index, uint64_t address, uint32_t size, uint16_t flags,
		     uint16_t next)
{
	struct {
		uint64_t address;
		uint32_t size;
		uint16_t flags, next;
	} d = {address, size, flags, next};

	soc_write_physical(soc, DESCRIPTORS + 16 * index, &d, sizeof(d));
}

static void put_header(uint32_t type, uint64_t sector)
{
	uint64_t header[2] = {type, sector};
	uint8_t none = 0x55;

	soc_write_physical(soc, HEADER, header, sizeof(header));
	soc_write_physical(soc, STATUS, &none, 1);
}

/* Offers the descriptors from `head` on, and waits. Returns as wait_cycles(). */
static bool offer(uint16_t head)
{
	soc_write_physical(soc, AVAILABLE + 4 + 2 * (requests % QUEUE), &head, 2);
	requests++;
	soc_write_physical(soc, AVAILABLE + 2, &requests, 2);
	store(NOTIFY, 0);
	return wait_cycles(ACCESS + 4000 * PER_SECTOR);
}

static uint8_t status(void)
{
	uint8_t byte;

	soc_read_physical(soc, STATUS, &byte, 1);
	return byte;
}

/* Returns the length in the used ring, of the last request. */
static uint32_t used(void)
{
	uint32_t element[2];
	uint16_t index;

	soc_read_physical(soc, USED + 2, &index, 2);
	CHECK_EQ(index, requests);
	soc_read_physical(soc, USED + 4 + 8 * ((requests - 1U) % QUEUE), element, 8);
	return element[1];
}

/* A request of one part with data; returns its status. */
static uint8_t request(uint32_t type, uint64_t sector, uint64_t data, uint32_t size,
		       uint16_t flags)
{
	put_header(type, sector);
	describe(0, HEADER, 16, NEXT, 1);
	describe(1, data, size, NEXT | flags, 2);
	describe(2, STATUS, 1, WRITES, 0);
	offer(0);
	return status();
}

/* The last request has broken the rules; a reset helps. */
static void check_reset(void)
{
	uint16_t index;

	CHECK_EQ(load(DEVICE_STATUS), DRIVING | NEEDS_RESET);
	CHECK_EQ(load(INTERRUPT) & 2, 2);
	soc_read_physical(soc, USED + 2, &index, 2);
	CHECK_EQ(index, requests - 1);
	/* It does nothing more. */
	store(NOTIFY, 0);
	wait_cycles(2 * ACCESS);
	soc_read_physical(soc, USED + 2, &index, 2);
	CHECK_EQ(index, requests - 1);
	begin();
	CHECK_EQ(request(0, 0, DATA, 512, WRITES), 0);
}

static void test_requests(void)
{
	uint8_t data[1024];

	written = 0;
	CHECK_EQ(request(0, 3, DATA, 1024, WRITES), 0);
	CHECK_EQ(used(), 1025);
	CHECK_EQ(written, 1024 + 1 + 8 + 2);
	soc_read_physical(soc, DATA, data, 1024);
	CHECK(data[0] == 4 && data[511] == 4 && data[512] == 5 && data[1023] == 5);
	/* Data in pieces, of which one has no bytes, and one shares its part with the
	 * status. */
	put_header(0, 3);
	describe(0, HEADER, 7, NEXT, 1);
	describe(1, HEADER + 7, 9, NEXT, 2);
	describe(2, DATA, 500, NEXT | WRITES, 3);
	describe(3, DATA, 0, NEXT | WRITES, 4);
	describe(4, STATUS - 524, 525, WRITES, 0);
	offer(0);
	CHECK_EQ(status(), 0);
	CHECK_EQ(used(), 1025);
	soc_read_physical(soc, STATUS - 524, data, 524);
	CHECK(data[0] == 4 && data[11] == 4 && data[12] == 5 && data[523] == 5);
	/* What is written is read again, and is not in the file. */
	memset(data, 77, sizeof(data));
	soc_write_physical(soc, DATA, data, 1024);
	CHECK_EQ(request(1, SECTORS - 2, DATA, 1024, 0), 0);
	CHECK_EQ(used(), 1);
	CHECK_EQ(request(0, SECTORS - 3, DATA, 1536, WRITES), 0);
	soc_read_physical(soc, DATA + 511, data, 2);
	CHECK(data[0] == SECTORS - 2 && data[1] == 77);
	CHECK_EQ(request(8, 0, DATA, 20, WRITES), 0);
	CHECK_EQ(used(), 21);
	CHECK_EQ(request(8, 0, DATA, 100, WRITES), 0);
	CHECK_EQ(used(), 20);
	CHECK_EQ(request(8, 0, DATA, 3, WRITES), 0);
	CHECK_EQ(used(), 4);
}

/* Requests that end with an error; the disk goes on. */
static void test_errors(void)
{
	uint64_t byte;

	CHECK_EQ(request(0, SECTORS, DATA, 512, WRITES), 1);
	CHECK_EQ(used(), 0);
	CHECK_EQ(request(0, SECTORS - 1, DATA, 1024, WRITES), 1);
	CHECK_EQ(request(0, UINT64_MAX, DATA, 1024, WRITES), 1);
	CHECK_EQ(request(1, UINT64_MAX - 1, DATA, 1024, 0), 1);
	CHECK_EQ(request(0, 0, DATA, 511, WRITES), 1);
	CHECK_EQ(request(1, 0, DATA, 511, 0), 1);
	CHECK_EQ(request(2, 0, DATA, 512, WRITES), 2);
	CHECK_EQ(request(UINT32_MAX, 0, DATA, 512, 0), 2);
	CHECK_EQ(request(0, 0, DATA, 512, WRITES), 0);
	/* Longer than the disk. */
	CHECK_EQ(request(0, 0, DATA, 512 * (SECTORS + 1), WRITES), 1);
	CHECK(!soc_disk_trouble(disk, &byte));
	/* The file has become shorter: what is left of it is read. */
	CHECK_EQ(truncate(path, 4096 + 512), 0);
	CHECK_EQ(request(0, 9, DATA, 512, WRITES), 1);
	CHECK_EQ(request(0, 8, DATA, 512, WRITES), 0);
	CHECK_STR(soc_disk_trouble(disk, &byte), "Input/output error");
	CHECK_EQ(byte, 4096 + 512);
	CHECK_EQ(request(1, 9, DATA, 512, 0), 1);
	put_file(512 * SECTORS);
	CHECK_EQ(request(0, 9, DATA, 512, WRITES), 0);
}

/* Descriptors after which the disk needs a reset. */
static void test_broken_rules(void)
{
	static const struct {
		uint64_t address;
		uint32_t size;
		uint16_t flags, next;
	} second[] = {
	    {DATA, 512, NEXT | WRITES, 1},	      /* a loop */
	    {DATA, 512, NEXT | WRITES, 0},	      /* a longer one */
	    {DATA, 512, NEXT | WRITES, QUEUE},	      /* outside the table */
	    {DATA, 512, NEXT | WRITES, 0xffff},	      /* far outside */
	    {DATA, 512, NEXT | WRITES | INDIRECT, 2}, /* not negotiated */
	    {DATA, 512, NEXT | WRITES | 0x8000, 2},   /* no such flag */
	    {0, 512, NEXT | WRITES, 2},		      /* outside memory */
	    {UINT64_MAX, 512, NEXT | WRITES, 2},      /* around the end of addresses */
	    {SOC_RAM_BASE + RAM - 511, 512, NEXT | WRITES, 2}, /* over the end */
	    {SOC_RAM_BASE, UINT32_MAX, NEXT | WRITES, 2},      /* too long */
	    {SOC_DISK_BASE, 4, NEXT | WRITES, 2},	       /* a device */
	    {DATA, 512, 0, 0},				       /* without a status */
	};

	for (size_t i = 0; i < sizeof(second) / sizeof(second[0]); i++) {
		put_header(0, 0);
		describe(0, HEADER, 16, NEXT, 1);
		describe(1, second[i].address, second[i].size, second[i].flags,
			 second[i].next);
		describe(2, STATUS, 1, WRITES, 0);
		offer(0);
		check_reset();
	}
	/* A header of 15 bytes; a part to be read behind one to be written. */
	describe(0, HEADER, 15, NEXT, 1);
	describe(1, STATUS, 1, WRITES, 0);
	offer(0);
	check_reset();
	describe(0, HEADER, 16, NEXT, 1);
	describe(1, STATUS, 1, WRITES | NEXT, 2);
	describe(2, HEADER, 16, 0, 0);
	offer(0);
	check_reset();
	/* A head outside the table, and an index that jumps. */
	offer(QUEUE);
	check_reset();
	requests += QUEUE;
	describe(0, HEADER, 16, NEXT, 1);
	offer(0);
	requests = 2;
	check_reset();
}

/* Rings outside memory. */
static void test_rings(void)
{
	static const uint64_t outside[] = {0, SOC_RAM_BASE + RAM - 2, UINT64_MAX - 3,
					   UINT64_C(1) << 63, SOC_DISK_BASE};

	for (unsigned ring = 0; ring < 3; ring++)
		for (size_t i = 0; i < sizeof(outside) / sizeof(outside[0]); i++) {
			begin();
			CHECK_EQ(request(0, 0, DATA, 512, WRITES), 0);
			store(0x044, 0);
			store_wide(0x080 + 16 * ring, outside[i]);
			store(0x044, 1);
			requests = 0;
			request(0, 0, DATA, 512, WRITES);
			CHECK_EQ(load(DEVICE_STATUS), DRIVING | NEEDS_RESET);
		}
	begin();
	CHECK_EQ(request(0, 0, DATA, 512, WRITES), 0);
}

/* Interrupts that are not wanted, a queue that is not there, features that are not
 * offered, and a used ring of which only the index is in memory. */
static void test_registers(void)
{
	begin();
	CHECK_EQ(request(0, 0, DATA, 512, WRITES), 0);
	CHECK_EQ(load(INTERRUPT), 1);
	store(ACK, 1);
	soc_write_physical(soc, AVAILABLE, &(uint16_t){1}, 2);
	CHECK_EQ(request(0, 0, DATA, 512, WRITES), 0);
	CHECK_EQ(load(INTERRUPT), 0);
	store(0x030, 1);
	store(0x044, 0);
	CHECK_EQ(load(0x034), 0);
	store(0x030, 0);
	CHECK_EQ(load(0x044), 1);
	store(DEVICE_STATUS, 0);
	store(DEVICE_STATUS, 3);
	store(0x024, 1);
	store(0x020, 1);
	store(0x024, 0);
	store(0x020, 1);
	store(DEVICE_STATUS, 11);
	CHECK_EQ(load(DEVICE_STATUS), 3);
	begin();
	store(0x044, 0);
	store_wide(0x0a0, SOC_RAM_BASE + RAM - 4);
	store(0x044, 1);
	request(0, 0, DATA, 512, WRITES);
	CHECK_EQ(load(DEVICE_STATUS), DRIVING | NEEDS_RESET);
}

/* The driver changes its mind while a request is under way. */
static void test_changes(void)
{
	uint16_t one = 1, index;

	for (unsigned way = 0; way < 4; way++) {
		begin();
		put_header(0, 0);
		describe(0, HEADER, 16, NEXT, 1);
		describe(1, DATA, 512, NEXT | WRITES, 2);
		describe(2, STATUS, 1, WRITES, 0);
		soc_write_physical(soc, AVAILABLE + 2, &one, 2);
		store(NOTIFY, 0);
		wait_cycles(ACCESS / 2);
		if (way == 0)
			store(DEVICE_STATUS, 0);
		else if (way == 1)
			store(0x044, 0);
		else if (way == 2)
			describe(1, 0, 512, NEXT | WRITES, 2);
		else
			describe(1, DATA, 512 * (SECTORS + 1), NEXT | WRITES, 2);
		wait_cycles(2 * ACCESS);
		soc_read_physical(soc, USED + 2, &index, 2);
		CHECK_EQ(index, way == 3);
		CHECK_EQ(load(DEVICE_STATUS) & NEEDS_RESET, way == 2 ? NEEDS_RESET : 0);
		if (way == 3)
			CHECK_EQ(status(), 1);
	}
}

/* Requests that take no time, of rings that fill themselves: the used ring's index is
 * that of the other one, and ahead of it, as in a hostile checkpoint. The machine goes
 * on. */
static void test_endless_requests(void)
{
	static const struct soc_disk_timing none;
	struct soc_state state;
	uint64_t before;

	soc_set_disk(soc, disk, &none);
	begin();
	store(0x044, 0);
	store_wide(0x0a0, AVAILABLE);
	store(0x044, 1);
	soc_get_state(soc, 0, &state);
	state.disk.used = state.disk.last + 1;
	soc_set_state(soc, 0, &state);
	put_header(4, 0);
	/* What it writes there are the numbers 0 and 1. */
	describe(0, HEADER, 16, NEXT, 2);
	describe(1, HEADER, 16, NEXT, 2);
	describe(2, STATUS, 1, WRITES, 0);
	before = soc_cycle(soc, 0);
	alarm(60);
	offer(0);
	alarm(0);
	CHECK(soc_cycle(soc, 0) - before < 1000 + ACCESS + 4000 * PER_SECTOR);
	soc_get_state(soc, 0, &state);
	CHECK(state.disk.used > 1000);
	CHECK(make_machine());
}

static uint64_t seed = 1;

static uint32_t rnd(uint32_t below)
{
	seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407U;
	return (uint32_t)(seed >> 33) % below;
}

/* A chain of random parts, which is often a request. */
static void describe_any(void)
{
	unsigned last = 1 + rnd(QUEUE - 1), written_from = 1 + rnd(last);

	put_header(rnd(10), rnd(SECTORS + 4));
	describe(0, HEADER, 16, NEXT, 1);
	for (unsigned i = 1; i <= last; i++)
		describe(
		    i, DATA + rnd(RAM - 0x8000), 256 * rnd(5),
		    (uint16_t)((i < last ? NEXT : 0) | (i >= written_from ? WRITES : 0)),
		    (uint16_t)(i + 1));
	describe(last, STATUS, 1 + 512 * rnd(2), WRITES, 0);
}

/* Random requests, rings with random bytes, and random values of the registers. */
static void test_random(void)
{
	unsigned resets = 0;

	for (unsigned round = 0; round < 20000; round++) {
		begin();
		describe_any();
		for (unsigned i = rnd(4); i > 1; i--) {
			uint8_t byte = (uint8_t)rnd(256);

			soc_write_physical(soc, DESCRIPTORS + rnd(16 * QUEUE), &byte, 1);
		}
		if (!offer(rnd(20) ? 0 : (uint16_t)rnd(UINT16_MAX)) && make_machine())
			begin();
		resets += (load(DEVICE_STATUS) & NEEDS_RESET) != 0;
		store(rnd(0x1000) & ~3U, rnd(UINT32_MAX));
		load(rnd(0x1000) & ~3U);
	}
	CHECK(resets > 2000 && resets < 18000);
	begin();
	CHECK_EQ(request(0, 0, DATA, 512, WRITES), 0);
}

static void check_refused(const char *file, const char *reason)
{
	char message[SOC_DISK_MESSAGE] = "", expected[SOC_DISK_MESSAGE];

	snprintf(expected, sizeof(expected), "%s: %s", file, reason);
	CHECK(!soc_disk_open(file, message));
	CHECK_STR(message, expected);
}

static void test_files(void)
{
	put_file(0);
	check_refused(path,
		      "empty file, but a disk has at least one sector of 512 bytes");
	put_file(513);
	check_refused(path,
		      "its size is not a multiple of 512 bytes, the sectors of a disk");
	CHECK_EQ(truncate(path, (off_t)(SOC_DISK_MOST + 512)), 0);
	check_refused(path, "larger than 64 GiB, the most that a disk can have");
	check_refused("/dev/null", "not a regular file, as a disk must be");
	check_refused("/tmp", "not a regular file, as a disk must be");
	check_refused("/nowhere/disk", "No such file or directory");
}

int main(void)
{
	char message[SOC_DISK_MESSAGE];
	uint64_t before, after;

	close(mkstemp(path));
	test_files();
	put_file(512 * SECTORS);
	disk = soc_disk_open(path, message);
	if (!CHECK(disk) || !make_machine())
		return check_done();
	/* Without a disk there is no device: the load traps. */
	soc_set_disk(soc, NULL, &(const struct soc_disk_timing)SOC_DISK_TIMING);
	soc_set_x(soc, 0, 11, 7);
	load(0);
	CHECK_EQ(soc_x(soc, 0, 11), 7);
	make_machine();
	CHECK_EQ(soc_disk_sectors(disk), SECTORS);
	CHECK(soc_disk_digest(disk, &before));
	begin();
	test_requests();
	test_errors();
	test_broken_rules();
	test_rings();
	test_registers();
	test_changes();
	test_endless_requests();
	begin();
	test_random();
	CHECK(soc_disk_digest(disk, &after) && before == after);
	soc_free(soc);
	soc_disk_close(disk);
	unlink(path);
	return check_done();
}
