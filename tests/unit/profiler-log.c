/* SPDX-License-Identifier: Apache-2.0 */
/* The interface for a scheduler: which log is opened, what is read, and files that are
 * cut, replaced, overwritten, or grow while they are open. */
#include "target/profiler/prof.h"

#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/little.h"
#include "check.h"
#include "stubs/shared_log.h"

enum { COUNT = 3, GROWN = 5, CAPACITY = 400, PATH_ROOM = 128 };
static const char *const names[GROWN] = {"main", "hot", "spin", "later", "latest"};
static char folder[64], run[PATH_ROOM], path[2 * PATH_ROOM];

/* A file of the run folder, mapped for writing as by the daemon. */
struct target {
	uint8_t *bytes;
	size_t size;
	struct tr_shared shared;
};

static uint64_t read_started(pid_t pid)
{
	char name[40], line[1024] = "";
	snprintf(name, sizeof(name), "/proc/%d/stat", (int)pid);
	FILE *file = fopen(name, "r");
	if (!file || !fgets(line, sizeof(line), file))
		abort();
	fclose(file);
	const char *field = strrchr(line, ')');
	for (unsigned i = 2; i < 22; i++)
		field = strchr(field + 1, ' ');
	return strtoull(field, NULL, 10);
}

static void set_path(pid_t pid)
{
	snprintf(path, sizeof(path), "%s/%05d.dat", run, (int)pid);
}

/* Makes the file of a process, 0: the global one; a new file takes the name. */
static void make_target(struct target *t, pid_t pid, uint64_t started)
{
	const bool loops[COUNT] = {false, false, true};
	char fresh[2 * PATH_ROOM + 8];
	uint64_t at;
	set_path(pid);
	snprintf(fresh, sizeof(fresh), "%s.new", path);
	uint8_t *built = tr_shared_build(names, COUNT, CAPACITY, pid == 0,
					 pid ? "/usr/bin/it" : "", NULL, 0, &t->size);
	tr_shared_mark_loops(built, loops);
	tr_shared_own(built, (uint32_t)pid, started);
	const int file = open(fresh, O_RDWR | O_CREAT | O_TRUNC, 0644);
	CHECK(write(file, built, t->size) == (ssize_t)t->size);
	CHECK(rename(fresh, path) == 0);
	free(built);
	t->bytes = mmap(NULL, t->size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
	close(file);
	CHECK_EQ(tr_shared_open(t->bytes, t->size, &t->shared, &at), TR_OK);
}

static void release_target(struct target *t)
{
	munmap(t->bytes, t->size);
}

static void write_number(const struct target *t, uint64_t n)
{
	struct tr_log_entry entries[GROWN];
	const struct tr_log_span span = {.time = n,
					 .span = 5000000000,
					 .cycles = 16000000000,
					 .period = 4000000,
					 .samples = 1000 * n,
					 .all_samples = 2000 * n,
					 .lost_samples = n};
	for (uint32_t i = 0; i < GROWN; i++)
		entries[i] = (struct tr_log_entry){i, {100 * n + i, 10 * n * (i + 1)}};
	tr_log_write(t->bytes, &t->shared, &span, entries, t->shared.functions, true);
}

static bool is_number(const struct prof_log *log, const struct prof_span *span,
		      uint64_t n)
{
	bool is = span->time == n && span->length == 5000000000 &&
		  span->cycles == 16000000000 && span->period == 4000000 &&
		  span->samples == 1000 * n && span->all_samples == 2000 * n &&
		  span->lost_samples == n;
	for (uint32_t i = 0; i < prof_count_functions(log); i++)
		is &= prof_get_calls(log, i) == 100 * n + i &&
		      prof_get_samples(log, i) == 10 * n * (i + 1);
	return is;
}

static void check_message(const struct prof_log *log, const struct prof_error *error,
			  const char *what)
{
	CHECK(log == NULL);
	if (!CHECK(!log && strstr(error->text, what) != NULL))
		fprintf(stderr, "%s\n", error->text);
}

/* --- the process itself */

static void check_contents(void)
{
	struct target t;
	struct prof_error error;
	struct prof_span span = {.time = 77};
	double cycles = 0;
	make_target(&t, getpid(), read_started(getpid()));
	struct prof_log *log = prof_open_process(getpid(), &error);
	if (!CHECK(log != NULL))
		return;
	CHECK(!prof_is_global(log));
	CHECK_EQ(prof_get_process(log), getpid());
	CHECK_STR(prof_get_program(log), "/usr/bin/it");
	CHECK(prof_is_alive(log));
	CHECK_EQ(prof_count_functions(log), COUNT);
	CHECK_EQ(prof_find_function(log, "spin"), 2);
	CHECK_EQ(prof_find_function(log, "spi"), -1);
	CHECK_STR(prof_get_name(log, 1), "hot");
	CHECK(prof_is_loop(log, 2) && !prof_is_loop(log, 1));
	CHECK_EQ(prof_read_span(log, &span), PROF_READ_EMPTY);
	CHECK_EQ(span.time, 77);
	CHECK_EQ(prof_get_calls(log, 1), 0);
	CHECK(!prof_estimate_cycles(log, 1, &cycles));
	for (uint64_t n = 1; n < 6; n++) {
		write_number(&t, n);
		for (unsigned i = 0; i < 2; i++) {
			CHECK_EQ(prof_read_span(log, &span), PROF_READ_WHOLE);
			CHECK(is_number(log, &span, n));
			CHECK_EQ(span.sequence, 2 * n);
		}
	}
	/* 100 samples of 4 ms, and 501 calls; 3.2 cycles in a nanosecond. */
	CHECK(prof_estimate_cycles(log, 1, &cycles));
	CHECK(cycles > 2554890.0 && cycles < 2554891.0);
	CHECK(!prof_estimate_cycles(log, 2, &cycles));
	prof_close_log(log);
	prof_close_log(NULL);
	release_target(&t);
}

/* A copy that is damaged, torn or cut leaves the span before it. */
static void check_changes(void)
{
	struct target t;
	struct prof_error error;
	struct prof_span span;
	make_target(&t, getpid(), read_started(getpid()));
	write_number(&t, 1);
	struct prof_log *log = prof_open_process(getpid(), &error);
	if (!CHECK(log && prof_read_span(log, &span) == PROF_READ_WHOLE))
		return;
	write_number(&t, 2);
	uint8_t *buffer = t.bytes + t.shared.buffers;
	tr_store64(buffer, 5);
	CHECK_EQ(prof_read_span(log, &span), PROF_READ_TORN);
	tr_store64(buffer, 0);
	CHECK_EQ(prof_read_span(log, &span), PROF_READ_EMPTY);
	tr_store64(buffer, 4);
	tr_store64(t.bytes + t.shared.index, 2);
	CHECK_EQ(prof_read_span(log, &span), PROF_READ_DAMAGED);
	tr_store64(t.bytes + t.shared.index, 0);
	tr_store32(t.bytes + 24, COUNT + 1);
	CHECK_EQ(prof_read_span(log, &span), PROF_READ_DAMAGED);
	tr_store32(t.bytes + 24, COUNT);
	CHECK(is_number(log, &span, 1));
	CHECK_EQ(prof_read_span(log, &span), PROF_READ_WHOLE);
	CHECK(is_number(log, &span, 2));
	/* A buffer of an earlier span is not current again. */
	tr_store64(t.bytes + t.shared.index, 1);
	CHECK_EQ(prof_read_span(log, &span), PROF_READ_TORN);
	tr_store64(t.bytes + t.shared.index, 0);
	/* What is cut off within a page is zeros. */
	CHECK(truncate(path, (off_t)t.shared.buffers + 72) == 0);
	CHECK_EQ(prof_read_span(log, &span), PROF_READ_DAMAGED);
	CHECK(truncate(path, (off_t)t.size) == 0);
	memset(t.bytes, 0xa5, TR_SHARED_HEADER);
	CHECK_EQ(prof_read_span(log, &span), PROF_READ_DAMAGED);
	CHECK_STR(prof_get_name(log, 1), "hot"); /* names are the log's */
	CHECK(truncate(path, 4096) == 0);
	CHECK_EQ(prof_read_span(log, &span), PROF_READ_DAMAGED);
	CHECK(is_number(log, &span, 2));
	struct target again;
	make_target(&again, getpid(), read_started(getpid()));
	CHECK_EQ(prof_read_span(log, &span), PROF_READ_GONE);
	prof_close_log(log);
	release_target(&again);
	release_target(&t);
}

/* --- which file */

static void check_processes(void)
{
	struct target t;
	struct prof_error error;
	const pid_t child = fork();
	if (child == 0) {
		pause();
		_exit(0);
	}
	check_message(prof_open_process(child, &error), &error, "is not profiled");
	make_target(&t, child, read_started(child) + 1);
	check_message(prof_open_process(child, &error), &error,
		      "is not profiled: its file is of another process");
	release_target(&t);
	make_target(&t, child, read_started(child));
	struct prof_log *log = prof_open_process(child, &error);
	CHECK(log && prof_is_alive(log));
	kill(child, SIGKILL);
	siginfo_t about;
	waitid(P_PID, (id_t)child, &about, WEXITED | WNOWAIT);
	CHECK(log && !prof_is_alive(log)); /* a zombie */
	check_message(prof_open_process(child, &error), &error, "has ended");
	waitpid(child, NULL, 0);
	CHECK(log && !prof_is_alive(log));
	check_message(prof_open_process(child, &error), &error, "has ended");
	prof_close_log(log);
	log = prof_open_file(path, &error);
	CHECK(log && prof_get_process(log) == child && !prof_is_alive(log));
	prof_close_log(log);
	unlink(path);
	check_message(prof_open_process(child, &error), &error, "there is no process");
	check_message(prof_open_process(0, &error), &error, "there is no process 0");
	check_message(prof_open_process(-1, &error), &error, "there is no process -1");
	release_target(&t);
}

/* The file of a process is opened where its user alone can write, and is no link. */
static void check_folder(void)
{
	struct target t;
	struct prof_error error;
	char other[2 * PATH_ROOM + 8];
	make_target(&t, getpid(), read_started(getpid()));
	CHECK(chmod(run, 0775) == 0);
	check_message(prof_open_process(getpid(), &error), &error, "can write");
	CHECK(chmod(run, 0755) == 0);
	snprintf(other, sizeof(other), "%s.other", path);
	CHECK(rename(path, other) == 0 && symlink(other, path) == 0);
	check_message(prof_open_process(getpid(), &error), &error, "link");
	CHECK(rename(other, path) == 0);
	struct prof_log *log = prof_open_process(getpid(), &error);
	CHECK(log != NULL);
	prof_close_log(log);
	release_target(&t);
}

/* --- all processes */

static void grow_global(struct target *t, uint32_t count)
{
	size_t size;
	uint64_t at;
	uint8_t *built =
	    tr_shared_build(names, count, CAPACITY, true, "", NULL, 0, &size);
	CHECK_EQ(size, t->size);
	memcpy(t->bytes + t->shared.hash, built + t->shared.hash, size - t->shared.hash);
	memcpy(t->bytes, built, TR_SHARED_HEADER);
	free(built);
	CHECK_EQ(tr_shared_open(t->bytes, t->size, &t->shared, &at), TR_OK);
}

static void check_global(void)
{
	struct target t;
	struct prof_error error;
	struct prof_span span;
	check_message(prof_open_global(&error), &error, "no process is profiled");
	make_target(&t, 0, 0);
	write_number(&t, 1);
	struct prof_log *log = prof_open_global(&error);
	if (!CHECK(log && prof_read_span(log, &span) == PROF_READ_WHOLE))
		return;
	CHECK(prof_is_global(log));
	CHECK_EQ(prof_get_process(log), 0);
	CHECK(prof_is_alive(log));
	CHECK_STR(prof_get_program(log), "");
	/* An injector can have the lock. */
	const int locked = open(run, O_RDONLY | O_DIRECTORY);
	CHECK(flock(locked, LOCK_EX | LOCK_NB) == 0);
	close(locked);
	grow_global(&t, COUNT + 1);
	CHECK_EQ(prof_count_functions(log), COUNT);
	uint8_t *buffer = t.bytes + t.shared.buffers + t.shared.buffer_size;
	tr_store64(buffer, 1);
	CHECK_EQ(prof_read_span(log, &span), PROF_READ_TORN);
	CHECK_EQ(prof_count_functions(log), COUNT + 1);
	CHECK_EQ(prof_get_calls(log, 1), 101);
	tr_store64(buffer, 2);
	CHECK_EQ(prof_read_span(log, &span), PROF_READ_WHOLE);
	CHECK_EQ(prof_count_functions(log), COUNT + 1);
	CHECK_EQ(prof_get_calls(log, COUNT), 0); /* the span is older */
	CHECK_EQ(prof_find_function(log, "later"), COUNT);
	grow_global(&t, GROWN);
	write_number(&t, 2);
	CHECK_EQ(prof_read_span(log, &span), PROF_READ_WHOLE);
	CHECK_EQ(prof_count_functions(log), GROWN);
	CHECK_STR(prof_get_name(log, GROWN - 1), "latest");
	CHECK(is_number(log, &span, 2));
	grow_global(&t, COUNT); /* never */
	CHECK_EQ(prof_read_span(log, &span), PROF_READ_DAMAGED);
	CHECK(is_number(log, &span, 2));
	prof_close_log(log);
	release_target(&t);
}

/* Moves this process to the first or the last of its processors. */
static void choose_processor(bool last)
{
	cpu_set_t all, one;
	size_t chosen = CPU_SETSIZE;
	sched_getaffinity(0, sizeof(all), &all);
	for (size_t i = 0; i < CPU_SETSIZE; i++)
		if (CPU_ISSET(i, &all) && (last || chosen == CPU_SETSIZE))
			chosen = i;
	CPU_ZERO(&one);
	CPU_SET(chosen, &one);
	sched_setaffinity(0, sizeof(one), &one);
}

/* --- against a daemon at full speed, whose file another process cuts */

struct race {
	const struct target *target;
	atomic_bool done;
};

static void *write_on(void *context)
{
	struct race *race = context;
	choose_processor(true);
	for (uint64_t n = 1; !atomic_load(&race->done); n++)
		write_number(race->target, n);
	return NULL;
}

static void check_race(void)
{
	struct target t;
	struct prof_error error;
	pthread_t writer;
	make_target(&t, getpid(), read_started(getpid()));
	struct race race = {.target = &t};
	struct prof_log *log = prof_open_process(getpid(), &error);
	CHECK(log && pthread_create(&writer, NULL, write_on, &race) == 0);
	unsigned wrong = 0, whole = 0;
	uint64_t last = 0;
	while (whole < 20000) {
		struct prof_span span;
		if (prof_read_span(log, &span) != PROF_READ_WHOLE)
			continue;
		wrong += !is_number(log, &span, span.time) || span.sequence < last;
		last = span.sequence;
		whole++;
	}
	CHECK_EQ(wrong, 0);
	atomic_store(&race.done, true);
	pthread_join(writer, NULL);
	const pid_t cutter = fork();
	choose_processor(cutter == 0);
	if (cutter == 0)
		for (unsigned i = 0;; i++)
			if (truncate(path, i % 2 ? (off_t)t.size : 100) < 0)
				_exit(1);
	unsigned cut = 0;
	for (unsigned i = 0; i < 100000 || cut < 10; i++) {
		struct prof_span span;
		cut += prof_read_span(log, &span) == PROF_READ_DAMAGED;
	}
	CHECK_EQ(waitpid(cutter, NULL, WNOHANG), 0);
	kill(cutter, SIGKILL);
	waitpid(cutter, NULL, 0);
	prof_close_log(log);
	release_target(&t);
}

int main(void)
{
	snprintf(folder, sizeof(folder), "/tmp/profiler-log-XXXXXX");
	CHECK(mkdtemp(folder) != NULL);
	setenv("TMPDIR", folder, 1);
	snprintf(run, sizeof(run), "%s/prof-%u", folder, (unsigned)geteuid());
	struct prof_error error;
	check_message(prof_open_process(getpid(), &error), &error, "is not profiled");
	CHECK(mkdir(run, 0755) == 0);
	check_contents();
	check_changes();
	check_processes();
	check_folder();
	check_global();
	check_race();
	char command[PATH_ROOM];
	snprintf(command, sizeof(command), "rm -r %s", folder);
	CHECK(system(command) == 0);
	return check_done();
}
