/* SPDX-License-Identifier: Apache-2.0 */
/* Compares the program of a process with what was extracted. */
#include "running_build.h"

#include <elf.h>
#include <string.h>
#include <sys/stat.h>

#include "tracee.h"

enum { NOTES_MAX = 4096, HEADERS_MAX = 64 };

static bool match_build_note(const uint8_t *notes, size_t size,
			     const struct tr_stubs *stubs)
{
	for (size_t at = 0; at + sizeof(Elf64_Nhdr) <= size;) {
		Elf64_Nhdr note;

		memcpy(&note, notes + at, sizeof(note));
		size_t name = at + sizeof(note),
		       id = name + ((size_t)note.n_namesz + 3) / 4 * 4;

		at = id + ((size_t)note.n_descsz + 3) / 4 * 4;
		if (at > size || at < id)
			return false;
		if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 &&
		    memcmp(notes + name, "GNU", 4) == 0)
			return note.n_descsz == stubs->build_id_size &&
			       memcmp(notes + id, stubs->build_id,
				      stubs->build_id_size) == 0;
	}
	return false;
}

/* The build-id is read from the memory of the process. */
static bool has_build_id(int memory, const struct process_vector *vector, uint64_t bias,
			 const struct tr_stubs *stubs)
{
	Elf64_Phdr headers[HEADERS_MAX];
	size_t count =
	    vector->header_count < HEADERS_MAX ? vector->header_count : HEADERS_MAX;
	uint8_t notes[NOTES_MAX];
	struct trouble ignored = {{0}};

	if (!read_tracee_memory(memory, vector->headers, headers,
				count * sizeof(*headers), &ignored))
		return false;
	for (size_t i = 0; i < count; i++) {
		size_t size =
		    headers[i].p_memsz < NOTES_MAX ? headers[i].p_memsz : NOTES_MAX;

		if (headers[i].p_type == PT_NOTE &&
		    read_tracee_memory(memory, headers[i].p_vaddr + bias, notes, size,
				       &ignored) &&
		    match_build_note(notes, size, stubs))
			return true;
	}
	return false;
}

static bool has_file_size(pid_t process, const struct tr_stubs *stubs)
{
	char path[PROCESS_PATH_MAX];
	struct stat about;

	name_process_file(path, process, "exe");
	return stat(path, &about) == 0 && (uint64_t)about.st_size == stubs->program_size;
}

bool is_running_build(pid_t process, int memory, const struct process_vector *vector,
		      uint64_t bias, const struct tr_stubs *stubs)
{
	return stubs->build_id_size ? has_build_id(memory, vector, bias, stubs)
				    : has_file_size(process, stubs);
}
