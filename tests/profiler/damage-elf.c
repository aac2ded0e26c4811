/* SPDX-License-Identifier: Apache-2.0 */
/* damage-elf: writes PROGRAM with damage NUMBER to OUT, and says what that is: a cut, or
 * other bytes in the ELF header, the tables of headers, or a section, mostly one that
 * tells of functions. The same number gives the same damage. */
#include <elf.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../random/rng.h"

struct damaged {
	uint8_t *bytes;
	size_t size;
	Elf64_Ehdr header; /* of the file as it was */
	struct rng rng;
};

static bool read_program(struct damaged *d, const char *path)
{
	FILE *file = fopen(path, "rb");
	long size = 0;

	if (!file || fseek(file, 0, SEEK_END) ||
	    (size = ftell(file)) < (long)sizeof(d->header))
		return false;
	rewind(file);
	d->size = (size_t)size;
	d->bytes = malloc(d->size);
	bool good = d->bytes && fread(d->bytes, 1, d->size, file) == d->size;
	fclose(file);
	if (good)
		memcpy(&d->header, d->bytes, sizeof(d->header));
	return good;
}

/* Another value of a field of `size` bytes. */
static uint64_t pick_value(struct damaged *d, uint64_t old, unsigned size)
{
	struct rng *rng = &d->rng;
	uint64_t high = UINT64_C(1) << (8 * size - 1);

	switch (rng_below(rng, 8)) {
	case 0:
		return 0;
	case 1:
		return UINT64_MAX;
	case 2:
		return high - rng_below(rng, 2);
	case 3:
		return old + rng_below(rng, 17) - 8;
	case 4:
		return d->size + rng_below(rng, 9) - 4;
	case 5:
		return rng_edge(rng);
	case 6:
		return old ^ UINT64_C(1) << rng_below(rng, 8 * size);
	default:
		return rng_next(rng);
	}
}

static void change_field(struct damaged *d, uint64_t at, unsigned size)
{
	uint64_t value = 0;

	if (at + size > d->size)
		return;
	memcpy(&value, d->bytes + at, size);
	value = pick_value(d, value, size) << (64 - 8 * size) >> (64 - 8 * size);
	memcpy(d->bytes + at, &value, size);
	printf("%u bytes at %llu are 0x%llx\n", size, (unsigned long long)at,
	       (unsigned long long)value);
}

/* A field of a table of entries of 56 or 64 bytes, which begin with two of 4. */
static void change_entry(struct damaged *d, uint64_t table, unsigned count, unsigned size)
{
	uint64_t at = table + (uint64_t)rng_below(&d->rng, count) * size;
	unsigned field = rng_below(&d->rng, size / 8 + 1);

	if (field < 2)
		change_field(d, at + 4 * field, 4);
	else
		change_field(d, at + 8 * (field - 1), 8);
}

static void change_header(struct damaged *d)
{
	static const struct {
		uint8_t at, size;
	} fields[] = {{0, 4},  {4, 1},	{5, 1},	 {6, 1},  {7, 1},  {16, 2},
		      {18, 2}, {20, 4}, {24, 8}, {32, 8}, {40, 8}, {48, 4},
		      {52, 2}, {54, 2}, {56, 2}, {58, 2}, {60, 2}, {62, 2}};
	unsigned i = rng_below(&d->rng, sizeof(fields) / sizeof(*fields));

	change_field(d, fields[i].at, fields[i].size);
}

static bool is_telling(const Elf64_Shdr *s)
{
	return s->sh_type == SHT_SYMTAB || s->sh_type == SHT_DYNSYM ||
	       s->sh_type == SHT_RELA || s->sh_type == SHT_STRTAB ||
	       s->sh_type == SHT_NOTE || s->sh_type == SHT_DYNAMIC ||
	       (s->sh_type == SHT_PROGBITS && s->sh_flags == SHF_ALLOC);
}

/* Changes some bytes of a section; of five tries one with telling contents is taken. */
static void change_section(struct damaged *d)
{
	Elf64_Shdr s = {0};

	for (unsigned i = 0; i < 5; i++) {
		uint64_t at = d->header.e_shoff +
			      (uint64_t)rng_below(&d->rng, d->header.e_shnum) * sizeof(s);
		memcpy(&s, d->bytes + at, sizeof(s));
		if (s.sh_type != SHT_NOBITS && s.sh_size >= 8 && is_telling(&s))
			break;
	}
	if (s.sh_type == SHT_NOBITS || s.sh_size < 8)
		return;
	for (unsigned n = rng_range(&d->rng, 1, 20); n; n--) {
		static const unsigned sizes[] = {1, 1, 4, 8};
		unsigned size = RNG_PICK(&d->rng, sizes);
		uint64_t at =
		    rng_below(&d->rng, (unsigned)(s.sh_size / size)) * (uint64_t)size;
		change_field(d, s.sh_offset + at, size);
	}
}

static void cut_file(struct damaged *d)
{
	uint64_t table = rng_chance(&d->rng, 50) ? d->header.e_shoff : d->header.e_phoff;

	if (rng_chance(&d->rng, 40))
		d->size = table + rng_below(&d->rng, 200);
	else
		d->size = rng_below(&d->rng, (unsigned)d->size);
	printf("%zu bytes\n", d->size);
}

static void damage_program(struct damaged *d)
{
	switch (rng_below(&d->rng, 6)) {
	case 0:
		cut_file(d);
		break;
	case 1:
		change_header(d);
		break;
	case 2:
		change_entry(d, d->header.e_phoff, d->header.e_phnum, sizeof(Elf64_Phdr));
		break;
	case 3:
		change_entry(d, d->header.e_shoff, d->header.e_shnum, sizeof(Elf64_Shdr));
		break;
	default:
		change_section(d);
	}
}

int main(int argc, char **argv)
{
	struct damaged d = {0};

	if (argc != 4 || !read_program(&d, argv[1])) {
		fputs("usage: damage-elf PROGRAM NUMBER OUT\n", stderr);
		return 2;
	}
	d.rng = rng_make(strtoull(argv[2], NULL, 0), 0);
	damage_program(&d);
	FILE *out = fopen(argv[3], "wb");
	bool good = out && fwrite(d.bytes, 1, d.size, out) == d.size;
	good = out && fclose(out) == 0 && good;
	free(d.bytes);
	return fclose(stdout) || !good ? 2 : 0;
}
