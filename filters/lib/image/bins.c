/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the list of binaries. */
#include "image/bins.h"

#include <ctype.h>
#include <elf.h>
#include <errno.h>
#include <fts.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/buffer.h"
#include "base/lines.h"
#include "base/little.h"
#include "base/number.h"

enum { LINE_MAX_BYTES = 1 << 16, BINS_MAX = 1 << 15, PAGE = 4096 };

struct reading {
	struct tr_bins *bins;
	const char *path; /* path of the list */
	size_t folder;	  /* length of the folder in `path`, including the last '/' */
	unsigned long line;
	bool listed; /* it has an entry, perhaps a duplicate */
};

static int fail_bins(const struct reading *in, int status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static int fail_bins(const struct reading *in, int status, const char *format, ...)
{
	char *text = in->bins->message;
	size_t size = sizeof(in->bins->message), length = strlen(in->path);
	const char *shown = in->path + (length > size / 2 ? length - size / 2 : 0);
	va_list args;
	if (in->line)
		snprintf(text, size, "%s: line %lu: ", shown, in->line);
	else
		snprintf(text, size, "%s: ", shown);
	size_t used = strlen(text);
	va_start(args, format);
	vsnprintf(text + used, size - used, format, args);
	va_end(args);
	return status;
}

/* Splits the next word off *rest. Returns NULL if there is none. */
static char *split_next_word(char **rest)
{
	char *word = *rest + strspn(*rest, " \t\r\n");
	if (*word == '\0' || *word == '#')
		return NULL;
	char *end = word + strcspn(word, " \t\r\n");
	*rest = *end ? end + 1 : end;
	*end = '\0';
	return word;
}

/* Splits off the path, quoted or not; sets *path to NULL for an empty line. Returns a
 * status. */
static int next_path(const struct reading *in, char **rest, char **path)
{
	char *start = *rest + strspn(*rest, " \t\r\n");
	if (*start != '"') {
		*path = split_next_word(rest);
		return TR_OK;
	}
	char *end = strchr(start + 1, '"');
	if (!end)
		return fail_bins(in, TR_E_CORRUPT, "unterminated quote");
	if (end == start + 1)
		return fail_bins(in, TR_E_CORRUPT, "an empty path");
	if (end[1] && !strchr(" \t\r\n", end[1]))
		return fail_bins(in, TR_E_CORRUPT, "no space after the closing quote");
	*end = '\0';
	*rest = end + 1;
	*path = start + 1;
	return TR_OK;
}

static int take_base(const struct reading *in, struct tr_bin *bin, const char *text)
{
	uint64_t base;
	char trouble[160];
	const char *end = tr_parse_address(text, &base);
	if (!end || *end) {
		tr_address_trouble(text, trouble, sizeof(trouble));
		return fail_bins(in, TR_E_CORRUPT, "base: %s", trouble);
	}
	if (base % 2)
		return fail_bins(in, TR_E_CORRUPT,
				 "an odd address, where no instruction can be: \"%.40s\"",
				 text);
	if (bin->has_base)
		return fail_bins(in, TR_E_CORRUPT, "a second base");
	bin->has_base = true;
	bin->base = base;
	return TR_OK;
}

const char *tr_role_name(enum tr_role role)
{
	static const char *const names[] = {[TR_ROLE_ANY] = "any",
					    [TR_ROLE_FIRMWARE] = "firmware",
					    [TR_ROLE_KERNEL] = "kernel",
					    [TR_ROLE_USER] = "user"};
	return names[role];
}

static int take_role(const struct reading *in, struct tr_bin *bin, const char *word)
{
	if (strcmp(word, "optional") == 0) {
		bin->is_optional = true;
		return TR_OK;
	}
	for (int role = TR_ROLE_FIRMWARE; role <= TR_ROLE_USER; role++) {
		if (strcmp(word, tr_role_name((enum tr_role)role)) != 0)
			continue;
		if (bin->role != TR_ROLE_ANY)
			return fail_bins(in, TR_E_CORRUPT, "a second role");
		bin->role = (enum tr_role)role;
		return TR_OK;
	}
	return fail_bins(in, TR_E_CORRUPT, "no such role \"%.40s\"%s", word,
			 strpbrk(word, "./") ? ": a path with blanks needs quotes" : "");
}

static char *full_path(const struct reading *in, const char *path)
{
	size_t folder = path[0] == '/' ? 0 : in->folder, length = strlen(path);
	char *full = malloc(folder + length + 1);
	if (full) {
		memcpy(full, in->path, folder);
		memcpy(full + folder, path, length + 1);
	}
	return full;
}

/* Splits off the folder behind "stubs=". */
static int take_stubs(const struct reading *in, struct tr_bin *bin, char **rest)
{
	char *folder;
	if (!**rest || strchr(" \t\r\n", **rest))
		return fail_bins(in, TR_E_CORRUPT, "stubs: no folder");
	int status = next_path(in, rest, &folder);
	if (status != TR_OK)
		return status;
	if (!folder)
		return fail_bins(in, TR_E_CORRUPT, "stubs: no folder");
	if (bin->stubs)
		return fail_bins(in, TR_E_CORRUPT, "a second folder of stubs");
	bin->stubs = full_path(in, folder);
	return bin->stubs ? TR_OK : fail_bins(in, TR_E_NOMEM, "out of memory");
}

static int take_words(const struct reading *in, struct tr_bin *bin, char *rest)
{
	int status = TR_OK;
	while (status == TR_OK) {
		rest += strspn(rest, " \t\r\n");
		if (strncmp(rest, "stubs=", 6) == 0) {
			rest += 6;
			status = take_stubs(in, bin, &rest);
			continue;
		}
		char *word = split_next_word(&rest);
		if (!word)
			break;
		status = strncmp(word, "base=", 5) == 0 ? take_base(in, bin, word + 5)
							: take_role(in, bin, word);
	}
	if (status == TR_OK && bin->stubs && bin->role != TR_ROLE_USER &&
	    bin->role != TR_ROLE_ANY)
		return fail_bins(in, TR_E_CORRUPT, "only user programs have stubs");
	return status;
}

/* Returns true for an ELF file that was given by its name alone. */
static bool is_unlisted(const struct tr_bin *bin)
{
	return !bin->line && !bin->in_sysroot;
}

/* Finds an earlier entry for the same file, under any name: listing a binary twice would
 * make its code ambiguous. A list may have it at several addresses. A missing file is
 * reported when it is opened. Returns NULL if the binary is new. */
static struct tr_bin *find_same(const struct tr_bins *bins, struct tr_bin *bin)
{
	struct stat file;
	if (stat(bin->path, &file) != 0)
		return NULL;
	bin->device = file.st_dev;
	bin->inode = file.st_ino;
	for (size_t i = 0; i < bins->count; i++) {
		struct tr_bin *other = &bins->bins[i];
		bool same_base =
		    other->has_base == bin->has_base && other->base == bin->base;
		if (!other->part && other->inode == bin->inode &&
		    other->device == bin->device &&
		    (same_base || is_unlisted(other) || is_unlisted(bin)))
			return other;
	}
	return NULL;
}

static void release_bin(struct tr_bin *bin)
{
	free(bin->path);
	free(bin->part);
	free(bin->stubs);
}

static bool have_same_stubs(const struct tr_bin *a, const struct tr_bin *b)
{
	return a->stubs && b->stubs ? strcmp(a->stubs, b->stubs) == 0
				    : a->stubs == b->stubs;
}

/* What is refused of a file that is listed twice. */
static int fail_second_bin(const struct reading *in, const struct tr_bin *same,
			   const struct tr_bin *bin, const char *what)
{
	return same->list == bin->list
		   ? fail_bins(in, TR_E_CORRUPT, "line %lu has this file with %s",
			       same->line, what)
		   : fail_bins(in, TR_E_CORRUPT, "%.200s has this file with %s",
			       same->list, what);
}

/* Adds a binary and takes ownership of what it points to. Returns a status. */
static int add_bin(struct reading *in, struct tr_bin *bin)
{
	struct tr_bins *bins = in->bins;
	if (bins->count == BINS_MAX || !bin->path ||
	    !tr_grow(&bins->bins, &bins->capacity, bins->count + 1, sizeof(*bin))) {
		bool many = bins->count == BINS_MAX;
		release_bin(bin);
		return many ? fail_bins(in, TR_E_CORRUPT, "more than %d binaries",
					BINS_MAX)
			    : fail_bins(in, TR_E_NOMEM, "out of memory");
	}
	bin->line = in->line;
	bin->list = in->path;
	struct tr_bin *same = find_same(bins, bin);
	if (!same) {
		bins->bins[bins->count++] = *bin;
		return TR_OK;
	}
	/* What a list says prevails. */
	if (is_unlisted(same) && bin->line) {
		free(bin->path);
		bin->path = same->path;
		*same = *bin;
		return TR_OK;
	}
	same->is_optional &= bin->is_optional || bin->in_sysroot;
	int status = TR_OK;
	if (same->role != bin->role && !bin->in_sysroot && !is_unlisted(bin))
		status = fail_second_bin(in, same, bin, "another role");
	else if (bin->stubs && !have_same_stubs(same, bin))
		status = fail_second_bin(in, same, bin, "other stubs, or none");
	release_bin(bin);
	return status;
}

static int read_bins_line(struct reading *in, char *line, size_t length)
{
	struct tr_bin bin = {0};
	char *path = NULL;
	if (in->line == 1) {
		length -= tr_byte_order_mark(line);
		line += tr_byte_order_mark(line);
	}
	if (length > LINE_MAX_BYTES)
		return fail_bins(in, TR_E_CORRUPT, "longer than %d bytes",
				 LINE_MAX_BYTES);
	for (size_t i = 0; i < length; i++)
		if (iscntrl((unsigned char)line[i]) &&
		    (line[i] == 0 || !strchr("\t\r\n", line[i])))
			return fail_bins(in, TR_E_CORRUPT, "not text");
	int status = next_path(in, &line, &path);
	if (status != TR_OK || !path)
		return status;
	status = take_words(in, &bin, line);
	if (status != TR_OK) {
		release_bin(&bin);
		return status;
	}
	bin.path = full_path(in, path);
	in->listed = true;
	return add_bin(in, &bin);
}

/* Returns true for an ELF file; no list begins with this byte. */
static bool is_elf(FILE *file)
{
	int first = getc(file);
	ungetc(first, file);
	return first == '\177';
}

static int read_bins_lines(struct reading *in, FILE *file)
{
	char *line = NULL;
	size_t size = 0, before = in->bins->count;
	ssize_t length;
	int status = TR_OK;
	while (status == TR_OK && (length = tr_read_line(&line, &size, file)) >= 0) {
		in->line++;
		status = read_bins_line(in, line, (size_t)length);
	}
	if (status == TR_OK && length == TR_LINE_TOO_LONG) {
		in->line++;
		status =
		    fail_bins(in, TR_E_CORRUPT, "longer than %d bytes", LINE_MAX_BYTES);
	} else if (status == TR_OK && errno) {
		in->line = 0;
		status = fail_bins(in, TR_E_IO, "%s", strerror(errno));
	}
	free(line);
	if (status != TR_OK || in->bins->count > before || in->listed)
		return status;
	in->line = 0;
	return fail_bins(in, TR_E_CORRUPT, "no binaries in it");
}

int tr_bins_add(struct tr_bins *bins, const char *path)
{
	const char *slash = strrchr(path, '/');
	struct reading in = {.bins = bins, .path = path};
	struct tr_bin bin = {0};
	int status;
	in.folder = slash ? (size_t)(slash - path) + 1 : 0;
	FILE *file = fopen(path, "re");
	if (!file)
		return fail_bins(&in, TR_E_IO, "%s", strerror(errno));
	if (is_elf(file)) {
		bin.path = strdup(path);
		status = add_bin(&in, &bin);
	} else {
		status = read_bins_lines(&in, file);
	}
	fclose(file);
	return status;
}

int tr_bins_read(struct tr_bins *bins, const char *path)
{
	*bins = (struct tr_bins){0};
	return tr_bins_add(bins, path);
}

static bool path_ends_with(const char *path, const char *end)
{
	size_t length = strlen(path), wanted = strlen(end);
	return length >= wanted && strcmp(path + length - wanted, end) == 0;
}

/* Returns true if the file begins like a RISC-V executable, shared object or module. */
static bool is_program(const char *path)
{
	uint8_t start[EI_NIDENT + 4];
	FILE *file = fopen(path, "re");
	bool whole = file && fread(start, sizeof(start), 1, file) == 1;
	if (file)
		fclose(file);
	if (!whole || memcmp(start, ELFMAG, SELFMAG) != 0)
		return false;
	unsigned type = tr_load16(start + EI_NIDENT);
	return (type == ET_EXEC || type == ET_DYN ||
		(type == ET_REL && path_ends_with(path, ".ko"))) &&
	       tr_load16(start + EI_NIDENT + 2) == EM_RISCV;
}

static int compare_entry_names(const FTSENT **a, const FTSENT **b)
{
	return strcmp((*a)->fts_name, (*b)->fts_name);
}

static int add_sysroot_entry(struct reading *in, FTS *tree, FTSENT *entry)
{
	struct tr_bin bin = {.role = TR_ROLE_USER, .in_sysroot = true};
	if (entry->fts_info == FTS_DNR || entry->fts_info == FTS_ERR)
		return fail_bins(in, TR_E_IO, "%s: %s", entry->fts_path,
				 strerror(entry->fts_errno));
	if (entry->fts_info == FTS_D && path_ends_with(entry->fts_path, "/lib/debug"))
		fts_set(tree, entry, FTS_SKIP);
	if (entry->fts_info != FTS_F || !is_program(entry->fts_path))
		return TR_OK;
	in->listed = true;
	if (path_ends_with(entry->fts_path, ".ko"))
		bin.role = TR_ROLE_KERNEL;
	bin.path = strdup(entry->fts_path);
	return add_bin(in, &bin);
}

int tr_bins_add_sysroot(struct tr_bins *bins, const char *folder)
{
	struct reading in = {.bins = bins, .path = folder};
	char *const roots[] = {(char *)(uintptr_t)folder, NULL};
	FTS *tree = fts_open(roots, FTS_PHYSICAL | FTS_COMFOLLOW | FTS_NOCHDIR | FTS_XDEV,
			     compare_entry_names);
	int status = TR_OK;
	if (!tree)
		return fail_bins(&in, TR_E_IO, "%s", strerror(errno));
	for (FTSENT *entry; status == TR_OK && (entry = fts_read(tree));)
		status = entry->fts_info == FTS_NS && entry->fts_level == 0
			     ? fail_bins(&in, TR_E_IO, "%s", strerror(entry->fts_errno))
			     : add_sysroot_entry(&in, tree, entry);
	fts_close(tree);
	if (status == TR_OK && !in.listed)
		return fail_bins(&in, TR_E_CORRUPT,
				 "no RISC-V programs or libraries in it");
	return status;
}

const char *tr_bins_check_base(struct tr_bins *bins, size_t i,
			       const struct tr_image *image)
{
	const struct tr_bin *bin = &bins->bins[i];
	const size_t count = tr_image_code_count(image);
	char text[80];
	if (!bin->has_base || !count)
		return NULL;
	const struct tr_code *last = tr_image_code(image, count - 1);
	uint64_t first = tr_image_code(image, 0)->address / PAGE * PAGE;
	uint64_t top = tr_image_xlen(image) == 32 ? UINT32_MAX : UINT64_MAX;
	if (bin->base <= top && last->address + last->size - 1 - first <= top - bin->base)
		return NULL;
	snprintf(text, sizeof(text),
		 "base=0x%" PRIx64 ": the code exceeds the address space", bin->base);
	return tr_bins_blame(bins, i, text);
}

const char *tr_bins_blame(struct tr_bins *bins, size_t i, const char *message)
{
	const struct reading in = {
	    .bins = bins, .path = bins->bins[i].list, .line = bins->bins[i].line};
	if (in.line)
		fail_bins(&in, TR_E_CORRUPT, "%s", message);
	else
		snprintf(bins->message, sizeof(bins->message), "%s", message);
	return bins->message;
}

int tr_bins_add_part(struct tr_bins *bins, size_t i, const char *part, enum tr_role role)
{
	if (!tr_grow(&bins->bins, &bins->capacity, bins->count + 1, sizeof(*bins->bins)))
		return TR_E_NOMEM;
	struct tr_bin bin = bins->bins[i];
	bin.path = strdup(bin.path);
	bin.part = strdup(part);
	bin.stubs = NULL;
	bin.role = role;
	if (!bin.path || !bin.part) {
		free(bin.path);
		free(bin.part);
		return TR_E_NOMEM;
	}
	bins->bins[bins->count++] = bin;
	return TR_OK;
}

void tr_bins_remove(struct tr_bins *bins, size_t i)
{
	release_bin(&bins->bins[i]);
	bins->count--;
	memmove(&bins->bins[i], &bins->bins[i + 1],
		(bins->count - i) * sizeof(*bins->bins));
}

void tr_bins_release(struct tr_bins *bins)
{
	for (size_t i = 0; i < bins->count; i++)
		release_bin(&bins->bins[i]);
	free(bins->bins);
	bins->bins = NULL;
	bins->count = bins->capacity = 0;
}
