/* SPDX-License-Identifier: Apache-2.0 */
/* Makes the files of running processes. */
#include "run_files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "process_maps.h"
#include "base/little.h"
#include "target/profiler/guarded_memory.h"

enum {
	PID_DIGITS = 5,
	NAME_ROOM = 40,
	FOLDER_MODE = 0755,
	COUNTS_MODE = 0644,
	CODE_MODE = 0400,
	LOCK_TRIES = 100,
	LOCK_PAUSE_NS = 1000000, /* 0.1 s in all */
};

static bool tell_error(struct trouble *trouble, const struct run_folder *run,
		       const char *name)
{
	return tell_trouble(trouble, "%s%s%s: %s", run->path, *name ? "/" : "", name,
			    strerror(errno));
}

static bool give_to_user(const struct run_folder *run, int file)
{
	return run->user == geteuid() || fchown(file, run->user, run->group) == 0;
}

bool open_run_folder(struct run_folder *run, uid_t user, gid_t group,
		     struct trouble *trouble)
{
	const char *parent = getenv("TMPDIR");
	struct stat about;

	*run = (struct run_folder){.folder = -1, .user = user, .group = group};
	if (snprintf(run->path, sizeof(run->path), "%s/prof-%u",
		     parent && *parent == '/' ? parent : "/tmp",
		     (unsigned)user) >= (int)sizeof(run->path))
		return tell_trouble(trouble, "TMPDIR: the path is too long");
	bool made = mkdir(run->path, FOLDER_MODE) == 0;

	if (!made && errno != EEXIST)
		return tell_error(trouble, run, "");
	run->folder = open(run->path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (run->folder < 0 || fstat(run->folder, &about) < 0 ||
	    (made &&
	     (fchmod(run->folder, FOLDER_MODE) < 0 || !give_to_user(run, run->folder))))
		return tell_error(trouble, run, "");
	if (!made && (about.st_uid != user || about.st_mode & (S_IWGRP | S_IWOTH)))
		return tell_trouble(trouble,
				    "%s: not a folder that only user %u can write",
				    run->path, (unsigned)user);
	return true;
}

void close_run_folder(struct run_folder *run)
{
	if (run->folder >= 0)
		close(run->folder);
	run->folder = -1;
}

static bool write_file_range(int file, const uint8_t *bytes, size_t size, uint64_t at)
{
	for (size_t done = 0; done < size;) {
		ssize_t put = pwrite(file, bytes + done, size - done, (off_t)(at + done));

		if (put < 0 && errno == EINTR)
			continue;
		if (put <= 0)
			return false;
		done += (size_t)put;
	}
	return true;
}

/* Makes a new file of the user. Returns -1 with errno set. */
static int make_user_file(const struct run_folder *run, const char *name, mode_t mode)
{
	const int flags = O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
	int file = openat(run->folder, name, flags, 0600);

	if (file < 0 && errno == EEXIST && unlinkat(run->folder, name, 0) == 0)
		file = openat(run->folder, name, flags, 0600);
	if (file >= 0 && (fchmod(file, mode) < 0 || !give_to_user(run, file))) {
		close(file);
		return -1;
	}
	return file;
}

/* --- the stubs */

static void name_code_file(pid_t pid, const char *end, char name[NAME_ROOM])
{
	snprintf(name, NAME_ROOM, "injected%05d.%s", (int)pid, end);
}

bool make_code_file(const struct run_folder *run, pid_t pid, const uint8_t *code,
		    size_t size, char path[RUN_FILE_MAX], struct trouble *trouble)
{
	char name[NAME_ROOM];

	name_code_file(pid, "o", name);
	snprintf(path, RUN_FILE_MAX, "%s/%s", run->path, name);
	int file = make_user_file(run, name, CODE_MODE);
	bool done = file >= 0 && write_file_range(file, code, size, 0);

	if (!done)
		tell_error(trouble, run, name);
	if (file >= 0)
		close(file);
	if (!done)
		remove_code_file(run, pid);
	return done;
}

void remove_code_file(const struct run_folder *run, pid_t pid)
{
	char name[NAME_ROOM];

	name_code_file(pid, "o", name);
	unlinkat(run->folder, name, 0);
}

bool link_program_files(const struct run_folder *run, pid_t pid, const char *folder,
			struct trouble *trouble)
{
	char name[NAME_ROOM];

	name_code_file(pid, "from", name);
	unlinkat(run->folder, name, 0);
	return symlinkat(folder, run->folder, name) == 0 ||
	       tell_error(trouble, run, name);
}

/* --- the counters */

struct guarded_copy {
	void *to;
	const void *from;
	size_t size;
};

static void copy_bytes(void *context)
{
	const struct guarded_copy *copy = context;

	memcpy(copy->to, copy->from, copy->size);
}

/* Returns false if the file that `from` is mapped from has become too short. */
static bool copy_guarded(void *to, const void *from, size_t size)
{
	struct guarded_copy copy = {to, from, size};

	return access_guarded(copy_bytes, &copy);
}

/* As tr_log_claim(). */
static bool claim_counts_file(int file, const struct tr_shared *shared)
{
	uint8_t sequence[8];

	tr_store64(sequence, 1);
	return write_file_range(file, sequence, sizeof(sequence),
				shared->buffers + shared->buffer_size);
}

/* All pages are allocated: a process that counts into a page for which there is no room
 * is killed. Zeros are written only where the file system cannot allocate them. */
static bool fill_counts_file(int file, const struct program_files *files, pid_t pid,
			     uint64_t started)
{
	const uint8_t *bytes = files->counters.bytes;
	uint64_t size = files->shared.size, hash = files->shared.hash;
	uint64_t counts = TR_SHARED_HEADER;
	uint8_t header[TR_SHARED_HEADER];

	/* What the file has lost is EFAULT here, as in the writes from it. */
	if (!copy_guarded(header, bytes, sizeof(header))) {
		errno = EFAULT;
		return false;
	}
	if (!files->global)
		tr_shared_own(header, (uint32_t)pid, started);
	if (!write_file_range(file, header, sizeof(header), 0))
		return false;
	if (fallocate(file, 0, (off_t)counts, (off_t)(hash - counts)) < 0)
		return (errno == EOPNOTSUPP || errno == ENOSYS) &&
		       write_file_range(file, bytes + counts, size - counts, counts);
	return write_file_range(file, bytes + hash, size - hash, hash) &&
	       (!files->logged || claim_counts_file(file, &files->shared));
}

static bool map_counts_file(int file, struct run_counts *counts)
{
	struct stat about;

	if (fstat(file, &about) < 0)
		return false;
	counts->size = (size_t)about.st_size;
	void *bytes =
	    mmap(NULL, counts->size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);

	if (bytes == MAP_FAILED)
		return false;
	counts->bytes = bytes;
	return true;
}

bool map_run_counts(struct run_counts *counts, struct trouble *trouble)
{
	if (counts->bytes)
		return true;
	int file = open(counts->path, O_RDWR | O_NOFOLLOW | O_CLOEXEC);
	bool mapped = file >= 0 && map_counts_file(file, counts);

	if (!mapped)
		tell_trouble(trouble, "%s: %s", counts->path, strerror(errno));
	if (file >= 0)
		close(file);
	return mapped;
}

void close_run_counts(struct run_counts *counts)
{
	if (counts->bytes)
		munmap(counts->bytes, counts->size);
	counts->bytes = NULL;
}

/* A complete file takes the name. */
static bool make_counts_file(const struct run_folder *run,
			     const struct program_files *files, pid_t pid,
			     uint64_t started, const char *name)
{
	char fresh[NAME_ROOM + 4];

	join_path(fresh, sizeof(fresh), name, ".new");
	int file = make_user_file(run, fresh, COUNTS_MODE);
	bool done = file >= 0 && fill_counts_file(file, files, pid, started) &&
		    renameat(run->folder, fresh, run->folder, name) == 0;
	int cause = errno;

	if (file >= 0)
		close(file);
	if (!done)
		unlinkat(run->folder, fresh, 0);
	errno = cause;
	return done;
}

/* A global file that has fewer functions gets those of FOLDER: it grows, and is never
 * renumbered. Returns false if they are others. */
static bool extend_global(struct run_counts *counts, const struct tr_shared *have,
			  const struct program_files *files)
{
	const struct tr_shared *want = &files->shared;
	uint32_t both =
	    have->functions < want->functions ? have->functions : want->functions;

	if (have->capacity != want->capacity)
		return false;
	for (uint32_t i = 0; i < both; i++)
		if (strcmp(tr_shared_name(have, i), tr_shared_name(want, i)) != 0)
			return false;
	if (both == want->functions)
		return true;
	if (want->size != have->size)
		return false;
	memcpy(counts->bytes + want->hash, files->counters.bytes + want->hash,
	       want->size - want->hash);
	memcpy(counts->bytes, files->counters.bytes, TR_SHARED_HEADER);
	return true;
}

static bool same_program(const struct tr_shared *have, const struct tr_shared *want)
{
	return have->functions == want->functions && have->capacity == want->capacity &&
	       have->size == want->size && have->build_id_size == want->build_id_size &&
	       memcmp(have->build_id, want->build_id, want->build_id_size) == 0;
}

enum counts_use { COUNTS_KEPT, COUNTS_MISSING, COUNTS_OTHER };

/* A file that exists, which its owner may cut at any time. */
struct counts_look {
	const struct program_files *files;
	pid_t pid;
	uint64_t started;
	struct run_counts *counts;
	bool kept; /* the counts go on */
};

static void look_at_counts(void *context)
{
	struct counts_look *look = context;
	struct run_counts *counts = look->counts;
	const struct program_files *files = look->files;
	struct tr_shared have;
	uint64_t at;

	if (tr_shared_open(counts->bytes, counts->size, &have, &at) != TR_OK ||
	    have.global != files->global)
		return;
	look->kept = files->global ? extend_global(counts, &have, files)
				   : have.pid == (uint32_t)look->pid &&
					 have.started == look->started &&
					 same_program(&have, &files->shared);
}

static enum counts_use open_counts(const struct run_folder *run,
				   const struct program_files *files, pid_t pid,
				   uint64_t started, const char *name,
				   struct run_counts *counts)
{
	struct counts_look look = {files, pid, started, counts, false};
	int file =
	    openat(run->folder, name, O_RDWR | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);

	if (file < 0)
		return COUNTS_MISSING;
	bool mapped = map_counts_file(file, counts);

	close(file);
	if (mapped && access_guarded(look_at_counts, &look) && look.kept)
		return COUNTS_KEPT;
	close_run_counts(counts);
	return files->global ? COUNTS_OTHER : COUNTS_MISSING;
}

/* Returns false if somebody keeps the folder locked: its user may. */
static bool lock_run_folder(const struct run_folder *run)
{
	for (unsigned i = 0; i < LOCK_TRIES; i++) {
		if (flock(run->folder, LOCK_EX | LOCK_NB) == 0)
			return true;
		nanosleep(&(struct timespec){.tv_nsec = LOCK_PAUSE_NS}, NULL);
	}
	return false;
}

/* Makes "/PID.dat", PID with five digits at least. */
static void name_counts_file(char path[NAME_ROOM], pid_t pid)
{
	char digits[12];
	int count = 0;
	char *at = stpcpy(path, "/");

	for (; count < PID_DIGITS || pid > 0; pid /= 10)
		digits[count++] = (char)('0' + pid % 10);
	while (count > 0)
		*at++ = digits[--count];
	stpcpy(at, ".dat");
}

bool make_run_counts(const struct run_folder *run, const struct program_files *files,
		     pid_t pid, uint64_t started, struct run_counts *counts,
		     struct trouble *trouble)
{
	char path[NAME_ROOM];
	const char *name = path + 1;
	bool done = true;

	*counts = (struct run_counts){0};
	name_counts_file(path, files->global ? 0 : pid);
	join_path(counts->path, sizeof(counts->path), run->path, path);
	/* Only the tracer of a process makes files of its own. */
	if (files->global && !lock_run_folder(run))
		return tell_trouble(trouble, "%s: locked by another process", run->path);
	enum counts_use use = open_counts(run, files, pid, started, name, counts);

	if (use == COUNTS_OTHER)
		done =
		    tell_trouble(trouble, "%s: counters of another folder", counts->path);
	else if (use == COUNTS_MISSING &&
		 !make_counts_file(run, files, pid, started, name))
		done = tell_error(trouble, run, name);
	if (files->global)
		flock(run->folder, LOCK_UN);
	return done;
}

/* --- of the name of a mapping, " (deleted)" may be the end */

static bool is_run_path(const char *path, const char *prefix, size_t digits_least,
			const char *suffix)
{
	const char *name = strrchr(path, '/');

	if (!name || strncmp(name + 1, prefix, strlen(prefix)) != 0)
		return false;
	name += 1 + strlen(prefix);
	size_t digits = strspn(name, "0123456789");
	const char *end = name + digits + strlen(suffix);

	return (digits_least ? digits >= digits_least : digits == 0) &&
	       strncmp(name + digits, suffix, strlen(suffix)) == 0 &&
	       (*end == '\0' || *end == ' ');
}

bool is_image_path(const char *path)
{
	return is_run_path(path, "injected", 0, ".o");
}

bool is_code_path(const char *path)
{
	return is_run_path(path, "injected", PID_DIGITS, ".o") || is_image_path(path);
}

bool is_counts_path(const char *path)
{
	return is_run_path(path, "", PID_DIGITS, ".dat");
}

void remove_run_counts(const struct run_folder *run, pid_t pid, dev_t device, ino_t inode)
{
	char name[NAME_ROOM];
	struct stat about;

	snprintf(name, sizeof(name), "%0*d.dat", PID_DIGITS, (int)pid);
	if (fstatat(run->folder, name, &about, AT_SYMLINK_NOFOLLOW) < 0 ||
	    about.st_dev != device || about.st_ino != inode)
		return;
	unlinkat(run->folder, name, 0);
	name_code_file(pid, "from", name);
	unlinkat(run->folder, name, 0);
}
