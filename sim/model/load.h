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
	} * loaded;
	size_t nloaded;
	uint64_t entry; /* of the last ELF file, physical; UINT64_MAX: none */
	uint32_t flags; /* e_flags of it */
	XXH64_state_t *hash;
	char message[512]; /* why the last call failed */
};

/* False: out of memory, or a size that cannot be; free it all the same. */
bool soc_image_init(struct soc_image *image, uint64_t ram_size);
void soc_image_free(struct soc_image *image);

/* An RV64 ELF goes to its physical addresses. Segments outside RAM, or over
 * something loaded before, are refused: false, and the message says why. */
bool soc_image_load_elf(struct soc_image *image, const char *path);
bool soc_image_load_raw(struct soc_image *image, const char *path, uint64_t address);

/* XXH64 over (address, size, bytes) of all that was loaded, in order. */
uint64_t soc_image_digest(const struct soc_image *image);
bool soc_image_has(const struct soc_image *image, uint64_t address);
/* False, with the message. */
bool soc_image_fail(struct soc_image *image, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
