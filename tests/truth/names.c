/* SPDX-License-Identifier: Apache-2.0 */
/* Reads symbol tables, and checks names against them. */
#include "names.h"

#include <fcntl.h>
#include <gelf.h>
#include <inttypes.h>
#include <libiberty/demangle.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buffer.h"

enum { SHOWN = 8, LABEL_BYTES = 64, ID_BYTES = 64 };

static struct {
	uint64_t checked, wrong;
	struct {
		const char *name;
		uint64_t address, count;
	} shown[SHOWN];
} counts;

/* Assembly may omit a symbol's size; its labels are local. */
static bool is_function(const GElf_Sym *symbol)
{
	unsigned type = GELF_ST_TYPE(symbol->st_info);

	return symbol->st_shndx != SHN_UNDEF && symbol->st_shndx != SHN_ABS &&
	       (type == STT_FUNC || type == STT_NOTYPE);
}

static bool is_label(const GElf_Sym *symbol)
{
	return GELF_ST_TYPE(symbol->st_info) == STT_NOTYPE && !symbol->st_size &&
	       GELF_ST_BIND(symbol->st_info) == STB_LOCAL;
}

/* Returns the name; that of C++ without the type that it returns and the suffix of a
 * clone. */
static char *plain_name(const char *name)
{
	if (strncmp(name, "_Z", 2) != 0)
		return strdup(name);
	char *own = strndup(name, strcspn(name, "."));
	char *plain =
	    own ? cplus_demangle_v3(own, DMGL_PARAMS | DMGL_ANSI | DMGL_RET_DROP) : NULL;
	if (!plain)
		return own;
	free(own);
	return plain;
}

static bool add(struct names *names, const char *name, const GElf_Sym *symbol)
{
	uint64_t low = symbol->st_value;

	if (!name || !is_function(symbol) || *name == '.' || *name == '$')
		return true;
	if (!tr_grow(&names->names, &names->room, names->count + 1,
		     sizeof(*names->names)))
		return false;
	struct name *new = &names->names[names->count];
	*new = (struct name){.name = plain_name(name),
			     .low = low,
			     .high = low + symbol->st_size,
			     .is_label = is_label(symbol),
			     .is_local = GELF_ST_BIND(symbol->st_info) == STB_LOCAL};
	if (new->is_label)
		new->high = low + LABEL_BYTES;
	names->count += new->name != NULL;
	return new->name != NULL;
}

static int by_low(const void *a, const void *b)
{
	uint64_t x = ((const struct name *)a)->low, y = ((const struct name *)b)->low;

	return (x > y) - (x < y);
}

static bool read_section(struct names *names, Elf *elf, Elf_Scn *section)
{
	Elf_Data *data = elf_getdata(section, NULL);
	GElf_Shdr header;
	GElf_Sym symbol;

	if (!data || !gelf_getshdr(section, &header))
		return false;
	for (int i = 0; gelf_getsym(data, i, &symbol); i++)
		if (!add(names, elf_strptr(elf, header.sh_link, symbol.st_name), &symbol))
			return false;
	return true;
}

static void read_build_id(Elf_Scn *section, char *id, size_t room)
{
	Elf_Data *data = elf_getdata(section, NULL);
	size_t name, bytes;
	GElf_Nhdr note;

	if (!data || !gelf_getnote(data, 0, &note, &name, &bytes) ||
	    note.n_type != NT_GNU_BUILD_ID)
		return;
	for (size_t i = 0; i < note.n_descsz && 2 * i + 3 <= room; i++)
		snprintf(id + 2 * i, 3, "%02x",
			 ((const uint8_t *)data->d_buf)[bytes + i]);
}

/* Extends symbols without a size to the next one. */
static void close_ends(struct names *names)
{
	uint64_t next = UINT64_MAX, low = UINT64_MAX;

	for (size_t i = names->count; i-- > 0;) {
		struct name *n = &names->names[i];
		if (n->is_label)
			continue;
		if (n->low != low)
			next = low;
		low = n->low;
		if (n->high == n->low)
			n->high = next;
		if (n->high - n->low > names->longest)
			names->longest = n->high - n->low;
	}
}

/* Reads the symbol tables of a file, and gets its build-id in hexadecimal. Returns false
 * if that is not possible. */
static bool read_file(struct names *names, const char *path, char *id, size_t room)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	Elf_Scn *section = NULL;
	GElf_Shdr header;
	bool ok = true;

	if (fd < 0)
		return false;
	elf_version(EV_CURRENT);
	Elf *elf = elf_begin(fd, ELF_C_READ, NULL);
	while (ok && (section = elf_nextscn(elf, section))) {
		if (!gelf_getshdr(section, &header))
			continue;
		if (header.sh_type == SHT_SYMTAB || header.sh_type == SHT_DYNSYM)
			ok = read_section(names, elf, section);
		if (header.sh_type == SHT_NOTE && *id == '\0')
			read_build_id(section, id, room);
	}
	elf_end(elf);
	close(fd);
	return ok;
}

/* Adds the symbols of a stripped file's debug information, which is in usr/lib/debug/ of
 * one of the folders above it. */
static void read_separate(struct names *names, const char *path, const char *id)
{
	char above[PATH_MAX], debug[PATH_MAX + ID_BYTES], own[ID_BYTES] = "";
	char *slash;

	snprintf(above, sizeof(above), "%s", path);
	while ((slash = strrchr(above, '/'))) {
		*slash = '\0';
		snprintf(debug, sizeof(debug), "%s/usr/lib/debug/.build-id/%.2s/%s.debug",
			 above, id, id + 2);
		if (access(debug, R_OK) == 0) {
			read_file(names, debug, own, sizeof(own));
			return;
		}
	}
}

bool names_open(struct names *names, const char *path)
{
	char id[ID_BYTES] = "";

	*names = (struct names){NULL};
	if (!read_file(names, path, id, sizeof(id)))
		return false;
	if (*id)
		read_separate(names, path, id);
	if (names->count) {
		qsort(names->names, names->count, sizeof(*names->names), by_low);
		close_ends(names);
	}
	return true;
}

void names_close(struct names *names)
{
	for (size_t i = 0; i < names->count; i++)
		free(names->names[i].name);
	free(names->names);
}

/* Returns whether the symbol is that name, or a clone or another part of it. */
static bool is_like(const char *symbol, const char *name, size_t size)
{
	size_t own = strlen(symbol);

	if (own >= size)
		return strncmp(symbol, name, size) == 0 &&
		       (symbol[size] == '\0' || symbol[size] == '.');
	return strncmp(symbol, name, own) == 0 && name[own] == '.';
}

/* Linux's boot code, and glibc within itself, are linked under names that DWARF does not
 * have. A name that is too long ends with dots. */
static bool is_named(const struct name *n, const char *name, size_t size)
{
	bool is_prefixed =
	    strncmp(n->name, "__pi_", 5) == 0 || strncmp(n->name, "__GI_", 5) == 0;
	const char *own = is_prefixed ? n->name + 5 : n->name;

	if (size > 3 && strncmp(name + size - 3, "...", 3) == 0)
		return strncmp(n->name, name, size - 3) == 0;
	return is_like(n->name, name, size) || is_like(own, name, size);
}

/* Returns the length of a name without a place behind it, "f (file.c:12)". */
static size_t length_of(const char *name)
{
	const char *place = name, *next;

	while ((next = strstr(place + 1, " (")))
		place = next;
	if (*place != ' ' || strpbrk(place + 2, " (") || strchr(place + 2, '*') ||
	    name[strlen(name) - 1] != ')')
		return strlen(name);
	return (size_t)(place - name);
}

/* Returns whether another name has this one as words, as "crc32_be_base" has "crc32_be".
 */
static bool has_words(const char *other, const char *name, size_t size)
{
	for (const char *c = other; strlen(c) >= size; c++)
		if (strncmp(c, name, size) == 0 && (c == other || c[-1] == '_') &&
		    (c[size] == '\0' || c[size] == '_'))
			return true;
	return false;
}

/* A weak function that a function of another file replaces has no symbol of its name: its
 * code runs under an alias. Only the place tells the two apart. Returns whether `n` is
 * such an alias: the name has a place, and is that of a global symbol elsewhere. */
static bool is_replaced(const struct names *names, const struct name *n, const char *name,
			size_t size)
{
	if (name[size] != ' ' || n->is_local || !has_words(n->name, name, size))
		return false;
	for (size_t i = 0; i < names->count; i++) {
		const struct name *other = &names->names[i];
		if (!other->is_local && other->low != n->low &&
		    strlen(other->name) == size && strncmp(other->name, name, size) == 0)
			return true;
	}
	return false;
}

static bool is_there(const struct names *names, const char *name, uint64_t address)
{
	size_t low = 0, high = names->count, size = length_of(name);

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (names->names[middle].low > address)
			high = middle;
		else
			low = middle + 1;
	}
	while (low-- > 0 && address - names->names[low].low < names->longest) {
		const struct name *n = &names->names[low];
		if (address < n->high &&
		    (is_named(n, name, size) || is_replaced(names, n, name, size)))
			return true;
	}
	return false;
}

/* Looks each address up once, or a few times. */
static bool is_known(const struct names *names, const char *name, uint64_t address)
{
	static struct {
		const struct names *names;
		const char *name;
		uint64_t address;
	} found[1 << 12];
	size_t i = address / 2 % (1 << 12);

	if (found[i].names == names && found[i].name == name &&
	    found[i].address == address)
		return true;
	if (!is_there(names, name, address))
		return false;
	found[i].names = names;
	found[i].name = name;
	found[i].address = address;
	return true;
}

void names_check(const struct names *names, const char *name, uint64_t address)
{
	unsigned i = 0;

	counts.checked++;
	if (is_known(names, name, address))
		return;
	counts.wrong++;
	while (i < SHOWN && counts.shown[i].name &&
	       strcmp(counts.shown[i].name, name) != 0)
		i++;
	if (i == SHOWN)
		return;
	if (!counts.shown[i].name)
		counts.shown[i].address = address;
	counts.shown[i].name = name;
	counts.shown[i].count++;
}

bool names_print(FILE *out)
{
	for (unsigned i = 0; i < SHOWN && counts.shown[i].name; i++)
		fprintf(out, "name: %" PRIu64 " frames: no symbol %s at 0x%" PRIx64 "\n",
			counts.shown[i].count, counts.shown[i].name,
			counts.shown[i].address);
	fprintf(out,
		"names: %" PRIu64 " of %" PRIu64 " frames are not in the symbol table\n",
		counts.wrong, counts.checked);
	return counts.wrong == 0;
}
