/* SPDX-License-Identifier: Apache-2.0 */
/* Debug sections compressed by zstd, which neither Debian's libelf nor libdwarf reads;
 * those of zlib they do. */
#ifndef TR_IMAGE_UNZSTD_H
#define TR_IMAGE_UNZSTD_H

#include <libelf.h>
#include <stddef.h>

/* Opens the ELF file at `map`, in a child process. If sections of it are compressed by
 * zstd, it is a copy with their contents, which lives as long as the process. Contents
 * that are damaged, or too large for the memory, stay compressed. Returns NULL if libelf
 * fails.
 */
Elf *tr_image_elf_memory(char *map, size_t size);

#endif
