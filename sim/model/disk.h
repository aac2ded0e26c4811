/* SPDX-License-Identifier: Apache-2.0 */
/* The contents of a disk: a file, which is never changed, and the pages of 4 KiB that the
 * target has written, which are in memory. So the same input gives the same bytes, as
 * often as it runs. */
#ifndef SOC_DISK_H
#define SOC_DISK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SOC_DISK_SECTOR = 512, SOC_DISK_PAGE = 4096, SOC_DISK_MESSAGE = 512 };
#define SOC_DISK_MOST (UINT64_C(64) << 30) /* bytes */

struct soc_disk;

/* Opens a regular file of at least one and only whole sectors. Returns NULL with a line,
 * which names the file, in `message`. */
struct soc_disk *soc_disk_open(const char *path, char message[SOC_DISK_MESSAGE]);
void soc_disk_close(struct soc_disk *disk);
const char *soc_disk_path(const struct soc_disk *disk);
uint64_t soc_disk_sectors(const struct soc_disk *disk);
/* Reads or writes sectors, which must be on the disk. Both return false if the file
 * cannot be read, or memory runs out: then a part may have been done. */
bool soc_disk_read(struct soc_disk *disk, uint64_t sector, void *data, uint64_t sectors);
bool soc_disk_write(struct soc_disk *disk, uint64_t sector, const void *data,
		    uint64_t sectors);

/* Returns NULL if both have always been able to read the file; otherwise why not, the
 * first time, and in *byte where. */
const char *soc_disk_trouble(const struct soc_disk *disk, uint64_t *byte);

/* Gets XXH64, with seed 0, of the file, without what the target has written. Returns
 * false, with errno set, if it cannot be read. */
bool soc_disk_digest(const struct soc_disk *disk, uint64_t *digest);
/* Returns the first page from number *page on that the target has written, and its
 * number; NULL if there is none. Behind the end of the disk it has zeros. */
const uint8_t *soc_disk_written(const struct soc_disk *disk, uint64_t *page);
/* Takes a page as if the target had written it. Returns false if it is not on the disk,
 * or memory runs out. */
bool soc_disk_restore(struct soc_disk *disk, uint64_t page, const uint8_t *data);

#endif
