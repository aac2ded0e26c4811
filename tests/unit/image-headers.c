/* SPDX-License-Identifier: Apache-2.0 */
/* Files that are not complete RISC-V programs are refused with a reason; those without
 * section headers, and position-independent ones, are accepted. */
#include <elf.h>
#include <sys/stat.h>

#include "fixture.h"
#include "base/little.h"

static struct tr_buffer good;

/* Opens `size` bytes as a file; the message starts with the name of the file and ends in
 * `message`. */
static void check_bytes(const uint8_t *data, size_t size, int want, const char *message)
{
	const char *path = fixture_write("changed.elf", data, size);
	struct tr_image *image = fixture_open(path, want);
	const char *is = tr_image_message(image);
	size_t length = strlen(is), tail = strlen(message);
	CHECK(strncmp(is, path, strlen(path)) == 0);
	CHECK_STR(is + (length > tail ? length - tail : 0), message);
	tr_image_close(image);
}

/* The valid file with one field of 1, 2, 4 or 8 bytes changed. */
static void check_field(size_t offset, size_t bytes, uint64_t value, int want,
			const char *message)
{
	uint8_t old[8], new[8];
	tr_store64(new, value);
	memcpy(old, good.data + offset, bytes);
	memcpy(good.data + offset, new, bytes);
	check_bytes(good.data, good.size, want, message);
	memcpy(good.data + offset, old, bytes);
}
#define FIELD(name) offsetof(Elf64_Ehdr, name), sizeof(((Elf64_Ehdr *)0)->name)

static void check_kinds(void)
{
	check_bytes(good.data, 0, TR_E_UNSUPPORTED, "empty file");
	check_bytes((const uint8_t *)"hello", 5, TR_E_UNSUPPORTED, "not an ELF file");
	check_bytes(good.data, 3, TR_E_UNSUPPORTED, "not an ELF file");
	check_bytes(good.data, 15, TR_E_CORRUPT, "byte 15: header cut short");
	check_bytes(good.data, 63, TR_E_CORRUPT, "byte 63: header cut short");
	check_field(EI_CLASS, 1, 3, TR_E_UNSUPPORTED, "byte 4: unknown ELF class 3");
	check_field(EI_DATA, 1, ELFDATA2MSB, TR_E_UNSUPPORTED,
		    "a big-endian ELF file, not supported");
	check_field(EI_DATA, 1, 0, TR_E_CORRUPT, "byte 5: unknown byte order 0");
	check_field(EI_VERSION, 1, 9, TR_E_UNSUPPORTED, "byte 6: unknown ELF version 9");
	check_field(FIELD(e_machine), EM_X86_64, TR_E_UNSUPPORTED,
		    "for x86-64, not RISC-V");
	check_field(FIELD(e_machine), EM_AARCH64, TR_E_UNSUPPORTED,
		    "for AArch64, not RISC-V");
	check_field(FIELD(e_machine), EM_MIPS, TR_E_UNSUPPORTED,
		    "for machine 8, not RISC-V");
	check_field(FIELD(e_type), ET_CORE, TR_E_UNSUPPORTED,
		    "neither an executable nor a shared object (type 4)");
}

static void check_tables(void)
{
	check_field(FIELD(e_phoff), good.size - 8, TR_E_CORRUPT,
		    "program headers beyond the end");
	check_field(FIELD(e_phnum), 0, TR_E_CORRUPT, "no program headers");
	check_field(FIELD(e_phentsize), 3, TR_E_CORRUPT,
		    "program headers beyond the end");
	check_field(FIELD(e_shoff), good.size - 64, TR_E_CORRUPT,
		    "section headers beyond the end");
	check_field(FIELD(e_shoff), UINT64_MAX - 63, TR_E_CORRUPT,
		    "section headers beyond the end");
	check_field(FIELD(e_shnum), 4000, TR_E_CORRUPT, "section headers beyond the end");
}

/* A field of program header `i`. */
#define SEGMENT(i, name)                                                                 \
	sizeof(Elf64_Ehdr) + (i) * sizeof(Elf64_Phdr) + offsetof(Elf64_Phdr, name)

/* Changes p_vaddr of a segment to its size below `end`, plus `more`. */
static void check_segment_at_top(unsigned i, uint64_t more, int want, const char *message)
{
	const size_t at = SEGMENT(i, p_vaddr);
	const uint64_t old = tr_load64(good.data + at),
		       size = tr_load64(good.data + SEGMENT(i, p_memsz));
	char path[200];
	tr_store64(good.data + at, UINT64_C(0) - size + more);
	if (want == TR_OK) {
		snprintf(path, sizeof(path), "%s",
			 fixture_write("top.elf", good.data, good.size));
		tr_image_close(fixture_open(path, TR_OK));
	} else {
		check_bytes(good.data, good.size, want, message);
	}
	tr_store64(good.data + at, old);
}

/* Data may end with the address space, as a word for the reset does; code may not, whose
 * end has an address. Nothing goes on at 0. */
static void check_top(void)
{
	enum { CODE = 1, DATA = 2 };
	check_segment_at_top(DATA, 0, TR_OK, "");
	check_segment_at_top(DATA, 1, TR_E_CORRUPT, "segment 2: impossible size");
	check_segment_at_top(CODE, 0, TR_E_CORRUPT, "segment 1: impossible size");
}

static void check_path(const char *path, int want, const char *message)
{
	char line[300];
	snprintf(line, sizeof(line), "%s: %s", path, message);
	struct tr_image *image = fixture_open(path, want);
	CHECK_STR(tr_image_message(image), line);
	tr_image_close(image);
}

static void check_paths(const char *self)
{
	char path[100];
	struct tr_image *image = fixture_open(self, TR_E_UNSUPPORTED);
	CHECK(strstr(tr_image_message(image), "not RISC-V") != NULL);
	tr_image_close(image);
	check_path("/nonexistent.elf", TR_E_IO, "No such file or directory");
	check_path(fixture_folder, TR_E_IO, "is a directory");
	check_path("/dev/null", TR_E_UNSUPPORTED, "not a regular file");
	check_path(FIXTURES "/object.o", TR_E_UNSUPPORTED,
		   "a relocatable object, not yet linked");
	snprintf(path, sizeof(path), "%s/pipe", fixture_folder);
	CHECK_EQ(mkfifo(path, 0600), 0);
	check_path(path, TR_E_UNSUPPORTED, "not a regular file");
}

static void check_huge(void)
{
	const char *path = fixture_write("huge.elf", good.data, good.size);
	CHECK_EQ(truncate(path, (off_t)3 << 30), 0);
	check_path(path, TR_E_UNSUPPORTED, "larger than 2 GiB");
	CHECK_EQ(unlink(path), 0);
}

/* Position-independent, and then also without section headers. */
static void check_accepted(void)
{
	char line[300];
	struct tr_buffer copy = fixture_read(FIXTURES "/dwarf5.elf");
	copy.data[offsetof(Elf64_Ehdr, e_type)] = ET_DYN;
	const char *path = fixture_write("pie.elf", copy.data, copy.size);
	struct tr_image *image = fixture_open(path, TR_OK);
	CHECK(tr_image_is_pie(image));
	CHECK(tr_image_function_count(image) > 8);
	tr_image_close(image);
	tr_store64(copy.data + offsetof(Elf64_Ehdr, e_shoff), 0);
	tr_store32(copy.data + offsetof(Elf64_Ehdr, e_shnum), 0);
	path = fixture_write("bare.elf", copy.data, copy.size);
	image = fixture_open(path, TR_OK);
	snprintf(line, sizeof(line), "%s: no section headers, so no names", path);
	CHECK_STR(tr_image_warning(image), line);
	CHECK_EQ(fixture_named(image), 0);
	CHECK(tr_image_bytes(image, tr_image_entry(image), 4) != NULL);
	fixture_check_sane(image);
	tr_image_close(image);
	tr_buffer_free(&copy);
}

int main(int argc, char **argv)
{
	(void)argc;
	fixture_begin();
	good = fixture_read(FIXTURES "/dwarf5.elf");
	check_kinds();
	check_tables();
	check_top();
	check_paths(argv[0]);
	check_huge();
	check_accepted();
	tr_buffer_free(&good);
	return fixture_end();
}
