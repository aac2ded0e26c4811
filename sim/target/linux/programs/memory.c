/* SPDX-License-Identifier: Apache-2.0 */
/* Memory: pages touched first by the program and first by the kernel, copy on write,
 * a deep stack, the heap, files in memory, and addresses that the kernel must refuse.
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

enum { PAGE = 4096, PAGES = 16 };

static char *map(int flags, int file)
{
	void *got = mmap(NULL, PAGES * PAGE, PROT_READ | PROT_WRITE, flags, file, 0);

	CHECK(got != MAP_FAILED);
	return got;
}

KEEP static void touch(char *memory, char value)
{
	for (int i = 0; i < PAGES; i++)
		memory[i * PAGE] = value;
}

KEEP static void copy_on_write(void)
{
	char *memory = map(MAP_PRIVATE | MAP_ANONYMOUS, -1);
	int status;
	pid_t child;

	touch(memory, 1);
	child = fork();
	if (child == 0) {
		touch(memory, 2);
		spin(100);
		_exit(memory[0]);
	}
	touch(memory, 3);
	CHECK(waitpid(child, &status, 0) == child && WEXITSTATUS(status) == 2);
	CHECK(memory[PAGE] == 3);
	munmap(memory, PAGES * PAGE);
}

/* The kernel page-faults in the middle of its copy. */
KEEP static void by_kernel(void)
{
	char *memory = map(MAP_PRIVATE | MAP_ANONYMOUS, -1);
	char text[64];
	int ends[2];

	memset(text, 'x', sizeof(text));
	CHECK(pipe(ends) == 0);
	for (int i = 0; i < PAGES - 1; i++) {
		CHECK(write(ends[1], text, sizeof(text)) == sizeof(text));
		CHECK(read(ends[0], memory + (i + 1) * PAGE - 32, sizeof(text)) ==
		      sizeof(text));
	}
	CHECK(write(ends[1], NULL, 8) == -1 && errno == EFAULT);
	CHECK(write(ends[1], text, 8) == 8);
	munmap(memory, PAGES * PAGE);
	CHECK(read(ends[0], memory, 8) == -1 && errno == EFAULT);
	CHECK(open(memory, O_RDONLY) == -1 && errno == EFAULT);
	close(ends[0]);
	close(ends[1]);
}

KEEP static unsigned deep(unsigned calls)
{
	volatile char room[1024];

	room[0] = (char)calls;
	return calls == 0 ? 0 : deep(calls - 1) + (unsigned)(room[0] == (char)calls);
}

KEEP static void heap(void)
{
	char *blocks[64];

	for (unsigned i = 0; i < 64; i++) {
		blocks[i] = malloc(16U << (i % 12));
		CHECK(blocks[i]);
		blocks[i][0] = (char)i;
	}
	for (unsigned i = 0; i < 64; i++) {
		CHECK(blocks[i][0] == (char)i);
		free(blocks[i]);
	}
}

KEEP static void file(void)
{
	const char *name = "/tmp/memory";
	int f = open(name, O_RDWR | O_CREAT | O_TRUNC, 0600);
	char *memory, byte;

	CHECK(f >= 0 && ftruncate(f, PAGES * PAGE) == 0);
	memory = map(MAP_SHARED, f);
	touch(memory, 5);
	CHECK(pread(f, &byte, 1, 3 * PAGE) == 1 && byte == 5);
	munmap(memory, PAGES * PAGE);
	close(f);
	unlink(name);
}

int main(void)
{
	char *memory = map(MAP_PRIVATE | MAP_ANONYMOUS, -1);

	touch(memory, 1);
	CHECK(madvise(memory, PAGES * PAGE, MADV_DONTNEED) == 0 && memory[PAGE] == 0);
	copy_on_write();
	by_kernel();
	CHECK(deep(200) == 200);
	heap();
	file();
	return 0;
}
