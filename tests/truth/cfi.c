/* SPDX-License-Identifier: Apache-2.0 */
/* Reads .debug_frame: the entries for common and single functions. */
#include "cfi.h"

#include <fcntl.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buffer.h"
#include "cfi_bytes.h"

static void parse_cie(struct cfi *cfi, struct cfi_bytes *in, uint64_t offset)
{
	struct cfi_cie cie = {.offset = offset, .end = in->end};
	unsigned version = (unsigned)cfi_fixed(in, 1);
	const char *augmentation = (const char *)in->at;

	while (cfi_fixed(in, 1))
		continue;
	if (in->bad || (version != 3 && version != 4)) {
		cfi->error = "frame entry of a version that is not read";
		return;
	}
	cie.is_signal = strcmp(augmentation, "S") == 0;
	if (!cie.is_signal && augmentation[0] != '\0')
		cfi->error = "frame entry with an augmentation that is not read";
	if (version == 4)
		cfi_fixed(in, 2); /* sizes of addresses and segments */
	cie.code_align = cfi_unsigned(in);
	cie.data_align = cfi_signed(in);
	cie.return_column = (unsigned)cfi_unsigned(in);
	cie.code = in->at;
	if (cie.return_column >= CFI_COLUMNS)
		cfi->error = "return column beyond those known";
	if (tr_grow(&cfi->cies, &cfi->cie_room, cfi->ncies + 1, sizeof(cie)))
		cfi->cies[cfi->ncies++] = cie;
	else
		cfi->error = "no memory";
}

static void parse_fde(struct cfi *cfi, struct cfi_bytes *in, uint64_t cie)
{
	struct cfi_fde fde = {.end = in->end};

	for (fde.cie = 0; fde.cie < cfi->ncies; fde.cie++)
		if (cfi->cies[fde.cie].offset == cie)
			break;
	fde.low = cfi_fixed(in, 8);
	fde.high = fde.low + cfi_fixed(in, 8);
	fde.code = in->at;
	if (fde.cie == cfi->ncies)
		cfi->error = "frame entry without its common part";
	else if (tr_grow(&cfi->fdes, &cfi->fde_room, cfi->nfdes + 1, sizeof(fde)))
		cfi->fdes[cfi->nfdes++] = fde;
	else
		cfi->error = "no memory";
}

static int by_address(const void *a, const void *b)
{
	uint64_t x = ((const struct cfi_fde *)a)->low;
	uint64_t y = ((const struct cfi_fde *)b)->low;

	return (x > y) - (x < y);
}

static void parse_section(struct cfi *cfi, size_t size)
{
	struct cfi_bytes in = {.at = cfi->section, .end = cfi->section + size};

	while (in.at < in.end && !cfi->error) {
		uint64_t offset = (uint64_t)(in.at - cfi->section);
		uint64_t length = cfi_fixed(&in, 4);
		struct cfi_bytes entry = {.at = in.at, .end = in.at + length};
		uint64_t id;
		if (length > (size_t)(in.end - in.at)) {
			cfi->error = "frame entry beyond its section";
			return;
		}
		id = cfi_fixed(&entry, 4);
		if (id == UINT32_MAX)
			parse_cie(cfi, &entry, offset);
		else
			parse_fde(cfi, &entry, id);
		if (entry.bad)
			cfi->error = "frame entry that ends early";
		in.at += length;
	}
	if (cfi->nfdes)
		qsort(cfi->fdes, cfi->nfdes, sizeof(*cfi->fdes), by_address);
}

static void parse_elf(struct cfi *cfi, Elf *elf)
{
	Elf_Scn *section = NULL;
	size_t names, size = 0;
	const char *name;
	GElf_Shdr header;
	Elf_Data *data;

	if (elf_getshdrstrndx(elf, &names) != 0) {
		cfi->error = "not an ELF file";
		return;
	}
	while ((section = elf_nextscn(elf, section))) {
		if (!gelf_getshdr(section, &header))
			continue;
		name = elf_strptr(elf, names, header.sh_name);
		if (!name || strcmp(name, ".debug_frame") != 0)
			continue;
		data = elf_rawdata(section, NULL);
		cfi->section = data && data->d_size ? malloc(data->d_size) : NULL;
		if (!cfi->section)
			continue;
		size = data->d_size;
		memcpy(cfi->section, data->d_buf, size);
	}
	if (!cfi->section)
		cfi->error = "no .debug_frame";
	if (!cfi->error)
		parse_section(cfi, size);
}

bool cfi_open(struct cfi *cfi, const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	Elf *elf;

	*cfi = (struct cfi){NULL};
	if (fd < 0) {
		cfi->error = "cannot open";
		return false;
	}
	elf_version(EV_CURRENT);
	elf = elf_begin(fd, ELF_C_READ, NULL);
	parse_elf(cfi, elf);
	elf_end(elf);
	close(fd);
	return !cfi->error;
}

void cfi_close(struct cfi *cfi)
{
	free(cfi->section);
	free(cfi->cies);
	free(cfi->fdes);
}

const struct cfi_fde *cfi_find(const struct cfi *cfi, uint64_t pc)
{
	size_t low = 0, high = cfi->nfdes;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const struct cfi_fde *fde = &cfi->fdes[middle];
		if (pc < fde->low)
			high = middle;
		else if (pc >= fde->high)
			low = middle + 1;
		else
			return fde;
	}
	return NULL;
}

const struct cfi_cie *cfi_cie_of(const struct cfi *cfi, const struct cfi_fde *fde)
{
	return &cfi->cies[fde->cie];
}
