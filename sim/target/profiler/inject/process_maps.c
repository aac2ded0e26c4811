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

enum { PAGE = 4096, PATH_ROOM = 64, SMALL = 2048 };
/* Of struct linux_dirent64: what opendir() reads, without its memory. */
enum { ENTRY_SIZE = 16, ENTRY_NAME = 19 };

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

static char *read_process_file(pid_t pid, const char *name, size_t *size,
			       struct trouble *trouble)
{
	char path[PATH_ROOM];

	snprintf(path, sizeof(path), "/proc/%d/%s", (int)pid, name);
	char *bytes = read_whole_file(AT_FDCWD, path, size);

	if (!bytes)
		tell_trouble(trouble, "%s: %s", path, strerror(errno));
	return bytes;
}

/* The same of a small file, into `text`, of SMALL bytes, with a NUL: without memory that
 * would have to be mapped. */
static bool read_small_file(pid_t pid, const char *name, char text[SMALL], size_t *size,
			    struct trouble *trouble)
{
	char path[PATH_ROOM];

	snprintf(path, sizeof(path), "/proc/%d/%s", (int)pid, name);
	int file = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t got = file < 0 ? -1 : read(file, text, SMALL - 1);

	if (got < 0)
		tell_trouble(trouble, "%s: %s", path, strerror(errno));
	if (file >= 0)
		close(file);
	*size = got < 0 ? 0 : (size_t)got;
	text[*size] = '\0';
	return got >= 0;
}

/* --- mappings */

/* A line is "START-END rwxp OFFSET MAJOR:MINOR INODE   NAME". */
static bool parse_map(char *line, struct process_map *map)
{
	char *at;

	map->start = strtoull(line, &at, 16);
	if (*at != '-')
		return false;
	map->end = strtoull(at + 1, &at, 16);
	if (*at != ' ' || strlen(at) < 6)
		return false;
	map->writable = at[2] == 'w';
	map->offset = strtoull(at + 6, &at, 16);
	for (int field = 0; field < 2; field++) {
		at += strspn(at, " ");
		at += strcspn(at, " ");
	}
	map->name = at + strspn(at, " ");
	return map->start < map->end;
}

bool read_process_maps(pid_t pid, struct process_maps *maps, struct trouble *trouble)
{
	size_t size, room = 0;

	*maps =
	    (struct process_maps){.text = read_process_file(pid, "maps", &size, trouble)};
	if (!maps->text)
		return false;
	for (char *line = maps->text, *end; *line; line = end + 1) {
		end = strchrnul(line, '\n');
		if (maps->count == room) {
			struct process_map *more =
			    realloc(maps->maps, (room = room * 2 + 16) * sizeof(*more));

			if (!more) {
				free_process_maps(maps);
				return tell_no_memory(trouble);
			}
			maps->maps = more;
		}
		bool last = !*end;

		*end = '\0';
		if (!parse_map(line, &maps->maps[maps->count])) {
			free_process_maps(maps);
			return tell_trouble(trouble, "/proc/%d/maps: not a mapping",
					    (int)pid);
		}
		maps->count++;
		if (last)
			break;
	}
	return true;
}

void free_process_maps(struct process_maps *maps)
{
	free(maps->maps);
	free(maps->text);
	*maps = (struct process_maps){0};
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

/* Returns field `number` of /proc/PID/stat, counted from 1: those from the third on,
 * behind the name, which may have anything. */
static uint64_t stat_field(const char *stat, int number)
{
	const char *at = strrchr(stat, ')');

	for (int field = 2; at && field < number; field++) {
		at = strchr(at, ' ');
		if (at)
			at++;
	}
	return at ? strtoull(at, NULL, 10) : 0;
}

/* The folder of a process belongs to its user. /proc/PID/status has that as well, but
 * costs the kernel much more. */
bool read_process_facts(pid_t pid, struct process_facts *facts, struct trouble *trouble)
{
	char path[PATH_ROOM];
	struct stat about;
	size_t size;
	char stat_text[SMALL];

	if (!read_small_file(pid, "stat", stat_text, &size, trouble))
		return false;
	snprintf(path, sizeof(path), "/proc/%d", (int)pid);
	bool done = stat(path, &about) == 0;

	if (done)
		*facts = (struct process_facts){
		    .user = about.st_uid,
		    .group = about.st_gid,
		    .start_brk = stat_field(stat_text, 47),
		    .started = stat_field(stat_text, 22),
		};
	return done || tell_trouble(trouble, "%s: %s", path, strerror(errno));
}

bool read_process_tracer(pid_t pid, pid_t *tracer, struct trouble *trouble)
{
	static const char name[] = "\nTracerPid:\t";
	size_t size;
	char status[SMALL];
	bool done = read_small_file(pid, "status", status, &size, trouble);
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
	if (!read_small_file(pid, "auxv", bytes, &size, trouble))
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
	}
	return true;
}

bool read_process_program(pid_t pid, char *path, size_t size, struct trouble *trouble)
{
	char link[PATH_ROOM];

	snprintf(link, sizeof(link), "/proc/%d/exe", (int)pid);
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
	char path[PATH_ROOM], entries[SMALL];
	int number = 0;

	snprintf(path, sizeof(path), "/proc/%d/fd", (int)pid);
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
