/* SPDX-License-Identifier: Apache-2.0 */
/* Indexes of tr-explore that are hostile, with a right checksum: stacks deeper than any
 * run has, a list that has a cell several times, a view that never ends, something that
 * is no file. One that another program has locked, or given a log of its own, is read. */
#include <sqlite3.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

#include "check.h"
#include "explore/explore_answer.h"
#include "explore/explore_state.h"

enum { CELLS = 2, TIMEOUT = 60 /* seconds, of the whole test */ };

static const char path[] = "explore.sqlite", aside[] = "explore.sqlite-shm";
static const struct tr_explore_stamp stamp = {.size = 1};

/* Makes a run of one cycle with stacks of one function, each of which has called the
 * next, and cells of the first ones. */
static struct tr_explore *make_run(uint32_t depth)
{
	struct tr_explore *x = tr_explore_new();
	x->funcs = calloc(1, sizeof(*x->funcs));
	x->funcs[0] = (struct explore_func){.name = "f", .binary = "b"};
	x->nfuncs = 1;
	free(x->nodes);
	x->nnodes = depth + 1UL;
	x->nodes = calloc(x->nnodes, sizeof(*x->nodes));
	for (uint32_t i = 1; i < x->nnodes; i++)
		x->nodes[i].parent = i - 1;
	x->contexts = calloc(1, sizeof(*x->contexts));
	x->ncontexts = 1;
	tr_explore_name(&x->threads, 0);
	tr_explore_name(&x->processes, 0);
	x->cells = calloc(CELLS, sizeof(*x->cells));
	for (x->ncells = 0; x->ncells < CELLS; x->ncells++)
		x->cells[x->ncells].node = (uint32_t)x->ncells + 1;
	x->end = 1;
	return x;
}

static void save_run(struct tr_explore *x)
{
	char message[200];
	unlink(path);
	CHECK_EQ(tr_explore_save(x, path, &stamp, message, sizeof(message)), TR_OK);
	tr_explore_free(x);
}

/* Loads the index, and asks it if that succeeds. */
static int load_run(char *message, size_t size)
{
	char query[] = "/view";
	const struct tr_serve_request request = tr_explore_request(query);
	struct tr_serve_text text = {0};
	struct tr_explore *x = tr_explore_new();
	int status = tr_explore_load(x, path, &stamp, message, size);
	if (!status)
		status = tr_explore_answer(x, &request, &text);
	free(text.data);
	tr_explore_free(x);
	return status;
}

static void check_depth(void)
{
	char message[200];
	save_run(make_run(TR_PROFILE_DEPTH));
	CHECK_EQ(load_run(message, sizeof(message)), TR_OK);
	save_run(make_run(TR_PROFILE_DEPTH + 100));
	CHECK_EQ(load_run(message, sizeof(message)), TR_E_CORRUPT);
}

static int count_sum(void *context, const struct tr_sum *sum, const uint64_t *lost)
{
	(void)lost;
	*(uint64_t *)context += sum->cycles;
	return TR_OK;
}

/* A list that has the first cell `count` times, with a cycle each. */
static void check_list(uint8_t count)
{
	uint8_t plain[1 + 4 * UINT8_MAX] = {count}, packed[4096];
	uint64_t cycles = 0;
	for (unsigned i = 0; i < count; i++)
		plain[2 + 4 * i] = 1;
	const size_t size =
	    ZSTD_compress(packed, sizeof(packed), plain, 1 + 4UL * count, 1);
	CHECK_EQ(tr_sums_unpack(packed, size, 0, CELLS, count_sum, &cycles),
		 count <= CELLS ? TR_OK : TR_E_CORRUPT);
	CHECK_EQ(cycles, count <= CELLS ? count : 0);
}

static sqlite3 *run_sql(const char *sql)
{
	sqlite3 *db;
	CHECK_EQ(sqlite3_open(path, &db), SQLITE_OK);
	CHECK_EQ(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
	return db;
}

static void check_databases(void)
{
	char message[200];
	save_run(make_run(3));
	sqlite3 *db = run_sql("BEGIN EXCLUSIVE");
	CHECK_EQ(load_run(message, sizeof(message)), TR_OK);
	sqlite3_close(db);

	sqlite3_close(run_sql("PRAGMA journal_mode=WAL"));
	CHECK_EQ(load_run(message, sizeof(message)), TR_OK);
	CHECK(access(aside, F_OK) != 0);

	save_run(make_run(3));
	sqlite3_close(run_sql("ALTER TABLE run RENAME TO former;"
			      "CREATE VIEW run(version,size,seconds,nanoseconds,hash) AS "
			      "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 "
			      "FROM n) SELECT 1,1,0,0,0 FROM n WHERE i<0"));
	CHECK_EQ(load_run(message, sizeof(message)), TR_E_CORRUPT);
}

static void check_no_file(void)
{
	char message[200];
	unlink(path);
	CHECK_EQ(load_run(message, sizeof(message)), TR_END);
	CHECK_EQ(mkfifo(path, 0600), 0);
	CHECK_EQ(load_run(message, sizeof(message)), TR_E_IO);
	CHECK_STR(message, "not a regular file");
	unlink(path);
}

int main(void)
{
	char folder[] = "/tmp/explore-index.XXXXXX";
	alarm(TIMEOUT);
	if (!mkdtemp(folder) || chdir(folder) != 0)
		return 2;
	check_depth();
	for (uint8_t count = 0; count < 100; count++)
		check_list(count);
	check_databases();
	check_no_file();
	if (chdir("/") != 0 || rmdir(folder) != 0)
		return 2;
	return check_done();
}
