/* SPDX-License-Identifier: Apache-2.0 */
/* Opens an image with INDEX in its cache: read-cache ELF INDEX
 *
 * An index that the cache would refuse ends the program at once, since it would cost a
 * child process. An index that the cache accepts may describe any functions, but the
 * image and its places must be consistent; otherwise the program aborts. */
#include "../image/fixture.h"
#include "image/image_cache.h"

static struct image_key key_of(const char *path)
{
	struct tr_buffer file = fixture_read(path);
	struct image_key key = {0};
	FILE *opened = fopen(path, "rb");
	if (!opened || !tr_image_key_make(&key, fileno(opened), file.size))
		abort();
	fclose(opened);
	tr_buffer_free(&file);
	return key;
}

static void open_image(const char *path)
{
	const struct tr_image_options options = {
	    .functions = true, .calls = true, .lines = true, .scopes = true};
	struct tr_image *image = NULL;
	if (tr_image_open(&image, path, &options) != TR_OK)
		abort();
	fixture_check_sane(image);
	tr_image_close(image);
	if (check_failures)
		abort();
}

/* Caches the other kinds first, then restores the index of this kind. */
static void open_with(const char *path, const struct image_key *key, unsigned kind,
		      const struct tr_buffer *index)
{
	struct tr_buffer good = {0};
	if (!tr_image_cache_load(key, kind, &good)) {
		open_image(path);
		if (!tr_image_cache_load(key, kind, &good))
			abort();
	}
	tr_image_cache_store(key, kind, index->data, index->size);
	open_image(path);
	tr_image_cache_store(key, kind, good.data, good.size);
	tr_buffer_free(&good);
}

int main(int argc, char **argv)
{
	if (argc != 3)
		return 2;
	const struct image_key key = key_of(argv[1]);
	struct tr_buffer index = fixture_read(argv[2]);
	struct image_index checked;
	for (unsigned kind = 0; kind < IMAGE_INDEX_KINDS; kind++)
		if (tr_image_index_read(&checked, kind, index.data, index.size, &key))
			open_with(argv[1], &key, kind, &index);
	tr_buffer_free(&index);
	return 0;
}
