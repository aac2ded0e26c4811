/* SPDX-License-Identifier: Apache-2.0 */
/* Maps files. */
#include "mapped_file.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

/* An empty file cannot be mapped. */
static const uint8_t no_bytes[1];

static bool map_open_file(struct mapped_file *file, int descriptor)
{
	if (fstat(descriptor, &file->about) < 0)
		return false;
	if (!S_ISREG(file->about.st_mode)) {
		errno = S_ISDIR(file->about.st_mode) ? EISDIR : EINVAL;
		return false;
	}
	file->size = (size_t)file->about.st_size;
	void *bytes = file->size
			  ? mmap(NULL, file->size, PROT_READ, MAP_PRIVATE, descriptor, 0)
			  : (void *)no_bytes;

	if (bytes == MAP_FAILED)
		return false;
	file->bytes = bytes;
	return true;
}

bool map_file(struct mapped_file *file, const char *path)
{
	int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);

	*file = (struct mapped_file){0};
	if (descriptor < 0)
		return false;
	bool mapped = map_open_file(file, descriptor);
	int cause = errno;

	close(descriptor);
	errno = cause;
	return mapped;
}

/* Any user can set the time of the last change of a file's bytes; that of its last change
 * comes from the kernel. */
bool is_mapped_file(const struct mapped_file *file, const char *path)
{
	struct stat about;

	return stat(path, &about) == 0 && about.st_dev == file->about.st_dev &&
	       about.st_ino == file->about.st_ino &&
	       about.st_size == file->about.st_size &&
	       about.st_ctim.tv_sec == file->about.st_ctim.tv_sec &&
	       about.st_ctim.tv_nsec == file->about.st_ctim.tv_nsec;
}

void unmap_file(struct mapped_file *file)
{
	if (file->bytes && file->size)
		munmap((void *)file->bytes, file->size);
	*file = (struct mapped_file){0};
}
