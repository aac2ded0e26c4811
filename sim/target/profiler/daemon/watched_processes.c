/* SPDX-License-Identifier: Apache-2.0 */
/* Keeps processes, their programs and their logs. */
#include "watched_processes.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "program_ranges.h"
#include "user_cycles.h"

enum { BUCKETS = 256, MANY = 64 };
#define FOREVER UINT64_MAX

/* Programs and logs are shared by processes, of which `uses` counts those that are not
 * removed yet. */
struct watched_program {
	struct program_ranges *ranges;
	char *folder;
	unsigned uses;
	struct watched_program *next;
};
struct watched_log {
	struct call_log *log;
	bool global;
	bool own; /* its file is removed when its process has ended */
	unsigned uses;
	struct watched_log *next;
};

struct watched_process {
	pid_t pid;
	uint64_t begin, end; /* samples between them are its own */
	struct tr_stubs_places places;
	bool has_stubs;
	struct watched_program *program;
	struct watched_log *log;
	struct watched_process *next;
};

struct watched_processes {
	pthread_mutex_t lock;
	struct daemon_config config;
	void (*tell)(const char *text);
	struct watched_process *buckets[BUCKETS]; /* by pid; newest first */
	unsigned ended;				  /* of them */
	struct watched_program *programs;
	struct watched_log *logs;
	uint64_t samples, lost_samples; /* of all processes */
	struct log_scratch scratch;
};

uint64_t monotonic_time(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

struct watched_processes *make_watched_processes(const struct daemon_config *config,
						 void (*tell)(const char *text))
{
	struct watched_processes *watched = calloc(1, sizeof(*watched));

	if (watched) {
		pthread_mutex_init(&watched->lock, NULL);
		watched->config = *config;
		watched->tell = tell;
	}
	return watched;
}

static void tell_user(const struct watched_processes *watched,
		      const struct trouble *trouble)
{
	if (trouble->text[0])
		watched->tell(trouble->text);
}

static struct watched_process **bucket_of(struct watched_processes *watched, pid_t pid)
{
	return &watched->buckets[(unsigned)pid % BUCKETS];
}

/* --- programs and logs */

static struct watched_program *use_program(struct watched_processes *watched,
					   const char *folder)
{
	struct watched_program *program = watched->programs;

	while (program && (strcmp(program->folder, folder) != 0 ||
			   !are_current_ranges(program->ranges)))
		program = program->next;
	if (!program) {
		program = calloc(1, sizeof(*program));
		if (!program)
			return NULL;
		program->folder = strdup(folder);
		program->ranges = make_program_ranges(folder, watched->config.global);
		if (!program->folder || !program->ranges) {
			if (program->ranges)
				free_program_ranges(program->ranges);
			free(program->folder);
			free(program);
			return NULL;
		}
		program->next = watched->programs;
		watched->programs = program;
	}
	program->uses++;
	return program;
}

static void drop_program(struct watched_processes *watched,
			 struct watched_program *program)
{
	struct watched_program **link = &watched->programs;

	if (!program || --program->uses)
		return;
	while (*link != program)
		link = &(*link)->next;
	*link = program->next;
	free_program_ranges(program->ranges);
	free(program->folder);
	free(program);
}

static struct snapshot_moment this_moment(const struct watched_processes *watched)
{
	return (struct snapshot_moment){.time = monotonic_time(),
					.cycles = read_user_cycles(),
					.samples = watched->samples,
					.lost_samples = watched->lost_samples};
}

/* Returns the log of a file that processes share, if there is one. */
static struct watched_log *find_log(const struct watched_processes *watched,
				    const char *path)
{
	struct watched_log *log = watched->logs;
	struct stat about;

	if (lstat(path, &about) < 0)
		return NULL;
	while (log && !is_call_log(log->log, &about))
		log = log->next;
	return log;
}

static struct watched_log *add_log(struct watched_processes *watched,
				   const struct injected_process *process, bool own,
				   struct trouble *trouble)
{
	const struct daemon_config *config = &watched->config;
	struct snapshot_moment moment = this_moment(watched);
	struct watched_log *log = calloc(1, sizeof(*log));

	if (!log) {
		tell_no_memory(trouble);
		return NULL;
	}
	log->global = config->global;
	log->own = own;
	log->log =
	    open_call_log(process->counts, (uint32_t)process->counts_in,
			  config->global ? 0 : process->started, process->has_stubs,
			  config->span, config->snapshot_period, &moment, trouble);
	if (!log->log) {
		free(log);
		return NULL;
	}
	log->next = watched->logs;
	watched->logs = log;
	return log;
}

/* A process that counts in the file of another one has its log. */
static struct watched_log *use_log(struct watched_processes *watched,
				   const struct injected_process *process, bool own,
				   struct trouble *trouble)
{
	struct watched_log *log = find_log(watched, process->counts);

	if (log && log->global && !refresh_call_log(log->log, trouble))
		return NULL;
	if (!log)
		log = add_log(watched, process, own, trouble);
	if (log)
		log->uses++;
	return log;
}

static void free_log(struct watched_processes *watched, struct watched_log *log)
{
	struct watched_log **link = &watched->logs;

	while (*link != log)
		link = &(*link)->next;
	*link = log->next;
	free_call_log(log->log);
	free(log);
}

/* --- processes */

void watch_process(struct watched_processes *watched,
		   const struct injected_process *process, uint64_t time, bool own)
{
	struct trouble trouble = {{0}};
	struct watched_process *entry = calloc(1, sizeof(*entry));

	pthread_mutex_lock(&watched->lock);
	struct watched_program *program = use_program(watched, process->folder);
	struct watched_log *log = NULL;

	if (entry && program)
		log = use_log(watched, process, own, &trouble);
	else
		tell_no_memory(&trouble);
	if (log) {
		struct watched_process **bucket = bucket_of(watched, process->id);

		*entry = (struct watched_process){.pid = process->id,
						  .begin = time,
						  .end = FOREVER,
						  .places = process->places,
						  .has_stubs = process->has_stubs,
						  .program = program,
						  .log = log,
						  .next = *bucket};
		*bucket = entry;
		entry = NULL;
	} else {
		drop_program(watched, program);
	}
	pthread_mutex_unlock(&watched->lock);
	free(entry);
	tell_user(watched, &trouble);
}

static struct watched_process *find_living(struct watched_processes *watched, pid_t pid)
{
	struct watched_process *process = *bucket_of(watched, pid);

	while (process && (process->pid != pid || process->end != FOREVER))
		process = process->next;
	return process;
}

void end_watched_process(struct watched_processes *watched, pid_t pid, uint64_t time)
{
	pthread_mutex_lock(&watched->lock);
	struct watched_process *process = find_living(watched, pid);

	if (process) {
		process->end = time;
		watched->ended++;
	}
	pthread_mutex_unlock(&watched->lock);
}

bool many_have_ended(struct watched_processes *watched)
{
	pthread_mutex_lock(&watched->lock);
	bool many = watched->ended >= MANY;

	pthread_mutex_unlock(&watched->lock);
	return many;
}

bool is_watched(struct watched_processes *watched, pid_t pid)
{
	pthread_mutex_lock(&watched->lock);
	bool is = find_living(watched, pid) != NULL;

	pthread_mutex_unlock(&watched->lock);
	return is;
}

/* Returns the pids of those that have not ended, which the caller frees. */
static pid_t *list_living(struct watched_processes *watched, size_t *count)
{
	size_t room = 0;
	pid_t *pids = NULL;

	*count = 0;
	for (unsigned i = 0; i < BUCKETS; i++)
		for (struct watched_process *p = watched->buckets[i]; p; p = p->next) {
			if (p->end != FOREVER)
				continue;
			if (*count == room) {
				room = 2 * room + 16;
				pid_t *more = realloc(pids, room * sizeof(*more));

				if (!more)
					return pids;
				pids = more;
			}
			pids[(*count)++] = p->pid;
		}
	return pids;
}

void visit_watched(struct watched_processes *watched,
		   void (*visit)(void *context, pid_t pid), void *context)
{
	size_t count;

	pthread_mutex_lock(&watched->lock);
	pid_t *pids = list_living(watched, &count);

	pthread_mutex_unlock(&watched->lock);
	for (size_t i = 0; i < count; i++)
		visit(context, pids[i]);
	free(pids);
}

void free_watched_processes(struct watched_processes *watched)
{
	for (unsigned i = 0; i < BUCKETS; i++)
		while (watched->buckets[i]) {
			struct watched_process *process = watched->buckets[i];

			watched->buckets[i] = process->next;
			drop_program(watched, process->program);
			free(process);
		}
	while (watched->logs)
		free_log(watched, watched->logs);
	free_log_scratch(&watched->scratch);
	pthread_mutex_destroy(&watched->lock);
	free(watched);
}

/* --- samples */

/* A number may be that of several processes, one after the other. */
static struct watched_process *find_sampled(struct watched_processes *watched,
					    const struct prof_sample *sample)
{
	struct watched_process *process = *bucket_of(watched, (pid_t)sample->pid);

	while (process && ((uint32_t)process->pid != sample->pid ||
			   sample->time < process->begin || sample->time >= process->end))
		process = process->next;
	return process;
}

static void take_sample(struct watched_processes *watched,
			const struct prof_sample *sample, struct trouble *trouble)
{
	struct watched_process *process;
	int64_t index = -1;

	if (sample->flags & PROF_SAMPLE_LOST) {
		watched->lost_samples += sample->pc;
		return;
	}
	if (sample->pid == 0)
		return;
	watched->samples++;
	process = find_sampled(watched, sample);
	if (!process)
		return;
	if (sample->flags & PROF_SAMPLE_USER)
		index = find_sampled_function(process->program->ranges, &process->places,
					      process->has_stubs, sample->pc, trouble);
	count_sample(process->log->log, index);
}

void count_samples(struct watched_processes *watched, const struct prof_sample *samples,
		   size_t count)
{
	struct trouble trouble;

	pthread_mutex_lock(&watched->lock);
	for (size_t i = 0; i < count; i++) {
		/* To clear all of it would cost more than the sample. */
		trouble.text[0] = '\0';
		take_sample(watched, &samples[i], &trouble);
		tell_user(watched, &trouble);
	}
	pthread_mutex_unlock(&watched->lock);
}

/* --- snapshots */

static void remove_processes(struct watched_processes *watched, uint64_t read)
{
	for (unsigned i = 0; i < BUCKETS; i++)
		for (struct watched_process **link = &watched->buckets[i]; *link;) {
			struct watched_process *process = *link;

			if (process->end > read) {
				link = &process->next;
				continue;
			}
			*link = process->next;
			watched->ended--;
			process->log->uses--;
			drop_program(watched, process->program);
			free(process);
		}
}

/* Removes logs that no process uses. A process that runs another program now keeps its
 * file, in which it goes on if it runs the program again. */
static void remove_unused(struct watched_processes *watched)
{
	for (struct watched_log *log = watched->logs, *next; log; log = next) {
		next = log->next;
		if (!log->uses && !log->global &&
		    (!log->own || remove_ended_log(log->log)))
			free_log(watched, log);
	}
}

void remove_ended_processes(struct watched_processes *watched, uint64_t read)
{
	pthread_mutex_lock(&watched->lock);
	if (watched->ended) {
		remove_processes(watched, read);
		remove_unused(watched);
	}
	pthread_mutex_unlock(&watched->lock);
}

void update_logs(struct watched_processes *watched, uint64_t sample_period)
{
	pthread_mutex_lock(&watched->lock);
	remove_unused(watched);
	for (struct watched_log *log = watched->logs; log; log = log->next) {
		struct snapshot_moment moment = this_moment(watched);
		struct trouble trouble = {{0}};

		if (!log->uses && !log->global)
			continue;
		update_call_log(log->log, &moment, sample_period, &watched->scratch,
				&trouble);
		tell_user(watched, &trouble);
	}
	pthread_mutex_unlock(&watched->lock);
}
