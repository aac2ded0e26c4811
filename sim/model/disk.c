/* SPDX-License-Identifier: Apache-2.0 */
#include "disk.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

enum { PAGE_SECTORS = SOC_DISK_PAGE / SOC_DISK_SECTOR, DIGEST_BYTES = 1 << 18 };

struct soc_disk {
	const char *path;
	int fd;
	uint64_t size;	 /* bytes */
	uint8_t **pages; /* NULL: as in the file */
	int error;	 /* errno of the first read for the target that failed, or 0 */
	uint64_t error_at;
};

static uint64_t count_pages(const struct soc_disk *d)
{
	return (d->size + SOC_DISK_PAGE - 1) / SOC_DISK_PAGE;
}

/* Sets the size of the file, unless it cannot be a disk: then returns the reason. */
static const char *measure_file(struct soc_disk *d)
{
	struct stat st;

	if (fstat(d->fd, &st) != 0)
		return strerror(errno);
	if (!S_ISREG(st.st_mode))
		return "not a regular file, as a disk must be";
	if (st.st_size == 0)
		return "empty file, but a disk has at least one sector of 512 bytes";
	if (st.st_size % SOC_DISK_SECTOR)
		return "its size is not a multiple of 512 bytes, the sectors of a disk";
	if ((uint64_t)st.st_size > SOC_DISK_MOST)
		return "larger than 64 GiB, the most that a disk can have";
	d->size = (uint64_t)st.st_size;
	return NULL;
}

struct soc_disk *soc_disk_open(const char *path, char message[SOC_DISK_MESSAGE])
{
	struct soc_disk *d = calloc(1, sizeof(*d));
	const char *why = d ? NULL : "out of memory";

	if (d) {
		d->path = path;
		d->fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
		why = d->fd < 0 ? strerror(errno) : measure_file(d);
	}
	if (!why) {
		d->pages = calloc(count_pages(d), sizeof(*d->pages));
		why = d->pages ? NULL : "out of memory";
	}
	if (!why)
		return d;
	snprintf(message, SOC_DISK_MESSAGE, "%s: %s", path, why);
	soc_disk_close(d);
	return NULL;
}

void soc_disk_close(struct soc_disk *d)
{
	if (!d)
		return;
	for (uint64_t i = 0; d->pages && i < count_pages(d); i++)
		free(d->pages[i]);
	free(d->pages);
	if (d->fd >= 0)
		close(d->fd);
	free(d);
}

const char *soc_disk_path(const struct soc_disk *d)
{
	return d->path;
}

uint64_t soc_disk_sectors(const struct soc_disk *d)
{
	return d->size / SOC_DISK_SECTOR;
}

/* Reads bytes of the file. Returns false with errno set: EIO if it has become shorter. */
static bool read_file(const struct soc_disk *d, uint64_t at, uint8_t *data, uint64_t size)
{
	while (size) {
		const ssize_t n = pread(d->fd, data, (size_t)size, (off_t)at);

		if (n < 0 && errno == EINTR)
			continue;
		if (n == 0)
			errno = EIO;
		if (n <= 0)
			return false;
		at += (uint64_t)n;
		data += n;
		size -= (uint64_t)n;
	}
	return true;
}

/* The same, for the target. */
static bool read_for_target(struct soc_disk *d, uint64_t at, uint8_t *data, uint64_t size)
{
	if (read_file(d, at, data, size))
		return true;
	if (!d->error) {
		d->error = errno;
		d->error_at = at;
	}
	return false;
}

const char *soc_disk_trouble(const struct soc_disk *d, uint64_t *byte)
{
	*byte = d->error_at;
	return d->error ? strerror(d->error) : NULL;
}

/* Returns how many of the sectors are in the same page as the first. */
static uint64_t sectors_of_page(uint64_t sector, uint64_t sectors)
{
	const uint64_t most = PAGE_SECTORS - sector % PAGE_SECTORS;

	return sectors < most ? sectors : most;
}

bool soc_disk_read(struct soc_disk *d, uint64_t sector, void *data, uint64_t sectors)
{
	uint8_t *to = data;

	for (uint64_t n; sectors; sectors -= n, sector += n, to += n * SOC_DISK_SECTOR) {
		const uint64_t at = sector * SOC_DISK_SECTOR;
		const uint8_t *page = d->pages[at / SOC_DISK_PAGE];

		n = sectors_of_page(sector, sectors);
		if (page)
			memcpy(to, page + at % SOC_DISK_PAGE, n * SOC_DISK_SECTOR);
		else if (!read_for_target(d, at, to, n * SOC_DISK_SECTOR))
			return false;
	}
	return true;
}

/* Returns a page to be written, which begins as in the file; NULL on failure. */
static uint8_t *find_page(struct soc_disk *d, uint64_t number)
{
	const uint64_t at = number * SOC_DISK_PAGE;
	const uint64_t rest = d->size - at;
	uint8_t *page = d->pages[number];

	if (page)
		return page;
	page = calloc(1, SOC_DISK_PAGE);
	if (page &&
	    !read_for_target(d, at, page, rest < SOC_DISK_PAGE ? rest : SOC_DISK_PAGE)) {
		free(page);
		page = NULL;
	}
	d->pages[number] = page;
	return page;
}

bool soc_disk_write(struct soc_disk *d, uint64_t sector, const void *data,
		    uint64_t sectors)
{
	const uint8_t *from = data;

	for (uint64_t n; sectors;
	     sectors -= n, sector += n, from += n * SOC_DISK_SECTOR) {
		const uint64_t at = sector * SOC_DISK_SECTOR;
		uint8_t *page = find_page(d, at / SOC_DISK_PAGE);

		if (!page)
			return false;
		n = sectors_of_page(sector, sectors);
		memcpy(page + at % SOC_DISK_PAGE, from, n * SOC_DISK_SECTOR);
	}
	return true;
}

bool soc_disk_digest(const struct soc_disk *d, uint64_t *digest)
{
	XXH64_state_t *hash = XXH64_createState();
	uint8_t *room = malloc(DIGEST_BYTES);
	bool good = hash && room;

	errno = ENOMEM;
	if (good)
		XXH64_reset(hash, 0);
	for (uint64_t at = 0, n; good && at < d->size; at += n) {
		n = d->size - at < DIGEST_BYTES ? d->size - at : DIGEST_BYTES;
		good = read_file(d, at, room, n);
		if (good)
			XXH64_update(hash, room, n);
	}
	if (good)
		*digest = XXH64_digest(hash);
	free(room);
	XXH64_freeState(hash);
	return good;
}

const uint8_t *soc_disk_written(const struct soc_disk *d, uint64_t *page)
{
	for (; *page < count_pages(d); (*page)++)
		if (d->pages[*page])
			return d->pages[*page];
	return NULL;
}

bool soc_disk_restore(struct soc_disk *d, uint64_t number, const uint8_t *data)
{
	if (number >= count_pages(d))
		return false;
	if (!d->pages[number])
		d->pages[number] = malloc(SOC_DISK_PAGE);
	if (!d->pages[number])
		return false;
	memcpy(d->pages[number], data, SOC_DISK_PAGE);
	return true;
}
