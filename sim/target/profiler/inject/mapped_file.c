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

void unmap_file(struct mapped_file *file)
{
	if (file->bytes && file->size)
		munmap((void *)file->bytes, file->size);
	*file = (struct mapped_file){0};
}
