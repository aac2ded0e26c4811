/* SPDX-License-Identifier: Apache-2.0 */
/* Looks up addresses of functions in ELF files by name. */
#include "symbol.h"

#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/near.h"
#include "image/image.h"

enum { SHOWN = 8 };

/* Distinct addresses in ascending order; those beyond SHOWN are only counted. */
struct found {
	uint64_t address[SHOWN];
	size_t count;
	bool data; /* search data objects as well */
};

static void add_found_address(struct found *found, uint64_t address)
{
	size_t kept = found->count < SHOWN ? found->count : SHOWN, i = kept;

	for (size_t j = 0; j < kept; j++)
		if (found->address[j] == address)
			return;
	found->count++;
	if (kept == SHOWN)
		return;
	for (; i > 0 && found->address[i - 1] > address; i--)
		found->address[i] = found->address[i - 1];
	found->address[i] = address;
}

static bool names_symbol(Elf *elf, const GElf_Shdr *section, const GElf_Sym *sym,
			 const char *name, bool data)
{
	const char *text = elf_strptr(elf, section->sh_link, sym->st_name);
	unsigned type = GELF_ST_TYPE(sym->st_info);

	return text && strcmp(text, name) == 0 && sym->st_shndx != SHN_UNDEF &&
	       (type == STT_FUNC || type == STT_NOTYPE || (data && type == STT_OBJECT));
}

static void search_table(Elf *elf, Elf_Scn *scn, const char *name, struct found *found)
{
	GElf_Shdr section;
	Elf_Data *data = elf_getdata(scn, NULL);
	GElf_Sym sym;

	if (!gelf_getshdr(scn, &section) || section.sh_type != SHT_SYMTAB || !data)
		return;
	for (int i = 0; gelf_getsym(data, i, &sym); i++)
		if (names_symbol(elf, &section, &sym, name, found->data))
			add_found_address(found, sym.st_value);
}

static void search_symbols(const char *path, const char *name, struct found *found)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);

	if (fd < 0)
		return;
	elf_version(EV_CURRENT);
	Elf *elf = elf_begin(fd, ELF_C_READ, NULL);
	for (Elf_Scn *scn = NULL; elf && (scn = elf_nextscn(elf, scn)) != NULL;)
		search_table(elf, scn, name, found);
	elf_end(elf);
	close(fd);
}

/* Searches functions by their names in the debugging information, including C++ names. */
static void search_functions(const char *path, const char *name, struct found *found)
{
	const struct tr_image_options options = {.functions = true};
	struct tr_image *image = NULL;

	if (tr_image_open(&image, path, &options) == TR_OK)
		for (size_t i = 0; i < tr_image_function_count(image); i++) {
			const struct tr_function *function = tr_image_function(image, i);
			if (tr_is_name_of(name, function->name))
				add_found_address(found, function->entry);
		}
	tr_image_close(image);
}

/* Returns the colon between FILE and NAME: the last one that is neither half of "::" nor
 * within parameters. */
static const char *find_file_separator(const char *text)
{
	const char *colon = NULL;

	for (; *text && *text != '('; text++)
		if (text[0] == ':' && text[1] == ':')
			text++;
		else if (*text == ':')
			colon = text;
	return colon;
}

bool symbol_is_in(const char *path, const char *name)
{
	struct found found = {.data = true};

	search_symbols(path, name, &found);
	return found.count != 0;
}

static bool require_one_match(const struct found *found, const char *name, bool of_file,
			      char *message, size_t size)
{
	size_t used;

	if (found->count == 1)
		return true;
	if (found->count == 0) {
		snprintf(message, size,
			 of_file ? "no symbol \"%s\""
				 : "no symbol \"%s\" in the ELF files; for a program "
				   "contained in them use FILE:SYMBOL",
			 name);
		return false;
	}
	snprintf(message, size, "symbol \"%s\" has %zu addresses:", name, found->count);
	for (size_t i = 0; i < found->count && i < SHOWN; i++) {
		used = strlen(message);
		snprintf(message + used, size - used, " 0x%" PRIx64, found->address[i]);
	}
	used = strlen(message);
	snprintf(message + used, size - used, "%s", found->count > SHOWN ? " ..." : "");
	return false;
}

bool symbol_find(const char *name, const char *const *paths, size_t count,
		 uint64_t *address, char *message, size_t size)
{
	const char *colon = find_file_separator(name), *symbol = colon ? colon + 1 : name;
	struct found found = {.count = 0};
	char file[PATH_MAX];
	const char *only = file;

	if (colon) {
		snprintf(file, sizeof(file), "%.*s", (int)(colon - name), name);
		if (access(file, R_OK) != 0) {
			snprintf(message, size, "%s: %s", file, strerror(errno));
			return false;
		}
		paths = &only;
		count = 1;
	}
	for (size_t i = 0; i < count; i++)
		search_symbols(paths[i], symbol, &found);
	for (size_t i = 0; i < count && found.count == 0; i++)
		search_functions(paths[i], symbol, &found);
	*address = found.address[0];
	return require_one_match(&found, name, colon != NULL, message, size);
}
