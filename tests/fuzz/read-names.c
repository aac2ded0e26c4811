/* SPDX-License-Identifier: Apache-2.0 */
/* Opens a program with its functions: read-names ELF [DEBUG]
 *
 * DEBUG is put where the debug information of ELF is searched for. However damaged the
 * files are, the image must be consistent; otherwise the program aborts. */
#include <sys/stat.h>

#include "../image/fixture.h"

static const char folder[] = "debuginfod";

static struct tr_image *open_image(const char *path, bool functions)
{
	const struct tr_image_options options = {.functions = functions,
						 .no_cache = true};
	struct tr_image *image = NULL;
	int status = tr_image_open(&image, path, &options);
	if (status == TR_OK)
		return image;
	if (status == TR_E_NOMEM || !*tr_image_message(image))
		abort();
	tr_image_close(image);
	return NULL;
}

/* Makes DEBUG the debug information of the program's build-id, in a cache as debuginfod
 * has it. */
static void place(const struct tr_image *image, const char *debug)
{
	char path[512], *target = realpath(debug, NULL);
	mkdir(folder, 0700);
	snprintf(path, sizeof(path), "%s/%s", folder, tr_image_build_id(image));
	mkdir(path, 0700);
	snprintf(path, sizeof(path), "%s/%s/debuginfo", folder, tr_image_build_id(image));
	unlink(path);
	if (!target || symlink(target, path) != 0 ||
	    setenv("DEBUGINFOD_CACHE_PATH", folder, 1) != 0)
		abort();
	free(target);
}

int main(int argc, char **argv)
{
	if (argc != 2 && argc != 3)
		return 2;
	struct tr_image *image = open_image(argv[1], false);
	if (image && argc == 3)
		place(image, argv[2]);
	if (image)
		tr_image_close(image);
	image = open_image(argv[1], true);
	if (!image)
		return 1;
	fixture_check_sane(image);
	tr_image_close(image);
	if (check_failures)
		abort();
	return 0;
}
