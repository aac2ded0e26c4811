/* SPDX-License-Identifier: Apache-2.0 */
/* RAM before the run, and what was loaded into it: ELF files and raw images. */
#ifndef SOC_LOAD_H
#define SOC_LOAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <xxhash.h>

struct soc_image {
	uint8_t *ram; /* at SOC_RAM_BASE; fresh pages are zeroed */
	uint64_t size;
	struct soc_range {
		uint64_t first, last;
		char *what; /* the file, and the segment of an ELF file */
	} * loaded;
	size_t nloaded;
	uint64_t entry; /* of the last ELF file, physical; UINT64_MAX: none */
	uint64_t tree;	/* what was loaded last that begins as a device tree; 0: none */
	uint32_t flags; /* e_flags of it */
	XXH64_state_t *hash;
	char message[512]; /* why the last call failed */
};

/* False: out of memory, or a size that cannot be; free it all the same. */
bool soc_image_init(struct soc_image *image, uint64_t ram_size);
void soc_image_free(struct soc_image *image);

/* A file in memory. */
struct soc_file {
	const char *path;
	const uint8_t *data;
	uint64_t size;
};

/* The bytes are the caller's until soc_file_close(). False: the image's message says
 * why not; there is nothing to close then. */
bool soc_file_open(struct soc_image *image, struct soc_file *f, const char *path);
void soc_file_close(const struct soc_file *f);

/* An RV64 ELF goes to its physical addresses. Segments outside RAM, or over
 * something loaded before, are refused: false, and the message says why. A raw image of
 * Linux takes the bytes that its header says, which are more than the file has. */
bool soc_image_load_elf(struct soc_image *image, const char *path);
bool soc_image_load_raw(struct soc_image *image, const char *path, uint64_t address);
/* The same for bytes, which `what` names in messages. */
bool soc_image_load_bytes(struct soc_image *image, const char *what, const uint8_t *data,
			  uint64_t size, uint64_t address);
/* Whether the place is in RAM as a whole. */
bool soc_image_in_ram(const struct soc_image *image, uint64_t address, uint64_t size);
/* The lowest multiple of `align`, a power of two, above all that is loaded. */
uint64_t soc_image_above(const struct soc_image *image, uint64_t align);

/* XXH64 over (address, size, bytes) of all that was loaded, in order. */
uint64_t soc_image_digest(const struct soc_image *image);
bool soc_image_has(const struct soc_image *image, uint64_t address);
/* False, with the message. */
bool soc_image_fail(struct soc_image *image, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
