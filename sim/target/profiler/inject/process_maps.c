/* SPDX-License-Identifier: Apache-2.0 */
/* What /proc tells of a process. */
#include "process_maps.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/little.h"

enum { PAGE = 4096, SMALL = 2048 };
/* Of struct linux_dirent64: what opendir() reads, without its memory. */
enum { ENTRY_SIZE = 16, ENTRY_NAME = 19 };

/* Returns where the number ends. */
static char *put_number(char *at, int number)
{
	char digits[12];
	int count = 0;

	do
		digits[count++] = (char)('0' + number % 10);
	while ((number /= 10) > 0);
	while (count > 0)
		*at++ = digits[--count];
	return at;
}

/* By hand: the injector makes many, and what printf() would need for each is more than
 * the kernel needs to find the file. */
void name_process_file(char path[PROCESS_PATH_MAX], pid_t pid, const char *name)
{
	char *at = put_number(stpcpy(path, "/proc/"), pid);

	*at++ = '/';
	stpcpy(at, name);
}

void name_process_descriptor(char path[PROCESS_PATH_MAX], pid_t pid, int descriptor)
{
	name_process_file(path, pid, "fd/");
	*put_number(path + strlen(path), descriptor) = '\0';
}

bool join_path(char *path, size_t room, const char *first, const char *last)
{
	size_t size = strlen(first), rest = strlen(last) + 1;

	if (size + rest > room)
		return false;
	memcpy(path, first, size);
	memcpy(path + size, last, rest);
	return true;
}

/* Files of /proc have no size, and are read until nothing comes. */
static char *read_rest(int file, size_t room, size_t *size)
{
	char *bytes = malloc(room);

	for (*size = 0; bytes;) {
		ssize_t got = read(file, bytes + *size, room - 1 - *size);

		if (got == 0) {
			bytes[*size] = '\0';
			return bytes;
		}
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			break;
		*size += (size_t)got;
		if (*size == room - 1) {
			char *more = realloc(bytes, room *= 2);

			if (!more)
				break;
			bytes = more;
		}
	}
	free(bytes);
	return NULL;
}

char *read_whole_file(int folder, const char *path, size_t *size)
{
	int file = openat(folder, path, O_RDONLY | O_CLOEXEC);
	struct stat about;
	char *bytes = NULL;

	if (file < 0)
		return NULL;
	if (fstat(file, &about) == 0) {
		if (S_ISDIR(about.st_mode))
			errno = EISDIR;
		else
			bytes = read_rest(
			    file, about.st_size > 0 ? (size_t)about.st_size + 2 : PAGE,
			    size);
	}
	int cause = errno;

	close(file);
	errno = cause;
	return bytes;
}

/* Reads a small file, or its beginning, into `text`, of `room` bytes, with a NUL: without
 * memory that would have to be mapped. The kernel gives `maps` in parts. */
static bool read_small_file(pid_t pid, const char *name, bool in_parts, char *text,
			    size_t room, size_t *size, struct trouble *trouble)
{
	char path[PROCESS_PATH_MAX];

	name_process_file(path, pid, name);
	int file = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t got = file < 0 ? -1 : read(file, text, room - 1);

	*size = got < 0 ? 0 : (size_t)got;
	while (in_parts && got > 0) {
		got = read(file, text + *size, room - 1 - *size);
		*size += got < 0 ? 0 : (size_t)got;
	}
	if (got < 0)
		tell_trouble(trouble, "%s: %s", path, strerror(errno));
	if (file >= 0)
		close(file);
	text[*size] = '\0';
	return got >= 0;
}

/* --- mappings */

static uint64_t parse_hex(const char **at)
{
	uint64_t value = 0;

	for (;; ++*at) {
		unsigned digit = (unsigned char)**at;

		if (digit - '0' < 10)
			value = value << 4 | (digit - '0');
		else if (digit - 'a' < 6)
			value = value << 4 | (digit - 'a' + 10);
		else
			return value;
	}
}

/* A line is "START-END rwxp OFFSET MAJOR:MINOR INODE   NAME". */
static bool parse_map(const char *at, struct process_map *map)
{
	map->start = parse_hex(&at);
	if (*at++ != '-')
		return false;
	map->end = parse_hex(&at);
	if (*at != ' ' || strlen(at) < 6)
		return false;
	map->writable = at[2] == 'w';
	at += 6;
	map->offset = parse_hex(&at);
	for (int field = 0; field < 2; field++) {
		at += strspn(at, " ");
		at += strcspn(at, " ");
	}
	map->name = at + strspn(at, " ");
	return map->start < map->end;
}

/* Returns room for one more map, or NULL without memory. */
static struct process_map *add_map(struct process_maps *maps, size_t *room)
{
	if (maps->count == *room) {
		struct process_map *old = maps->maps == maps->few ? NULL : maps->maps;
		struct process_map *more = realloc(old, 2 * *room * sizeof(*more));

		if (!more)
			return NULL;
		if (!old)
			memcpy(more, maps->few, sizeof(maps->few));
		maps->maps = more;
		*room *= 2;
	}
	return &maps->maps[maps->count++];
}

static bool parse_maps(struct process_maps *maps, pid_t pid, struct trouble *trouble)
{
	size_t room = PROCESS_MAPS_FEW;

	for (char *line = maps->text, *end; *line; line = end + 1) {
		struct process_map *map = add_map(maps, &room);

		if (!map)
			return tell_no_memory(trouble);
		end = strchrnul(line, '\n');
		bool last = !*end;

		*end = '\0';
		if (!parse_map(line, map))
			return tell_trouble(trouble, "/proc/%d/maps: not a mapping",
					    (int)pid);
		if (last)
			break;
	}
	return true;
}

/* Reads the text into the structure, or if it is too long into memory. */
static bool read_maps_text(struct process_maps *maps, pid_t pid, struct trouble *trouble)
{
	size_t size;
	char path[PROCESS_PATH_MAX];

	maps->text = maps->short_text;
	if (!read_small_file(pid, "maps", true, maps->text, PROCESS_MAPS_SHORT, &size,
			     trouble))
		return false;
	if (size < PROCESS_MAPS_SHORT - 1)
		return true;
	name_process_file(path, pid, "maps");
	maps->text = read_whole_file(AT_FDCWD, path, &size);
	return maps->text || tell_trouble(trouble, "%s: %s", path, strerror(errno));
}

bool read_process_maps(pid_t pid, struct process_maps *maps, struct trouble *trouble)
{
	maps->maps = maps->few;
	maps->count = 0;
	if (read_maps_text(maps, pid, trouble) && parse_maps(maps, pid, trouble))
		return true;
	free_process_maps(maps);
	return false;
}

void free_process_maps(struct process_maps *maps)
{
	if (maps->maps != maps->few)
		free(maps->maps);
	if (maps->text != maps->short_text)
		free(maps->text);
	maps->maps = NULL;
	maps->text = NULL;
	maps->count = 0;
}

const struct process_map *find_process_map(const struct process_maps *maps,
					   uint64_t address)
{
	for (size_t i = 0; i < maps->count; i++)
		if (maps->maps[i].start <= address && address < maps->maps[i].end)
			return &maps->maps[i];
	return NULL;
}

const struct process_map *name_process_map(const struct process_maps *maps,
					   const char *name)
{
	for (size_t i = 0; i < maps->count; i++)
		if (strcmp(maps->maps[i].name, name) == 0)
			return &maps->maps[i];
	return NULL;
}

bool find_free_place(const struct process_maps *maps, uint64_t lowest, uint64_t highest,
		     uint64_t size, bool from_top, uint64_t *place)
{
	uint64_t gap = 0;
	bool found = false;

	lowest = (lowest + PAGE - 1) / PAGE * PAGE;
	highest = highest / PAGE * PAGE;
	for (size_t i = 0; i <= maps->count; i++) {
		uint64_t gap_end =
		    i < maps->count ? maps->maps[i].start : UINT64_MAX / PAGE * PAGE;
		uint64_t low = gap > lowest ? gap : lowest;

		if (gap_end >= size && low <= gap_end - size && low <= highest) {
			*place = low;
			if (!from_top)
				return true;
			found = true;
			*place = gap_end - size < highest ? gap_end - size : highest;
		}
		if (i < maps->count)
			gap = maps->maps[i].end;
	}
	return found;
}

/* --- the process */

/* Fields of /proc/PID/stat, counted from 1. */
enum {
	STAT_STATE = 3,
	STAT_PARENT = 4,
	STAT_STARTED = 22,
	STAT_START_BRK = 47,
	STAT_FIELDS
};

/* Reads the fields from the third on, behind the name, which may have anything. */
static void parse_stat(const char *stat, uint64_t fields[STAT_FIELDS])
{
	const char *at = strrchr(stat, ')');

	memset(fields, 0, STAT_FIELDS * sizeof(*fields));
	at = at && at[1] ? at + 2 : "";
	for (int field = STAT_STATE; *at && field < STAT_FIELDS; at++) {
		if (*at == ' ')
			field++;
		else
			fields[field] = fields[field] * 10 + (uint64_t)(*at - '0');
	}
}

/* The folder of a process belongs to its user. /proc/PID/status has that as well, but
 * costs the kernel much more. */
bool read_process_facts(pid_t pid, struct process_facts *facts, struct trouble *trouble)
{
	char path[PROCESS_PATH_MAX];
	struct stat about;
	size_t size;
	char stat_text[SMALL];
	uint64_t fields[STAT_FIELDS];

	if (!read_small_file(pid, "stat", false, stat_text, sizeof(stat_text), &size,
			     trouble))
		return false;
	name_process_file(path, pid, "");
	bool done = stat(path, &about) == 0;

	parse_stat(stat_text, fields);
	if (done)
		*facts = (struct process_facts){
		    .user = about.st_uid,
		    .group = about.st_gid,
		    .parent = (pid_t)fields[STAT_PARENT],
		    .start_brk = fields[STAT_START_BRK],
		    .started = fields[STAT_STARTED],
		};
	return done || tell_trouble(trouble, "%s: %s", path, strerror(errno));
}

bool read_process_tracer(pid_t pid, pid_t *tracer, struct trouble *trouble)
{
	static const char name[] = "\nTracerPid:\t";
	size_t size;
	char status[SMALL];
	bool done =
	    read_small_file(pid, "status", false, status, sizeof(status), &size, trouble);
	const char *at = strstr(status, name);

	*tracer = at ? (pid_t)strtol(at + strlen(name), NULL, 10) : 0;
	return done;
}

bool read_process_vector(pid_t pid, struct process_vector *vector,
			 struct trouble *trouble)
{
	size_t size;
	char bytes[SMALL];

	*vector = (struct process_vector){0};
	if (!read_small_file(pid, "auxv", false, bytes, sizeof(bytes), &size, trouble))
		return false;
	for (size_t at = 0; at + sizeof(Elf64_auxv_t) <= size;
	     at += sizeof(Elf64_auxv_t)) {
		Elf64_auxv_t pair;

		memcpy(&pair, bytes + at, sizeof(pair));
		if (pair.a_type == AT_PHDR)
			vector->headers = pair.a_un.a_val;
		else if (pair.a_type == AT_PHNUM)
			vector->header_count = pair.a_un.a_val;
		else if (pair.a_type == AT_ENTRY)
			vector->entry = pair.a_un.a_val;
		else if (pair.a_type == AT_BASE)
			vector->interpreter = pair.a_un.a_val;
	}
	return true;
}

unsigned long count_process_threads(pid_t pid)
{
	char path[PROCESS_PATH_MAX];
	struct stat about;

	/* Of a folder: "." and its name are links, too. */
	name_process_file(path, pid, "task");
	return stat(path, &about) == 0 && about.st_nlink > 2
		   ? (unsigned long)about.st_nlink - 2
		   : 0;
}

bool has_program(pid_t pid)
{
	char path[PROCESS_PATH_MAX], first;

	name_process_file(path, pid, "exe");
	return readlink(path, &first, 1) > 0;
}

bool read_process_program(pid_t pid, char *path, size_t size, struct trouble *trouble)
{
	char link[PROCESS_PATH_MAX];

	name_process_file(link, pid, "exe");
	ssize_t length = readlink(link, path, size);

	if (length < 0)
		return tell_trouble(trouble, "%s: %s", link, strerror(errno));
	if ((size_t)length == size)
		return tell_trouble(trouble, "%s: its path is too long", link);
	path[length] = '\0';
	return true;
}

int find_free_descriptor(pid_t pid)
{
	enum { ENTRIES = 1024 };
	bool used[ENTRIES] = {false};
	char path[PROCESS_PATH_MAX], entries[SMALL];
	int number = 0;

	name_process_file(path, pid, "fd");
	int folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	for (long size; folder >= 0 && (size = syscall(SYS_getdents64, folder, entries,
						       sizeof(entries))) > 0;)
		for (long at = 0; at < size;) {
			unsigned long open = strtoul(entries + at + ENTRY_NAME, NULL, 10);

			if (entries[at + ENTRY_NAME] != '.' && open < ENTRIES)
				used[open] = true;
			at += (long)tr_load16((const uint8_t *)entries + at + ENTRY_SIZE);
		}
	if (folder >= 0)
		close(folder);
	while (number < ENTRIES && used[number])
		number++;
	return number;
}
