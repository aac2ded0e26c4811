/* SPDX-License-Identifier: Apache-2.0 */
/* Where the fields of the profiler's files are, in bytes: prof-files(5). */
#ifndef TR_STUBS_LAYOUT_INTERNAL_H
#define TR_STUBS_LAYOUT_INTERNAL_H

#include <endian.h>
#include <stdint.h>
#include <string.h>

/* The first words of all files: the checksum is of what follows it, or of the header. */
enum {
	FILE_MAGIC = 0,
	FILE_CHECKSUM = 8,
	FILE_VERSION = 16,
	FILE_FLAGS = 20,
};

/* data.bin: header, functions, labels. */
#define DATA_MAGIC "PROFDATA"
enum {
	DATA_ENTRY = 24,
	DATA_PROGRAM_SIZE = 32,
	DATA_PROGRAM_MTIME = 40,
	DATA_FIRST = 48,
	DATA_BUILD_ID_SIZE = 52,
	DATA_BUILD_ID = 56,
	DATA_CODE_OFFSET = 88,
	DATA_CODE_CHECKSUM = 96,
	DATA_CODE_SIZE = 104,
	DATA_COUNTERS = 108,
	DATA_FUNCTIONS = 112,
	DATA_LABELS = 116,
	DATA_AREAS = 120, /* of each: offset, size, lowest, highest */
	AREA_SIZE = 24,
	DATA_IMAGE = 168, /* as struct tr_stubs_image, 8 bytes each */
	IMAGE_CODE_OFFSET = 0,
	IMAGE_CODE_CHECKSUM = 8,
	IMAGE_COUNTERS = 16,
	IMAGE_TEXT_ADDRESS = 24,
	IMAGE_TEXT_SIZE = 32,
	IMAGE_TEXT_ORIGIN = 40,
	IMAGE_TEXT_OFFSET = 48,
	IMAGE_TEXT_DIGEST = 56,
	IMAGE_SIZE = 64,
	DATA_PARTS_CHECKSUM = DATA_IMAGE + IMAGE_SIZE, /* of functions and labels */
	DATA_HEADER = DATA_PARTS_CHECKSUM + 8,

	FUNCTION_START = 0,
	FUNCTION_INDEX = 8,
	FUNCTION_STUB = 12,
	FUNCTION_STUB_SIZE = 16, /* 2 bytes */
	FUNCTION_LABELS = 18,	 /* number of them */
	FUNCTION_TAIL = 19,
	FUNCTION_REPLACED = 20,
	FUNCTION_FLAGS = 21, /* FUNCTION_IS_FAR, ... */
	FUNCTION_MOVED = 22,
	FUNCTION_ORIGINAL = 28,
	FUNCTION_SIZE = 40,
	FUNCTION_IS_FAR = 1,
	FUNCTION_LOOPS = 2,
	FUNCTION_AREA = 4,
	FUNCTION_BACK_SHIFT = 3, /* the register of the jump back; 0: it is near */

	/* Every stub begins with the counter's label, whose register is t0. */
	COUNTER_REG = 5,
	COUNTER_SIZE = 8,

	LABEL_AT = 0, /* 2 bytes, from the stub */
	LABEL_KIND = 2,
	LABEL_REG = 3,
	LABEL_TARGET = 4, /* an index, or the distance from the function's start */
	LABEL_SIZE = 8,
};

/* Loads a word at a multiple of 8 bytes, in one instruction on the target, whose gcc
 * would make eight of tr_load64(). */
static inline uint64_t load_word(const uint8_t *p)
{
	uint64_t word;
	memcpy(&word, __builtin_assume_aligned(p, 8), sizeof(word));
	return le64toh(word);
}

#endif
