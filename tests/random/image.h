/* SPDX-License-Identifier: Apache-2.0 */
/* Contents of memory at reset, and the ELF file with them. */
#ifndef RANDOM_IMAGE_H
#define RANDOM_IMAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct image;

struct image *image_new(void); /* exits if memory runs out */
void image_free(struct image *image);

/* Physical addresses in RAM; halfwords and above are aligned to their size. */
void image_put16(struct image *image, uint64_t address, uint16_t value);
void image_put64(struct image *image, uint64_t address, uint64_t value);
uint16_t image_get16(const struct image *image, uint64_t address);

/* Adds a symbol for a disassembler; `code`: code starts there, not data. */
void image_symbol(struct image *image, const char *name, uint64_t address, bool code);

/* Writes an RV64 executable with one segment for each range of pages written. Returns
 * false with errno set on failure. */
bool image_write(const struct image *image, const char *path, uint64_t entry);

#endif
