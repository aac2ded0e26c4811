/* SPDX-License-Identifier: Apache-2.0 */
/* Takes snapshots and writes logs. */
#include "call_log.h"

#include <endian.h>
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
#include "stubs/shared_counts.h"
#include "target/profiler/counts_files.h"
#include "target/profiler/guarded_memory.h"
#include "target/profiler/inject/program_files.h"
#include "target/profiler/inject/run_files.h"

/* A function whose calls or samples have changed since the log was opened: the others,
 * most of a program, need no place in snapshots, and nothing is written of them. */
struct active_function {
	uint32_t index;
	struct tr_log_counts counts; /* since the log was opened */
};

struct snapshot {
	struct snapshot_moment moment;
	uint64_t samples; /* of the process */
	/* Of the functions that were active then, in the order of call_log.active. */
	uint32_t active, room;
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
	bool counted, broken;
	unsigned zeroed; /* buffers in which functions that are not active have 0 */

	uint64_t samples; /* of the process so far */
	/* Of each function the halves of its calls, as they were loaded last, and its
	 * number in `active` + 1, or 0. Of most functions a snapshot looks at the low
	 * half alone: what it takes is mainly misses of the caches. */
	uint32_t *low, *high, *numbers;
	struct active_function *active;
	uint32_t active_count, active_room;

	/* A ring: the newest is at `newest`, `count` are taken. */
	struct snapshot *snapshots;
	size_t room, count, newest;
};

enum { BUFFERS = 2, FEW_ACTIVE = 32 };

/* --- the file */

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
	return status == TR_OK || tell_file_status(trouble, path, at, status);
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

/* --- functions */

/* Returns the entry of a function, or NULL: there is no room for one more. */
static struct active_function *activate_function(struct call_log *log, uint32_t index)
{
	if (log->numbers[index])
		return &log->active[log->numbers[index] - 1];
	if (log->active_count == log->active_room)
		return NULL;
	struct active_function *active = &log->active[log->active_count++];

	*active = (struct active_function){.index = index};
	log->numbers[index] = log->active_count;
	return active;
}

static bool grow_if_full(struct call_log *log)
{
	if (log->active_count < log->active_room)
		return true;
	uint32_t room = log->active_room + log->active_room / 2 + FEW_ACTIVE;
	struct active_function *more = realloc(log->active, room * sizeof(*more));

	if (!more)
		return false;
	log->active = more;
	log->active_room = room;
	return true;
}

/* What is done with the file, within access_guarded(). */
struct calls_load {
	struct call_log *log;
	uint32_t next; /* function */
};

static const uint64_t *find_counters(const struct call_log *log)
{
	return __builtin_assume_aligned(log->bytes + log->shared.counts, 8);
}

static void set_seen(struct call_log *log, uint32_t index, uint64_t calls)
{
	log->low[index] = (uint32_t)calls;
	log->high[index] = (uint32_t)(calls >> 32);
}

/* Counts what a counter has more than when it was loaded last. Returns false if there is
 * no room. */
static bool count_calls(struct call_log *log, uint32_t index, uint64_t calls)
{
	struct active_function *active = activate_function(log, index);

	if (!active)
		return false;
	active->counts.calls +=
	    calls - ((uint64_t)log->high[index] << 32 | log->low[index]);
	set_seen(log, index, calls);
	return true;
}

/* Loads each counter once, up to the first change for which there is no room. A change by
 * a multiple of 2^32 is seen with the next one. */
static void load_calls(void *context)
{
	struct calls_load *load = context;
	struct call_log *log = load->log;
	const uint32_t *low = log->low;
	const uint32_t functions = log->shared.functions;
	const uint64_t *counter = find_counters(log);
	uint32_t i;

	for (i = load->next; i < functions; i++) {
		uint64_t calls = le64toh(__atomic_load_n(&counter[i], __ATOMIC_RELAXED));

		if ((uint32_t)calls != low[i] && !count_calls(log, i, calls))
			break;
	}
	load->next = i;
}

/* From now on remove_ended_files() knows that the file is a daemon's, and readers whether
 * calls are counted. */
static void claim_log(void *context)
{
	const struct call_log *log = context;

	tr_log_claim(log->bytes, &log->shared);
	tr_shared_mark_counted(log->bytes, log->counted);
}

/* The counts from which changes are known. */
static void load_first_calls(void *context)
{
	const struct calls_load *load = context;
	struct call_log *log = load->log;
	const uint64_t *counter = find_counters(log);

	for (uint32_t i = load->next; i < log->shared.functions; i++)
		set_seen(log, i, le64toh(__atomic_load_n(&counter[i], __ATOMIC_RELAXED)));
}

static bool tell_cut(const struct call_log *log, struct trouble *trouble)
{
	return tell_trouble(trouble, "%s: cut while in use; its log ends", log->path);
}

static bool tell_full(const struct call_log *log, struct trouble *trouble)
{
	return tell_trouble(trouble, "%s: no memory for its log, which ends", log->path);
}

static bool load_all_calls(struct call_log *log, struct trouble *trouble)
{
	struct calls_load load = {log, 0};

	while (load.next < log->shared.functions) {
		if (!grow_if_full(log))
			return tell_full(log, trouble);
		if (!access_guarded(load_calls, &load))
			return tell_cut(log, trouble);
	}
	return true;
}

/* Makes room for `functions` elements, of which the first `kept` are kept and the others
 * are 0. */
static bool grow_array(uint32_t **array, uint32_t kept, uint32_t functions)
{
	uint32_t *more = realloc(*array, ((size_t)functions + 1) * sizeof(*more));

	if (!more)
		return false;
	memset(more + kept, 0, ((size_t)functions + 1 - kept) * sizeof(*more));
	*array = more;
	return true;
}

/* Takes in the functions from `first` on. */
static bool take_functions(struct call_log *log, uint32_t first, uint32_t functions,
			   struct trouble *trouble)
{
	if (!grow_array(&log->low, first, functions) ||
	    !grow_array(&log->high, first, functions) ||
	    !grow_array(&log->numbers, first, functions))
		return tell_full(log, trouble);
	log->shared.functions = functions;
	log->zeroed = 0;
	struct calls_load load = {log, first};

	return access_guarded(load_first_calls, &load) || tell_cut(log, trouble);
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
	return now.capacity == log->shared.capacity
		   ? take_functions(log, log->shared.functions, now.functions, trouble)
		   : tell_trouble(trouble, "%s: its functions are no longer known",
				  log->path);
}

/* --- snapshots */

static bool take_snapshot(struct call_log *log, struct snapshot *snapshot,
			  const struct snapshot_moment *moment, struct trouble *trouble)
{
	if (!load_all_calls(log, trouble))
		return false;
	if (snapshot->room < log->active_count) {
		free(snapshot->counts);
		snapshot->room = log->active_count + log->active_count / 4;
		snapshot->counts = malloc(snapshot->room * sizeof(*snapshot->counts));
		if (!snapshot->counts)
			snapshot->room = 0;
		if (!snapshot->counts)
			return tell_full(log, trouble);
	}
	for (uint32_t k = 0; k < log->active_count; k++)
		snapshot->counts[k] = log->active[k].counts;
	snapshot->active = log->active_count;
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
			       bool counted, uint64_t span, uint64_t period,
			       const struct snapshot_moment *moment,
			       struct trouble *trouble)
{
	struct call_log *log = calloc(1, sizeof(*log));

	if (log) {
		snprintf(log->path, sizeof(log->path), "%s", path);
		log->counted = counted;
		log->room = (size_t)(span / period) + 1;
		log->snapshots = calloc(log->room, sizeof(*log->snapshots));
	}
	if (!log || !log->snapshots) {
		tell_no_memory(trouble);
	} else if (open_log_file(log, pid, started, trouble)) {
		if (!access_guarded(claim_log, log))
			tell_cut(log, trouble);
		else if (take_functions(log, 0, log->shared.functions, trouble) &&
			 take_snapshot(log, next_snapshot(log), moment, trouble))
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
	free(log->low);
	free(log->high);
	free(log->numbers);
	free(log->active);
	free(log);
}

void count_sample(struct call_log *log, int64_t index)
{
	log->samples++;
	if (index < 0 || index >= (int64_t)log->shared.functions)
		return;
	struct active_function *active =
	    grow_if_full(log) ? activate_function(log, (uint32_t)index) : NULL;

	if (active)
		active->counts.samples++;
}

/* --- the log */

struct span_write {
	struct call_log *log;
	struct tr_log_span span;
	const struct tr_log_entry *entries;
	uint32_t count;
};

static void write_span(void *context)
{
	const struct span_write *write = context;
	const struct call_log *log = write->log;

	tr_log_write(log->bytes, &log->shared, &write->span, write->entries, write->count,
		     log->zeroed < BUFFERS);
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

void free_log_scratch(struct log_scratch *scratch)
{
	free(scratch->entries);
	*scratch = (struct log_scratch){0};
}

static bool make_room(struct log_scratch *scratch, uint32_t entries)
{
	if (entries <= scratch->room)
		return true;
	free_log_scratch(scratch);
	scratch->entries = malloc(2 * (size_t)entries * sizeof(*scratch->entries));
	if (scratch->entries)
		scratch->room = 2 * entries;
	return scratch->entries;
}

/* Sets what is different in the active functions. */
static void find_differences(const struct call_log *log, const struct snapshot *old,
			     const struct snapshot *new, struct tr_log_entry *entries)
{
	static const struct tr_log_counts none;

	for (uint32_t k = 0; k < new->active; k++) {
		const struct tr_log_counts *from =
		    k < old->active ? &old->counts[k] : &none;
		const struct tr_log_counts *to = &new->counts[k];

		entries[k] = (struct tr_log_entry){
		    log->active[k].index,
		    {to->calls - from->calls, to->samples - from->samples}};
	}
}

static bool write_log(struct call_log *log, uint64_t sample_period,
		      struct log_scratch *scratch, struct trouble *trouble)
{
	const struct snapshot *new = &log->snapshots[log->newest];
	const struct snapshot *old =
	    &log->snapshots[(log->newest + log->room + 1 - log->count) % log->room];

	if (!make_room(scratch, new->active))
		return tell_full(log, trouble);
	find_differences(log, old, new, scratch->entries);
	struct span_write write = {log, span_between(old, new, sample_period),
				   scratch->entries, new->active};

	if (!access_guarded(write_span, &write))
		return tell_cut(log, trouble);
	if (log->zeroed < BUFFERS)
		log->zeroed++;
	return true;
}

bool update_call_log(struct call_log *log, const struct snapshot_moment *moment,
		     uint64_t sample_period, struct log_scratch *scratch,
		     struct trouble *trouble)
{
	if (log->broken)
		return true;
	log->broken = !take_snapshot(log, next_snapshot(log), moment, trouble) ||
		      !write_log(log, sample_period, scratch, trouble);
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
