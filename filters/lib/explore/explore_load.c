/* SPDX-License-Identifier: Apache-2.0 */
/* Reads an index from a file, of which nothing is trusted. */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <zstd.h>

#include "base/fuzzed.h"
#include "base/varint.h"
#include "explore/explore_file_state.h"
#include "profile/folded.h"
#include "stream/marks.h"

enum { MOST_CELL_BYTES = 1 << 30 };

/* A row of the statement is there to be read. */
static bool next_row(struct explore_db *db)
{
	db->column = 0;
	if (db->status)
		return false;
	const int result = sqlite3_step(db->statement);
	if (result == SQLITE_ROW)
		return true;
	if (result != SQLITE_DONE)
		db->status = result == SQLITE_NOMEM ? TR_E_NOMEM : TR_E_CORRUPT;
	return false;
}

static void select_rows(struct explore_db *db, const char *sql)
{
	tr_explore_prepare(db, sql);
	if (db->status == TR_E_IO)
		db->status = TR_E_CORRUPT;
}

static uint64_t get_number(struct explore_db *db)
{
	const uint64_t value =
	    (uint64_t)sqlite3_column_int64(db->statement, db->column++);
	XXH64_update(db->hash, &value, sizeof(value));
	return value;
}

/* Returns a number below `limit`, or 0 with a status. */
static uint32_t get_below(struct explore_db *db, uint64_t limit)
{
	const uint64_t value = get_number(db);
	if (value < limit)
		return (uint32_t)value;
	db->status = TR_E_CORRUPT;
	return 0;
}

/* Returns a copy of a text; "" with a status if that fails. */
static const char *get_text(struct explore_db *db)
{
	const char *text = (const char *)sqlite3_column_text(db->statement, db->column);
	const size_t size = (size_t)sqlite3_column_bytes(db->statement, db->column++);
	const char *copy = text ? tr_explore_text(db->x, text) : NULL;
	tr_explore_hash_bytes(db, text, size);
	if (!copy)
		db->status = text ? TR_E_NOMEM : TR_E_CORRUPT;
	else if (strlen(copy) != size)
		db->status = TR_E_CORRUPT;
	return copy ? copy : "";
}

static void get_bytes(struct explore_db *db, struct tr_buffer *bytes)
{
	const void *data = sqlite3_column_blob(db->statement, db->column);
	const size_t size = (size_t)sqlite3_column_bytes(db->statement, db->column++);
	tr_explore_hash_bytes(db, data, size);
	bytes->size = 0;
	tr_buffer_add(bytes, data, size);
	if (bytes->failed)
		db->status = TR_E_NOMEM;
}

/* The first column is the number of the row, which is `count`. Makes room for it. */
static bool begin_element(struct explore_db *db, void *array, size_t *room, size_t count,
			  size_t size)
{
	if (get_number(db) != count || count >= UINT32_MAX)
		db->status = TR_E_CORRUPT;
	else if (!tr_grow(array, room, count + 1, size))
		db->status = TR_E_NOMEM;
	return !db->status;
}

static void read_definitions(struct explore_db *db)
{
	struct tr_explore *x = db->x;
	select_rows(db,
		    "SELECT id,name,binary,address,kind,tint FROM function ORDER BY id");
	while (next_row(db) && begin_element(db, &x->funcs, &x->func_room, x->nfuncs,
					     sizeof(*x->funcs))) {
		struct explore_func *f = &x->funcs[x->nfuncs++];
		f->name = get_text(db);
		f->binary = get_text(db);
		f->address = get_number(db);
		f->kind = (uint8_t)get_below(db, TR_FRAME_LINE + 1);
		f->tint = (uint8_t)get_below(db, TR_TINTS);
	}
	select_rows(db, "SELECT id,parent,function FROM node ORDER BY id");
	while (next_row(db) && begin_element(db, &x->nodes, &x->node_room, x->nnodes,
					     sizeof(*x->nodes))) {
		struct explore_node *node = &x->nodes[x->nnodes];
		node->parent = get_below(db, x->nnodes++);
		node->func = get_below(db, x->nfuncs);
	}
}

static void read_numbered(struct explore_db *db, const char *sql,
			  struct explore_names *names)
{
	select_rows(db, sql);
	while (next_row(db)) {
		const uint64_t i = get_number(db);
		const uint32_t number = get_below(db, UINT32_MAX);
		const uint32_t added = db->status ? 0 : tr_explore_name(names, number);
		if (added == UINT32_MAX)
			db->status = TR_E_NOMEM;
		else if (added != i)
			db->status = TR_E_CORRUPT;
		if (db->status)
			return;
		names->list[added].name = get_text(db);
	}
}

/* Decodes `count` cells. Returns a status. */
static int decode_cells(struct tr_explore *x, struct tr_bytes in, size_t count)
{
	uint64_t context = 0, node = 0;
	if (!tr_grow(&x->cells, &x->cell_room, count, sizeof(*x->cells)))
		return TR_E_NOMEM;
	for (x->ncells = 0; x->ncells < count; x->ncells++) {
		context += tr_unzigzag(tr_varint(&in));
		node += tr_unzigzag(tr_varint(&in));
		if (in.bad || context >= x->ncontexts || node >= x->nnodes)
			return TR_E_CORRUPT;
		x->cells[x->ncells] =
		    (struct explore_cell){(uint32_t)context, (uint32_t)node};
	}
	return in.at == in.end ? TR_OK : TR_E_CORRUPT;
}

static void read_packed_cells(struct explore_db *db)
{
	struct tr_buffer packed = {0};
	uint64_t count = 0;
	select_rows(db, "SELECT id,packed FROM cells");
	if (!next_row(db))
		return;
	count = get_number(db);
	get_bytes(db, &packed);
	const unsigned long long size =
	    ZSTD_getFrameContentSize(packed.data, packed.size);
	/* A cell has two bytes or more, and up to 20; each is there once. */
	if (!db->status &&
	    (size > MOST_CELL_BYTES || size / 20 > count || count > size / 2 ||
	     count >= UINT32_MAX || count > db->x->ncontexts * db->x->nnodes))
		db->status = TR_E_CORRUPT;
	uint8_t *plain = db->status ? NULL : malloc(size + 1);
	if (!db->status && !plain)
		db->status = TR_E_NOMEM;
	if (plain && ZSTD_decompress(plain, size, packed.data, packed.size) != size)
		db->status = TR_E_CORRUPT;
	if (!db->status)
		db->status = decode_cells(
		    db->x, (struct tr_bytes){plain, plain + size, false}, count);
	free(plain);
	tr_buffer_free(&packed);
}

static void read_cells(struct explore_db *db)
{
	struct tr_explore *x = db->x;
	read_numbered(db, "SELECT id,number,name FROM process ORDER BY id",
		      &x->processes);
	read_numbered(db, "SELECT id,number,name FROM thread ORDER BY id", &x->threads);
	select_rows(db, "SELECT id,hart,thread,process FROM context ORDER BY id");
	while (next_row(db) && begin_element(db, &x->contexts, &x->context_room,
					     x->ncontexts, sizeof(*x->contexts))) {
		struct explore_context *context = &x->contexts[x->ncontexts++];
		context->hart = get_below(db, UINT32_MAX);
		context->thread = get_below(db, x->threads.count);
		context->process = get_below(db, x->processes.count);
	}
	read_packed_cells(db);
}

static void read_mark(struct explore_db *db, struct explore_mark *mark)
{
	struct tr_explore *x = db->x;
	mark->cycle = get_number(db);
	mark->ran = get_number(db);
	mark->name = get_below(db, x->nmark_names);
	mark->track = get_below(db, x->ntracks + 1UL);
	mark->hart = get_below(db, UINT32_MAX);
	mark->thread = get_below(db, x->threads.count);
	mark->process = get_below(db, x->processes.count);
	mark->kind = (uint8_t)get_below(db, TR_MARK_END + 1);
	if (!mark->kind)
		db->status = TR_E_CORRUPT;
	x->ntracks += mark->track == x->ntracks;
}

static void read_marks(struct explore_db *db)
{
	struct tr_explore *x = db->x;
	select_rows(db, "SELECT id,name FROM mark_name ORDER BY id");
	while (next_row(db)) {
		const uint64_t i = get_number(db);
		const uint32_t added = tr_explore_mark_name(x, get_text(db));
		if (added == UINT32_MAX)
			db->status = TR_E_NOMEM;
		else if (added != i)
			db->status = TR_E_CORRUPT;
	}
	select_rows(db, "SELECT id,cycle,ran,name,track,hart,thread,process,kind FROM "
			"mark ORDER BY id");
	while (next_row(db) && begin_element(db, &x->marks, &x->mark_room, x->nmarks,
					     sizeof(*x->marks))) {
		read_mark(db, &x->marks[x->nmarks++]);
		if (x->nmarks > EXPLORE_MARKS)
			db->status = TR_E_CORRUPT;
	}
}

static void read_lists(struct explore_db *db)
{
	struct tr_explore *x = db->x;
	select_rows(db, "SELECT id,level,slice,packed FROM sums ORDER BY id");
	while (next_row(db)) {
		get_number(db);
		const uint32_t level = get_below(db, LANES + 1);
		const uint32_t slice = get_below(
		    db, level == LANES ? TR_EXPLORE_SLICES : explore_lists(level));
		struct explore_list *list = &x->levels[level % LANES][slice];
		get_bytes(db, level == LANES ? &list->lanes : &list->packed);
	}
	for (unsigned level = 1; level < EXPLORE_LEVELS; level++)
		for (size_t i = 0; i < explore_lists(level); i++)
			x->levels[level][i].is_valid = true;
}

/* Reads what identifies the file. Returns TR_OK, TR_END if it is of another stream, or
 * another status. */
static int read_stamp(struct explore_db *db, const struct tr_explore_stamp *stamp)
{
	select_rows(db, "SELECT version,size,seconds,nanoseconds,hash FROM run");
	if (!next_row(db))
		return db->status ? db->status : TR_E_CORRUPT;
	const bool is_same =
	    get_number(db) == FILE_VERSION && get_number(db) == stamp->size &&
	    get_number(db) == stamp->seconds && get_number(db) == stamp->nanoseconds &&
	    get_number(db) == stamp->hash;
	XXH64_reset(db->hash, 0);
	return is_same || TR_IS_FUZZED ? TR_OK : TR_END;
}

/* Reads the row of the run, the last in the checksum. */
static void read_run(struct explore_db *db)
{
	struct tr_explore *x = db->x;
	select_rows(db, "SELECT version,size,seconds,nanoseconds,hash,classes,width,"
			"untimed,cut_off,length,end,cycles,instructions,marks_left_out,"
			"marks_deep,checksum FROM run");
	if (!next_row(db)) {
		db->status = db->status ? db->status : TR_E_CORRUPT;
		return;
	}
	for (unsigned i = 0; i < 5; i++)
		get_number(db);
	x->class_list = get_text(db);
	x->width = get_below(db, UINT32_MAX);
	x->is_untimed = get_below(db, 2);
	x->cut_off = get_text(db);
	x->length = get_number(db);
	x->end = get_number(db);
	x->cycles = get_number(db);
	x->instructions = get_number(db);
	x->marks_left_out = get_number(db);
	x->marks_deep = get_number(db);
	const uint64_t hash = XXH64_digest(db->hash);
	const bool is_whole = get_number(db) == hash || TR_IS_FUZZED;
	if (!is_whole || !x->width || !x->length || (x->length & (x->length - 1)) ||
	    tr_explore_slices(x) > TR_EXPLORE_SLICES)
		db->status = TR_E_CORRUPT;
	if (!*x->cut_off)
		x->cut_off = NULL;
	if (!db->status && *x->class_list)
		db->status = tr_classes_parse(&x->classes, x->class_list);
	x->is_done = true;
}

static void read_all(struct explore_db *db)
{
	read_definitions(db);
	read_cells(db);
	read_marks(db);
	read_lists(db);
	read_run(db);
	if (!db->status)
		db->status = tr_explore_order(db->x);
}

/* Opens the database as a file that does not change, since it is only ever replaced:
 * without locks, and without files beside it. Views, which can be endless, are refused.
 * Returns TR_OK, TR_END if there is none, or TR_E_IO with the reason in `message`. */
static int open_database(struct explore_db *db, const char *path, char *message,
			 size_t size)
{
	char uri[3 * PATH_MAX + 32] = "file:";
	size_t at = strlen(uri);
	struct stat st;
	if (stat(path, &st) < 0) {
		snprintf(message, size, "%s", strerror(errno));
		return errno == ENOENT ? TR_END : TR_E_IO;
	}
	if (!S_ISREG(st.st_mode)) {
		snprintf(message, size, "not a regular file");
		return TR_E_IO;
	}
	for (const char *p = path; *p && at < 3 * PATH_MAX; p++)
		at += (size_t)snprintf(uri + at, sizeof(uri) - at, "%%%02x", (uint8_t)*p);
	snprintf(uri + at, sizeof(uri) - at, "?immutable=1");
	if (sqlite3_open_v2(uri, &db->sqlite, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI,
			    NULL) == SQLITE_OK &&
	    sqlite3_db_config(db->sqlite, SQLITE_DBCONFIG_ENABLE_VIEW, 0, NULL) ==
		SQLITE_OK &&
	    sqlite3_db_config(db->sqlite, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL) ==
		SQLITE_OK)
		return TR_OK;
	snprintf(message, size, "%s", sqlite3_errmsg(db->sqlite));
	return TR_E_IO;
}

int tr_explore_load(struct tr_explore *x, const char *path,
		    const struct tr_explore_stamp *stamp, char *message, size_t size)
{
	struct explore_db db = {.x = x, .hash = XXH64_createState()};
	if (!db.hash)
		return TR_E_NOMEM;
	XXH64_reset(db.hash, 0);
	int status = open_database(&db, path, message, size);
	if (!status)
		status = read_stamp(&db, stamp);
	if (!status) {
		read_all(&db);
		status = db.status;
	}
	if (status == TR_E_CORRUPT)
		snprintf(message, size,
			 "the index is damaged; remove it, and it is "
			 "built again");
	sqlite3_finalize(db.statement);
	sqlite3_close(db.sqlite);
	XXH64_freeState(db.hash);
	return status;
}
