/* SPDX-License-Identifier: Apache-2.0 */
/* The debug information that a distribution strips from a program, in a file of its own.
 */
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/little.h"
#include "image/image_state.h"

#define DEBUG_FOLDER "usr/lib/debug"

struct search {
	struct tr_image *image;
	const struct image_elf *elf; /* the stripped file */
	struct image_elf *debug;     /* to be opened */
	const char *folder;	     /* of the stripped file, ends with '/' or is "" */
	const char *link;	     /* file name from .gnu_debuglink; NULL if none */
	uint32_t crc;		     /* from there */
	bool check_crc;
};

/* The CRC-32 of one byte. */
static uint32_t crc_of(uint32_t byte)
{
	for (unsigned bit = 0; bit < 8; bit++)
		byte = byte >> 1 ^ (byte & 1 ? UINT32_C(0xedb88320) : 0);
	return byte;
}

/* Returns false when the file's CRC-32 differs, or it cannot be read. */
static bool has_crc(const struct image_elf *debug, uint32_t wanted)
{
	uint8_t bytes[16384];
	uint32_t crc = UINT32_MAX, table[256];
	for (uint32_t i = 0; i < 256; i++)
		table[i] = crc_of(i);
	for (uint64_t at = 0; at < debug->size; at += sizeof(bytes)) {
		uint64_t rest = debug->size - at;
		size_t size = rest < sizeof(bytes) ? (size_t)rest : sizeof(bytes);
		if (!tr_image_elf_read(debug, at, bytes, size))
			return false;
		for (size_t i = 0; i < size; i++)
			crc = crc >> 8 ^ table[(crc ^ bytes[i]) & 0xff];
	}
	return ~crc == wanted;
}

/* Checks that the open file belongs to the stripped one. Sets the message of `found` if
 * not. Returns a status. */
static int check_same_build(const struct search *search, struct tr_image *found)
{
	const struct tr_image *image = search->image;
	tr_image_build_id_load(found, search->debug);
	if (strcmp(found->build_id, image->build_id) != 0)
		return tr_image_fail(found, TR_E_CORRUPT,
				     "of another build (build-id %s)",
				     *found->build_id ? found->build_id : "missing");
	if (search->check_crc && !has_crc(search->debug, search->crc))
		return tr_image_fail(found, TR_E_CORRUPT,
				     "its CRC is not that of .gnu_debuglink");
	return TR_OK;
}

/* Takes over the executable ranges, which the debug information does not have. */
static bool copy_executable(struct image_elf *debug, const struct image_elf *elf)
{
	size_t size = elf->nexecutable * sizeof(*elf->executable);
	debug->executable = malloc(size + 1);
	if (!debug->executable)
		return false;
	memcpy(debug->executable, elf->executable, size);
	debug->nexecutable = elf->nexecutable;
	return true;
}

/* Opens a candidate. Returns false if there is no such file, or it does not belong. */
static bool try_debug_file(const struct search *search, const char *path)
{
	struct tr_image found = {.path = (char *)(uintptr_t)path};
	struct image_elf *debug = search->debug;
	if (access(path, F_OK) != 0)
		return false;
	int status = tr_image_elf_open_debug(debug, &found);
	bool is_itself = status == TR_OK &&
			 debug->stat.st_ino == search->elf->stat.st_ino &&
			 debug->stat.st_dev == search->elf->stat.st_dev;
	if (status == TR_OK && !is_itself)
		status = check_same_build(search, &found);
	if (status == TR_OK && !is_itself && copy_executable(debug, search->elf))
		return true;
	if (status != TR_OK)
		tr_image_warn(search->image, "debug information not used: %s",
			      found.message);
	tr_image_elf_release(debug);
	return false;
}

__attribute__((format(printf, 2, 3))) static bool try_at(const struct search *search,
							 const char *format, ...)
{
	char path[PATH_MAX];
	va_list args;
	va_start(args, format);
	int length = vsnprintf(path, sizeof(path), format, args);
	va_end(args);
	return length > 0 && (size_t)length < sizeof(path) &&
	       try_debug_file(search, path);
}

/* Tries usr/lib/debug below the first `length` bytes of the file's folder. */
static bool try_below(const struct search *search, size_t length)
{
	const char *id = search->image->build_id, *folder = search->folder;
	int top = (int)length;
	if (search->check_crc)
		return try_at(search, "%.*s" DEBUG_FOLDER "/%s%s", top, folder,
			      folder + length, search->link);
	return try_at(search, "%.*s" DEBUG_FOLDER "/.build-id/%.2s/%s.debug", top, folder,
		      id, id + 2);
}

/* Tries it below each folder that contains the file, from the innermost outwards, and in
 * the machine's root. */
static bool try_debug_folders(const struct search *search)
{
	for (size_t length = strlen(search->folder); length > 0; length--)
		if (search->folder[length - 1] == '/' && try_below(search, length))
			return true;
	if (search->folder[0] == '/')
		return false;
	if (try_below(search, 0))
		return true;
	return search->check_crc
		   ? try_at(search, "/" DEBUG_FOLDER "/%s", search->link)
		   : try_at(search, "/" DEBUG_FOLDER "/.build-id/%.2s/%s.debug",
			    search->image->build_id, search->image->build_id + 2);
}

/* Tries the places where debuggers follow a link, of which the CRC is checked. */
static bool try_link(struct search *search)
{
	search->check_crc = true;
	if (!search->link)
		return false;
	return try_at(search, "%s%s", search->folder, search->link) ||
	       try_at(search, "%s.debug/%s", search->folder, search->link) ||
	       try_debug_folders(search);
}

/* Tries what debuginfod's client has fetched before. */
static bool try_debuginfod(struct search *search)
{
	const char *own = getenv("DEBUGINFOD_CACHE_PATH"), *id = search->image->build_id;
	const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
	search->check_crc = false;
	if (own && *own)
		return try_at(search, "%s/%s/debuginfo", own, id);
	if (cache && *cache)
		return try_at(search, "%s/debuginfod_client/%s/debuginfo", cache, id);
	return home && *home &&
	       try_at(search, "%s/.cache/debuginfod_client/%s/debuginfo", home, id);
}

/* Reads .gnu_debuglink: a file name, and the file's CRC at the next multiple of 4. */
static void read_debug_link(struct search *search)
{
	const struct image_elf *elf = search->elf;
	size_t names = 0;
	if (!elf->nsections || elf_getshdrstrndx(elf->elf, &names) != 0)
		return;
	for (size_t i = 1; i < elf->nsections; i++) {
		GElf_Shdr section;
		if (!gelf_getshdr(elf_getscn(elf->elf, i), &section) ||
		    section.sh_type != SHT_PROGBITS || section.sh_size > PATH_MAX)
			continue;
		const char *name = elf_strptr(elf->elf, names, section.sh_name);
		if (!name || strcmp(name, ".gnu_debuglink") != 0)
			continue;
		const char *link =
		    tr_image_elf_bytes(elf, section.sh_offset, section.sh_size);
		size_t length = link ? strnlen(link, section.sh_size) : 0;
		size_t crc = (length + 4) & ~(size_t)3;
		if (length == 0 || crc + 4 > section.sh_size || strchr(link, '/'))
			return;
		search->link = link;
		search->crc = tr_load32((const uint8_t *)link + crc);
		return;
	}
}

bool tr_image_debug_open(struct image_elf *debug, struct tr_image *image,
			 const struct image_elf *elf)
{
	struct search search = {.image = image, .elf = elf, .debug = debug};
	const char *slash = strrchr(image->path, '/');
	bool has_id = strlen(image->build_id) > 2;
	char *folder =
	    strndup(image->path, slash ? (size_t)(slash + 1 - image->path) : 0);
	if (!folder)
		return false;
	search.folder = folder;
	read_debug_link(&search);
	bool found = (has_id && try_debug_folders(&search)) || try_link(&search) ||
		     (has_id && try_debuginfod(&search));
	free(folder);
	return found;
}
