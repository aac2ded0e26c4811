/* SPDX-License-Identifier: Apache-2.0 */
/* Parses CIEs and FDEs of call frame information. */
#include "cfi.h"

#include <fcntl.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buffer.h"
#include "cfi_bytes.h"

/* One section, and its address in memory. */
struct frames {
	const uint8_t *begin;
	uint64_t address;
	size_t size;
	unsigned number;
	bool is_eh;
};

static const char *const section_names[CFI_SECTIONS] = {".debug_frame", ".eh_frame"};

enum { POINTER_ABSOLUTE = 0x00, POINTER_RELATIVE = 0x1b, POINTER_INDIRECT = 0x80 };

/* Parses augmentation data: the fields for the letters after a 'z'. */
static void parse_data(struct cfi *cfi, struct cfi_cie *cie, struct cfi_bytes *in,
		       const char *letters)
{
	uint64_t size = cfi_unsigned(in);
	const uint8_t *end = in->at + size;

	cie->has_data = true;
	if (size > (size_t)(in->end - in->at)) {
		in->bad = true;
		return;
	}
	for (; *letters; letters++) {
		if (*letters == 'S') {
			cie->is_signal = true;
			continue;
		}
		unsigned pointer = (unsigned)cfi_fixed(in, 1);
		if (*letters == 'P') /* the personality routine is ignored */
			cfi_fixed(in, pointer == POINTER_ABSOLUTE ? 8 : 4);
		else if (*letters == 'R')
			cie->is_relative = pointer == POINTER_RELATIVE;
		else if (*letters != 'L')
			cfi->error = "frame entry with a letter that is not read";
		if ((pointer & ~(unsigned)POINTER_INDIRECT) != POINTER_RELATIVE &&
		    pointer != POINTER_ABSOLUTE)
			cfi->error = "frame entry with pointers that are not read";
	}
	in->at = end;
}

static void parse_augmentation(struct cfi *cfi, struct cfi_cie *cie, struct cfi_bytes *in,
			       const char *letters)
{
	if (letters[0] == 'z')
		parse_data(cfi, cie, in, letters + 1);
	else if (strcmp(letters, "S") == 0)
		cie->is_signal = true;
	else if (letters[0] != '\0')
		cfi->error = "frame entry with an augmentation that is not read";
}

static void parse_cie(struct cfi *cfi, const struct frames *frames, struct cfi_bytes *in,
		      uint64_t offset)
{
	struct cfi_cie cie = {
	    .offset = offset, .section = frames->number, .end = in->end};
	unsigned version = (unsigned)cfi_fixed(in, 1);
	const char *letters = (const char *)in->at;

	while (cfi_fixed(in, 1))
		continue;
	if (in->bad || (version != 1 && version != 3 && version != 4)) {
		cfi->error = "frame entry of a version that is not read";
		return;
	}
	if (version == 4)
		cfi_fixed(in, 2); /* sizes of addresses and segments */
	cie.code_align = cfi_unsigned(in);
	cie.data_align = cfi_signed(in);
	cie.return_column =
	    (unsigned)(version == 1 ? cfi_fixed(in, 1) : cfi_unsigned(in));
	parse_augmentation(cfi, &cie, in, letters);
	cie.code = in->at;
	if (cie.return_column >= CFI_COLUMNS)
		cfi->error = "return column beyond those known";
	if (tr_grow(&cfi->cies, &cfi->cie_room, cfi->ncies + 1, sizeof(cie)))
		cfi->cies[cfi->ncies++] = cie;
	else
		cfi->error = "no memory";
}

static void parse_place(const struct cfi_cie *cie, const struct frames *frames,
			struct cfi_bytes *in, struct cfi_fde *fde)
{
	uint64_t here = frames->address + (uint64_t)(in->at - frames->begin);

	if (cie->is_relative) {
		fde->low = here + (uint64_t)(int32_t)cfi_fixed(in, 4);
		fde->high = fde->low + cfi_fixed(in, 4);
	} else {
		fde->low = cfi_fixed(in, 8);
		fde->high = fde->low + cfi_fixed(in, 8);
	}
	if (cie->has_data) {
		uint64_t size = cfi_unsigned(in);
		if (size > (size_t)(in->end - in->at))
			in->bad = true;
		else
			in->at += size;
	}
}

static void parse_fde(struct cfi *cfi, const struct frames *frames, struct cfi_bytes *in,
		      uint64_t cie)
{
	struct cfi_fde fde = {.end = in->end};

	for (fde.cie = 0; fde.cie < cfi->ncies; fde.cie++)
		if (cfi->cies[fde.cie].offset == cie &&
		    cfi->cies[fde.cie].section == frames->number)
			break;
	if (fde.cie == cfi->ncies) {
		cfi->error = "frame entry without its common part";
		return;
	}
	parse_place(&cfi->cies[fde.cie], frames, in, &fde);
	fde.code = in->at;
	if (tr_grow(&cfi->fdes, &cfi->fde_room, cfi->nfdes + 1, sizeof(fde)))
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

static void parse_section(struct cfi *cfi, const struct frames *frames)
{
	struct cfi_bytes in = {.at = frames->begin, .end = frames->begin + frames->size};

	while (in.at < in.end && !cfi->error) {
		uint64_t offset = (uint64_t)(in.at - frames->begin);
		uint64_t length = cfi_fixed(&in, 4);
		struct cfi_bytes entry = {.at = in.at, .end = in.at + length};
		if (length == 0 && frames->is_eh)
			return;
		if (length > (size_t)(in.end - in.at)) {
			cfi->error = "frame entry beyond its section";
			return;
		}
		uint64_t id = cfi_fixed(&entry, 4);
		if (id == (frames->is_eh ? 0 : UINT32_MAX))
			parse_cie(cfi, frames, &entry, offset);
		else
			parse_fde(cfi, frames, &entry,
				  frames->is_eh ? offset + 4 - id : id);
		if (entry.bad)
			cfi->error = "frame entry that ends early";
		in.at += length;
	}
}

/* Opens a section; one that is empty, or has no contents in the file, counts as
 * absent. */
static void open_section(struct cfi *cfi, Elf_Scn *section, unsigned number)
{
	struct frames frames = {.number = number, .is_eh = number > 0};
	GElf_Shdr header;

	if (gelf_getshdr(section, &header) && header.sh_flags & SHF_COMPRESSED &&
	    elf_compress(section, 0, 0) < 0) {
		cfi->error = "compressed section that cannot be read";
		return;
	}
	Elf_Data *data = elf_getdata(section, NULL);
	if (!data || !data->d_size || !data->d_buf || cfi->sections[number] ||
	    !gelf_getshdr(section, &header))
		return;
	cfi->sections[number] = malloc(data->d_size);
	if (!cfi->sections[number]) {
		cfi->error = "no memory";
		return;
	}
	memcpy(cfi->sections[number], data->d_buf, data->d_size);
	frames.begin = cfi->sections[number];
	frames.size = data->d_size;
	frames.address = header.sh_addr;
	parse_section(cfi, &frames);
}

static void parse_elf(struct cfi *cfi, Elf *elf)
{
	Elf_Scn *section = NULL;
	GElf_Shdr header;
	size_t names;

	if (elf_getshdrstrndx(elf, &names) != 0) {
		cfi->error = "not an ELF file";
		return;
	}
	while (!cfi->error && (section = elf_nextscn(elf, section))) {
		if (!gelf_getshdr(section, &header))
			continue;
		const char *name = elf_strptr(elf, names, header.sh_name);
		for (unsigned i = 0; name && i < CFI_SECTIONS && !cfi->error; i++)
			if (strcmp(name, section_names[i]) == 0)
				open_section(cfi, section, i);
	}
	if (!cfi->error && cfi->nfdes)
		qsort(cfi->fdes, cfi->nfdes, sizeof(*cfi->fdes), by_address);
}

bool cfi_open(struct cfi *cfi, const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	*cfi = (struct cfi){NULL};
	if (fd < 0) {
		cfi->error = "cannot open";
		return false;
	}
	elf_version(EV_CURRENT);
	Elf *elf = elf_begin(fd, ELF_C_READ, NULL);
	parse_elf(cfi, elf);
	elf_end(elf);
	close(fd);
	return !cfi->error;
}

void cfi_close(struct cfi *cfi)
{
	for (unsigned i = 0; i < CFI_SECTIONS; i++)
		free(cfi->sections[i]);
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
