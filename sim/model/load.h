/* SPDX-License-Identifier: Apache-2.0 */
/* RAM before the run, and the files loaded into it: ELF files and raw images. */
#ifndef SOC_LOAD_H
#define SOC_LOAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <xxhash.h>

struct soc_image {
	uint8_t *ram; /* at SOC_RAM_BASE; pages are initially zero */
	uint64_t size;
	struct soc_range {
		uint64_t first, last;
		char *what; /* the file, and for ELF the segment */
	} * loaded;
	size_t nloaded;
	uint64_t entry; /* of the last ELF file, physical; UINT64_MAX: none */
	uint64_t tree;	/* address of the last device tree loaded; 0: none */
	uint32_t flags; /* e_flags of the last ELF file */
	XXH64_state_t *hash;
	char message[512]; /* reason of the last failure */
};

/* Returns false if memory runs out or the size is invalid; soc_image_free() is needed in
 * any case. */
bool soc_image_init(struct soc_image *image, uint64_t ram_size);
void soc_image_free(struct soc_image *image);

/* A file mapped into memory. */
struct soc_file {
	const char *path;
	const uint8_t *data;
	uint64_t size;
};

/* Maps a file; the bytes stay valid until soc_file_close(). On failure returns false with
 * the image's message set, and there is nothing to close. */
bool soc_file_open(struct soc_image *image, struct soc_file *f, const char *path);
void soc_file_close(const struct soc_file *f);

/* Loads an RV64 ELF file to its physical addresses. Segments outside RAM, or overlapping
 * something already loaded, are refused. A raw Linux image occupies the size in its
 * header, which exceeds that of the file. Both return false with the message set on
 * failure. */
bool soc_image_load_elf(struct soc_image *image, const char *path);
bool soc_image_load_raw(struct soc_image *image, const char *path, uint64_t address);
/* Loads bytes; `what` names them in messages. Returns as above. */
bool soc_image_load_bytes(struct soc_image *image, const char *what, const uint8_t *data,
			  uint64_t size, uint64_t address);
/* Returns whether the whole range is in RAM. */
bool soc_image_in_ram(const struct soc_image *image, uint64_t address, uint64_t size);
/* Returns the lowest multiple of `align`, a power of two, above everything loaded. */
uint64_t soc_image_above(const struct soc_image *image, uint64_t align);

/* Returns XXH64 over (address, size, bytes) of everything loaded, in order. */
uint64_t soc_image_digest(const struct soc_image *image);
bool soc_image_has(const struct soc_image *image, uint64_t address);
/* Sets the message; returns false. */
bool soc_image_fail(struct soc_image *image, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
