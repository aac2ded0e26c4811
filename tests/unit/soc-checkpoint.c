/* SPDX-License-Identifier: Apache-2.0 */
/* Checkpoints: what is written is read again, the same state gives the same bytes, and a
 * file that is cut anywhere, or has any bit inverted, is refused with its name and a
 * byte. Well-formed files with values that the machine cannot have are refused, too. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zstd.h>

#include "../../sim/run/checkpoint.h"
#include "../../sim/run/checkpoint_internal.h"
#include "base/little.h"
#include "base/status.h"
#include "check.h"

enum { PAGES = 8, RAM = PAGES * CHECKPOINT_PAGE, MOST = 1 << 16 };

static uint8_t ram[RAM], again[RAM], file[MOST], changed[MOST];
static char path[] = "/tmp/soc-checkpoint.XXXXXX";
/* Without one, the machine has none. What is read goes to the second. */
static struct soc_disk *disk, *disk_again;
/* Without any, none are kept. What is read goes to the second. */
static struct soc_line_uses *uses, uses_again;

static size_t get_file(uint8_t *data)
{
	FILE *in = fopen(path, "rb");
	size_t size = in ? fread(data, 1, MOST, in) : 0;

	if (in)
		fclose(in);
	return size;
}

static void put_file(const uint8_t *data, size_t size)
{
	FILE *out = fopen(path, "wb");

	if (!out || fwrite(data, 1, size, out) != size)
		abort();
	fclose(out);
}

/* Of the file that was read last: the number of harts, and the state of the last. */
static unsigned harts;
static struct soc_state last;

/* Reads the file. Returns whether that succeeds, with the reason in `message`. */
static bool reads(struct soc_state *state, char *message)
{
	static struct checkpoint c;

	message[0] = 0;
	if (!checkpoint_open(&c, path, message))
		return false;
	*state = c.states[0];
	last = c.states[c.harts - 1];
	harts = c.harts;
	memset(again, 0, sizeof(again));
	bool good = c.ram_size == RAM &&
		    checkpoint_load(&c, again, disk_again, &uses_again, message);
	checkpoint_close(&c);
	return good;
}

/* Returns whether the file is refused with its name and a byte. */
static bool refused(void)
{
	struct soc_state state;
	char message[CHECKPOINT_MESSAGE];
	size_t n = strlen(path);

	return !reads(&state, message) && strncmp(message, path, n) == 0 &&
	       (strncmp(message + n, ": byte ", 7) == 0 ||
		strcmp(message + n, ": empty file") == 0);
}

static size_t write_states(const struct soc_state *states, unsigned n)
{
	struct tr_header *keys = tr_header_new();
	const struct checkpoint_source source = {.states = states,
						 .harts = n,
						 .ram = ram,
						 .ram_size = RAM,
						 .features.fpu = true,
						 .features.disk = disk != NULL,
						 .disk = disk,
						 .uses = uses,
						 .keys = keys};
	char message[CHECKPOINT_MESSAGE];

	CHECK(keys && tr_header_set(keys, "image_hash", "0123") == TR_OK);
	CHECK(checkpoint_write(path, &source, message));
	tr_header_free(keys);
	return get_file(file);
}

static size_t write_state(const struct soc_state *state)
{
	return write_states(state, 1);
}

/* Gives each number of the state another value that the machine can have. */
static void fill(struct soc_state *s)
{
	*s = (struct soc_state){.cycle = 123456789,
				.instret = 98765432,
				.pc = 0x80000002,
				.priv = 1,
				.reservation = 0x80001040,
				.fcsr = 0x75,
				.mstatus = 0x1800,
				.satp = UINT64_C(8) << 60 | 5};
	for (unsigned i = 1; i < 32; i++) {
		s->x[i] = UINT64_C(0x0101010101010101) * i;
		s->plic.priority[i] = i % 8;
	}
	for (unsigned i = 0; i < 32; i++)
		s->f[i] = ~(uint64_t)i;
	s->plic.enable[1] = 0x400;
	s->uart.fcr = 0x81;
	s->uart.count = 2;
	s->uart.fifo[1] = 0xa5;
}

/* Pages 1 and 2 are compressible, page 5 is less so. */
static void fill_ram(void)
{
	memset(ram + CHECKPOINT_PAGE, 0x5a, 2 * CHECKPOINT_PAGE);
	ram[2 * CHECKPOINT_PAGE] = 1;
	for (uint32_t i = 0, x = 1; i < 256; i++) {
		x = x * 1664525 + 1013904223;
		ram[5 * CHECKPOINT_PAGE + i] = (uint8_t)(x >> 24);
	}
}

static void damage(size_t size)
{
	size_t kept = 0;

	for (size_t n = 0; n < size; n++) {
		put_file(file, n);
		kept += !refused();
	}
	CHECK_EQ(kept, 0);
	for (size_t i = 0; i < size; i++) {
		memcpy(changed, file, size);
		changed[i] ^= (uint8_t)(1U << i % 8);
		put_file(changed, size);
		kept += !refused();
	}
	CHECK_EQ(kept, 0);
	memcpy(changed, file, size);
	changed[size] = 0;
	put_file(changed, size + 1);
	CHECK(refused());
}

/* Replaces a line of the text and corrects the checksum. */
static void put_line(size_t size, const char *key, const char *value)
{
	char *text = (char *)file + CHECKPOINT_HEAD;
	size_t length = tr_load32(file + 12);
	char pattern[64];

	snprintf(pattern, sizeof(pattern), "\n%s=", key);
	memcpy(changed, file, CHECKPOINT_HEAD);
	char *line = memmem(text, length, pattern, strlen(pattern));
	CHECK(line);
	char *end = memchr(line + 1, '\n', length);
	size_t used = (size_t)(line + strlen(pattern) - text);
	memcpy(changed + CHECKPOINT_HEAD, text, used);
	memcpy(changed + CHECKPOINT_HEAD + used, value, strlen(value));
	used += strlen(value);
	memcpy(changed + CHECKPOINT_HEAD + used, end,
	       size - (size_t)(end - (char *)file));
	tr_store32(changed + 12, (uint32_t)(used + length - (size_t)(end - text)));
	XXH64_state_t *hash = XXH64_createState();
	XXH64_reset(hash, 0);
	XXH64_update(hash, changed, 16);
	XXH64_update(hash, changed + CHECKPOINT_HEAD, tr_load32(changed + 12));
	tr_store64(changed + 16, XXH64_digest(hash));
	XXH64_freeState(hash);
	put_file(changed, used + size - (size_t)(end - text));
}

/* Returns whether the file with this line is refused because of the key. */
static bool wrong(size_t size, const char *key, const char *value)
{
	struct soc_state state;
	char message[CHECKPOINT_MESSAGE], expected[CHECKPOINT_MESSAGE];

	put_line(size, key, value);
	snprintf(expected, sizeof(expected), "%s: byte 24: wrong or missing key %s", path,
		 key);
	return !reads(&state, message) && strcmp(message, expected) == 0;
}

static void impossible(size_t size)
{
	struct soc_state state;
	char message[CHECKPOINT_MESSAGE];

	put_line(size, "priv", "3");
	CHECK(reads(&state, message));
	CHECK_EQ(state.priv, 3);
	CHECK(wrong(size, "priv", "2"));
	CHECK(wrong(size, "priv", ""));
	CHECK(wrong(size, "priv", "1,1"));
	CHECK(wrong(size, "priv", "11111111111111111"));
	CHECK(wrong(size, "pc", "80000001"));
	CHECK(wrong(size, "x", "0,1"));
	CHECK(wrong(size, "mstatus", "1000"));
	CHECK(wrong(size, "mstatus", "8000000000001800"));
	CHECK(wrong(size, "satp", "1000000000000000"));
	CHECK(wrong(size, "pmpcfg", "200"));
	CHECK(wrong(size, "reservation", "80001041"));
	CHECK(wrong(size, "uart.count", "11"));
	CHECK(wrong(size, "uart.fifo", "0,0,1,0,0,0,0,0,0,0,0,0,0,0,0,0"));
	CHECK(wrong(size, "mhpmevent", "0,0,0,3,0,0"));
	CHECK(wrong(size, "plic.priority",
		    "1,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0"));
	CHECK(wrong(size, "ram", "32769"));
}

/* Two harts have the same devices. */
static void two_harts(const struct soc_state *first)
{
	struct soc_state states[2] = {*first, *first}, got;
	char message[CHECKPOINT_MESSAGE];

	states[1].pc = 0x80000104;
	states[1].x[10] = 1;
	states[1].cycle += 128;
	states[1].clint.mtimecmp = 77;
	states[1].plic.enable[1] = 2;
	size_t size = write_states(states, 2);
	CHECK(reads(&got, message));
	CHECK_EQ(harts, 2);
	CHECK_EQ(memcmp(&got, &states[0], sizeof(got)), 0);
	CHECK_EQ(memcmp(&last, &states[1], sizeof(last)), 0);
	CHECK(wrong(size, "hart1.pc", "80000001"));
	CHECK(wrong(size, "hart1.x", "0"));
	CHECK(wrong(size, "hart1.clint.mtime", "5"));
	CHECK(wrong(size, "harts", "1"));
	CHECK(wrong(size, "harts", "5"));
	put_line(size, "harts", "3");
	CHECK(!reads(&got, message));
	CHECK(strstr(message, "wrong or missing key hart2.cycle"));
}

/* Returns whether the file with another use, and a good checksum, is refused for this
 * reason. */
static bool is_use_wrong(size_t size, uint64_t use, const char *why)
{
	size_t at = CHECKPOINT_HEAD + tr_load32(file + 12);
	uint8_t pages[CHECKPOINT_PAGE] = {0};
	struct soc_state state;
	char message[CHECKPOINT_MESSAGE];

	while (tr_load64(file + at) != CHECKPOINT_USES)
		at += CHECKPOINT_RECORD + tr_load32(file + at + 12);
	const size_t old = CHECKPOINT_RECORD + tr_load32(file + at + 12);
	for (size_t i = 0; i < uses->n; i++)
		tr_store64(pages + 8 * i, i == 1 ? use : uses->uses[i]);
	memcpy(changed, file, at + 16);
	const uint32_t bytes =
	    (uint32_t)ZSTD_compress(changed + at + 16, 4096, pages, sizeof(pages), 1);
	tr_store32(changed + at + 12, bytes);
	tr_store64(changed + at + 16 + bytes, XXH64(changed + at, 16 + bytes, 0));
	memcpy(changed + at + CHECKPOINT_RECORD + bytes, file + at + old,
	       size - at - old);
	put_file(changed, size - old + CHECKPOINT_RECORD + bytes);
	return !reads(&state, message) && strstr(message, why);
}

/* The last uses of memory: in the file, or what is wrong with them. */
static void keep_uses(const struct soc_state *state)
{
	struct soc_state got;
	char message[CHECKPOINT_MESSAGE];
	static struct soc_line_uses kept = {
	    .n = 3, .uses = {SOC_RAM_BASE, SOC_RAM_BASE + RAM - 64 + 3, 0x80000042}};

	uses = &kept;
	size_t size = write_state(state);
	CHECK_EQ(tr_load32(file + 8), CHECKPOINT_VERSION_USES);
	CHECK(reads(&got, message));
	CHECK_EQ(memcmp(&got, state, sizeof(got)), 0);
	CHECK_EQ(uses_again.n, 3);
	CHECK_EQ(memcmp(uses_again.uses, kept.uses, 3 * sizeof(kept.uses[0])), 0);
	damage(size);
	CHECK(wrong(size, "uses", "131073"));
	put_line(size, "uses", "513");
	CHECK(!reads(&got, message) && strstr(message, "another number of uses"));
	put_line(size, "uses", "0");
	CHECK(!reads(&got, message) && strstr(message, "outside memory"));
	CHECK(!is_use_wrong(size, SOC_RAM_BASE + 64 + 1, ""));
	CHECK(is_use_wrong(size, SOC_RAM_BASE + RAM, "a use outside memory"));
	CHECK(is_use_wrong(size, SOC_RAM_BASE - 64, "a use outside memory"));
	CHECK(is_use_wrong(size, SOC_RAM_BASE + 4, "a use of an unknown kind"));
	kept.n = 0;
	size = write_state(state);
	CHECK(reads(&got, message) && uses_again.n == 0);
	put_line(size, "uses", "1");
	CHECK(!reads(&got, message) && strstr(message, "the uses of memory are missing"));
	uses = NULL;
	size = write_state(state);
	CHECK_EQ(tr_load32(file + 8), CHECKPOINT_VERSION);
}

/* Writes an image of five sectors, opens it, and removes it. */
static struct soc_disk *make_disk(uint8_t first)
{
	char name[] = "/tmp/soc-checkpoint-disk.XXXXXX", message[SOC_DISK_MESSAGE];
	uint8_t image[5 * SOC_DISK_SECTOR] = {first};
	int fd = mkstemp(name);

	if (fd < 0 || write(fd, image, sizeof(image)) != sizeof(image))
		abort();
	close(fd);
	struct soc_disk *made = soc_disk_open(name, message);
	unlink(name);
	CHECK(made);
	return made;
}

/* The disk that a checkpoint belongs to. */
static void match_disk(void)
{
	struct soc_disk *other = make_disk(2);
	static struct checkpoint c;
	char message[CHECKPOINT_MESSAGE];

	CHECK(checkpoint_open(&c, path, message));
	CHECK(c.features.disk && c.disk_sectors == 5);
	CHECK(checkpoint_match_disk(&c, disk_again, message));
	CHECK(!checkpoint_match_disk(&c, other, message));
	CHECK(strstr(message, "it has other contents"));
	checkpoint_close(&c);
	soc_disk_close(other);
}

/* Returns whether the disk's page is refused as one outside of it, if its record has this
 * address and number of pages, and a good checksum. */
static bool is_page_outside(size_t size, uint64_t address, uint32_t pages)
{
	size_t at = CHECKPOINT_HEAD + tr_load32(file + 12);
	struct soc_state state;
	char message[CHECKPOINT_MESSAGE];

	while (tr_load64(file + at) < CHECKPOINT_DISK)
		at += CHECKPOINT_RECORD + tr_load32(file + at + 12);
	memcpy(changed, file, size);
	tr_store64(changed + at, address);
	tr_store32(changed + at + 8, pages);
	const uint32_t bytes = tr_load32(changed + at + 12);
	tr_store64(changed + at + 16 + bytes, XXH64(changed + at, 16 + bytes, 0));
	put_file(changed, size);
	return !reads(&state, message) && strstr(message, "which is outside of it");
}

/* Sizes of the queue that the registers can have, and pages of the disk, of which there
 * is one. */
static void possible_disk(size_t size)
{
	static const char *const sizes[] = {"1", "2", "8", "40", "80"};
	struct soc_state state;
	char message[CHECKPOINT_MESSAGE];

	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		put_line(size, "disk.size", sizes[i]);
		CHECK(reads(&state, message));
		CHECK_EQ(state.disk.size, strtoul(sizes[i], NULL, 16));
	}
	CHECK(!is_page_outside(size, CHECKPOINT_DISK, 1));
	CHECK(is_page_outside(size, CHECKPOINT_DISK, 2));
	CHECK(is_page_outside(size, CHECKPOINT_DISK + CHECKPOINT_PAGE, 1));
}

static void impossible_disk(size_t size)
{
	struct soc_state state;
	char message[CHECKPOINT_MESSAGE];

	put_line(size, "disk.size", "0"); /* while it is ready */
	CHECK(!reads(&state, message));
	CHECK(strstr(message, "wrong or missing key disk.ready"));
	CHECK(wrong(size, "disk.size", "3"));
	CHECK(wrong(size, "disk.size", "c0"));
	CHECK(wrong(size, "disk.size", "81"));
	CHECK(wrong(size, "disk.size", "100"));
	CHECK(wrong(size, "disk.ready", "2"));
	CHECK(wrong(size, "disk.interrupt", "4"));
	CHECK(wrong(size, "disk.last", "10000"));
	CHECK(wrong(size, "disk.sectors", "0"));
	CHECK(wrong(size, "disk.sectors", "134217729"));
	CHECK(wrong(size, "disk.hash", "12"));
	CHECK(wrong(size, "disk.hash", "xyz"));
	/* The page is that of one sector, too. */
	put_line(size, "disk.sectors", "1");
	CHECK(!refused());
}

/* A page of the disk was written, and its request is under way. */
static void with_disk(const struct soc_state *first)
{
	struct soc_state state = *first, got;
	char message[CHECKPOINT_MESSAGE];
	uint8_t sector[SOC_DISK_SECTOR];

	disk = make_disk(1);
	disk_again = make_disk(1);
	memset(sector, 0x77, sizeof(sector));
	CHECK(soc_disk_write(disk, 3, sector, 1));
	state.disk.due = 123456999;
	state.disk.ready = 1;
	state.disk.size = 8;
	state.disk.last = 0xffff;
	state.disk.accepted[1] = 1;
	size_t size = write_state(&state);
	CHECK(reads(&got, message));
	CHECK_EQ(memcmp(&got, &state, sizeof(got)), 0);
	memset(sector, 0, sizeof(sector));
	CHECK(soc_disk_read(disk_again, 3, sector, 1));
	CHECK(sector[0] == 0x77 && sector[511] == 0x77);
	CHECK(soc_disk_read(disk_again, 0, sector, 1) && sector[0] == 1);
	match_disk();
	damage(size);
	possible_disk(size);
	impossible_disk(size);
	state.disk.ready = 0;
	write_state(&state);
	CHECK(!reads(&got, message));
	CHECK(strstr(message, "wrong or missing key disk.due"));
	state.disk.ready = 1;
	two_harts(&state);
	soc_disk_close(disk);
	soc_disk_close(disk_again);
}

int main(void)
{
	struct soc_state state, got;
	char message[CHECKPOINT_MESSAGE];
	int fd = mkstemp(path);

	CHECK(fd >= 0);
	close(fd);
	fill(&state);
	fill_ram();
	size_t size = write_state(&state);
	CHECK(size > CHECKPOINT_HEAD && size < MOST);
	CHECK(reads(&got, message));
	CHECK_EQ(memcmp(&got, &state, sizeof(got)), 0);
	CHECK_EQ(memcmp(again, ram, RAM), 0);
	memcpy(changed, file, size);
	CHECK_EQ(write_state(&state), size);
	CHECK_EQ(memcmp(changed, file, size), 0);
	damage(size);
	impossible(size);
	CHECK_EQ(harts, 1);
	keep_uses(&state);
	write_state(&state);
	two_harts(&state);
	with_disk(&state);
	unlink(path);
	return check_done();
}
