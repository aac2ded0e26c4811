/* SPDX-License-Identifier: Apache-2.0 */
/* Writes an index into a file, aside, and gives it its name when it is whole. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

#include "base/varint.h"
#include "explore/explore_file_state.h"

enum { CELLS_LEVEL = 3 }; /* of compression */

static const char schema[] =
    "CREATE TABLE "
    "run(version,size,seconds,nanoseconds,hash,classes,width,untimed,cut_off,"
    "length,end,cycles,instructions,marks_left_out,marks_deep,checksum);"
    "CREATE TABLE function(id INTEGER PRIMARY KEY,name,binary,address,kind,tint);"
    "CREATE TABLE node(id INTEGER PRIMARY KEY,parent,function);"
    "CREATE TABLE process(id INTEGER PRIMARY KEY,number,name);"
    "CREATE TABLE thread(id INTEGER PRIMARY KEY,number,name);"
    "CREATE TABLE context(id INTEGER PRIMARY KEY,hart,thread,process);"
    "CREATE TABLE mark_name(id INTEGER PRIMARY KEY,name);"
    "CREATE TABLE mark(id INTEGER PRIMARY KEY,cycle,ran,name,track,hart,thread,process,"
    "kind);"
    "CREATE TABLE cells(id INTEGER PRIMARY KEY,packed);"
    "CREATE TABLE sums(id INTEGER PRIMARY KEY,level,slice,packed);";

static void run_sql(struct explore_db *db, const char *sql)
{
	if (!db->status)
		tr_explore_check_result(db,
					sqlite3_exec(db->sqlite, sql, NULL, NULL, NULL));
}

static void put_number(struct explore_db *db, uint64_t value)
{
	XXH64_update(db->hash, &value, sizeof(value));
	if (!db->status)
		tr_explore_check_result(db,
					sqlite3_bind_int64(db->statement, ++db->column,
							   (sqlite3_int64)value));
}

static void put_text(struct explore_db *db, const char *text)
{
	tr_explore_hash_bytes(db, text, strlen(text));
	if (!db->status)
		tr_explore_check_result(db, sqlite3_bind_text(db->statement, ++db->column,
							      text, -1, SQLITE_STATIC));
}

static void put_bytes(struct explore_db *db, const struct tr_buffer *bytes)
{
	tr_explore_hash_bytes(db, bytes->data, bytes->size);
	if (!db->status)
		tr_explore_check_result(
		    db, sqlite3_bind_blob64(db->statement, ++db->column, bytes->data,
					    bytes->size, SQLITE_STATIC));
}

static void end_row(struct explore_db *db)
{
	if (!db->status)
		tr_explore_check_result(db, sqlite3_step(db->statement));
	if (db->statement)
		sqlite3_reset(db->statement);
	db->column = 0;
}

static void write_definitions(struct explore_db *db)
{
	const struct tr_explore *x = db->x;
	tr_explore_prepare(db, "INSERT INTO function VALUES(?,?,?,?,?,?)");
	for (size_t i = 0; i < x->nfuncs; i++) {
		put_number(db, i);
		put_text(db, x->funcs[i].name);
		put_text(db, x->funcs[i].binary);
		put_number(db, x->funcs[i].address);
		put_number(db, x->funcs[i].kind);
		put_number(db, x->funcs[i].tint);
		end_row(db);
	}
	tr_explore_prepare(db, "INSERT INTO node VALUES(?,?,?)");
	for (size_t i = 1; i < x->nnodes; i++) {
		put_number(db, i);
		put_number(db, x->nodes[i].parent);
		put_number(db, x->nodes[i].func);
		end_row(db);
	}
}

static void write_numbered(struct explore_db *db, const char *sql,
			   const struct explore_names *names)
{
	tr_explore_prepare(db, sql);
	for (size_t i = 0; i < names->count; i++) {
		put_number(db, i);
		put_number(db, names->list[i].number);
		put_text(db, names->list[i].name);
		end_row(db);
	}
}

/* Cells, which can be as many as there are stacks in each context, are varints: the
 * differences to the cell before them. */
static void write_packed_cells(struct explore_db *db)
{
	const struct tr_explore *x = db->x;
	tr_explore_prepare(db, "INSERT INTO cells VALUES(?,?)");
	struct tr_buffer plain = {0}, packed = {0};
	struct explore_cell before = {0};
	for (size_t i = 0; i < x->ncells; i++) {
		const struct explore_cell *cell = &x->cells[i];
		tr_buffer_varint(&plain,
				 tr_zigzag((uint64_t)cell->context - before.context));
		tr_buffer_varint(&plain, tr_zigzag((uint64_t)cell->node - before.node));
		before = *cell;
	}
	const size_t bound = ZSTD_compressBound(plain.size);
	uint8_t *room = plain.failed ? NULL : tr_buffer_grow(&packed, bound);
	const size_t size =
	    room ? ZSTD_compress(room, bound, plain.data, plain.size, CELLS_LEVEL) : 0;
	if (!room || ZSTD_isError(size))
		db->status = TR_E_NOMEM;
	packed.size = db->status ? 0 : size;
	put_number(db, x->ncells);
	put_bytes(db, &packed);
	end_row(db);
	tr_buffer_free(&plain);
	tr_buffer_free(&packed);
}

static void write_cells(struct explore_db *db)
{
	const struct tr_explore *x = db->x;
	write_numbered(db, "INSERT INTO process VALUES(?,?,?)", &x->processes);
	write_numbered(db, "INSERT INTO thread VALUES(?,?,?)", &x->threads);
	tr_explore_prepare(db, "INSERT INTO context VALUES(?,?,?,?)");
	for (size_t i = 0; i < x->ncontexts; i++) {
		put_number(db, i);
		put_number(db, x->contexts[i].hart);
		put_number(db, x->contexts[i].thread);
		put_number(db, x->contexts[i].process);
		end_row(db);
	}
	write_packed_cells(db);
}

static void write_list(struct explore_db *db, unsigned level, size_t i,
		       const struct tr_buffer *packed)
{
	if (!packed->size)
		return;
	put_number(db, level * (uint64_t)TR_EXPLORE_SLICES + i);
	put_number(db, level);
	put_number(db, i);
	put_bytes(db, packed);
	end_row(db);
}

static int take_nothing(void *context, const struct tr_sum *sum, const uint64_t *lost)
{
	(void)context, (void)sum, (void)lost;
	return TR_OK;
}

/* Makes the lists of the upper levels, and writes all. */
static void write_lists(struct explore_db *db)
{
	struct tr_explore *x = db->x;
	if (!db->status)
		db->status = tr_explore_each(x, 0, TR_EXPLORE_SLICES, take_nothing, NULL);
	tr_explore_prepare(db, "INSERT INTO sums VALUES(?,?,?,?)");
	for (unsigned level = 0; level < EXPLORE_LEVELS; level++)
		for (size_t i = 0; i < explore_lists(level); i++)
			write_list(db, level, i, &x->levels[level][i].packed);
	for (size_t i = 0; i < TR_EXPLORE_SLICES; i++)
		write_list(db, LANES, i, &x->levels[0][i].lanes);
}

static void write_marks(struct explore_db *db)
{
	const struct tr_explore *x = db->x;
	tr_explore_prepare(db, "INSERT INTO mark_name VALUES(?,?)");
	for (size_t i = 0; i < x->nmark_names; i++) {
		put_number(db, i);
		put_text(db, x->mark_names[i]);
		end_row(db);
	}
	tr_explore_prepare(db, "INSERT INTO mark VALUES(?,?,?,?,?,?,?,?,?)");
	for (size_t i = 0; i < x->nmarks; i++) {
		const struct explore_mark *mark = &x->marks[i];
		put_number(db, i);
		put_number(db, mark->cycle);
		put_number(db, mark->ran);
		put_number(db, mark->name);
		put_number(db, mark->track);
		put_number(db, mark->hart);
		put_number(db, mark->thread);
		put_number(db, mark->process);
		put_number(db, mark->kind);
		end_row(db);
	}
}

static void write_run(struct explore_db *db, const struct tr_explore_stamp *stamp)
{
	const struct tr_explore *x = db->x;
	tr_explore_prepare(db, "INSERT INTO run VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)");
	put_number(db, FILE_VERSION);
	put_number(db, stamp->size);
	put_number(db, stamp->seconds);
	put_number(db, stamp->nanoseconds);
	put_number(db, stamp->hash);
	put_text(db, x->class_list ? x->class_list : "");
	put_number(db, x->width);
	put_number(db, x->is_untimed);
	put_text(db, x->cut_off ? x->cut_off : "");
	put_number(db, x->length);
	put_number(db, x->end);
	put_number(db, x->cycles);
	put_number(db, x->instructions);
	put_number(db, x->marks_left_out);
	put_number(db, x->marks_deep);
	put_number(db, XXH64_digest(db->hash));
	end_row(db);
}

/* Writes the database to `path`, which is an empty file. */
static void write_database(struct explore_db *db, const char *path,
			   const struct tr_explore_stamp *stamp, char *message,
			   size_t size)
{
	tr_explore_check_result(
	    db, sqlite3_open_v2(path, &db->sqlite, SQLITE_OPEN_READWRITE, NULL));
	run_sql(db, "PRAGMA journal_mode=OFF");
	run_sql(db, "PRAGMA synchronous=OFF");
	run_sql(db, "BEGIN");
	run_sql(db, schema);
	write_definitions(db);
	write_cells(db);
	write_marks(db);
	write_lists(db);
	write_run(db, stamp);
	tr_explore_prepare(db, "COMMIT");
	end_row(db);
	sqlite3_finalize(db->statement);
	if (db->status == TR_E_IO)
		snprintf(message, size, "%s", sqlite3_errmsg(db->sqlite));
	if (sqlite3_close(db->sqlite) != SQLITE_OK && !db->status)
		db->status = TR_E_IO;
}

/* Makes what was written durable, and gives it its name. Returns a status. */
static int publish_file(int file, const char *from, const char *path)
{
	return fsync(file) == 0 && fchmod(file, 0644) == 0 && rename(from, path) == 0
		   ? TR_OK
		   : TR_E_IO;
}

int tr_explore_save(struct tr_explore *x, const char *path,
		    const struct tr_explore_stamp *stamp, char *message, size_t size)
{
	struct explore_db db = {.x = x, .hash = XXH64_createState()};
	char aside[PATH_MAX];
	if (!db.hash)
		return TR_E_NOMEM;
	XXH64_reset(db.hash, 0);
	errno = ENAMETOOLONG;
	const int length = snprintf(aside, sizeof(aside), "%s.XXXXXX", path);
	const int file = (size_t)length < sizeof(aside) ? mkostemp(aside, O_CLOEXEC) : -1;
	snprintf(message, size, "%s", strerror(errno));
	if (file >= 0) {
		write_database(&db, aside, stamp, message, size);
		if (!db.status && (db.status = publish_file(file, aside, path)))
			snprintf(message, size, "%s", strerror(errno));
		if (db.status)
			unlink(aside);
		close(file);
	} else {
		db.status = TR_E_IO;
	}
	XXH64_freeState(db.hash);
	return db.status;
}
