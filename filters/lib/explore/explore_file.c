/* SPDX-License-Identifier: Apache-2.0 */
/* What writing and reading an index share, and the stamp of the stream that it is of. */
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "explore/explore_file_state.h"

enum { END_BYTES = 1 << 16 }; /* at either end of a stream, for its stamp */

int tr_explore_stamp(int file, struct tr_explore_stamp *stamp)
{
	struct stat st;
	uint8_t *bytes = malloc(END_BYTES);
	if (!bytes || fstat(file, &st) < 0) {
		free(bytes);
		return TR_E_IO;
	}
	*stamp = (struct tr_explore_stamp){.size = (uint64_t)st.st_size,
					   .seconds = (uint64_t)st.st_mtim.tv_sec,
					   .nanoseconds = (uint64_t)st.st_mtim.tv_nsec};
	const off_t last = st.st_size > END_BYTES ? st.st_size - END_BYTES : 0;
	ssize_t got = pread(file, bytes, END_BYTES, 0);
	if (got >= 0) {
		stamp->hash = XXH64(bytes, (size_t)got, 0);
		got = pread(file, bytes, END_BYTES, last);
	}
	if (got >= 0)
		stamp->hash = XXH64(bytes, (size_t)got, stamp->hash);
	free(bytes);
	return got < 0 ? TR_E_IO : TR_OK;
}

void tr_explore_check_result(struct explore_db *db, int result)
{
	if (result == SQLITE_OK || result == SQLITE_DONE || db->status)
		return;
	db->status = result == SQLITE_NOMEM ? TR_E_NOMEM : TR_E_IO;
}

void tr_explore_prepare(struct explore_db *db, const char *sql)
{
	sqlite3_finalize(db->statement);
	db->statement = NULL;
	db->column = 0;
	if (!db->status)
		tr_explore_check_result(
		    db, sqlite3_prepare_v2(db->sqlite, sql, -1, &db->statement, NULL));
}

void tr_explore_hash_bytes(struct explore_db *db, const void *data, size_t size)
{
	const uint64_t bytes = size;
	XXH64_update(db->hash, &bytes, sizeof(bytes));
	if (size)
		XXH64_update(db->hash, data, size);
}
