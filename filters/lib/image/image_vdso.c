/* SPDX-License-Identifier: Apache-2.0 */
/* The vdso of a Linux kernel: a complete shared object among the kernel's data, between
 * the symbols vdso_start and vdso_end (arch/riscv/kernel/vdso/vdso.S). */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "image/image_state.h"

enum { VDSO_MAX_BYTES = 1 << 20 };

/* Sets the values of the two symbols. Returns false unless both exist. */
static bool find_bounds(const struct image_elf *elf, uint64_t *start, uint64_t *end)
{
	bool has_start = false, has_end = false;
	for (size_t i = 1; i < elf->nsections; i++) {
		Elf_Scn *scn = elf_getscn(elf->elf, i);
		GElf_Shdr section;
		GElf_Sym symbol;
		if (!scn || !gelf_getshdr(scn, &section) || section.sh_type != SHT_SYMTAB)
			continue;
		Elf_Data *data = elf_getdata(scn, NULL);
		for (int k = 0; data && gelf_getsym(data, k, &symbol); k++) {
			const char *name =
			    elf_strptr(elf->elf, section.sh_link, symbol.st_name);
			if (!name || strncmp(name, "vdso_", 5) != 0)
				continue;
			if (strcmp(name, "vdso_start") == 0) {
				*start = symbol.st_value;
				has_start = true;
			} else if (strcmp(name, "vdso_end") == 0) {
				*end = symbol.st_value;
				has_end = true;
			}
		}
	}
	return has_start && has_end;
}

/* Returns a file in memory with the vdso, or -1. */
static int extract_vdso(const struct image_elf *elf)
{
	uint64_t start = 0, end = 0;
	if (!find_bounds(elf, &start, &end) || end <= start ||
	    end - start > VDSO_MAX_BYTES)
		return -1;
	size_t size = end - start;
	uint64_t offset = tr_image_elf_offset(elf, start, size);
	uint8_t *bytes = offset == UINT64_MAX ? NULL : malloc(size);
	int fd = -1;
	if (bytes && tr_image_elf_read(elf, offset, bytes, size))
		fd = memfd_create("vdso", MFD_CLOEXEC);
	if (fd >= 0 && pwrite(fd, bytes, size, 0) != (ssize_t)size) {
		close(fd);
		fd = -1;
	}
	free(bytes);
	return fd;
}

int tr_image_elf_enter_vdso(struct image_elf *elf, struct tr_image *image)
{
	int fd = extract_vdso(elf);
	tr_image_elf_release(elf);
	if (fd < 0)
		return tr_image_fail(image, TR_E_UNSUPPORTED, "no vdso in it");
	return tr_image_elf_open_fd(elf, image, fd);
}
