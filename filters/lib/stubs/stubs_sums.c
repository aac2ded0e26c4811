/* SPDX-License-Identifier: Apache-2.0 */
/* The checksum of all files of the run-time profiler, and the digest of an image. */
#include "stubs/stubs.h"

#include <elf.h>

#include "base/little.h"
#include "stubs/stubs_layout_internal.h"

/* Every step is a bijection of the state, so that a change within one word always changes
 * the result; the shift brings the upper half back into the product. The constant is that
 * of Knuth's multiplicative hashing, 2^64 divided by the golden ratio. */
static uint64_t mix_word(uint64_t sum, uint64_t word)
{
	sum = (sum ^ word) * 0x9e3779b97f4a7c15;
	return sum ^ sum >> 32;
}

uint64_t tr_stubs_checksum(const uint8_t *bytes, size_t size)
{
	uint64_t sum = size;
	const uint8_t *p = bytes, *end = bytes + (size & ~(size_t)7);
	if (((uintptr_t)bytes & 7) == 0) {
		for (; end - p >= 64; p += 64) {
#pragma GCC unroll 8
			for (unsigned i = 0; i < 64; i += 8)
				sum = mix_word(sum, load_word(p + i));
		}
	}
	for (; p != end; p += 8)
		sum = mix_word(sum, tr_load64(p));
	if (size % 8 == 0)
		return sum;
	uint8_t last[8] = {0};
	memcpy(last, p, size % 8);
	return mix_word(sum, tr_load64(last));
}

enum { STEP = 128 };

/* Nearly all words are equal. The loop is unrolled, so that on the target those take less
 * than one instruction for two bytes. */
static uint64_t digest_steps(uint64_t sum, const uint8_t *text, const uint8_t *image,
			     size_t size)
{
	for (size_t at = 0; at < size; at += STEP) {
		const uint8_t *a = text + at, *b = image + at;
#pragma GCC unroll 16
		for (size_t i = 0; i < STEP; i += 8) {
			if (__builtin_expect(load_word(a + i) != load_word(b + i), 0)) {
				sum = mix_word(sum + at + i, load_word(a + i));
				sum = mix_word(sum, load_word(b + i));
			}
		}
	}
	return sum;
}

uint64_t tr_stubs_digest(const struct tr_stubs_image *image, const uint8_t *program_text,
			 const uint8_t *image_text)
{
	const size_t header = image->text_origin ? 0 : sizeof(Elf64_Ehdr);
	const size_t size = image->text_size > header ? image->text_size - header : 0;
	const uint8_t *text = program_text + header, *entered = image_text + header;
	const size_t whole = size / STEP * STEP;
	_Alignas(8) uint8_t rest[2][STEP] = {0};
	uint64_t sum = digest_steps(size, text, entered, whole);
	memcpy(rest[0], text + whole, size - whole);
	memcpy(rest[1], entered + whole, size - whole);
	return digest_steps(sum + whole, rest[0], rest[1], STEP);
}
