/* SPDX-License-Identifier: Apache-2.0 */
/* Functions of a stripped shared object: from its calls, pointers and jumps, and stubs of
 * its linkage table. */
#include "fixture.h"

static void check_function(const struct tr_image *image, const struct tr_image *whole,
			   const char *file, const char *symbol)
{
	uint64_t address = 0;
	char name[64];
	CHECK_EQ(tr_image_symbol(whole, symbol, &address), TR_OK);
	const struct tr_function *named = tr_image_function_at(whole, address);
	const struct tr_function *bare = tr_image_function_at(image, address);
	if (!CHECK(named && bare))
		return;
	snprintf(name, sizeof(name), "%s+0x%" PRIx64, file, address);
	CHECK_STR(bare->name, name);
	CHECK(bare->is_nameless && !named->is_nameless);
	CHECK_EQ(bare->low, named->low);
	CHECK(bare->high >= named->high && bare->high < named->high + 4);
}

static const struct tr_function *find(const struct tr_image *image, const char *name)
{
	for (size_t i = 0; i < tr_image_function_count(image); i++)
		if (strcmp(tr_image_function(image, i)->name, name) == 0)
			return tr_image_function(image, i);
	return NULL;
}

/* The stubs follow each other, and the code before the first of them. */
static void check_stubs(const struct tr_image *image)
{
	const struct tr_function *first = find(image, "outside@plt");
	const struct tr_function *second = find(image, "other_outside@plt");
	const struct tr_function *before = find(image, "@plt");
	if (!CHECK(first && second && before))
		return;
	CHECK_EQ(first->high - first->low, 16);
	CHECK_EQ(second->high - second->low, 16);
	CHECK(first->high == second->low || second->high == first->low);
	CHECK_EQ(before->high - before->low, 32);
	CHECK(before->high == first->low || before->high == second->low);
	CHECK(!first->is_nameless && !before->is_nameless);
}

static void check_damage(const char *path)
{
	const struct tr_image_options options = {.functions = true, .no_cache = true};
	struct tr_buffer file = fixture_read(path);
	uint64_t random = 88172645463325252;
	for (unsigned i = 0; i < 2000; i++) {
		uint64_t bit = fixture_random(&random) % (file.size * 8);
		struct tr_image *image = NULL;
		file.data[bit / 8] ^= (uint8_t)(1U << bit % 8);
		if (tr_image_open(&image, fixture_write("calls.so", file.data, file.size),
				  &options) == TR_OK)
			fixture_check_sane(image);
		tr_image_close(image);
		file.data[bit / 8] ^= (uint8_t)(1U << bit % 8);
	}
	tr_buffer_free(&file);
}

static void check_file(const char *path, const char *stripped)
{
	struct tr_image *whole = fixture_open(path, TR_OK);
	struct tr_image *image = fixture_open(stripped, TR_OK);
	const char *name = strrchr(stripped, '/') + 1;
	fixture_check_sane(image);
	check_function(image, whole, name, "called");
	check_function(image, whole, name, "pointed");
	check_function(image, whole, name, "last");
	CHECK(find(image, "linked_first") != NULL);
	check_stubs(image);
	check_stubs(whole);
	check_damage(stripped);
	tr_image_close(image);
	tr_image_close(whole);
}

int main(void)
{
	fixture_begin();
	check_file(FIXTURES "/linked.so", FIXTURES "/linked-stripped.so");
	check_file(FIXTURES "/linked32.so", FIXTURES "/linked32-stripped.so");
	return fixture_end();
}
