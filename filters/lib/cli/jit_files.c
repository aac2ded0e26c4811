/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/jit_files.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/lines.h"
#include "base/number.h"

struct taking {
	const struct tr_cli *cli;
	const char *hits, *folder;
	uint64_t line;
	struct tr_texts *maps;
	FILE *file; /* that of the last line */
	char *path; /* which `maps` has */
	/* By map: with which satp it was written; 0 if that is not known, or several. */
	uint64_t *satps;
};

static _Noreturn void refuse_hit(const struct taking *t, const char *reason)
{
	tr_die(t->cli, "%s: line %" PRIu64 ": %s", t->hits, t->line, reason);
}

/* Returns true for perf-N.map and jit-N.dump. */
static bool is_map_name(const char *name, size_t size)
{
	static const struct {
		const char *before, *behind;
	} names[] = {{"perf-", ".map"}, {"jit-", ".dump"}};
	for (size_t i = 0; i < 2; i++) {
		const size_t before = strlen(names[i].before),
			     behind = strlen(names[i].behind);
		if (size <= before + behind || size > 40 ||
		    memcmp(name, names[i].before, before) != 0 ||
		    memcmp(name + size - behind, names[i].behind, behind) != 0)
			continue;
		const size_t digits = strspn(name + before, "0123456789");
		return digits == size - before - behind;
	}
	return false;
}

static void close_map(struct taking *t)
{
	const bool has_failed = t->file && ferror(t->file);
	if (t->file && (fclose(t->file) != 0 || has_failed))
		tr_die(t->cli, "%s: %s", t->path, strerror(errno));
	t->file = NULL;
}

/* Opens the file of this name to append to it; the first time it is empty. */
static void open_map_file(struct taking *t, const char *name, size_t size, uint64_t satp)
{
	char path[PATH_MAX];
	size_t i = 0;
	if (snprintf(path, sizeof(path), "%s/%.*s", t->folder, (int)size, name) >=
	    PATH_MAX)
		tr_die(t->cli, "%s: the path is too long", t->folder);
	while (i < t->maps->count && strcmp(t->maps->text[i], path) != 0)
		i++;
	const bool is_new = i == t->maps->count;
	if (!is_new && t->satps[i] != satp)
		t->satps[i] = 0;
	if (t->file && strcmp(t->path, path) == 0)
		return;
	close_map(t);
	t->path = is_new ? strdup(path) : (char *)t->maps->text[i];
	tr_cli_need(t->cli, t->path);
	if (is_new) {
		tr_options_add_text(t->cli, t->maps, t->path);
		t->satps = realloc(t->satps, (i + 1) * sizeof(*t->satps));
		tr_cli_need(t->cli, t->satps);
		t->satps[i] = satp;
	}
	t->file = fopen(path, is_new ? "we" : "ae");
	if (!t->file)
		tr_die(t->cli, "%s: %s", path, strerror(errno));
}

/* Writes `size` bytes, which are hexadecimal up to the end of the line. */
static void put_data(const struct taking *t, const char *hex, uint64_t size)
{
	for (uint64_t i = 0; i < size; i++, hex += 2) {
		const int high = tr_hex_digit(hex[0]);
		const int low = high < 0 ? -1 : tr_hex_digit(hex[1]);
		if (low < 0)
			refuse_hit(t, "not all that was written is known");
		putc(high << 4 | low, t->file);
	}
	if (*hex && *hex != '\n')
		refuse_hit(t, "more data than was written");
}

static void take_hit(struct taking *t, const char *line)
{
	static const char SATP_FIELD[] = " satp=", FILE_FIELD[] = " file=\"",
			  SIZE_FIELD[] = "\" size=", DATA_FIELD[] = " data=";
	uint64_t size, satp;
	const char *space = strstr(line, SATP_FIELD);
	const char *name = strstr(line, FILE_FIELD);
	if (!strstr(line, " jit_write ") || !name)
		return;
	if (!space || space > name || !tr_parse_number(space + strlen(SATP_FIELD), &satp))
		satp = 0;
	name += strlen(FILE_FIELD);
	const char *end = strstr(name, SIZE_FIELD);
	if (!end || !is_map_name(name, (size_t)(end - name)))
		return;
	const char *data = tr_parse_number(end + strlen(SIZE_FIELD), &size);
	if (!data || strncmp(data, DATA_FIELD, strlen(DATA_FIELD)) != 0)
		refuse_hit(t, "no size and data of what was written");
	open_map_file(t, name, (size_t)(end - name), satp);
	put_data(t, data + strlen(DATA_FIELD), size);
}

/* Appends the address space, by its satp, to the paths of those maps of which it is
 * known.
 */
static void add_spaces(struct taking *t)
{
	enum { ROOM = 32 };
	for (size_t i = 0; i < t->maps->count; i++) {
		const size_t size = strlen(t->maps->text[i]);
		if (!t->satps[i])
			continue;
		char *text = realloc((char *)t->maps->text[i], size + ROOM);
		tr_cli_need(t->cli, text);
		snprintf(text + size, ROOM, ":satp=0x%" PRIx64, t->satps[i]);
		t->maps->text[i] = text;
	}
	free(t->satps);
}

void tr_jit_files_take(const struct tr_cli *cli, const char *hits, const char *folder,
		       struct tr_texts *maps)
{
	struct taking t = {.cli = cli, .hits = hits, .folder = folder, .maps = maps};
	FILE *file = fopen(hits, "re");
	char *line = NULL;
	size_t room = 0;
	ssize_t size;
	if (!file)
		tr_die(cli, "%s: %s", hits, strerror(errno));
	while ((size = tr_read_line(&line, &room, file)) > 0) {
		t.line++;
		take_hit(&t, line);
	}
	if (size == TR_LINE_TOO_LONG)
		refuse_hit(&t, "too long");
	if (ferror(file))
		tr_die(cli, "%s: %s", hits, strerror(errno));
	close_map(&t);
	add_spaces(&t);
	fclose(file);
	free(line);
}

void tr_jit_files_remove(const char *folder)
{
	DIR *dir = opendir(folder);
	char path[PATH_MAX];
	for (struct dirent *entry; dir && (entry = readdir(dir));)
		if (is_map_name(entry->d_name, strlen(entry->d_name)) &&
		    snprintf(path, sizeof(path), "%s/%s", folder, entry->d_name) <
			PATH_MAX)
			remove(path);
	if (dir)
		closedir(dir);
}
