/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the log of a process or of all processes. The tables of names are copied when the
 * log is opened; the buffers are mapped. */
#include "prof.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "counts_files.h"
#include "guarded_memory.h"
#include "stubs/shared_log.h"

/* A daemon that writes once in a second tears one copy at most. */
enum { ATTEMPTS = 100 };

struct prof_log {
	int folder; /* that of the file, which injectors lock */
	int file;
	const uint8_t *bytes; /* mapped, tables.shared.size of them */
	struct prof_counts_file tables;
	struct prof_span span;	      /* the latest that was read, with its counts: */
	struct tr_log_counts *counts; /* tables.shared.functions of them */
	struct tr_log_counts *copy;   /* as many, of one that is being read */
	struct tr_log_counts *room;   /* has both */
};

__attribute__((format(printf, 2, 3))) static bool tell_error(struct prof_error *error,
							     const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(error->text, sizeof(error->text), format, arguments);
	va_end(arguments);
	return false;
}

/* --- opening */

static bool blame_log(struct prof_trouble *trouble, const char *reason)
{
	*trouble = (struct prof_trouble){reason, PROF_NO_BYTE};
	return false;
}

/* Takes tables that may have more functions than before: the counts that were read stay.
 */
static bool take_tables(struct prof_log *log, const struct prof_counts_file *tables,
			struct prof_trouble *trouble)
{
	const struct tr_shared *old = &log->tables.shared, *new = &tables->shared;
	if (log->bytes && (new->size != old->size || new->capacity != old->capacity ||
			   new->functions < old->functions))
		return blame_log(trouble, "damaged");
	struct tr_log_counts *both =
	    calloc(2 * (size_t) new->functions + 1, sizeof(*both));
	if (!both)
		return blame_log(trouble, strerror(ENOMEM));
	if (log->counts)
		memcpy(both, log->counts, old->functions * sizeof(*both));
	free(log->room);
	prof_free_counts(&log->tables);
	log->room = both;
	log->counts = both;
	log->copy = both + new->functions;
	log->tables = *tables;
	return true;
}

static bool load_tables(struct prof_log *log, struct prof_trouble *trouble)
{
	struct prof_counts_file tables;
	prof_lock_counts_folder(log->folder);
	const bool loaded = prof_load_counts(log->file, &tables, trouble);
	flock(log->folder, LOCK_UN);
	if (!loaded)
		return false;
	const bool taken = take_tables(log, &tables, trouble);
	if (!taken)
		prof_free_counts(&tables);
	return taken;
}

static bool load_log(struct prof_log *log, struct prof_trouble *trouble)
{
	if (log->file < 0)
		return blame_log(trouble, strerror(errno));
	if (!load_tables(log, trouble))
		return false;
	void *bytes =
	    mmap(NULL, log->tables.shared.size, PROT_READ, MAP_SHARED, log->file, 0);
	if (bytes == MAP_FAILED)
		return blame_log(trouble, strerror(errno));
	log->bytes = bytes;
	return true;
}

/* Opens a file of a folder, which becomes the log's. `path` is for messages. */
static struct prof_log *open_log(int folder, const char *name, int flags,
				 const char *path, struct prof_error *error)
{
	struct prof_trouble trouble;
	struct prof_log *log = calloc(1, sizeof(*log));
	if (!log) {
		tell_error(error, "%s", strerror(ENOMEM));
		close(folder);
		return NULL;
	}
	log->folder = folder;
	log->file = openat(folder, name, O_RDONLY | O_CLOEXEC | O_NONBLOCK | flags);
	if (load_log(log, &trouble))
		return log;
	if (trouble.at == PROF_NO_BYTE)
		tell_error(error, "%s: %s", path, trouble.reason);
	else
		tell_error(error, "%s: byte %" PRIu64 ": %s", path, trouble.at,
			   trouble.reason);
	prof_close_log(log);
	return NULL;
}

/* Others could give their files to the reader in a folder that they can write. */
static bool is_folder_of(int folder, uid_t user)
{
	struct stat about;
	return fstat(folder, &about) == 0 && about.st_uid == user &&
	       !(about.st_mode & (S_IWGRP | S_IWOTH));
}

/* Opens the file of a process in the run folder of a user, or 0, the global one.
 * `missing` is what is said if there is none. */
static struct prof_log *open_run_file(uid_t user, uint32_t pid, const char *missing,
				      struct prof_error *error)
{
	char path[PATH_MAX], name[PROF_COUNTS_NAME], whole[PATH_MAX + PROF_COUNTS_NAME];
	const int folder = prof_open_counts_folder(user, path);
	prof_name_counts(name, pid);
	if (folder < 0 && errno != ENOENT) {
		tell_error(error, "%s: %s", path, strerror(errno));
		return NULL;
	}
	if (folder < 0 || faccessat(folder, name, F_OK, AT_SYMLINK_NOFOLLOW) != 0) {
		tell_error(error, "%s", missing);
		if (folder >= 0)
			close(folder);
		return NULL;
	}
	if (!is_folder_of(folder, user)) {
		tell_error(error, "%s: not a folder that only user %u can write", path,
			   (unsigned)user);
		close(folder);
		return NULL;
	}
	snprintf(whole, sizeof(whole), "%s/%s", path, name);
	return open_log(folder, name, O_NOFOLLOW, whole, error);
}

struct prof_log *prof_open_process(pid_t pid, struct prof_error *error)
{
	char path[40], missing[80];
	struct stat about;
	snprintf(path, sizeof(path), "/proc/%ld", (long)pid);
	const bool exists = pid > 0 && stat(path, &about) == 0;
	snprintf(missing, sizeof(missing),
		 exists ? "process %ld is not profiled" : "there is no process %ld",
		 (long)pid);
	if (pid <= 0) {
		tell_error(error, "%s", missing);
		return NULL;
	}
	struct prof_log *log = open_run_file(exists ? about.st_uid : geteuid(),
					     (uint32_t)pid, missing, error);
	if (!log)
		return NULL;
	const struct tr_shared *shared = &log->tables.shared;
	const enum prof_counter counter = prof_find_counter(shared);
	if (shared->pid == (uint32_t)pid && counter == PROF_COUNTER_LIVES)
		return log;
	if (shared->pid != (uint32_t)pid || counter == PROF_COUNTER_REUSED)
		tell_error(error, "%s: its file is of another process", missing);
	else
		tell_error(error, "process %ld has ended", (long)pid);
	prof_close_log(log);
	return NULL;
}

struct prof_log *prof_open_global(struct prof_error *error)
{
	return open_run_file(geteuid(), 0, "no process is profiled globally", error);
}

struct prof_log *prof_open_file(const char *path, struct prof_error *error)
{
	char parent[PATH_MAX] = ".";
	const char *slash = strrchr(path, '/');
	const size_t length = slash ? (size_t)(slash - path) + 1 : 0;
	if (length >= sizeof(parent)) {
		tell_error(error, "%.100s: %s", path, strerror(ENAMETOOLONG));
		return NULL;
	}
	if (length) {
		memcpy(parent, path, length);
		parent[length] = '\0';
	}
	const int folder = open(parent, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (folder < 0) {
		tell_error(error, "%s: %s", path, strerror(errno));
		return NULL;
	}
	return open_log(folder, path + length, 0, path, error);
}

void prof_close_log(struct prof_log *log)
{
	if (!log)
		return;
	if (log->bytes)
		munmap((void *)(uintptr_t)log->bytes, log->tables.shared.size);
	if (log->file >= 0)
		close(log->file);
	close(log->folder);
	free(log->room);
	prof_free_counts(&log->tables);
	free(log);
}

/* --- what is profiled */

bool prof_is_global(const struct prof_log *log)
{
	return log->tables.shared.global;
}

pid_t prof_get_process(const struct prof_log *log)
{
	return log->tables.shared.global ? 0 : (pid_t)log->tables.shared.pid;
}

const char *prof_get_program(const struct prof_log *log)
{
	return tr_shared_program(&log->tables.shared);
}

bool prof_is_alive(const struct prof_log *log)
{
	return log->tables.shared.global ||
	       prof_find_counter(&log->tables.shared) == PROF_COUNTER_LIVES;
}

uint32_t prof_count_functions(const struct prof_log *log)
{
	return log->tables.shared.functions;
}

int64_t prof_find_function(const struct prof_log *log, const char *name)
{
	return tr_shared_find(&log->tables.shared, name);
}

const char *prof_get_name(const struct prof_log *log, uint32_t index)
{
	return tr_shared_name(&log->tables.shared, index);
}

bool prof_is_loop(const struct prof_log *log, uint32_t index)
{
	return tr_shared_loops(&log->tables.shared, index);
}

/* --- reading */

/* One look at the mapped file. */
struct look {
	const struct prof_log *log;
	uint32_t functions;
	bool counted;
	enum tr_log_result result;
	struct tr_log_span span;
};

static void look_at_log(void *context)
{
	struct look *look = context;
	const struct prof_log *log = look->log;
	look->functions = tr_shared_functions(log->bytes);
	look->counted = tr_shared_is_counted(log->bytes);
	look->result =
	    tr_log_read(log->bytes, &log->tables.shared, &look->span, log->copy);
}

/* Returns what one attempt reads. If it is whole, it is in look->span and log->copy. */
static enum prof_read try_span(struct prof_log *log, struct look *look)
{
	struct prof_trouble trouble;
	if (!access_guarded(look_at_log, look) || look->result == TR_LOG_DAMAGED)
		return PROF_READ_DAMAGED;
	if (look->functions != log->tables.shared.functions)
		return load_tables(log, &trouble) ? PROF_READ_TORN : PROF_READ_DAMAGED;
	if (look->result == TR_LOG_EMPTY)
		return PROF_READ_EMPTY;
	/* A copy of the buffer that becomes current may be followed by one of that which
	 * was: its index is written later. */
	return look->result == TR_LOG_WHOLE && look->span.sequence >= log->span.sequence
		   ? PROF_READ_WHOLE
		   : PROF_READ_TORN;
}

enum prof_read prof_read_span(struct prof_log *log, struct prof_span *span)
{
	struct look look = {.log = log};
	struct stat about;
	enum prof_read result = PROF_READ_TORN;
	if (fstat(log->file, &about) != 0)
		return PROF_READ_DAMAGED;
	if (about.st_nlink == 0)
		return PROF_READ_GONE;
	if ((uint64_t)about.st_size < log->tables.shared.size)
		return PROF_READ_DAMAGED;
	for (unsigned i = 0; i < ATTEMPTS && result == PROF_READ_TORN; i++)
		result = try_span(log, &look);
	if (result != PROF_READ_WHOLE)
		return result;
	struct tr_log_counts *counts = log->counts;
	log->counts = log->copy;
	log->copy = counts;
	log->span = (struct prof_span){.counted = look.counted,
				       .sequence = look.span.sequence,
				       .time = look.span.time,
				       .length = look.span.span,
				       .cycles = look.span.cycles,
				       .period = look.span.period,
				       .samples = look.span.samples,
				       .all_samples = look.span.all_samples,
				       .lost_samples = look.span.lost_samples};
	*span = log->span;
	return PROF_READ_WHOLE;
}

uint64_t prof_get_calls(const struct prof_log *log, uint32_t index)
{
	return log->counts[index].calls;
}

uint64_t prof_get_samples(const struct prof_log *log, uint32_t index)
{
	return log->counts[index].samples;
}

bool prof_estimate_cycles(const struct prof_log *log, uint32_t index, double *cycles)
{
	const struct prof_span *span = &log->span;
	const struct tr_log_counts *counts = &log->counts[index];
	if (!counts->calls || !counts->samples || !span->cycles || !span->length ||
	    !span->period || prof_is_loop(log, index))
		return false;
	const double time = (double)counts->samples * (double)span->period;
	*cycles =
	    time * ((double)span->cycles / (double)span->length) / (double)counts->calls;
	return true;
}
