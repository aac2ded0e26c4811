/* SPDX-License-Identifier: Apache-2.0 */
/* What /proc tells of a process: its mappings, with free places between them, its
 * program, and where its stack, its heap and its vdso are. Linux only. Numbers are
 * addresses in the process, in bytes; functions that may fail return false with the
 * trouble set. */
#ifndef PROCESS_MAPS_H
#define PROCESS_MAPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "run/trouble.h"

struct process_map {
	uint64_t start, end, offset;
	bool writable;
	const char *name; /* "" if it has none */
};

/* Most have room in the structure itself, which must therefore not be copied. */
enum { PROCESS_MAPS_FEW = 48, PROCESS_MAPS_SHORT = 4096 };
struct process_maps {
	struct process_map *maps; /* by start */
	size_t count;
	char *text; /* that the names are in */
	struct process_map few[PROCESS_MAPS_FEW];
	char short_text[PROCESS_MAPS_SHORT];
};

/* Makes the path /proc/PID/NAME; the name has at most 16 characters. */
enum { PROCESS_PATH_MAX = 40 };
void name_process_file(char path[PROCESS_PATH_MAX], pid_t pid, const char *name);
/* The path of an open file of the process. */
void name_process_descriptor(char path[PROCESS_PATH_MAX], pid_t pid, int descriptor);

/* Joins two parts, of which `last` has the slash between them. Returns false if the path
 * has no room. */
bool join_path(char *path, size_t room, const char *first, const char *last);

bool read_process_maps(pid_t pid, struct process_maps *maps, struct trouble *trouble);
void free_process_maps(struct process_maps *maps);
/* Returns the mapping that has `address`, or NULL. */
const struct process_map *find_process_map(const struct process_maps *maps,
					   uint64_t address);
/* Returns the first mapping of that name, or NULL. */
const struct process_map *name_process_map(const struct process_maps *maps,
					   const char *name);

/* Finds a place of `size` bytes, a multiple of the page, that begins from `lowest` to
 * `highest` and touches no mapping: the lowest one, or the highest. Returns false if
 * there is none. */
bool find_free_place(const struct process_maps *maps, uint64_t lowest, uint64_t highest,
		     uint64_t size, bool from_top, uint64_t *place);

struct process_facts {
	uid_t user; /* whose files it opens */
	gid_t group;
	uint64_t start_brk; /* where its heap begins; 0 if it is hidden */
	pid_t parent;
	uint64_t started; /* after boot, in clock ticks: field 22 of stat */
};
bool read_process_facts(pid_t pid, struct process_facts *facts, struct trouble *trouble);
/* Reads which process traces a process; 0: none. */
bool read_process_tracer(pid_t pid, pid_t *tracer, struct trouble *trouble);

/* The auxiliary vector: what the kernel has told the program. */
struct process_vector {
	uint64_t headers, header_count; /* program headers */
	uint64_t entry;			/* the program's first instruction */
	uint64_t interpreter; /* where the program's interpreter begins; 0: it has none */
};
bool read_process_vector(pid_t pid, struct process_vector *vector,
			 struct trouble *trouble);
/* Returns the number of its threads; 0: there is no such process. */
unsigned long count_process_threads(pid_t pid);

/* Tells whether a process runs a program: it has not ended, and is none of the kernel. */
bool has_program(pid_t pid);
/* Reads the path of the program, of at most `size` bytes with the NUL. */
bool read_process_program(pid_t pid, char *path, size_t size, struct trouble *trouble);

/* Returns the lowest number that is no open file of the process, below 1024. */
int find_free_descriptor(pid_t pid);

/* Reads a whole file. Returns its bytes, which the caller frees and a NUL follows, with
 * their number in *size; NULL with errno set. `folder` may be AT_FDCWD. */
char *read_whole_file(int folder, const char *path, size_t *size);

#endif
