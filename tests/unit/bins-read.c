/* SPDX-License-Identifier: Apache-2.0 */
/* The list of binaries: its syntax, and the messages for mistakes. */
#include <stdlib.h>
#include <unistd.h>

#include "check.h"
#include "image/bins.h"
#include "image/image.h"

static char folder[] = "/tmp/bins-read.XXXXXX";
static char path[64];

static void write_list(const char *text, size_t size)
{
	FILE *file = fopen(path, "w");
	if (CHECK(file != NULL)) {
		CHECK_EQ(fwrite(text, 1, size, file), size);
		fclose(file);
	}
}

static void check_good(void)
{
	static const char text[] = "# all of it\n"
				   "\n"
				   "fw.elf firmware\n"
				   "/abs/vmlinux kernel base=0x80200000 # late\r\n"
				   "\t \"with space.elf\"\tbase=0x1000 user\n"
				   "sub/a#b.elf";
	struct tr_bins bins;
	char want[100];
	write_list(text, sizeof(text) - 1);
	CHECK_EQ(tr_bins_read(&bins, path), TR_OK);
	if (!CHECK_EQ(bins.count, 4))
		return;
	snprintf(want, sizeof(want), "%s/fw.elf", folder);
	CHECK_STR(bins.bins[0].path, want);
	CHECK_EQ(bins.bins[0].role, TR_ROLE_FIRMWARE);
	CHECK(!bins.bins[0].has_base);
	CHECK_STR(bins.bins[1].path, "/abs/vmlinux");
	CHECK_EQ(bins.bins[1].role, TR_ROLE_KERNEL);
	CHECK(bins.bins[1].has_base);
	CHECK_EQ(bins.bins[1].base, 0x80200000);
	snprintf(want, sizeof(want), "%s/with space.elf", folder);
	CHECK_STR(bins.bins[2].path, want);
	CHECK_EQ(bins.bins[2].role, TR_ROLE_USER);
	CHECK_EQ(bins.bins[2].base, 4096);
	snprintf(want, sizeof(want), "%s/sub/a#b.elf", folder);
	CHECK_STR(bins.bins[3].path, want);
	CHECK_EQ(bins.bins[3].role, TR_ROLE_ANY);
	CHECK_EQ(bins.bins[3].line, 6);
	snprintf(want, sizeof(want), "%s: line 3: a.elf: gone", path);
	CHECK_STR(tr_bins_blame(&bins, 0, "a.elf: gone"), want);
	tr_bins_release(&bins);
	CHECK_EQ(bins.count, 0);
}

/* A file is one binary under all its names; at another base it is another binary. */
static void check_twice(void)
{
	static const char text[] = "\xef\xbb\xbf./fw.elf\n"
				   "fw.elf\n"
				   "link.elf\n"
				   "fw.elf base=0xa\n"
				   "fw.elf base=0XA\n"
				   "fw.elf base=8\n"
				   "missing.elf\n"
				   "missing.elf\n";
	struct tr_bins bins;
	char file[80], link[80];
	snprintf(file, sizeof(file), "%s/fw.elf", folder);
	snprintf(link, sizeof(link), "%s/link.elf", folder);
	FILE *made = fopen(file, "w");
	if (CHECK(made != NULL))
		fclose(made);
	CHECK_EQ(symlink(file, link), 0);
	write_list(text, sizeof(text) - 1);
	CHECK_EQ(tr_bins_read(&bins, path), TR_OK);
	unlink(link);
	unlink(file);
	if (!CHECK_EQ(bins.count, 5))
		return;
	CHECK_EQ(bins.bins[0].line, 1);
	CHECK_EQ(bins.bins[1].base, 10);
	CHECK_EQ(bins.bins[2].base, 8);
	CHECK_EQ(bins.bins[3].line, 7);
	CHECK_EQ(bins.bins[4].line, 8);
	tr_bins_release(&bins);
}

static void check_stubs(void)
{
	static const char text[] = "a.elf user stubs=a.prof\n"
				   "b.elf stubs=\"/b prof\" user base=0x1000 # late\n"
				   "/dev/null stubs=/c\n"
				   "/dev/null stubs=/c\n"
				   "/dev/null\n";
	struct tr_bins bins;
	char want[100];
	write_list(text, sizeof(text) - 1);
	CHECK_EQ(tr_bins_read(&bins, path), TR_OK);
	if (!CHECK_EQ(bins.count, 3))
		return;
	snprintf(want, sizeof(want), "%s/a.prof", folder);
	CHECK_STR(bins.bins[0].stubs, want);
	CHECK_STR(bins.bins[1].stubs, "/b prof");
	CHECK_EQ(bins.bins[1].base, 0x1000);
	CHECK_STR(bins.bins[2].stubs, "/c");
	tr_bins_release(&bins);
}

/* An ELF file that is given by its name and in a list, in either order, is as in the
 * list. */
static void check_unlisted(void)
{
	static const char text[] = "fw.elf firmware base=0x80000000\n";
	char file[80];
	snprintf(file, sizeof(file), "%s/fw.elf", folder);
	FILE *made = fopen(file, "w");
	if (CHECK(made != NULL)) {
		fputs("\177ELF", made);
		fclose(made);
	}
	write_list(text, sizeof(text) - 1);
	for (int list_first = 0; list_first < 2; list_first++) {
		struct tr_bins bins = {0};
		CHECK_EQ(tr_bins_add(&bins, list_first ? path : file), TR_OK);
		CHECK_EQ(tr_bins_add(&bins, list_first ? file : path), TR_OK);
		CHECK_EQ(tr_bins_add(&bins, file), TR_OK);
		if (CHECK_EQ(bins.count, 1)) {
			CHECK_EQ(bins.bins[0].role, TR_ROLE_FIRMWARE);
			CHECK_EQ(bins.bins[0].base, 0x80000000);
			CHECK_EQ(bins.bins[0].line, 1);
			CHECK_STR(bins.bins[0].path, file);
		}
		tr_bins_release(&bins);
	}
	unlink(file);
}

static void check_bad(const char *text, size_t size, const char *message)
{
	struct tr_bins bins;
	char want[200];
	write_list(text, size);
	CHECK_EQ(tr_bins_read(&bins, path), TR_E_CORRUPT);
	snprintf(want, sizeof(want), "%s: %s", path, message);
	CHECK_STR(bins.message, want);
	tr_bins_release(&bins);
}
#define BAD(text, message) check_bad(text, sizeof(text) - 1, message)

static void check_system(void)
{
	struct tr_bins bins;
	CHECK_EQ(tr_bins_read(&bins, "/nonexistent/bins.lst"), TR_E_IO);
	CHECK_STR(bins.message, "/nonexistent/bins.lst: No such file or directory");
	tr_bins_release(&bins);
	CHECK_EQ(tr_bins_read(&bins, folder), TR_E_IO);
	tr_bins_release(&bins);
}

int main(void)
{
	if (!mkdtemp(folder))
		return 2;
	snprintf(path, sizeof(path), "%s/bins.lst", folder);
	check_good();
	check_twice();
	check_unlisted();
	check_stubs();
	BAD("a.elf\n\nb.elf kernal\n", "line 3: no such role \"kernal\"");
	BAD("my prog.elf user\n",
	    "line 1: no such role \"prog.elf\": a path with blanks needs quotes");
	BAD("my sub/prog\n",
	    "line 1: no such role \"sub/prog\": a path with blanks needs quotes");
	BAD("a.elf base=0x\n", "line 1: base: not an address: \"0x\"");
	BAD("a.elf base=-1\n", "line 1: base: not an address: \"-1\"");
	BAD("a.elf base=0x10000000000000000\n",
	    "line 1: base: not an address: \"0x10000000000000000\"");
	BAD("a.elf base=80000000\n",
	    "line 1: base: an address begins with 0x: write 0x80000000, or 0x4c4b400 if "
	    "\"80000000\" is decimal");
	BAD("a.elf base=8000f000\n",
	    "line 1: base: an address begins with 0x: write 0x8000f000");
	BAD("/dev/null user\n/dev/zero\n/dev/null kernel\n",
	    "line 3: line 1 has this file with another role");
	BAD("a.elf user kernel\n", "line 1: a second role");
	BAD("a.elf base=2 base=2\n", "line 1: a second base");
	BAD("a.elf stubs=\n", "line 1: stubs: no folder");
	BAD("a.elf stubs= a\n", "line 1: stubs: no folder");
	BAD("a.elf stubs=#a\n", "line 1: stubs: no folder");
	BAD("a.elf stubs=\"a\n", "line 1: unterminated quote");
	BAD("a.elf stubs=a stubs=a\n", "line 1: a second folder of stubs");
	BAD("a.elf kernel stubs=a\n", "line 1: only user programs have stubs");
	BAD("a.elf stubs=a firmware\n", "line 1: only user programs have stubs");
	BAD("/dev/null user\n/dev/null user stubs=a\n",
	    "line 2: line 1 has this file with other stubs, or none");
	BAD("a.elf base=0x10001\n",
	    "line 1: an odd address, where no instruction can be: \"0x10001\"");
	BAD("\"a.elf\n", "line 1: unterminated quote");
	BAD("\"\" user\n", "line 1: an empty path");
	BAD("\"a\"user\n", "line 1: no space after the closing quote");
	BAD("a.elf\n\x7f"
	    "ELF\n",
	    "line 2: not text");
	BAD("a.elf\nb\0c\n", "line 2: not text");
	BAD("", "no binaries in it");
	BAD("# none\n", "no binaries in it");
	check_system();
	unlink(path);
	rmdir(folder);
	return check_done();
}
