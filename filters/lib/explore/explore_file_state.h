/* SPDX-License-Identifier: Apache-2.0 */
/* An index as a database of SQLite, which explore_save.c writes and explore_load.c reads.
 * All that is bound to its rows, and read from them, is in a checksum, which its last row
 * has. */
#ifndef TR_EXPLORE_FILE_STATE_H
#define TR_EXPLORE_FILE_STATE_H

#include <sqlite3.h>
#include <xxhash.h>

#include "explore/explore_state.h"

enum {
	FILE_VERSION = 2,
	LANES = EXPLORE_LEVELS /* the "level" of lists by context */
};

/* A file that is written or read. The first failure stays in `status`. */
struct explore_db {
	struct tr_explore *x;
	sqlite3 *sqlite;
	sqlite3_stmt *statement;
	XXH64_state_t *hash;
	int column; /* the next one */
	int status;
};

/* Keeps the first failure of a call of SQLite: TR_E_NOMEM or TR_E_IO. */
void tr_explore_check_result(struct explore_db *db, int result);
/* Makes an SQL command the current statement, unless a call has failed. */
void tr_explore_prepare(struct explore_db *db, const char *sql);
/* Adds bytes and their number to the checksum. */
void tr_explore_hash_bytes(struct explore_db *db, const void *data, size_t size);

#endif
