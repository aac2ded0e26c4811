/* SPDX-License-Identifier: Apache-2.0 */
/* Reads checkpoints. */
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "base/fuzzed.h"
#include "base/little.h"
#include "base/number.h"
#include "base/status.h"
#include "checkpoint_internal.h"
#include "feature_text.h"

__attribute__((format(printf, 4, 5))) static bool
fail_checkpoint_read(const struct checkpoint *c, char *message, uint64_t byte,
		     const char *format, ...)
{
	va_list args;

	int used = snprintf(message, CHECKPOINT_MESSAGE, "%s: byte %" PRIu64 ": ",
			    c->path, byte);
	va_start(args, format);
	if (used >= 0 && used < CHECKPOINT_MESSAGE)
		vsnprintf(message + used, CHECKPOINT_MESSAGE - (size_t)used, format,
			  args);
	va_end(args);
	return false;
}

static bool report_truncated(const struct checkpoint *c, char *message)
{
	return fail_checkpoint_read(c, message, c->file.size, "the file ends early");
}

/* Checks everything before the text, and the text's checksum. */
static bool check_checkpoint_head(struct checkpoint *c, char *message)
{
	const uint8_t *data = c->file.data;

	if (c->file.size < 8 || memcmp(data, CHECKPOINT_MAGIC, 8) != 0)
		return fail_checkpoint_read(c, message, 0, "not a checkpoint");
	if (c->file.size < CHECKPOINT_HEAD)
		return report_truncated(c, message);
	c->version = tr_load32(data + 8);
	if (c->version < CHECKPOINT_VERSION || c->version > CHECKPOINT_VERSION_USES)
		return fail_checkpoint_read(
		    c, message, 8, "version %" PRIu32 ", but only %d to %d are supported",
		    c->version, CHECKPOINT_VERSION, CHECKPOINT_VERSION_USES);
	uint32_t size = tr_load32(data + 12);
	if (size > CHECKPOINT_TEXT)
		return fail_checkpoint_read(c, message, 12, "%" PRIu32 " byte%s of text",
					    size, tr_plural(size));
	c->ram_at = CHECKPOINT_HEAD + size;
	if (c->file.size < c->ram_at)
		return report_truncated(c, message);
	c->digest = tr_load64(data + 16);
	return true;
}

static bool check_digest(const struct checkpoint *c, char *message)
{
	XXH64_state_t *hash = XXH64_createState();
	uint64_t digest = ~c->digest;

	if (hash) {
		XXH64_reset(hash, 0);
		XXH64_update(hash, c->file.data, 16);
		XXH64_update(hash, c->file.data + CHECKPOINT_HEAD,
			     c->ram_at - CHECKPOINT_HEAD);
		digest = XXH64_digest(hash);
	}
	XXH64_freeState(hash);
	if (digest != c->digest && !TR_IS_FUZZED)
		return fail_checkpoint_read(c, message, 16,
					    "wrong checksum of the state");
	return true;
}

/* Returns mtime in cycle 0, which all harts share. */
static uint64_t first_mtime(const struct soc_state *s)
{
	return s->clint.mtime - s->cycle / (SOC_CLOCK_HZ / SOC_TIMEBASE_HZ);
}

static bool read_states(struct checkpoint *c, char *message)
{
	uint64_t harts = tr_header_get_u64(c->keys, "harts", 1);
	const char *key = checkpoint_get_state(c->keys, &c->states[0], &c->features);

	if (key)
		return fail_checkpoint_read(c, message, CHECKPOINT_HEAD,
					    "wrong or missing key %s", key);
	if (harts == 0 || harts > SOC_HARTS_MAX || (harts > 1 && c->has_uses) ||
	    (harts == 1 && (tr_header_get(c->keys, "harts") ||
			    c->version == CHECKPOINT_VERSION_HARTS)) ||
	    (harts > 1 && c->version == CHECKPOINT_VERSION))
		return fail_checkpoint_read(c, message, CHECKPOINT_HEAD,
					    "wrong or missing key harts");
	c->harts = (unsigned)harts;
	for (unsigned i = 1; i < c->harts; i++) {
		c->states[i] = c->states[0];
		key = checkpoint_get_hart(c->keys, i, &c->states[i], &c->features);
		if (!key && first_mtime(&c->states[i]) != first_mtime(&c->states[0]))
			key = "clint.mtime";
		if (key)
			return fail_checkpoint_read(c, message, CHECKPOINT_HEAD,
						    "wrong or missing key hart%u.%s", i,
						    key);
	}
	return true;
}

/* Reads what identifies the disk. */
static bool read_disk_keys(struct checkpoint *c, char *message)
{
	const char *hash = tr_header_get(c->keys, "disk.hash");
	char text[24];

	if (c->features.disk != (c->version == CHECKPOINT_VERSION_DISK) && !c->has_uses)
		return fail_checkpoint_read(c, message, CHECKPOINT_HEAD,
					    "wrong or missing key disk");
	if (!c->features.disk)
		return true;
	c->disk_sectors = tr_header_get_u64(c->keys, "disk.sectors", 0);
	if (c->disk_sectors == 0 || c->disk_sectors > SOC_DISK_MOST / SOC_DISK_SECTOR)
		return fail_checkpoint_read(c, message, CHECKPOINT_HEAD,
					    "wrong or missing key disk.sectors");
	c->disk_digest = strtoull(hash ? hash : "", NULL, 16);
	snprintf(text, sizeof(text), "%016" PRIx64, c->disk_digest);
	if (!hash || strcmp(hash, text) != 0)
		return fail_checkpoint_read(c, message, CHECKPOINT_HEAD,
					    "wrong or missing key disk.hash");
	return true;
}

/* Reads how many uses of RAM are kept. */
static bool read_uses_key(struct checkpoint *c, char *message)
{
	const uint64_t n = tr_header_get_u64(c->keys, "uses", SOC_LAST_USES + 1);

	c->has_uses = c->version == CHECKPOINT_VERSION_USES;
	if (c->has_uses ? n > SOC_LAST_USES : tr_header_get(c->keys, "uses") != NULL)
		return fail_checkpoint_read(c, message, CHECKPOINT_HEAD,
					    "wrong or missing key uses");
	c->nuses = c->has_uses ? n : 0;
	return true;
}

static bool read_keys(struct checkpoint *c, char *message)
{
	const char *text = (const char *)c->file.data + CHECKPOINT_HEAD;
	size_t size = c->ram_at - CHECKPOINT_HEAD;

	c->keys = tr_header_new();
	if (!c->keys || tr_header_parse(c->keys, text, size) != TR_OK)
		return fail_checkpoint_read(c, message, CHECKPOINT_HEAD, "damaged text");
	const char *isa = tr_header_get(c->keys, "isa");
	if (!features_set_isa(&c->features, isa))
		return fail_checkpoint_read(c, message, CHECKPOINT_HEAD, "unknown isa %s",
					    isa ? isa : "");
	const char *unit = features_get_units(c->keys, CHECKPOINT_YES, &c->features);
	if (unit)
		return fail_checkpoint_read(c, message, CHECKPOINT_HEAD, "unknown %s %s",
					    unit, tr_header_get(c->keys, unit));
	c->ram_size = tr_header_get_u64(c->keys, "ram", 0);
	if (c->ram_size == 0 || c->ram_size % CHECKPOINT_PAGE ||
	    c->ram_size > UINT64_C(1) << 37)
		return fail_checkpoint_read(c, message, CHECKPOINT_HEAD,
					    "wrong or missing key ram");
	return read_uses_key(c, message) && read_disk_keys(c, message) &&
	       read_states(c, message);
}

uint64_t checkpoint_cycle(const struct checkpoint *c)
{
	uint64_t cycle = 0;

	for (unsigned i = 0; i < c->harts; i++)
		if (c->states[i].cycle > cycle)
			cycle = c->states[i].cycle;
	return cycle;
}

uint64_t checkpoint_instret(const struct checkpoint *c)
{
	uint64_t instret = 0;

	for (unsigned i = 0; i < c->harts; i++)
		instret += c->states[i].instret;
	return instret;
}

bool checkpoint_open(struct checkpoint *c, const char *path, char *message)
{
	struct soc_image messages = {.ram = NULL};

	*c = (struct checkpoint){.path = path};
	if (!soc_file_open(&messages, &c->file, path)) {
		snprintf(message, CHECKPOINT_MESSAGE, "%s", messages.message);
		return false;
	}
	if (check_checkpoint_head(c, message) && check_digest(c, message) &&
	    read_keys(c, message))
		return true;
	checkpoint_close(c);
	return false;
}

void checkpoint_close(struct checkpoint *c)
{
	if (c->file.data)
		soc_file_close(&c->file);
	tr_header_free(c->keys);
	c->keys = NULL;
	c->file.data = NULL;
}

/* A record of pages, or the last one, of no pages. */
struct record {
	uint64_t at; /* byte of the file */
	uint64_t address;
	uint32_t pages, size;
	const uint8_t *data;
};

/* Gets the record at r->at, and checks it. */
static bool read_record(const struct checkpoint *c, struct record *r, char *message)
{
	const uint8_t *from = c->file.data + r->at;
	uint64_t left = c->file.size - r->at;

	if (left < CHECKPOINT_RECORD)
		return report_truncated(c, message);
	r->address = tr_load64(from);
	r->pages = tr_load32(from + 8);
	r->size = tr_load32(from + 12);
	r->data = from + 16;
	if (r->pages > CHECKPOINT_RUN ||
	    r->size > ZSTD_compressBound(CHECKPOINT_RUN * CHECKPOINT_PAGE))
		return fail_checkpoint_read(c, message, r->at,
					    "a damaged record of memory");
	if (left - CHECKPOINT_RECORD < r->size)
		return report_truncated(c, message);
	if (XXH64(from, 16 + r->size, 0) != tr_load64(r->data + r->size) && !TR_IS_FUZZED)
		return fail_checkpoint_read(c, message, r->at,
					    "wrong checksum of a record of memory");
	return true;
}

/* Reads a page of the disk. */
static bool read_disk_page(const struct checkpoint *c, const struct record *r,
			   struct soc_disk *disk, char *message)
{
	const uint64_t page = (r->address - CHECKPOINT_DISK) / CHECKPOINT_PAGE;
	uint8_t data[CHECKPOINT_PAGE];

	if (page > (c->disk_sectors * SOC_DISK_SECTOR - 1) / CHECKPOINT_PAGE ||
	    r->pages != 1)
		return fail_checkpoint_read(c, message, r->at,
					    "a page at byte %" PRIu64
					    " of the disk, which is outside of it",
					    r->address - CHECKPOINT_DISK);
	if (ZSTD_decompress(data, sizeof(data), r->data, r->size) != sizeof(data))
		return fail_checkpoint_read(c, message, r->at, "a damaged page");
	if (disk && !soc_disk_restore(disk, page, data))
		return fail_checkpoint_read(c, message, r->at, "out of memory");
	return true;
}

/* Reads the record of the uses of RAM. */
static bool read_uses(const struct checkpoint *c, const struct record *r,
		      struct soc_line_uses *uses, char *message)
{
	const size_t bytes = (size_t)r->pages * CHECKPOINT_PAGE;
	struct soc_line_uses *to = uses ? uses : malloc(sizeof(*to));
	uint8_t *pages = malloc(bytes);
	const char *wrong = to && pages ? NULL : "out of memory";

	if (r->pages != checkpoint_pages_of_uses(c->nuses))
		wrong = "another number of uses of memory than in the text";
	if (!wrong && ZSTD_decompress(pages, bytes, r->data, r->size) != bytes)
		wrong = "damaged uses of memory";
	if (!wrong)
		wrong = checkpoint_get_uses(pages, c->nuses, c->ram_size, to);
	free(pages);
	if (!uses)
		free(to);
	return !wrong || fail_checkpoint_read(c, message, r->at, "%s", wrong);
}

/* Where the contents of a checkpoint go. */
struct contents {
	uint8_t *ram;
	struct soc_disk *disk;
	struct soc_line_uses *uses;
};

/* Reads the pages of a record; `free` is the lowest address that has not been read. */
static bool read_pages(const struct checkpoint *c, const struct record *r, uint64_t free,
		       const struct contents *to, char *message)
{
	uint64_t offset = r->address - SOC_RAM_BASE;
	size_t bytes = (size_t)r->pages * CHECKPOINT_PAGE;

	if (c->features.disk && r->address >= CHECKPOINT_DISK && r->address >= free &&
	    r->address % CHECKPOINT_PAGE == 0)
		return read_disk_page(c, r, to->disk, message);
	if (c->nuses && r->address == CHECKPOINT_USES && r->address >= free)
		return read_uses(c, r, to->uses, message);
	if (r->address < free || r->address % CHECKPOINT_PAGE || offset >= c->ram_size ||
	    bytes > c->ram_size - offset)
		return fail_checkpoint_read(c, message, r->at,
					    "pages at 0x%" PRIx64 ", out of order or "
					    "outside memory",
					    r->address);
	if (ZSTD_decompress(to->ram + offset, bytes, r->data, r->size) != bytes)
		return fail_checkpoint_read(c, message, r->at, "damaged pages");
	return true;
}

bool checkpoint_match_disk(const struct checkpoint *c, const struct soc_disk *disk,
			   char *message)
{
	uint64_t digest;
	const char *why = NULL;

	if (soc_disk_sectors(disk) != c->disk_sectors)
		why = "has another size";
	else if (!soc_disk_digest(disk, &digest))
		why = strerror(errno);
	else if (digest != c->disk_digest)
		why = "has other contents";
	if (why)
		snprintf(message, CHECKPOINT_MESSAGE,
			 "%s: not the disk of the checkpoint %s: it %s",
			 soc_disk_path(disk), c->path, why);
	return !why;
}

bool checkpoint_load(const struct checkpoint *c, uint8_t *ram, struct soc_disk *disk,
		     struct soc_line_uses *uses, char *message)
{
	const struct contents to = {.ram = ram, .disk = disk, .uses = uses};
	struct record r = {.at = c->ram_at};
	uint64_t free = SOC_RAM_BASE, pages = 0;
	bool used = false;

	if (uses)
		uses->n = 0;
	for (;; r.at += CHECKPOINT_RECORD + r.size) {
		if (!read_record(c, &r, message))
			return false;
		if (r.pages == 0)
			break;
		if (!read_pages(c, &r, free, &to, message))
			return false;
		used |= r.address == CHECKPOINT_USES;
		pages += r.pages;
		free = r.address + (uint64_t)r.pages * CHECKPOINT_PAGE;
	}
	if (r.address != pages || r.size != 0)
		return fail_checkpoint_read(
		    c, message, r.at, "%" PRIu64 " page%s, but the end says %" PRIu64,
		    pages, tr_plural(pages), r.address);
	if (c->nuses && !used)
		return fail_checkpoint_read(c, message, r.at,
					    "the uses of memory are missing");
	if (r.at + CHECKPOINT_RECORD != c->file.size)
		return fail_checkpoint_read(c, message, r.at + CHECKPOINT_RECORD,
					    "bytes after the end");
	return true;
}
