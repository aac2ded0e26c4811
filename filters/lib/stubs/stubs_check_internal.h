/* SPDX-License-Identifier: Apache-2.0 */
/* Checks that all files of the profiler share (prof-files(5)). Those with a status return
 * TR_OK, or an error with the number of the byte in *at. */
#ifndef TR_STUBS_CHECK_INTERNAL_H
#define TR_STUBS_CHECK_INTERNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

struct stubs_file {
	const char *magic; /* 8 bytes */
	uint32_t version;
	uint32_t header; /* bytes, at least those up to the flags */
};

/* Checks magic and version in the `have` bytes that were read, and that the header is
 * among them: TR_E_CORRUPT, TR_E_UNSUPPORTED, TR_E_TRUNCATED. */
enum tr_status tr_stubs_check_head(const uint8_t *bytes, size_t have,
				   const struct stubs_file *file, uint64_t *at);
/* The same, and the checksum of the header's bytes up to `end`. */
enum tr_status tr_stubs_check_header(const uint8_t *bytes, size_t have,
				     const struct stubs_file *file, uint64_t end,
				     uint64_t *at);
/* Returns whether `sum` is the checksum of the bytes. */
bool tr_stubs_fits_sum(const uint8_t *bytes, uint64_t size, uint64_t sum);
/* Checks that a file has `want` bytes, and its checksum: TR_E_TRUNCATED, TR_E_CORRUPT. */
enum tr_status tr_stubs_check_whole(const uint8_t *bytes, size_t size, uint64_t want,
				    uint64_t *at);

#endif
