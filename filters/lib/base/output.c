/* SPDX-License-Identifier: Apache-2.0 */
/* Opens output files. */
#include "base/output.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

/* Two writers would interleave their output. Without support for locks in the file system
 * there is no check. */
static int lock_and_empty(int fd)
{
	struct stat st;
	if (fstat(fd, &st) != 0)
		return -1;
	if (!S_ISREG(st.st_mode))
		return 0;
	if (flock(fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
		return -1;
	return ftruncate(fd, 0);
}

int tr_output_open(const char *path)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
	if (fd >= 0 && lock_and_empty(fd) != 0) {
		int error = errno;
		close(fd);
		errno = error;
		return -1;
	}
	return fd;
}

const char *tr_output_problem(int error)
{
	return error == EWOULDBLOCK ? "another program is writing it" : strerror(error);
}
