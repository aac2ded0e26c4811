/* SPDX-License-Identifier: Apache-2.0 */
/* The ISA in the attributes of a file, which sections or segments find, and which may be
 * damaged or missing. */
#include <elf.h>

#include "fixture.h"
#include "stream/isa.h"

static unsigned isa_of(const char *path)
{
	struct tr_image *image = fixture_open(path, TR_OK);
	const unsigned isa = tr_image_isa(image);
	tr_image_close(image);
	return isa;
}

static unsigned isa_of_bytes(const struct tr_buffer *file)
{
	return isa_of(fixture_write("isa.elf", file->data, file->size));
}

/* Returns where the attributes are: 'A', and their size. */
static uint8_t *attributes(const struct tr_buffer *file)
{
	uint8_t *name = memmem(file->data, file->size, "riscv", 6);
	CHECK(name && name[-5] == 'A');
	return name - 5;
}

/* The text of Tag_RISCV_arch, replaced by one that is not longer. */
static void rename_arch(uint8_t *at, const char *text)
{
	char *old = memmem(at, 64, "rv64", 4);
	const size_t room = strlen(old), length = strlen(text);
	CHECK(length <= room);
	memset(old, '_', room);
	memcpy(old, text, length);
}

static void check_names(struct tr_buffer *file)
{
	uint8_t *at = attributes(file);
	CHECK_EQ(isa_of_bytes(file), 64 | TR_ISA_ZCD);
	rename_arch(at, "rv64imac_zcmp");
	CHECK_EQ(isa_of_bytes(file), 64 | TR_ISA_ZCMP);
	rename_arch(at, "rv64imac");
	CHECK_EQ(isa_of_bytes(file), 64);
	rename_arch(at, "rv64imac_zcmp");
	/* Another version, or another vendor. */
	*at = 'B';
	CHECK_EQ(isa_of_bytes(file), 64);
	*at = 'A';
	at[5] = 'x';
	CHECK_EQ(isa_of_bytes(file), 64);
	at[5] = 'r';
}

/* Without section headers, by a segment; without that, by the ABI. */
static void check_places(struct tr_buffer *file)
{
	Elf64_Ehdr head;
	Elf64_Phdr segment;
	memcpy(&head, file->data, sizeof(head));
	head.e_shoff = head.e_shnum = head.e_shstrndx = 0;
	memcpy(file->data, &head, sizeof(head));
	CHECK_EQ(isa_of_bytes(file), 64 | TR_ISA_ZCMP);
	for (unsigned i = 0; i < head.e_phnum; i++) {
		uint8_t *at = file->data + head.e_phoff + i * sizeof(segment);
		memcpy(&segment, at, sizeof(segment));
		if (segment.p_type != PT_RISCV_ATTRIBUTES)
			continue;
		segment.p_offset = file->size - 3;
		memcpy(at, &segment, sizeof(segment));
		CHECK_EQ(isa_of_bytes(file), 64 | TR_ISA_ZCD); /* an ABI with doubles */
		segment.p_type = PT_NULL;
		memcpy(at, &segment, sizeof(segment));
	}
	CHECK_EQ(isa_of_bytes(file), 64 | TR_ISA_ZCD);
	head.e_flags &= (Elf64_Word)~EF_RISCV_FLOAT_ABI;
	memcpy(file->data, &head, sizeof(head));
	CHECK_EQ(isa_of_bytes(file), 64);
}

/* Each bit of the attributes flipped, and each byte of them all ones. */
static void check_damage(struct tr_buffer *file)
{
	uint8_t *at = attributes(file);
	for (unsigned i = 0; i < 64 * 9; i++) {
		uint8_t *byte = &at[i / 9], old = *byte;
		*byte = i % 9 == 8 ? 0xff : (uint8_t)(old ^ 1U << i % 9);
		const unsigned isa = isa_of_bytes(file);
		CHECK(isa == 64 || isa == (64 | TR_ISA_ZCD) || isa == (64 | TR_ISA_ZCMP));
		*byte = old;
	}
}

int main(void)
{
	fixture_begin();
	struct tr_buffer file = fixture_read("build/image-fixtures/nodwarf.elf");
	CHECK_EQ(isa_of("build/image-fixtures/stripped.elf"), 64 | TR_ISA_ZCD);
	CHECK_EQ(isa_of("build/image-fixtures/rv32.elf"), 32 | TR_ISA_ZCMP);
	check_damage(&file);
	check_names(&file);
	check_places(&file);
	tr_buffer_free(&file);
	return fixture_end();
}
