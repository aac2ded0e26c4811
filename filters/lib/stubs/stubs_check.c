/* SPDX-License-Identifier: Apache-2.0 */
/* Checks what all files of the profiler begin with, and their checksums. */
#include "stubs/stubs_check_internal.h"

#include <string.h>

#include "base/fuzzed.h"
#include "base/little.h"
#include "stubs/stubs.h"
#include "stubs/stubs_layout_internal.h"

enum tr_status tr_stubs_check_head(const uint8_t *bytes, size_t have,
				   const struct stubs_file *file, uint64_t *at)
{
	*at = FILE_MAGIC;
	if (have >= FILE_CHECKSUM && memcmp(bytes, file->magic, FILE_CHECKSUM) != 0)
		return TR_E_CORRUPT;
	*at = FILE_VERSION;
	if (have >= FILE_FLAGS && tr_load32(bytes + FILE_VERSION) != file->version)
		return TR_E_UNSUPPORTED;
	*at = have;
	return have < file->header ? TR_E_TRUNCATED : TR_OK;
}

bool tr_stubs_fits_sum(const uint8_t *bytes, uint64_t size, uint64_t sum)
{
	return tr_stubs_checksum(bytes, size) == sum || TR_IS_FUZZED;
}

enum tr_status tr_stubs_check_header(const uint8_t *bytes, size_t have,
				     const struct stubs_file *file, uint64_t end,
				     uint64_t *at)
{
	const enum tr_status status = tr_stubs_check_head(bytes, have, file, at);
	if (status)
		return status;
	*at = FILE_CHECKSUM;
	return tr_stubs_fits_sum(bytes + FILE_VERSION, end - FILE_VERSION,
				 tr_load64(bytes + FILE_CHECKSUM))
		   ? TR_OK
		   : TR_E_CORRUPT;
}

enum tr_status tr_stubs_check_whole(const uint8_t *bytes, size_t size, uint64_t want,
				    uint64_t *at)
{
	*at = size < want ? size : want;
	if (size != want)
		return size < want ? TR_E_TRUNCATED : TR_E_CORRUPT;
	*at = FILE_CHECKSUM;
	return tr_stubs_fits_sum(bytes + FILE_VERSION, size - FILE_VERSION,
				 tr_load64(bytes + FILE_CHECKSUM))
		   ? TR_OK
		   : TR_E_CORRUPT;
}
