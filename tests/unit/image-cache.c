/* SPDX-License-Identifier: Apache-2.0 */
/* The cache of DWARF indices: used if and only if an index is valid. */
#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "fixture.h"
#include "image/image_cache.h"

static const char fixture[] = FIXTURES "/dwarf5.elf";

/* Returns whether the fixture, opened again, has a function of that name. */
static bool has_function(const char *name, bool no_cache)
{
	const struct tr_image_options options = {.functions = true, .no_cache = no_cache};
	struct tr_image *image;
	bool found = false;
	CHECK_EQ(tr_image_open(&image, fixture, &options), TR_OK);
	CHECK_STR(tr_image_warning(image), "");
	for (size_t i = 0; i < tr_image_function_count(image); i++)
		found |= strcmp(tr_image_function(image, i)->name, name) == 0;
	tr_image_close(image);
	return found;
}

static const char *cache_folder(void)
{
	static char path[100];
	snprintf(path, sizeof(path), "%s/tr-profiler", fixture_folder);
	return path;
}

/* Returns the name of the only file in the cache, or "" if there is none. */
static const char *cache_file(void)
{
	static char path[400];
	DIR *folder = opendir(cache_folder());
	struct dirent *entry;
	path[0] = '\0';
	while (folder && (entry = readdir(folder)))
		if (entry->d_name[0] != '.') {
			CHECK_STR(path, "");
			snprintf(path, sizeof(path), "%s/%s", cache_folder(),
				 entry->d_name);
		}
	if (folder)
		closedir(folder);
	return path;
}

/* Makes an index for the fixture that names all its code "from_cache". */
static struct tr_buffer other_index(struct image_key *key)
{
	struct image_index_writer writer = {.units = 1};
	struct tr_buffer index = {0};
	int file = open(fixture, O_RDONLY);
	struct tr_image *image = fixture_open(fixture, TR_OK);
	const struct tr_code *code = tr_image_code(image, 0);
	CHECK(tr_image_key_make(key, file, (size_t)lseek(file, 0, SEEK_END)));
	tr_image_index_range(&writer.extents, code->address, code->address + code->size);
	tr_image_index_function(&writer, "from_cache", "", 1, code->address);
	tr_image_index_finish(&writer, IMAGE_INDEX_FUNCTIONS, key, "", &index);
	CHECK(!index.failed);
	close(file);
	tr_image_close(image);
	return index;
}

static void put(const char *path, const uint8_t *data, size_t size)
{
	FILE *file = fopen(path, "wb");
	if (CHECK(file != NULL)) {
		CHECK_EQ(fwrite(data, 1, size, file), size);
		fclose(file);
	}
}

static void check_used(const struct tr_buffer *other)
{
	CHECK_STR(cache_file(), "");
	CHECK(has_function("plain", true));
	CHECK_STR(cache_file(), "");
	CHECK(has_function("plain", false));
	CHECK(cache_file()[0] != '\0');
	CHECK(has_function("plain", false));
	put(cache_file(), other->data, other->size);
	CHECK(has_function("from_cache", false));
	CHECK(!has_function("from_cache", true));
}

/* A damaged index is made again, whatever the damage. */
static void check_damaged(const struct tr_buffer *other)
{
	char path[400];
	snprintf(path, sizeof(path), "%s", cache_file());
	for (size_t i = 0; i < other->size; i += 3) {
		other->data[i] ^= 0x10;
		put(path, other->data, other->size);
		other->data[i] ^= 0x10;
		CHECK(!has_function("from_cache", false));
		CHECK(has_function("plain", false));
	}
	for (size_t size = 0; size < other->size; size += 5) {
		put(path, other->data, size);
		CHECK(!has_function("from_cache", false));
	}
	CHECK_STR(cache_file(), path);
}

/* A valid index in a folder that anybody can write to. */
static void check_untrusted(const struct tr_buffer *other)
{
	char path[400], elsewhere[200];
	snprintf(path, sizeof(path), "%s", cache_file());
	put(path, other->data, other->size);
	CHECK_EQ(chmod(path, 0666), 0);
	CHECK(!has_function("from_cache", false));
	snprintf(elsewhere, sizeof(elsewhere), "%s/elsewhere", fixture_folder);
	put(elsewhere, other->data, other->size);
	CHECK_EQ(unlink(path), 0);
	CHECK_EQ(symlink(elsewhere, path), 0);
	CHECK(!has_function("from_cache", false));
	CHECK_EQ(unlink(path), 0);
	CHECK_EQ(mkdir(path, 0700), 0);
	CHECK(has_function("plain", false));
	CHECK_EQ(rmdir(path), 0);
}

/* No folder for a cache. */
static void check_nowhere(void)
{
	char file[200];
	snprintf(file, sizeof(file), "%s/elsewhere", fixture_folder);
	CHECK_EQ(setenv("XDG_CACHE_HOME", file, 1), 0);
	CHECK(has_function("plain", false));
	CHECK_EQ(setenv("XDG_CACHE_HOME", "relative", 1), 0);
	CHECK_EQ(unsetenv("HOME"), 0);
	CHECK(has_function("plain", false));
	CHECK_EQ(setenv("HOME", fixture_folder, 1), 0);
	CHECK(has_function("plain", false));
	snprintf(file, sizeof(file), "%s/.cache/tr-profiler", fixture_folder);
	CHECK_EQ(access(file, R_OK), 0);
}

/* Indices with valid checksums but inconsistent contents. */
static void check_senseless(const struct image_key *key)
{
	struct image_index index;
	struct tr_buffer bytes = {0};
	struct image_index_writer backwards = {.units = 1};
	tr_image_index_range(&backwards.extents, 20, 10);
	tr_image_index_function(&backwards, "f", "", 1, 20);
	tr_image_index_finish(&backwards, IMAGE_INDEX_FUNCTIONS, key, "", &bytes);
	CHECK(!tr_image_index_read(&index, IMAGE_INDEX_FUNCTIONS, bytes.data, bytes.size,
				   key));
	bytes.size = 0;
	struct image_index_writer greedy = {.units = 1};
	tr_image_index_range(&greedy.extents, 10, 20);
	tr_image_index_function(&greedy, "f", "", 2, 10);
	tr_image_index_finish(&greedy, IMAGE_INDEX_FUNCTIONS, key, "", &bytes);
	CHECK(!tr_image_index_read(&index, IMAGE_INDEX_FUNCTIONS, bytes.data, bytes.size,
				   key));
	bytes.size = 0;
	struct image_index_writer nameless = {.units = 1};
	tr_image_index_range(&nameless.extents, 10, 20);
	tr_image_index_function(&nameless, "", "", 1, 10);
	tr_image_index_finish(&nameless, IMAGE_INDEX_FUNCTIONS, key, "", &bytes);
	CHECK(!tr_image_index_read(&index, IMAGE_INDEX_FUNCTIONS, bytes.data, bytes.size,
				   key));
	bytes.size = 0;
	struct image_index_writer empty = {.units = 1};
	tr_image_index_finish(&empty, IMAGE_INDEX_FUNCTIONS, key, "why", &bytes);
	CHECK(tr_image_index_read(&index, IMAGE_INDEX_FUNCTIONS, bytes.data, bytes.size,
				  key));
	CHECK_STR(index.damage, "why");
	CHECK_EQ(index.nitems, 0);
	tr_buffer_free(&bytes);
}

/* A call within itself, or without a name, is refused. */
static bool takes_call(const struct image_key *key, const char *name, uint32_t around)
{
	struct image_index index;
	struct tr_buffer bytes = {0};
	struct image_index_writer writer = {.units = 1};
	tr_buffer_add(&writer.names, name, strlen(name) + 1);
	tr_image_index_add32(&writer.items, 0);
	tr_image_index_add32(&writer.items, around);
	tr_image_index_finish(&writer, IMAGE_INDEX_CALLS, key, "", &bytes);
	bool taken =
	    tr_image_index_read(&index, IMAGE_INDEX_CALLS, bytes.data, bytes.size, key);
	tr_buffer_free(&bytes);
	return taken;
}

static void check_senseless_calls(const struct image_key *key)
{
	CHECK(takes_call(key, "f", 0));
	CHECK(!takes_call(key, "f", 1));
	CHECK(!takes_call(key, "", 0));
}

static struct tr_image *open_path(const char *path, bool calls, bool lines)
{
	const struct tr_image_options options = {
	    .functions = true, .calls = calls, .lines = lines};
	struct tr_image *image = NULL;
	CHECK_EQ(tr_image_open(&image, path, &options), TR_OK);
	CHECK_STR(tr_image_warning(image), "");
	return image;
}

static unsigned cache_files(const char *end)
{
	DIR *folder = opendir(cache_folder());
	struct dirent *entry;
	unsigned count = 0;
	while (folder && (entry = readdir(folder))) {
		size_t length = strlen(entry->d_name);
		count += length >= strlen(end) && entry->d_name[0] != '.' &&
			 strcmp(entry->d_name + length - strlen(end), end) == 0;
	}
	if (folder)
		closedir(folder);
	return count;
}

static void begin_anew(void)
{
	char command[200];
	snprintf(command, sizeof(command), "rm -rf %s", cache_folder());
	CHECK_EQ(system(command), 0);
	CHECK_EQ(setenv("XDG_CACHE_HOME", fixture_folder, 1), 0);
}

/* Returns the number of ranges of calls and lines. */
static unsigned places(const struct tr_image *image)
{
	uint64_t at = tr_image_code(image, 0)->address, end = at;
	unsigned count = 0;
	for (end += tr_image_code(image, 0)->size; at < end; count++) {
		struct tr_stretch call = tr_image_call_at(image, at);
		struct tr_stretch line = tr_image_line_at(image, at);
		at = call.high < line.high ? call.high : line.high;
	}
	return count;
}

/* Each kind has its own file, made on first use; a damaged one is made again without
 * touching the others. */
static void check_kinds(void)
{
	static const char path[] = FIXTURES "/inlined-5.elf";
	begin_anew();
	struct tr_image *image = open_path(path, false, false);
	CHECK_EQ(places(image), 1);
	CHECK_EQ(cache_files(""), 1);
	tr_image_close(image);
	image = open_path(path, true, false);
	unsigned calls = places(image);
	CHECK_EQ(cache_files(".calls"), 1);
	CHECK_EQ(cache_files(""), 2);
	tr_image_close(image);
	image = open_path(path, true, true);
	unsigned both = places(image);
	CHECK(calls > 10 && both > calls);
	CHECK_EQ(cache_files(".lines"), 1);
	CHECK_EQ(cache_files(""), 3);
	tr_image_close(image);
	image = open_path(path, true, true);
	CHECK_EQ(places(image), both);
	tr_image_close(image);
}

static void check_damaged_kind(const char *end)
{
	char command[300];
	struct tr_image *image = open_path(FIXTURES "/inlined-5.elf", true, true);
	unsigned both = places(image);
	tr_image_close(image);
	for (unsigned at = 0; at < 200; at += 13) {
		snprintf(command, sizeof(command),
			 "printf '\\377' | dd of=%s/$(ls %s | grep %s) bs=1 seek=%u "
			 "conv=notrunc status=none",
			 cache_folder(), cache_folder(), end, at);
		CHECK_EQ(system(command), 0);
		image = open_path(FIXTURES "/inlined-5.elf", true, true);
		CHECK_EQ(places(image), both);
		tr_image_close(image);
	}
}

/* The same build-id, size and sections, but different DWARF. */
static void check_stale(void)
{
	struct tr_buffer file = fixture_read(FIXTURES "/inlined-5.elf");
	uint32_t around;
	char path[512];
	const char *names[2];
	struct tr_image *images[2];
	for (unsigned i = 0; i < 2; i++) {
		snprintf(path, sizeof(path), "%s",
			 fixture_write("stale.elf", file.data, file.size));
		images[i] = open_path(path, true, false);
		names[i] = tr_image_call(images[i], 1, &around);
		char *name = memmem(file.data, file.size, names[i], strlen(names[i]) + 1);
		if (CHECK(name != NULL))
			*name = 'X';
	}
	CHECK_STR(tr_image_build_id(images[0]), tr_image_build_id(images[1]));
	CHECK_EQ(names[1][0], 'X');
	CHECK_STR(names[1] + 1, names[0] + 1);
	tr_image_close(images[0]);
	tr_image_close(images[1]);
	tr_buffer_free(&file);
}

/* Many processes that write the same files concurrently. */
static void check_at_once(void)
{
	enum { MANY = 8 };
	int wait_status;
	begin_anew();
	for (int i = 0; i < MANY; i++)
		if (fork() == 0) {
			struct tr_image *image =
			    open_path(FIXTURES "/inlined-5.elf", true, true);
			fixture_check_sane(image);
			_exit(places(image) > 10 && check_failures == 0 ? 0 : 1);
		}
	for (int i = 0; i < MANY; i++) {
		CHECK(wait(&wait_status) > 0);
		CHECK_EQ(wait_status, 0);
	}
	CHECK_EQ(cache_files(""), 3);
	CHECK_EQ(
	    cache_files(".functions") + cache_files(".calls") + cache_files(".lines"), 3);
}

int main(void)
{
	struct image_key key;
	fixture_begin();
	struct tr_buffer other = other_index(&key);
	check_used(&other);
	check_damaged(&other);
	check_untrusted(&other);
	check_nowhere();
	check_senseless(&key);
	check_senseless_calls(&key);
	check_kinds();
	check_damaged_kind("calls");
	check_damaged_kind("lines");
	check_stale();
	check_at_once();
	tr_buffer_free(&other);
	return fixture_end();
}
