/* SPDX-License-Identifier: Apache-2.0 */
/* User copies that fault: buffers that are not mapped, cannot be read or written, are
 * shared after fork, or have no pages yet. Every byte that a call reports is checked, and
 * that none behind it has arrived.
 *
 *     copies [TURNS]
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define CHECK(condition)                                                                 \
	do {                                                                             \
		if (!(condition)) {                                                      \
			fprintf(stderr, "copies: line %d: not so: %s\n", __LINE__,       \
				#condition);                                             \
			exit(1);                                                         \
		}                                                                        \
	} while (0)

enum {
	PAGE = 4096,
	PAGES = 4,
	SLACK = 72
}; /* a copy by words may end this much earlier */

static unsigned char data[PAGES * PAGE];

/* Pages with these permissions, filled with `fill`, and one behind them that is not
 * mapped. */
static unsigned char *pages(int count, int protection, int fill)
{
	unsigned char *at = mmap(NULL, (size_t)(count + 1) * PAGE, PROT_READ | PROT_WRITE,
				 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	CHECK(at != MAP_FAILED);
	memset(at, fill, (size_t)count * PAGE);
	CHECK(munmap(at + count * PAGE, PAGE) == 0);
	CHECK(mprotect(at, (size_t)count * PAGE, protection) == 0);
	return at;
}

static void release(unsigned char *at, int count)
{
	CHECK(munmap(at, (size_t)count * PAGE) == 0);
}

static void fill(int to, size_t bytes)
{
	CHECK(write(to, data, bytes) == (ssize_t)bytes);
}

static void drain(int from, size_t bytes)
{
	static unsigned char rest[PAGES * PAGE];

	while (bytes) {
		ssize_t n = read(from, rest, bytes);

		CHECK(n > 0);
		bytes -= (size_t)n;
	}
}

/* A call reports an error, or all but the last `slack` of `good` bytes. */
static void partial(ssize_t got, size_t good, size_t slack)
{
	if (got == -1)
		CHECK(errno == EFAULT && good <= slack);
	else
		CHECK((size_t)got <= good && (size_t)got + slack >= good);
}

/* The buffer ends before the bytes do. A pipe takes whole pages; a file is only read,
 * because the kernel's copies by words never end a write to one. */
static void test_end(const int *fd, int file, size_t good)
{
	static unsigned char back[PAGES * PAGE];
	unsigned char *at = pages(2, PROT_READ | PROT_WRITE, 0x55), *end = at + 2 * PAGE;
	ssize_t n;

	memcpy(end - good, data, good);
	n = write(fd[1], end - good, good + 500);
	partial(n, good, PAGE);
	if (n > 0) {
		CHECK(read(fd[0], back, sizeof(back)) == n);
		CHECK(memcmp(back, data, (size_t)n) == 0);
	}
	memset(at, 0x55, 2 * PAGE);
	CHECK(pwrite(file, data, good + 500, 77) == (ssize_t)good + 500);
	n = pread(file, end - good, good + 500, 77);
	partial(n, good, SLACK);
	CHECK(n <= 0 || memcmp(end - good, data, (size_t)n) == 0);
	for (unsigned char *p = at; p < end - good; p++)
		CHECK(*p == 0x55);
	release(at, 2);
}

static void refused(ssize_t n)
{
	CHECK(n == -1 && errno == EFAULT);
}

static void test_permissions(const int *fd)
{
	unsigned char *only_read = pages(2, PROT_READ, 0x33),
		      *none = pages(2, PROT_NONE, 0);
	unsigned char *gone = pages(1, PROT_READ, 0);

	release(gone, 1);
	fill(fd[1], 3000);
	refused(read(fd[0], only_read + 100, 3000));
	refused(read(fd[0], none, 3000));
	refused(read(fd[0], gone + 1, 3000));
	drain(fd[0], 3000);
	refused(write(fd[1], none + 5, 3000));
	refused(write(fd[1], gone, 3000));
	for (int i = 0; i < 2 * PAGE; i++)
		CHECK(only_read[i] == 0x33);
	CHECK(write(fd[1], only_read, 3000) == 3000);
	drain(fd[0], 3000);
	CHECK(mprotect(only_read, 2 * PAGE, PROT_READ | PROT_WRITE) == 0);
	fill(fd[1], 5000);
	CHECK(read(fd[0], only_read + 77, 5000) == 5000);
	CHECK(memcmp(only_read + 77, data, 5000) == 0);
	release(only_read, 2);
	release(none, 2);
}

/* The child reads into pages that it shares with its parent. */
static void test_fork(const int *fd)
{
	unsigned char *at = pages(3, PROT_READ | PROT_WRITE, 0x77);
	int status;

	fill(fd[1], 6000);
	if (fork() == 0) {
		CHECK(read(fd[0], at + 1001, 6000) == 6000);
		CHECK(memcmp(at + 1001, data, 6000) == 0);
		CHECK(at[1000] == 0x77 && at[7001] == 0x77);
		_exit(0);
	}
	CHECK(wait(&status) > 0 && status == 0);
	for (int i = 0; i < 3 * PAGE; i++)
		CHECK(at[i] == 0x77);
	release(at, 3);
}

/* Pages that do not exist yet: the kernel writes to them, and reads zeros from them. */
static void test_fresh(const int *fd)
{
	static unsigned char back[2 * PAGE];
	unsigned char *at = mmap(NULL, 4 * PAGE, PROT_READ | PROT_WRITE,
				 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	CHECK(at != MAP_FAILED);
	fill(fd[1], 7000);
	CHECK(read(fd[0], at + 13, 7000) == 7000);
	CHECK(memcmp(at + 13, data, 7000) == 0 && at[12] == 0 && at[7013] == 0);
	CHECK(write(fd[1], at + 2 * PAGE + 3, 8000) == 8000);
	CHECK(read(fd[0], back, sizeof(back)) == 8000);
	for (int i = 0; i < 8000; i++)
		CHECK(back[i] == 0);
	CHECK(munmap(at, 4 * PAGE) == 0);
}

static void test_all(const int *fd)
{
	static const unsigned short good[] = {1,    20,	  127,	128, 129,
					      1000, 4095, 4097, 7777};
	int file = open("/tmp/copies", O_RDWR | O_CREAT, 0600);

	CHECK(file >= 0);
	for (unsigned i = 0; i < sizeof(good) / sizeof(good[0]); i++)
		test_end(fd, file, good[i]);
	close(file);
	test_permissions(fd);
	test_fork(fd);
	test_fresh(fd);
}

int main(int argc, char **argv)
{
	int turns = argc > 1 ? atoi(argv[1]) : 1, fd[2];

	for (int turn = 0; turn < turns; turn++) {
		for (unsigned i = 0; i < sizeof(data); i++)
			data[i] = (unsigned char)(i * 7 + i / 251 + (unsigned)turn);
		CHECK(pipe(fd) == 0);
		test_all(fd);
		close(fd[0]);
		close(fd[1]);
	}
	printf("copies: %d turns passed\n", turns);
	return 0;
}
