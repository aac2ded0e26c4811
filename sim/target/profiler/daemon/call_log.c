/* SPDX-License-Identifier: Apache-2.0 */
/* Takes snapshots and writes logs. */
#include "call_log.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/status.h"
#include "target/profiler/counts_files.h"
#include "target/profiler/guarded_memory.h"
#include "target/profiler/inject/run_files.h"
#include "stubs/shared_counts.h"
#include "stubs/shared_log.h"

struct snapshot {
	struct snapshot_moment moment;
	uint64_t samples; /* of the process */
	/* Of each function; a function that is newer than the snapshot has none. */
	uint32_t functions;
	struct tr_log_counts *counts;
};

struct call_log {
	char path[RUN_FILE_MAX];
	dev_t device;
	ino_t inode;
	uid_t user;
	gid_t group;
	uint8_t *bytes;
	struct tr_shared shared;
	bool broken;

	uint64_t samples;	    /* of the process so far */
	uint64_t *function_samples; /* shared.functions of them */

	/* A ring: the newest is at `newest`, `count` are taken. */
	struct snapshot *snapshots;
	size_t room, count, newest;
};

/* --- the file */

static bool tell_log_status(struct trouble *trouble, const char *path, uint64_t at,
			    enum tr_status status)
{
	return tell_trouble(trouble, "%s: byte %llu: %s; it has no log", path,
			    (unsigned long long)at,
			    status == TR_E_TRUNCATED	 ? "truncated"
			    : status == TR_E_UNSUPPORTED ? "another version"
							 : tr_status_text(status));
}

/* Reads the header, so that nothing of it can change after it was checked. */
static bool read_log_head(const char *path, int file, uint64_t size,
			  struct tr_shared *shared, struct trouble *trouble)
{
	_Alignas(8) uint8_t head[TR_SHARED_HEADER];
	uint64_t at = 0;
	ssize_t have = pread(file, head, sizeof(head), 0);

	if (have < 0)
		return tell_trouble(trouble, "%s: %s", path, strerror(errno));
	enum tr_status status = tr_shared_head(head, (size_t)have, size, shared, &at);

	shared->bytes = NULL;
	return status == TR_OK || tell_log_status(trouble, path, at, status);
}

static bool map_log(struct call_log *log, int file, struct trouble *trouble)
{
	void *bytes =
	    mmap(NULL, log->shared.size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);

	if (bytes == MAP_FAILED)
		return tell_trouble(trouble, "%s: %s", log->path, strerror(errno));
	log->bytes = bytes;
	log->shared.bytes = bytes;
	return true;
}

static bool open_log_file(struct call_log *log, uint32_t pid, uint64_t started,
			  struct trouble *trouble)
{
	struct stat about;
	int file = open(log->path, O_RDWR | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
	bool done = false;

	if (file < 0 || fstat(file, &about) < 0) {
		tell_trouble(trouble, "%s: %s", log->path, strerror(errno));
	} else if (!S_ISREG(about.st_mode)) {
		tell_trouble(trouble, "%s: not a regular file", log->path);
	} else if (read_log_head(log->path, file, (uint64_t)about.st_size, &log->shared,
				 trouble)) {
		log->device = about.st_dev;
		log->inode = about.st_ino;
		log->user = about.st_uid;
		log->group = about.st_gid;
		if (log->shared.pid != pid || log->shared.started != started ||
		    log->shared.global != (pid == 0))
			tell_trouble(trouble, "%s: not the counters of process %u",
				     log->path, (unsigned)pid);
		else
			done = map_log(log, file, trouble);
	}
	if (file >= 0)
		close(file);
	return done;
}

bool is_call_log(const struct call_log *log, const struct stat *about)
{
	return about->st_dev == log->device && about->st_ino == log->inode;
}

/* Makes room for the samples of more functions. */
static bool grow_samples(struct call_log *log, uint32_t functions)
{
	uint64_t *samples =
	    realloc(log->function_samples, (functions + 1) * sizeof(*samples));

	if (!samples)
		return false;
	memset(samples + log->shared.functions, 0,
	       (functions - log->shared.functions) * sizeof(*samples));
	log->function_samples = samples;
	log->shared.functions = functions;
	return true;
}

bool refresh_call_log(struct call_log *log, struct trouble *trouble)
{
	struct tr_shared now;
	int file = open(log->path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);

	if (file < 0)
		return tell_trouble(trouble, "%s: %s", log->path, strerror(errno));
	bool done = read_log_head(log->path, file, log->shared.size, &now, trouble);

	close(file);
	if (!done || now.functions <= log->shared.functions)
		return done;
	return (now.capacity == log->shared.capacity &&
		grow_samples(log, now.functions)) ||
	       tell_trouble(trouble, "%s: its functions are no longer known", log->path);
}

/* --- snapshots */

/* What copy_calls() needs, which may not touch the file outside of access_guarded(). */
struct calls_copy {
	const struct call_log *log;
	struct tr_log_counts *counts;
};

/* Loads each counter once. */
static void copy_calls(void *context)
{
	const struct calls_copy *copy = context;
	const struct tr_shared *shared = &copy->log->shared;

	for (uint32_t i = 0; i < shared->functions; i++)
		copy->counts[i].calls = tr_shared_calls(shared, i);
}

static bool take_snapshot(struct call_log *log, struct snapshot *snapshot,
			  const struct snapshot_moment *moment, struct trouble *trouble)
{
	uint32_t functions = log->shared.functions;

	if (snapshot->functions != functions || !snapshot->counts) {
		free(snapshot->counts);
		snapshot->counts = calloc(functions + 1, sizeof(*snapshot->counts));
		snapshot->functions = functions;
		if (!snapshot->counts)
			return tell_no_memory(trouble);
	}
	struct calls_copy copy = {log, snapshot->counts};

	if (!access_guarded(copy_calls, &copy))
		return tell_trouble(trouble, "%s: cut while in use; its log ends",
				    log->path);
	for (uint32_t i = 0; i < functions; i++)
		snapshot->counts[i].samples = log->function_samples[i];
	snapshot->samples = log->samples;
	snapshot->moment = *moment;
	return true;
}

/* Returns the place for the next snapshot, that of the oldest one if the ring is full. */
static struct snapshot *next_snapshot(struct call_log *log)
{
	log->newest = (log->newest + 1) % log->room;
	if (log->count < log->room)
		log->count++;
	return &log->snapshots[log->newest];
}

struct call_log *open_call_log(const char *path, uint32_t pid, uint64_t started,
			       uint64_t span, uint64_t period,
			       const struct snapshot_moment *moment,
			       struct trouble *trouble)
{
	struct call_log *log = calloc(1, sizeof(*log));

	if (log) {
		snprintf(log->path, sizeof(log->path), "%s", path);
		log->room = (size_t)(span / period) + 1;
		log->snapshots = calloc(log->room, sizeof(*log->snapshots));
	}
	if (!log || !log->snapshots) {
		tell_no_memory(trouble);
	} else if (open_log_file(log, pid, started, trouble)) {
		log->function_samples =
		    calloc(log->shared.functions + 1, sizeof(*log->function_samples));
		if (!log->function_samples)
			tell_no_memory(trouble);
		else if (take_snapshot(log, next_snapshot(log), moment, trouble))
			return log;
	}
	if (log)
		free_call_log(log);
	return NULL;
}

void free_call_log(struct call_log *log)
{
	if (log->bytes)
		munmap(log->bytes, log->shared.size);
	for (size_t i = 0; log->snapshots && i < log->room; i++)
		free(log->snapshots[i].counts);
	free(log->snapshots);
	free(log->function_samples);
	free(log);
}

void count_sample(struct call_log *log, int64_t index)
{
	log->samples++;
	if (index >= 0 && index < (int64_t)log->shared.functions)
		log->function_samples[index]++;
}

/* --- the log */

struct log_write {
	struct call_log *log;
	struct tr_log_span span;
	const struct tr_log_counts *counts;
};

static void write_span(void *context)
{
	const struct log_write *write = context;

	tr_log_write(write->log->bytes, &write->log->shared, &write->span, write->counts);
}

static struct tr_log_span span_between(const struct snapshot *old,
				       const struct snapshot *new, uint64_t sample_period)
{
	const struct snapshot_moment *from = &old->moment, *to = &new->moment;

	return (struct tr_log_span){
	    .time = to->time,
	    .span = to->time - from->time,
	    .cycles =
		from->cycles && to->cycles > from->cycles ? to->cycles - from->cycles : 0,
	    .period = sample_period,
	    .samples = new->samples - old->samples,
	    .all_samples = to->samples - from->samples,
	    .lost_samples = to->lost_samples - from->lost_samples};
}

static struct tr_log_counts *counts_between(const struct snapshot *old,
					    const struct snapshot *new)
{
	struct tr_log_counts *counts = malloc((new->functions + 1) * sizeof(*counts));

	for (uint32_t i = 0; counts && i < new->functions; i++) {
		counts[i] = new->counts[i];
		if (i < old->functions) {
			counts[i].calls -= old->counts[i].calls;
			counts[i].samples -= old->counts[i].samples;
		}
	}
	return counts;
}

bool update_call_log(struct call_log *log, const struct snapshot_moment *moment,
		     uint64_t sample_period, struct trouble *trouble)
{
	if (log->broken)
		return true;
	struct snapshot *new = next_snapshot(log);

	if (!take_snapshot(log, new, moment, trouble)) {
		log->broken = true;
		return false;
	}
	const struct snapshot *old =
	    &log->snapshots[(log->newest + log->room + 1 - log->count) % log->room];
	struct tr_log_counts *counts = counts_between(old, new);
	struct log_write write = {log, span_between(old, new, sample_period), counts};

	if (!counts)
		tell_no_memory(trouble);
	else if (!access_guarded(write_span, &write))
		tell_trouble(trouble, "%s: cut while in use; its log ends", log->path);
	free(counts);
	log->broken = trouble->text[0];
	return !log->broken;
}

bool remove_ended_log(struct call_log *log)
{
	struct trouble ignored = {{0}};
	struct run_folder run;

	if (log->shared.global || prof_find_counter(&log->shared) == PROF_COUNTER_LIVES)
		return false;
	if (open_run_folder(&run, log->user, log->group, &ignored))
		remove_run_counts(&run, (pid_t)log->shared.pid, log->device, log->inode);
	close_run_folder(&run);
	return true;
}
