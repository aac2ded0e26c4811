/* SPDX-License-Identifier: Apache-2.0 */
/* Takes the kernel's notices and the events of traced processes. */
#include "daemon.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "daemon_config.h"
#include "data_thread.h"
#include "ended_files.h"
#include "target/profiler/inject/inject.h"
#include "target/profiler/inject/process_maps.h"
#include "target/profiler/inject/tracee_stops.h"
#include "kernel_profiler.h"
#include "watched_processes.h"

enum { BATCH = 16 /* notices */, LATE_MAX = 64, LATE_TRIES = 10 };
#define S UINT64_C(1000000000)

/* A process that another program traces, which may be about to give it stubs. */
struct late_process {
	pid_t pid;
	unsigned tries;
	char reason[TROUBLE_ROOM]; /* why it was not profiled */
};

struct daemon {
	const char *config_path;
	void (*tell)(const char *text);
	struct daemon_config config;
	struct kernel_profiler kernel;
	struct injector *injector;
	struct watched_processes *watched;
	struct data_thread *data;
	struct late_process *late; /* `late_count` of them */
	size_t late_count;
	sigset_t waits;
};

static void tell_user(const struct daemon *daemon, const struct trouble *trouble)
{
	if (trouble->text[0])
		daemon->tell(trouble->text);
}

/* --- processes that the injector follows */

static void note_begin(void *context, const struct injected_process *process)
{
	const struct daemon *daemon = context;

	watch_process(daemon->watched, process, monotonic_time(), true);
}

static void note_end(void *context, pid_t process)
{
	const struct daemon *daemon = context;

	end_watched_process(daemon->watched, process, monotonic_time());
}

/* --- processes that it does not follow: only samples are wanted, or prof-inject has
 * given them stubs */

static bool is_of_config(const struct daemon *daemon,
			 const struct injected_process *process)
{
	size_t length = strlen(daemon->config.folder);

	return (process->counts_in == 0) == daemon->config.global &&
	       strncmp(process->folder, daemon->config.folder, length) == 0 &&
	       process->folder[length] == '/';
}

/* Watches a process to which prof-inject has given stubs, which leaves its counters. */
static bool watch_injected(struct daemon *daemon, pid_t pid)
{
	struct trouble ignored = {{0}};
	struct injected_process process;
	char folder[PATH_MAX];

	if (!find_injected_process(pid, &process, folder, &ignored) ||
	    !is_of_config(daemon, &process))
		return false;
	watch_process(daemon->watched, &process, monotonic_time(), false);
	return true;
}

/* Gives a process a file of counters, for its log. */
static void watch_prepared(struct daemon *daemon, pid_t pid)
{
	struct trouble trouble = {{0}};
	struct injected_process process;
	char folder[PATH_MAX];

	if (prepare_process(daemon->injector, pid, &process, folder, &trouble))
		watch_process(daemon->watched, &process, monotonic_time(), true);
	else
		tell_user(daemon, &trouble);
}

static void add_late(struct daemon *daemon, pid_t pid, const char *reason)
{
	struct late_process *more;

	if (daemon->late_count == LATE_MAX) {
		if (*reason)
			daemon->tell(reason);
		return;
	}
	more = realloc(daemon->late, (daemon->late_count + 1) * sizeof(*daemon->late));
	if (!more)
		return;
	daemon->late = more;
	struct late_process *late = &daemon->late[daemon->late_count++];

	*late = (struct late_process){.pid = pid};
	snprintf(late->reason, sizeof(late->reason), "%s", reason);
}

/* Looks whether prof-inject has given stubs to those that it traces. */
static void look_for_late(struct daemon *daemon)
{
	for (size_t i = daemon->late_count; i-- > 0;) {
		struct late_process *late = &daemon->late[i];
		bool lives = kill(late->pid, 0) == 0 || errno != ESRCH;
		bool done = !lives || is_watched(daemon->watched, late->pid) ||
			    watch_injected(daemon, late->pid);

		if (!done && ++late->tries < LATE_TRIES)
			continue;
		if (!done && late->reason[0])
			daemon->tell(late->reason);
		*late = daemon->late[--daemon->late_count];
	}
}

/* --- programs */

/* Profiles a process that has no stubs. */
static void profile_process(struct daemon *daemon, pid_t pid)
{
	struct trouble trouble = {{0}};
	pid_t tracer = 0;

	if (!daemon->config.calls) {
		watch_prepared(daemon, pid);
		return;
	}
	if (attach_new_process(daemon->injector, pid, &trouble) || !trouble.text[0])
		return;
	struct trouble ignored = {{0}};

	if (read_process_tracer(pid, &tracer, &ignored) && tracer)
		add_late(daemon, pid, trouble.text);
	else
		tell_user(daemon, &trouble);
}

/* Takes in a process that runs: its stubs may be those of an earlier daemon, or of
 * another configuration. */
static void take_in_process(struct daemon *daemon, pid_t pid)
{
	struct trouble trouble = {{0}};
	struct injected_process process;
	char folder[PATH_MAX];
	pid_t tracer = 0;

	if (pid == getpid() || is_watched(daemon->watched, pid) ||
	    follows_process(daemon->injector, pid) ||
	    !read_process_tracer(pid, &tracer, &trouble) || tracer == getpid())
		return;
	if (!find_injected_process(pid, &process, folder, &trouble))
		profile_process(daemon, pid);
	else if (tracer)
		watch_injected(daemon, pid);
	else if (daemon->config.calls)
		take_over_process(daemon->injector, pid, &trouble);
	else if (remove_from_process(pid, &trouble))
		profile_process(daemon, pid);
	tell_user(daemon, &trouble);
}

static void take_in_processes(struct daemon *daemon)
{
	DIR *processes = opendir("/proc");
	const struct dirent *entry;

	while (processes && (entry = readdir(processes)))
		if (isdigit((unsigned char)entry->d_name[0]))
			take_in_process(daemon, (pid_t)atoi(entry->d_name));
	if (processes)
		closedir(processes);
}

/* --- notices */

static void begin_program(struct daemon *daemon, const struct prof_notice *notice)
{
	pid_t pid = (pid_t)notice->pid;

	if (follows_process(daemon->injector, pid))
		return;
	end_watched_process(daemon->watched, pid, notice->time);
	profile_process(daemon, pid);
}

/* A child of a followed process has an event of its own, unless it was forked before its
 * parent was followed. */
static void begin_fork(struct daemon *daemon, const struct prof_notice *notice)
{
	pid_t parent = (pid_t)notice->parent, pid = (pid_t)notice->pid;

	if (!is_watched(daemon->watched, parent))
		return;
	if (!daemon->config.calls || follows_process(daemon->injector, parent))
		take_in_process(daemon, pid);
	else if (!is_watched(daemon->watched, pid))
		add_late(daemon, pid, "");
}

static void take_notice(struct daemon *daemon, const struct prof_notice *notice)
{
	switch (notice->kind) {
	case PROF_NOTICE_EXEC:
		begin_program(daemon, notice);
		break;
	case PROF_NOTICE_FORK:
		begin_fork(daemon, notice);
		break;
	case PROF_NOTICE_EXIT:
		if (!follows_process(daemon->injector, (pid_t)notice->pid))
			end_watched_process(daemon->watched, (pid_t)notice->pid,
					    notice->time);
		break;
	case PROF_NOTICE_LOST:
		take_in_processes(daemon);
		break;
	}
}

/* The memory for processes that have ended is bounded, however many there are in a
 * period. */
static void take_events(struct daemon *daemon)
{
	int status;
	pid_t id;

	while ((id = next_tracee_status(&status)) > 0)
		take_process_event(daemon->injector, id, status);
	if (many_have_ended(daemon->watched))
		hurry_data_thread(daemon->data);
}

/* Programs that are held wait for this. */
static void take_notices(struct daemon *daemon)
{
	struct prof_notice notices[BATCH];
	size_t count;

	while ((count = read_notices(&daemon->kernel, notices, BATCH)) > 0)
		for (size_t i = 0; i < count; i++) {
			take_events(daemon);
			take_notice(daemon, &notices[i]);
		}
	look_for_late(daemon);
}

/* --- configuration */

static bool start_profiling(struct daemon *daemon, struct trouble *trouble)
{
	const struct daemon_config *config = &daemon->config;

	daemon->injector = make_injector(config->folder, config->global, daemon->tell);
	daemon->watched = make_watched_processes(config, daemon->tell);
	if (!daemon->injector || !daemon->watched)
		return tell_no_memory(trouble);
	if (!set_sampling_rate(&daemon->kernel, config, trouble))
		return false;
	make_logged_counts(daemon->injector);
	watch_injector(daemon->injector,
		       &(struct injector_watch){daemon, note_begin, note_end});
	daemon->data =
	    start_data_thread(config, &daemon->kernel, daemon->watched, trouble);
	if (!daemon->data)
		return false;
	take_in_processes(daemon);
	/* Of those that ended before they were taken in. */
	remove_ended_files();
	return true;
}

/* Processes keep their stubs and their files. */
static void stop_profiling(struct daemon *daemon)
{
	if (daemon->data)
		stop_data_thread(daemon->data);
	if (daemon->injector)
		free_injector(daemon->injector);
	if (daemon->watched)
		free_watched_processes(daemon->watched);
	free(daemon->late);
	daemon->data = NULL;
	daemon->injector = NULL;
	daemon->watched = NULL;
	daemon->late = NULL;
	daemon->late_count = 0;
}

static bool restart_profiling(struct daemon *daemon, const struct daemon_config *config)
{
	struct trouble trouble = {{0}};

	stop_profiling(daemon);
	daemon->config = *config;
	bool done = start_profiling(daemon, &trouble);

	tell_user(daemon, &trouble);
	return done;
}

/* Goes on by the file as it is now; if it has a mistake, or the kernel does not sample
 * like that, as before. Returns false if nothing can be profiled any more. */
static bool reload_config(struct daemon *daemon)
{
	const struct daemon_config before = daemon->config;
	struct daemon_config config;
	struct trouble trouble = {{0}};

	if (!read_daemon_config(daemon->config_path, &config, &trouble)) {
		tell_user(daemon, &trouble);
		return true;
	}
	return restart_profiling(daemon, &config) || restart_profiling(daemon, &before);
}

/* --- */

static void block_signals(struct daemon *daemon)
{
	static const int numbers[] = {SIGCHLD, SIGIO, SIGHUP, SIGTERM, SIGINT};

	sigemptyset(&daemon->waits);
	for (unsigned i = 0; i < sizeof(numbers) / sizeof(*numbers); i++)
		sigaddset(&daemon->waits, numbers[i]);
	sigprocmask(SIG_BLOCK, &daemon->waits, NULL);
}

struct daemon *start_daemon(const char *path, void (*tell)(const char *text),
			    struct trouble *trouble)
{
	struct daemon *daemon = calloc(1, sizeof(*daemon));

	if (!daemon) {
		tell_no_memory(trouble);
		return NULL;
	}
	daemon->config_path = path;
	daemon->tell = tell;
	daemon->kernel = (struct kernel_profiler){-1, -1, 0};
	block_signals(daemon);
	if (read_daemon_config(path, &daemon->config, trouble) &&
	    open_kernel_profiler(&daemon->kernel, trouble)) {
		remove_ended_files();
		if (start_profiling(daemon, trouble))
			return daemon;
	}
	free_daemon(daemon);
	return NULL;
}

/* Waits for a signal, a snapshot period at most: notices of forks and ends come without.
 * Returns its number, or 0. */
static int wait_signal(const struct daemon *daemon)
{
	uint64_t period = daemon->config.snapshot_period;
	struct timespec most = {.tv_sec = (time_t)(period / S),
				.tv_nsec = (long)(period % S)};
	int number = sigtimedwait(&daemon->waits, NULL, &most);

	return number > 0 ? number : 0;
}

bool run_daemon(struct daemon *daemon)
{
	for (;;) {
		take_events(daemon);
		take_notices(daemon);
		take_events(daemon);
		int number = wait_signal(daemon);

		if (number == SIGTERM || number == SIGINT)
			return true;
		if (number == SIGHUP && !reload_config(daemon))
			return false;
	}
}

void free_daemon(struct daemon *daemon)
{
	stop_profiling(daemon);
	close_kernel_profiler(&daemon->kernel);
	free(daemon);
}
