/* SPDX-License-Identifier: Apache-2.0 */
/* Debug information in a file of its own: where it is found, and what is refused. */
#include <sys/stat.h>

#include "fixture.h"

static char build_id[128]; /* of the stripped file */

/* Writes a copy of a fixture into the test's folder, creating folders; then `path` is its
 * path. */
static void put(const char *fixture, const char *name, char path[512])
{
	struct tr_buffer bytes = fixture_read(fixture);
	snprintf(path, 512, "%s/%s", fixture_folder, name);
	for (char *slash = path + 1; (slash = strchr(slash, '/')); slash++) {
		*slash = '\0';
		mkdir(path, 0700);
		*slash = '/';
	}
	fixture_write(name, bytes.data, bytes.size);
	tr_buffer_free(&bytes);
}

/* Returns true if the file has the names and ranges of the file that was stripped. */
static bool has_names(const char *path)
{
	struct tr_image *whole = fixture_open(FIXTURES "/dwarf5.elf", TR_OK);
	struct tr_image *image = fixture_open(path, TR_OK);
	size_t same = 0, count = tr_image_function_count(whole);
	fixture_check_sane(image);
	CHECK(count > 5);
	for (size_t i = 0; i < count; i++) {
		const struct tr_function *f = tr_image_function(whole, i);
		const struct tr_function *g = tr_image_function_at(image, f->low);
		same += g && strcmp(f->name, g->name) == 0 && f->low == g->low &&
			f->high == g->high && f->from_dwarf == g->from_dwarf;
	}
	CHECK(same == 0 || same == count);
	if (same) {
		CHECK_STR(tr_image_warning(image), "");
		CHECK(tr_image_has_dwarf(image));
	}
	tr_image_close(whole);
	tr_image_close(image);
	return same > 0;
}

/* Checks that debug information in `name` is used for the program `program`. */
static void check_found(const char *program_fixture, const char *program,
			const char *name)
{
	char path[512], debug[512];
	put(program_fixture, program, path);
	CHECK(!has_names(path));
	put(FIXTURES "/separate.debug", name, debug);
	if (!CHECK(has_names(path)))
		fprintf(stderr, "\t%s for %s\n", name, program);
	unlink(debug);
	CHECK(!has_names(path));
	unlink(path);
}

/* Checks the warning when a program's debug information is as in `name`. */
static void check_refused(const char *path, const char *name, const char *why)
{
	struct tr_image *image = fixture_open(path, TR_OK);
	char text[1024];
	snprintf(text, sizeof(text),
		 "%s: debug information not used: %s/%s: %s; no DWARF", path,
		 fixture_folder, name, why);
	fixture_check_sane(image);
	CHECK_EQ(fixture_named(image), 0);
	if (!CHECK(strncmp(tr_image_warning(image), text, strlen(text)) == 0))
		fprintf(stderr, "\t%s\n\t%s\n", tr_image_warning(image), text);
	tr_image_close(image);
}

static void check_places(void)
{
	static const char separate[] = FIXTURES "/separate.elf";
	static const char linked[] = FIXTURES "/linked.elf";
	char name[256], path[512];
	snprintf(name, sizeof(name), "root/usr/lib/debug/.build-id/%.2s/%s.debug",
		 build_id, build_id + 2);
	check_found(separate, "root/usr/bin/prog", name);
	check_found(separate, "root/usr/lib/deep/er/lib.so", name);
	check_found(separate, "root/prog", name);
	check_found(linked, "root/usr/bin/prog", name);
	snprintf(name, sizeof(name), "debuginfod_client/%s/debuginfo", build_id);
	check_found(separate, "prog", name);
	snprintf(path, sizeof(path), "%s/own", fixture_folder);
	setenv("DEBUGINFOD_CACHE_PATH", path, 1);
	snprintf(name, sizeof(name), "own/%s/debuginfo", build_id);
	check_found(separate, "prog", name);
	unsetenv("DEBUGINFOD_CACHE_PATH");
	check_found(linked, "here/prog", "here/separate.debug");
	check_found(linked, "here/prog", "here/.debug/separate.debug");
	check_found(linked, "root/usr/bin/prog",
		    "root/usr/lib/debug/usr/bin/separate.debug");
}

/* A link to the file itself is none. */
static void check_itself(void)
{
	char path[512];
	put(FIXTURES "/linked.elf", "separate.debug", path);
	struct tr_image *image = fixture_open(path, TR_OK);
	CHECK(strstr(tr_image_warning(image), "not used") == NULL);
	tr_image_close(image);
	unlink(path);
}

/* The same, by a path relative to the sysroot. */
static void check_relative(const char *folder)
{
	char name[256], debug[512], path[512];
	snprintf(name, sizeof(name), "near/usr/lib/debug/.build-id/%.2s/%s.debug",
		 build_id, build_id + 2);
	put(FIXTURES "/separate.elf", "near/usr/bin/prog", path);
	put(FIXTURES "/separate.debug", name, debug);
	struct tr_image *image = NULL;
	const struct tr_image_options options = {.functions = true, .no_cache = true};
	CHECK_EQ(chdir(fixture_folder), 0);
	CHECK_EQ(chdir("near"), 0);
	CHECK_EQ(tr_image_open(&image, "usr/bin/prog", &options), TR_OK);
	CHECK(tr_image_has_dwarf(image));
	tr_image_close(image);
	CHECK_EQ(chdir("usr/bin"), 0);
	CHECK_EQ(tr_image_open(&image, "prog", &options), TR_OK);
	CHECK(!tr_image_has_dwarf(image)); /* nothing says where the root is */
	tr_image_close(image);
	CHECK_EQ(chdir(folder), 0);
	unlink(debug);
}

static void check_others(void)
{
	char path[512], debug[512], name[256], why[256];
	struct tr_image *other = NULL;
	CHECK_EQ(tr_image_open(&other, FIXTURES "/dwarf4.elf",
			       &(struct tr_image_options){.functions = false}),
		 TR_OK);
	put(FIXTURES "/separate.elf", "root/usr/bin/prog", path);
	snprintf(name, sizeof(name), "root/usr/lib/debug/.build-id/%.2s/%s.debug",
		 build_id, build_id + 2);
	put(FIXTURES "/other.debug", name, debug);
	snprintf(why, sizeof(why), "of another build (build-id %s)",
		 tr_image_build_id(other));
	check_refused(path, name, why);
	put(FIXTURES "/scopes.elf", name, debug);
	put(FIXTURES "/object.o", name, debug);
	check_refused(path, name, "a relocatable object, not yet linked");
	unlink(debug);
	tr_image_close(other);
}

/* Damage in the linked file is seen by its CRC, wherever it is; by build-id, it costs
 * names at most. */
static void check_damage(uint64_t *random)
{
	struct tr_buffer bytes = fixture_read(FIXTURES "/separate.debug");
	char path[512], debug[512], name[256];
	put(FIXTURES "/linked.elf", "root/usr/bin/prog", path);
	put(FIXTURES "/separate.debug", "root/usr/bin/separate.debug", debug);
	bytes.data[bytes.size - 1] ^= 1; /* the section headers come last */
	fixture_write("root/usr/bin/separate.debug", bytes.data, bytes.size);
	check_refused(path, "root/usr/bin/separate.debug",
		      "its CRC is not that of .gnu_debuglink");
	bytes.data[bytes.size - 1] ^= 1;
	for (size_t size = 0; size < bytes.size; size += 97) {
		fixture_write("root/usr/bin/separate.debug", bytes.data, size);
		CHECK(!has_names(path));
	}
	unlink(debug);
	snprintf(name, sizeof(name), "root/usr/lib/debug/.build-id/%.2s/%s.debug",
		 build_id, build_id + 2);
	put(FIXTURES "/separate.debug", name, debug);
	for (unsigned i = 0; i < 300; i++) {
		uint64_t bit = fixture_random(random) % (bytes.size * 8);
		bytes.data[bit / 8] ^= (uint8_t)(1U << bit % 8);
		fixture_write(name, bytes.data, bytes.size);
		struct tr_image *image = fixture_open(path, TR_OK);
		fixture_check_sane(image);
		tr_image_close(image);
		bytes.data[bit / 8] ^= (uint8_t)(1U << bit % 8);
	}
	for (size_t size = 0; size < bytes.size; size += 61) {
		fixture_write(name, bytes.data, size);
		struct tr_image *image = fixture_open(path, TR_OK);
		fixture_check_sane(image);
		tr_image_close(image);
	}
	tr_buffer_free(&bytes);
}

int main(void)
{
	uint64_t random = 88172645463325252;
	char folder[512];
	fixture_begin();
	struct tr_image *image = fixture_open(FIXTURES "/separate.elf", TR_OK);
	snprintf(build_id, sizeof(build_id), "%s", tr_image_build_id(image));
	CHECK_EQ(strlen(build_id), 40);
	tr_image_close(image);
	check_places();
	check_itself();
	if (CHECK(getcwd(folder, sizeof(folder)) != NULL))
		check_relative(folder);
	check_others();
	check_damage(&random);
	return fixture_end();
}
