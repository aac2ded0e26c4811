/* SPDX-License-Identifier: Apache-2.0 */
/* Skips over the blocks of zstd frames by their headers (RFC 8878, 3.1). */
#include "stream/zstd_frames.h"

#include <stdio.h>
#include <stdbool.h>
#include <zstd.h>

#include "base/little.h"
#include "base/status.h"

enum { BLOCK_RLE = 1, BLOCK_RESERVED = 3 };

static bool get_file_bytes(FILE *file, uint8_t *bytes, size_t size)
{
	return fread(bytes, 1, size, file) == size;
}

static bool skip_file_bytes(FILE *file, uint64_t size)
{
	/* A seek can go beyond the end; reading a byte cannot. */
	return size == 0 ||
	       (fseeko(file, (off_t)(size - 1), SEEK_CUR) == 0 && fgetc(file) != EOF);
}

/* Returns the size of a frame header in bytes, without its descriptor. */
static unsigned header_size(uint8_t descriptor)
{
	static const unsigned dictionary[] = {0, 1, 2, 4};
	static const unsigned content[] = {0, 2, 4, 8};
	bool single_segment = descriptor & 0x20;
	unsigned size = content[descriptor >> 6];
	if (size == 0 && single_segment)
		size = 1;
	return size + dictionary[descriptor & 3] + !single_segment;
}

static bool skip_frame(FILE *file)
{
	uint8_t descriptor, head[3];
	if (!get_file_bytes(file, &descriptor, 1) ||
	    !skip_file_bytes(file, header_size(descriptor)))
		return false;
	for (bool last = false; !last;) {
		if (!get_file_bytes(file, head, sizeof(head)))
			return false;
		uint32_t word = tr_load16(head) | (uint32_t)head[2] << 16;
		unsigned type = word >> 1 & 3;
		last = word & 1;
		if (type == BLOCK_RESERVED ||
		    !skip_file_bytes(file, type == BLOCK_RLE ? 1 : word >> 3))
			return false;
	}
	return skip_file_bytes(file, descriptor & 4 ? 4 : 0);
}

static int count_zstd_frames(FILE *file, struct tr_zstd_frames *found)
{
	uint8_t magic[4], size[4];
	for (;;) {
		size_t n = fread(magic, 1, sizeof(magic), file);
		if (n == 0)
			return ferror(file) ? TR_E_IO : TR_OK;
		uint32_t word = n == sizeof(magic) ? tr_load32(magic) : 0;
		bool good = true;
		if ((word & ZSTD_MAGIC_SKIPPABLE_MASK) == ZSTD_MAGIC_SKIPPABLE_START) {
			good = get_file_bytes(file, size, sizeof(size)) &&
			       skip_file_bytes(file, tr_load32(size));
			found->skippable += good;
		} else if (word == ZSTD_MAGICNUMBER) {
			good = skip_frame(file);
			found->frames += good;
		} else {
			return found->frames || found->skippable ? TR_E_CORRUPT : TR_OK;
		}
		if (!good)
			return ferror(file) ? TR_E_IO : TR_E_CORRUPT;
	}
}

int tr_zstd_frames(const char *path, struct tr_zstd_frames *found)
{
	*found = (struct tr_zstd_frames){0};
	FILE *file = fopen(path, "re");
	if (!file)
		return TR_E_IO;
	int status = count_zstd_frames(file, found);
	fclose(file);
	return status;
}
