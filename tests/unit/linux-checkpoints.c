/* SPDX-License-Identifier: Apache-2.0 */
/* The cache of checkpoints: by contents, never a damaged one, and not too large. */
#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "check.h"
#include "linux/checkpoints.h"

static char folder[] = "/tmp/linux-checkpoints-XXXXXX";

static const char *path_of(const char *name)
{
	static char path[4][300];
	static unsigned turn;
	char *text = path[turn++ % 4];
	snprintf(text, sizeof(path[0]), "%s/%s", folder, name);
	return text;
}

static const char *make_file(const char *name, const char *text)
{
	const char *path = path_of(name);
	FILE *file = fopen(path, "we");
	CHECK(file && fputs(text, file) >= 0 && fclose(file) == 0);
	return path;
}

static bool has_text(const char *path, const char *want)
{
	char text[100];
	FILE *file = fopen(path, "re");
	const size_t size = file ? fread(text, 1, sizeof(text) - 1, file) : 0;
	text[size] = '\0';
	if (file)
		fclose(file);
	return file && strcmp(text, want) == 0;
}

static struct tr_checkpoint_key key_of(const char *text, const char *first,
				       const char *second)
{
	struct tr_checkpoint_key key;
	const char *texts[] = {text, NULL}, *files[] = {first, second, NULL}, *failed;
	CHECK(tr_checkpoint_key(&key, texts, files, &failed));
	CHECK_EQ(strlen(key.text), 32);
	return key;
}

/* Each byte counts, and where a file ends. */
static struct tr_checkpoint_key check_keys(void)
{
	const char *ab = make_file("ab", "ab"), *c = make_file("c", "c");
	const char *a = make_file("a", "a"), *bc = make_file("bc", "bc");
	const struct tr_checkpoint_key key = key_of("x", ab, c);
	CHECK_STR(key_of("x", make_file("copy", "ab"), c).text, key.text);
	CHECK(strcmp(key_of("y", ab, c).text, key.text) != 0);
	CHECK(strcmp(key_of("x", a, bc).text, key.text) != 0);
	CHECK(strcmp(key_of("x", c, ab).text, key.text) != 0);
	CHECK(strcmp(key_of("x", ab, NULL).text, key.text) != 0);
	struct tr_checkpoint_key none;
	const char *texts[] = {NULL}, *files[] = {ab, path_of("nosuch"), NULL}, *failed;
	CHECK(!tr_checkpoint_key(&none, texts, files, &failed));
	CHECK_STR(failed, files[1]);
	files[1] = folder;
	CHECK(!tr_checkpoint_key(&none, texts, files, &failed));
	return key;
}

/* Returns the path of a file in the cache whose name begins with `key`, or "". */
static const char *cached_file(const char *key)
{
	static char path[600];
	char place[300];
	snprintf(place, sizeof(place), "%s/tr-profiler/linux", folder);
	DIR *dir = opendir(place);
	struct dirent *entry;
	*path = '\0';
	while (dir && (entry = readdir(dir)))
		if (entry->d_name[0] != '.' &&
		    strncmp(entry->d_name, key, strlen(key)) == 0)
			snprintf(path, sizeof(path), "%s/%s", place, entry->d_name);
	if (dir)
		closedir(dir);
	return path;
}

static void check_damage(const struct tr_checkpoint_key *key, const char *to)
{
	const char *cached = cached_file("");
	CHECK(truncate(cached, 3) == 0);
	CHECK(!tr_checkpoint_fetch(key, to));
	CHECK(access(to, F_OK) != 0);
	CHECK_STR(cached_file(""), "");
	CHECK(tr_checkpoint_store(key, path_of("state"), UINT64_MAX));
	FILE *file = fopen(cached_file(""), "r+e");
	CHECK(file && fputs("S", file) >= 0 && fclose(file) == 0);
	CHECK(!tr_checkpoint_fetch(key, to));
	CHECK_STR(cached_file(""), "");
}

static void set_age(const struct tr_checkpoint_key *key, time_t seconds)
{
	const struct timespec times[2] = {{.tv_sec = seconds}, {.tv_sec = seconds}};
	CHECK(utimensat(AT_FDCWD, cached_file(key->text), times, 0) == 0);
}

/* What was not used for longest is removed. */
static void check_size(const struct tr_checkpoint_key *key, const char *to)
{
	const char *state = path_of("state");
	const struct tr_checkpoint_key other = key_of("other", state, NULL),
				       third = key_of("third", state, NULL);
	struct stat st;
	CHECK(stat(state, &st) == 0);
	const uint64_t size = (uint64_t)st.st_size;
	CHECK(tr_checkpoint_store(&other, state, 2 * size));
	CHECK(tr_checkpoint_store(key, state, 2 * size));
	set_age(&other, 1);
	set_age(key, 2);
	CHECK(tr_checkpoint_fetch(&other, to));
	CHECK(tr_checkpoint_store(&third, state, 2 * size));
	CHECK(tr_checkpoint_fetch(&third, to));
	CHECK(tr_checkpoint_fetch(&other, to));
	CHECK(!tr_checkpoint_fetch(key, to));
	/* One that is too large is not kept, but the others are. */
	CHECK(!tr_checkpoint_store(key, state, size - 1));
	CHECK(!tr_checkpoint_fetch(key, to));
	CHECK(tr_checkpoint_fetch(&third, to));
	CHECK(tr_checkpoint_fetch(&other, to));
}

/* What an ended process has left half written is removed, but not that of a running
 * one. */
static void check_parts(const struct tr_checkpoint_key *key)
{
	const char *part = "tr-profiler/linux/part-2147483647"; /* above PID_MAX_LIMIT */
	char own[64];
	snprintf(own, sizeof(own), "tr-profiler/linux/part-%ld", (long)getppid());
	make_file(part, "half");
	make_file(own, "half");
	CHECK(tr_checkpoint_store(key, path_of("state"), UINT64_MAX));
	CHECK(access(path_of(part), F_OK) != 0);
	CHECK(access(path_of(own), F_OK) == 0);
}

int main(void)
{
	CHECK(mkdtemp(folder) && setenv("XDG_CACHE_HOME", folder, 1) == 0);
	const struct tr_checkpoint_key key = check_keys();
	const char *state = make_file("state", "state of a machine"), *to = path_of("to");
	CHECK(!tr_checkpoint_fetch(&key, to));
	CHECK(tr_checkpoint_store(&key, state, UINT64_MAX));
	CHECK(tr_checkpoint_fetch(&key, to));
	CHECK(has_text(to, "state of a machine"));
	const struct tr_checkpoint_key other = key_of("other", state, NULL);
	CHECK(!tr_checkpoint_fetch(&other, to));
	check_damage(&key, to);
	check_size(&key, to);
	check_parts(&key);
	setenv("XDG_CACHE_HOME", "/dev/null", 1);
	CHECK(!tr_checkpoint_store(&key, state, UINT64_MAX));
	CHECK(!tr_checkpoint_fetch(&key, to));
	char command[100];
	snprintf(command, sizeof(command), "rm -rf %s", folder);
	CHECK(system(command) == 0);
	return check_done();
}
