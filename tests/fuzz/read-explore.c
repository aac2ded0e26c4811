/* SPDX-License-Identifier: Apache-2.0 */
/* Reads an index of tr-explore, whatever stacks it is of, and asks it: read-explore INDEX
 *
 * However damaged the index is, it is refused with a reason, or answers each request. */
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

#include "explore/explore_answer.h"
#include "valid-json.h"

/* Gets the stamp in the index, as far as there is one. */
static void get_stamp(const char *path, struct tr_explore_stamp *stamp)
{
	sqlite3 *db = NULL;
	sqlite3_stmt *row = NULL;
	if (sqlite3_open_v2(path, &db, SQLITE_OPEN_READONLY, "unix-none") == SQLITE_OK &&
	    sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_VIEW, 0, NULL) == SQLITE_OK &&
	    sqlite3_prepare_v2(db, "SELECT size,seconds,nanoseconds,hash FROM run", -1,
			       &row, NULL) == SQLITE_OK &&
	    sqlite3_step(row) == SQLITE_ROW)
		*stamp = (struct tr_explore_stamp){
		    .size = (uint64_t)sqlite3_column_int64(row, 0),
		    .seconds = (uint64_t)sqlite3_column_int64(row, 1),
		    .nanoseconds = (uint64_t)sqlite3_column_int64(row, 2),
		    .hash = (uint64_t)sqlite3_column_int64(row, 3)};
	sqlite3_finalize(row);
	sqlite3_close(db);
}

static void ask(struct tr_explore *x, const char *query)
{
	char words[100] = {0};
	struct tr_serve_text text;
	strcpy(words, query);
	const struct tr_serve_request request = tr_explore_request(words);
	const int status = tr_explore_answer(x, &request, &text);
	const bool is_json = strcmp(request.path, "/folded") != 0;
	if (status == TR_E_NOMEM || status == TR_END ||
	    (!status && is_json && !is_valid_json(text.data, text.size)))
		abort();
	if (!status)
		free(text.data);
}

int main(int argc, char **argv)
{
	static const char *const queries[] = {"/run",
					      "/names",
					      "/overview",
					      "/folded",
					      "/view",
					      "/view?width=1000",
					      "/view?root=1&width=1",
					      "/view?hart=0",
					      "/names?since=3",
					      "/overview?thread=0",
					      "/overview?process=1&hart=1",
					      "/folded?from=5&to=300&root=1",
					      "/view?from=100&to=5000&width=300",
					      "/view?thread=1&root=2",
					      "/view?from=2&to=9&process=0",
					      "/marks",
					      "/marks?from=2&to=9&thread=0",
					      "/regions",
					      "/regions?width=10&from=3",
					      "/region?mark=0&nth=1",
					      "/region?mark=1&nth=0"};
	struct tr_explore_stamp stamp = {0};
	char message[400] = "";
	if (argc != 2)
		return 2;
	get_stamp(argv[1], &stamp);
	struct tr_explore *x = tr_explore_new();
	if (!x)
		abort();
	const int status = tr_explore_load(x, argv[1], &stamp, message, sizeof(message));
	if ((status == TR_E_CORRUPT || status == TR_E_IO) && !*message)
		abort();
	for (size_t i = 0; !status && i < sizeof(queries) / sizeof(*queries); i++)
		ask(x, queries[i]);
	tr_explore_free(x);
	return status ? 1 : 0;
}
