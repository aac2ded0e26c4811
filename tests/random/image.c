/* SPDX-License-Identifier: Apache-2.0 */
/* Memory at reset as pages, and its ELF file. */
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "image.h"
#include "layout.h"

enum { PAGE = 4096, PAGES = SOC_RAM_DEFAULT_SIZE / PAGE, MAX_PARTS = 1024 };

struct page {
	unsigned first, end; /* range of bytes written */
	uint8_t bytes[PAGE];
};

struct symbol {
	char name[32];
	uint64_t address;
	bool code;
};

struct image {
	struct page *page[PAGES];
	struct symbol *symbol;
	size_t symbols;
};

/* A range of pages, and its place in the file. */
struct part {
	uint64_t address, size, offset;
};

static void *grow(void *old, size_t size)
{
	void *new = realloc(old, size);

	if (new)
		return new;
	fputs("random-program: out of memory\n", stderr);
	exit(2);
}

struct image *image_new(void)
{
	struct image *image = grow(NULL, sizeof(*image));

	memset(image, 0, sizeof(*image));
	return image;
}

void image_free(struct image *image)
{
	for (unsigned i = 0; i < PAGES; i++)
		free(image->page[i]);
	free(image->symbol);
	free(image);
}

static void put(struct image *image, uint64_t address, uint64_t value, unsigned size)
{
	struct page **slot = &image->page[(address - SOC_RAM_BASE) / PAGE];
	unsigned at = (unsigned)(address % PAGE);

	if (*slot == NULL) {
		*slot = grow(NULL, sizeof(**slot));
		memset(*slot, 0, sizeof(**slot));
		(*slot)->first = at;
	}
	if (at < (*slot)->first)
		(*slot)->first = at;
	if (at + size > (*slot)->end)
		(*slot)->end = at + size;
	for (unsigned i = 0; i < size; i++)
		(*slot)->bytes[at + i] = (uint8_t)(value >> (8 * i));
}

void image_put16(struct image *image, uint64_t address, uint16_t value)
{
	put(image, address, value, 2);
}

void image_put64(struct image *image, uint64_t address, uint64_t value)
{
	put(image, address, value, 8);
}

uint16_t image_get16(const struct image *image, uint64_t address)
{
	const struct page *page = image->page[(address - SOC_RAM_BASE) / PAGE];
	unsigned at = (unsigned)(address % PAGE);

	if (!page)
		return 0;
	return (uint16_t)(page->bytes[at] + page->bytes[at + 1] * 256U);
}

void image_symbol(struct image *image, const char *name, uint64_t address, bool code)
{
	struct symbol *s;

	image->symbol = grow(image->symbol, (image->symbols + 1) * sizeof(*s));
	s = &image->symbol[image->symbols++];
	snprintf(s->name, sizeof(s->name), "%s", name);
	s->address = address;
	s->code = code;
}

/* Joins adjacent pages. */
static unsigned find_parts(const struct image *image, struct part *parts)
{
	unsigned n = 0;

	for (unsigned i = 0; i < PAGES; i++) {
		const struct page *p = image->page[i];
		uint64_t base = SOC_RAM_BASE + (uint64_t)i * PAGE;

		if (!p)
			continue;
		if (n && p->first == 0 &&
		    parts[n - 1].address + parts[n - 1].size == base)
			parts[n - 1].size += p->end;
		else if (n < MAX_PARTS)
			parts[n++] = (struct part){base + p->first, p->end - p->first, 0};
	}
	return n;
}

static void write_part(const struct image *image, const struct part *part, FILE *out)
{
	for (uint64_t at = part->address; at < part->address + part->size;) {
		const struct page *p = image->page[(at - SOC_RAM_BASE) / PAGE];
		unsigned first = (unsigned)(at % PAGE), size = p->end - first;

		fwrite(p->bytes + first, 1, size, out);
		at += size;
	}
}

static void write_segments(const struct part *parts, unsigned n, FILE *out)
{
	for (unsigned i = 0; i < n; i++) {
		Elf64_Phdr p = {.p_type = PT_LOAD,
				.p_flags = PF_R | PF_W | PF_X,
				.p_offset = parts[i].offset,
				.p_vaddr = parts[i].address,
				.p_paddr = parts[i].address,
				.p_filesz = parts[i].size,
				.p_memsz = parts[i].size,
				.p_align = 1};

		fwrite(&p, sizeof(p), 1, out);
	}
}

static bool is_code(const struct part *part)
{
	return part->address < DATA_FIRST || part->address >= SETUP_BASE;
}

static unsigned section_of(const struct part *parts, unsigned n, uint64_t address)
{
	for (unsigned i = 0; i < n; i++)
		if (address - parts[i].address < parts[i].size)
			return i + 1;
	return SHN_ABS;
}

/* Names of sections, then of symbols. */
static const char section_names[] = "\0.text\0.data\0.symtab\0.strtab";
enum { NAME_TEXT = 1, NAME_DATA = 7, NAME_SYMTAB = 13, NAME_STRTAB = 21 };

static size_t write_strings(const struct image *image, FILE *out)
{
	size_t size = sizeof(section_names);

	fwrite(section_names, sizeof(section_names), 1, out);
	for (size_t i = 0; i < image->symbols; i++) {
		fwrite(image->symbol[i].name, strlen(image->symbol[i].name) + 1, 1, out);
		size += strlen(image->symbol[i].name) + 1;
	}
	return size;
}

static void write_symbols(const struct image *image, const struct part *parts, unsigned n,
			  FILE *out)
{
	Elf64_Sym sym = {0};
	size_t name = sizeof(section_names);

	fwrite(&sym, sizeof(sym), 1, out);
	for (size_t i = 0; i < image->symbols; i++) {
		const struct symbol *s = &image->symbol[i];
		unsigned type = s->code ? STT_FUNC : STT_OBJECT;

		sym =
		    (Elf64_Sym){.st_name = (Elf64_Word)name,
				.st_info = (unsigned char)(STB_GLOBAL << 4 | type),
				.st_shndx = (Elf64_Half)section_of(parts, n, s->address),
				.st_value = s->address};
		fwrite(&sym, sizeof(sym), 1, out);
		name += strlen(s->name) + 1;
	}
}

static void write_sections(const struct image *image, const struct part *parts,
			   unsigned n, uint64_t symbols, uint64_t strings,
			   uint64_t strings_size, FILE *out)
{
	Elf64_Shdr sh = {0};

	fwrite(&sh, sizeof(sh), 1, out);
	for (unsigned i = 0; i < n; i++) {
		bool code = is_code(&parts[i]);

		sh = (Elf64_Shdr){.sh_name = code ? NAME_TEXT : NAME_DATA,
				  .sh_type = SHT_PROGBITS,
				  .sh_flags =
				      SHF_ALLOC | SHF_WRITE | (code ? SHF_EXECINSTR : 0U),
				  .sh_addr = parts[i].address,
				  .sh_offset = parts[i].offset,
				  .sh_size = parts[i].size,
				  .sh_addralign = 1};
		fwrite(&sh, sizeof(sh), 1, out);
	}
	sh = (Elf64_Shdr){.sh_name = NAME_SYMTAB,
			  .sh_type = SHT_SYMTAB,
			  .sh_offset = symbols,
			  .sh_size = (image->symbols + 1) * sizeof(Elf64_Sym),
			  .sh_link = n + 2,
			  .sh_info = 1,
			  .sh_addralign = 8,
			  .sh_entsize = sizeof(Elf64_Sym)};
	fwrite(&sh, sizeof(sh), 1, out);
	sh = (Elf64_Shdr){.sh_name = NAME_STRTAB,
			  .sh_type = SHT_STRTAB,
			  .sh_offset = strings,
			  .sh_size = strings_size,
			  .sh_addralign = 1};
	fwrite(&sh, sizeof(sh), 1, out);
}

static void write_header(unsigned n, uint64_t entry, uint64_t sections, FILE *out)
{
	Elf64_Ehdr eh = {.e_ident = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64,
				     ELFDATA2LSB, EV_CURRENT},
			 .e_type = ET_EXEC,
			 .e_machine = EM_RISCV,
			 .e_version = EV_CURRENT,
			 .e_entry = entry,
			 .e_phoff = sizeof(eh),
			 .e_shoff = sections,
			 .e_flags = 1, /* compressed instructions */
			 .e_ehsize = sizeof(eh),
			 .e_phentsize = sizeof(Elf64_Phdr),
			 .e_phnum = (Elf64_Half)n,
			 .e_shentsize = sizeof(Elf64_Shdr),
			 .e_shnum = (Elf64_Half)(n + 3),
			 .e_shstrndx = (Elf64_Half)(n + 2)};

	fwrite(&eh, sizeof(eh), 1, out);
}

/* Writes header, segments, bytes, symbols, strings, sections; then the header again, when
 * the positions of the others are known. */
static void write_all(const struct image *image, uint64_t entry, FILE *out)
{
	static struct part parts[MAX_PARTS];
	unsigned n = find_parts(image, parts);
	uint64_t at = sizeof(Elf64_Ehdr) + n * sizeof(Elf64_Phdr);

	write_header(n, entry, 0, out);
	for (unsigned i = 0; i < n; i++) {
		parts[i].offset = at;
		at += parts[i].size;
	}
	write_segments(parts, n, out);
	for (unsigned i = 0; i < n; i++)
		write_part(image, &parts[i], out);
	write_symbols(image, parts, n, out);
	uint64_t strings = at + (image->symbols + 1) * sizeof(Elf64_Sym);
	uint64_t size = write_strings(image, out);
	write_sections(image, parts, n, at, strings, size, out);
	rewind(out);
	write_header(n, entry, strings + size, out);
}

bool image_write(const struct image *image, const char *path, uint64_t entry)
{
	FILE *out = fopen(path, "wb");

	if (!out)
		return false;
	write_all(image, entry, out);
	bool good = !ferror(out);
	return fclose(out) == 0 && good;
}
