/* SPDX-License-Identifier: Apache-2.0 */
/* The dynamic section: what the file is to the dynamic loader, and what it needs. */
#include <string.h>

#include "image/image_state.h"

/* The section is small; a longer one is not searched. */
enum { DYNAMIC_MAX_BYTES = 1 << 16 };

/* The strings of the dynamic section. */
struct strings {
	const char *text;
	uint64_t size;
};

static struct strings find_strings(const struct image_elf *elf, Elf_Data *data)
{
	struct strings strings = {NULL};
	uint64_t address = 0;
	GElf_Dyn entry;
	for (int i = 0; gelf_getdyn(data, i, &entry) && entry.d_tag; i++) {
		if (entry.d_tag == DT_STRTAB)
			address = entry.d_un.d_ptr;
		else if (entry.d_tag == DT_STRSZ)
			strings.size = entry.d_un.d_val;
	}
	uint64_t offset = tr_image_elf_offset(elf, address, strings.size);
	if (strings.size && offset != UINT64_MAX)
		strings.text = tr_image_elf_bytes(elf, offset, strings.size);
	return strings;
}

/* Returns a copy of a string, owned by the image; NULL if it is damaged, or when out of
 * memory. */
static const char *keep_string(struct tr_image *image, const struct strings *strings,
			       uint64_t at)
{
	if (!strings->text || at >= strings->size)
		return NULL;
	size_t length = strnlen(strings->text + at, strings->size - at);
	return length ? tr_image_name_store(image, strings->text + at, length) : NULL;
}

/* Returns a copy of a path or of several, with all bytes as they are. */
static const char *keep_path(struct tr_image *image, const char *text, size_t length)
{
	char *copy = length ? tr_arena_take(&image->names, length + 1) : NULL;
	if (copy) {
		memcpy(copy, text, length);
		copy[length] = '\0';
	}
	return copy;
}

/* Remembers where the dynamic loader looks for libraries. */
static void load_search_path(struct tr_image *image, const struct strings *strings,
			     const GElf_Dyn *entry)
{
	const uint64_t at = entry->d_un.d_val;
	if (strings->text && at < strings->size)
		image->search_path[entry->d_tag == DT_RPATH] =
		    keep_path(image, strings->text + at,
			      strnlen(strings->text + at, strings->size - at));
}

static void add_need(struct tr_image *image, const char *name)
{
	if (name && image->nneeds < IMAGE_NEEDS_MAX)
		image->needs[image->nneeds++] = name;
}

static void load_dynamic_section(struct tr_image *image, const struct image_elf *elf,
				 const GElf_Phdr *segment)
{
	if (segment->p_filesz > DYNAMIC_MAX_BYTES)
		return;
	Elf_Data *data = elf_getdata_rawchunk(elf->elf, (int64_t)segment->p_offset,
					      segment->p_filesz, ELF_T_DYN);
	if (!data)
		return;
	const struct strings strings = find_strings(elf, data);
	GElf_Dyn entry;
	for (int i = 0; gelf_getdyn(data, i, &entry) && entry.d_tag; i++) {
		if (entry.d_tag == DT_SONAME) {
			image->has_soname = true;
			image->soname = keep_string(image, &strings, entry.d_un.d_val);
		} else if (entry.d_tag == DT_NEEDED) {
			add_need(image, keep_string(image, &strings, entry.d_un.d_val));
		} else if (entry.d_tag == DT_RPATH || entry.d_tag == DT_RUNPATH) {
			load_search_path(image, &strings, &entry);
		} else if (entry.d_tag == DT_FLAGS_1) {
			image->program = entry.d_un.d_val & DF_1_PIE;
		}
	}
}

/* The path of the dynamic loader, which is needed as well. */
static void load_interpreter(struct tr_image *image, const struct image_elf *elf,
			     const GElf_Phdr *segment)
{
	const char *path = tr_image_elf_bytes(elf, segment->p_offset, segment->p_filesz);
	image->interpreted = true;
	if (!path)
		return;
	size_t length = strnlen(path, segment->p_filesz);
	image->interpreter = keep_path(image, path, length);
	const char *slash = memrchr(path, '/', length);
	const char *name = slash ? slash + 1 : path;
	if (name < path + length)
		add_need(image, tr_image_name_store(image, name,
						    (size_t)(path + length - name)));
}

void tr_image_dynamic_load(struct tr_image *image, const struct image_elf *elf,
			   const GElf_Phdr *segment)
{
	if (segment->p_type == PT_INTERP)
		load_interpreter(image, elf, segment);
	else
		load_dynamic_section(image, elf, segment);
}
