/* SPDX-License-Identifier: Apache-2.0 */
/* timeline-decode FILE [SWITCHES]: checks a file of tr-timeline --format perfetto and
 * prints the cycles of its slices, without those of the slices above them, as folded
 * stacks: one line for each slice. A slice that does not nest, a name that was not
 * defined, time that goes back on a track or a CPU, a thread before its fork, a switch
 * from another thread than the last one of its CPU, or to one that another CPU runs, is
 * an error.
 *
 * Writes to SWITCHES the nanoseconds between the switches: "cpu 0 1234" of each CPU, and
 * "pid 19 567" of each process whose threads are described; and, as Perfetto derives
 * them, how often each thread was woken or forked and then ran, and the longest time in
 * between: "wait 19 3 567". */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "timeline/perfetto.pb-c.h"

enum { NAMES = 1 << 16, TRACKS = 1 << 16, DEPTH = 1 << 14, CPUS = 64, CYCLES = 1 };
enum { PIDS = 1 << 15 };

struct slice {
	const char *name;
	uint64_t cycles; /* of the slices above it */
};

static struct {
	struct slice *slices;
	uint32_t depth;
	uint64_t time;
	int is_known, is_thread;
	int64_t tid; /* of its thread with the kernel's number, 0: none */
} tracks[TRACKS];
static char *names[NAMES];
static int64_t running[CPUS];
static uint64_t until[CPUS], first[CPUS], ran[PIDS];
static int has_run[CPUS];
static int process_of[PIDS];  /* of a thread with the kernel's number */
static uint64_t forked[PIDS]; /* the nanosecond after that, of each thread */
static int has_numbers;
static uint64_t packets, slices, switches, samples;

static void die(const char *reason)
{
	fprintf(stderr, "timeline-decode: packet %" PRIu64 ": %s\n", packets, reason);
	exit(2);
}

static void take_names(const TrPerfetto__Interned *interned)
{
	for (size_t i = 0; i < interned->n_event_names; i++) {
		const TrPerfetto__Name *name = interned->event_names[i];
		if (name->iid >= NAMES || names[name->iid])
			die("a name is defined twice, or out of range");
		names[name->iid] = strdup(name->name);
	}
}

static void take_track(const TrPerfetto__Track *track)
{
	if (track->uuid >= TRACKS || tracks[track->uuid].is_known)
		die("a track is defined twice, or out of range");
	tracks[track->uuid].is_known = 1;
	tracks[track->uuid].is_thread = track->thread != NULL;
	if (track->has_parent_uuid && !tracks[track->parent_uuid].is_known)
		die("a track without its parent");
	const TrPerfetto__Thread *thread = track->thread;
	if ((thread && thread->tid < 2000000) ||
	    (track->process && track->process->pid < 999998))
		has_numbers = 1;
	if (thread && thread->tid < PIDS) {
		if (thread->tid <= 0 || thread->pid <= 0 || thread->pid >= PIDS)
			die("a number that the kernel does not give");
		process_of[thread->tid] = thread->pid;
		tracks[track->uuid].tid = thread->tid;
	}
	if (track->has_parent_uuid)
		tracks[track->uuid].tid = tracks[track->parent_uuid].tid;
}

static uint64_t annotation(const TrPerfetto__Event *event, uint64_t name)
{
	for (size_t i = 0; i < event->n_debug_annotations; i++)
		if (event->debug_annotations[i]->name_iid == name)
			return event->debug_annotations[i]->uint_value;
	die("a slice ends without its cycles");
	return 0;
}

static void begin(const TrPerfetto__Event *event, uint32_t id)
{
	/* Perfetto takes ftrace events of a nanosecond after others. */
	if (tracks[id].tid && tracks[id].time < forked[tracks[id].tid])
		die("a slice of a thread that is not yet forked");
	if (!tracks[id].slices)
		tracks[id].slices = calloc(DEPTH, sizeof(struct slice));
	if (tracks[id].depth == DEPTH || !tracks[id].slices)
		die("too deep");
	const char *name = event->name;
	if (event->has_name_iid)
		name = event->name_iid < NAMES ? names[event->name_iid] : NULL;
	if (!name)
		die("a slice without a name");
	tracks[id].slices[tracks[id].depth++] = (struct slice){.name = strdup(name)};
	slices++;
}

static void end(const TrPerfetto__Event *event, uint32_t id)
{
	if (!tracks[id].depth)
		die("more slices end than begin");
	const uint32_t depth = --tracks[id].depth;
	struct slice *slice = &tracks[id].slices[depth];
	if (tracks[id].is_thread) {
		const uint64_t cycles = annotation(event, CYCLES);
		if (cycles < slice->cycles)
			die("a slice has fewer cycles than those above it");
		for (uint32_t i = 0; i <= depth; i++)
			printf("%s%s", i ? ";" : "", tracks[id].slices[i].name);
		printf(" %" PRIu64 "\n", cycles - slice->cycles);
		if (depth)
			slice[-1].cycles += cycles;
	}
	free((void *)slice->name);
}

static void take_event(const TrPerfetto__Packet *packet)
{
	const TrPerfetto__Event *event = packet->track_event;
	if (event->track_uuid >= TRACKS || !tracks[event->track_uuid].is_known)
		die("an event of no track");
	const uint32_t id = (uint32_t)event->track_uuid;
	if (packet->timestamp < tracks[id].time)
		die("time goes back");
	tracks[id].time = packet->timestamp;
	if (event->type == TR_PERFETTO__EVENT__TYPE__SLICE_BEGIN)
		begin(event, id);
	else if (event->type == TR_PERFETTO__EVENT__TYPE__SLICE_END)
		end(event, id);
	else
		samples += event->type == TR_PERFETTO__EVENT__TYPE__COUNTER;
}

static void take_switch(uint32_t cpu, uint64_t time, const TrPerfetto__Switch *sw)
{
	if (sw->prev_pid != running[cpu])
		die("a switch from a thread that did not run");
	if (time < until[cpu])
		die("a switch before the last one");
	for (uint32_t i = 0; i < CPUS && sw->next_pid; i++)
		if (i != cpu && running[i] == sw->next_pid)
			die("a thread on two CPUs at once");
	if (!has_run[cpu])
		first[cpu] = time;
	else if (running[cpu] < PIDS)
		ran[running[cpu]] += time - until[cpu];
	has_run[cpu] = 1;
	until[cpu] = time;
	running[cpu] = sw->next_pid;
	switches++;
}

/* Wake-ups and switches, which are in order of time only for each CPU. */
static struct wake {
	uint64_t time, order;
	int64_t tid;
	enum { WOKEN, LEFT, ENTERED } what;
	int sleeps; /* LEFT */
} * wakes;
static size_t nwakes, wake_room;

static void add_wake(uint64_t time, int64_t tid, int what, int sleeps)
{
	if (tid <= 0 || tid >= PIDS)
		return;
	if (nwakes == wake_room) {
		wake_room = wake_room ? 2 * wake_room : 1024;
		wakes = realloc(wakes, wake_room * sizeof(*wakes));
		if (!wakes)
			die("out of memory");
	}
	wakes[nwakes] = (struct wake){time, nwakes, tid, what, sleeps};
	nwakes++;
}

static void add_wakes(const TrPerfetto__FtraceEvent *event)
{
	if (event->sched_waking)
		add_wake(event->timestamp, event->sched_waking->pid, WOKEN, 0);
	if (event->task_newtask)
		add_wake(event->timestamp, event->task_newtask->pid, WOKEN, 0);
	if (!event->sched_switch)
		return;
	add_wake(event->timestamp, event->sched_switch->prev_pid, LEFT,
		 event->sched_switch->prev_state != 0);
	add_wake(event->timestamp, event->sched_switch->next_pid, ENTERED, 0);
}

static int by_time(const void *left, const void *right)
{
	const struct wake *a = left, *b = right;
	if (a->time != b->time)
		return a->time < b->time ? -1 : 1;
	return (a->order > b->order) - (a->order < b->order);
}

static void put_waits(FILE *file)
{
	static struct {
		enum { UNKNOWN, SLEEPS, RUNNABLE, RUNS } state;
		uint64_t woken, count, most;
	} threads[PIDS];
	if (nwakes)
		qsort(wakes, nwakes, sizeof(*wakes), by_time);
	for (size_t i = 0; i < nwakes; i++) {
		const struct wake *w = &wakes[i];
		const int tid = (int)w->tid, state = threads[tid].state;
		if (w->what == WOKEN && (state == UNKNOWN || state == SLEEPS)) {
			threads[tid].state = RUNNABLE;
			threads[tid].woken = w->time + 1;
		} else if (w->what == LEFT) {
			threads[tid].state = w->sleeps ? SLEEPS : RUNNABLE;
		} else if (w->what == ENTERED) {
			const uint64_t waited = w->time + 1 - threads[tid].woken;
			threads[tid].state = RUNS;
			if (!threads[tid].woken)
				continue;
			threads[tid].count++;
			threads[tid].woken = 0;
			if (waited > threads[tid].most)
				threads[tid].most = waited;
		}
	}
	for (int i = 0; i < PIDS; i++)
		if (threads[i].count)
			fprintf(file, "wait %d %" PRIu64 " %" PRIu64 "\n", i,
				threads[i].count, threads[i].most);
}

static void take_ftrace(const TrPerfetto__Ftrace *bundle)
{
	for (size_t i = 0; i < bundle->n_event && bundle->cpu < CPUS; i++) {
		const TrPerfetto__FtraceEvent *event = bundle->event[i];
		if (event->base.n_unknown_fields)
			die("an unknown field of an event");
		add_wakes(event);
		if (event->sched_switch)
			take_switch(bundle->cpu, event->timestamp, event->sched_switch);
		if (event->task_newtask && event->task_newtask->pid < PIDS)
			forked[event->task_newtask->pid] = event->timestamp + 1;
	}
}

/* Writes the time of each CPU and process, and the waits of threads. */
static void put_switches(const char *path)
{
	static uint64_t of[PIDS];
	FILE *file = fopen(path, "w");
	if (!file)
		die("no file for switches");
	for (int i = 0; i < CPUS; i++)
		if (has_run[i])
			fprintf(file, "cpu %d %" PRIu64 "\n", i, until[i] - first[i]);
	for (int i = 0; i < PIDS; i++)
		of[process_of[i] ? process_of[i] : i] += ran[i];
	for (int i = 0; i < PIDS; i++)
		if (of[i])
			fprintf(file, "pid %d %" PRIu64 "\n", i, of[i]);
	put_waits(file);
	if (fclose(file))
		die("cannot write switches");
}

static void take(const TrPerfetto__Packet *packet)
{
	if (packet->base.n_unknown_fields)
		die("an unknown field");
	if (packet->interned_data)
		take_names(packet->interned_data);
	if (packet->track_descriptor)
		take_track(packet->track_descriptor);
	if (packet->track_event)
		take_event(packet);
	if (packet->ftrace_events)
		take_ftrace(packet->ftrace_events);
}

static uint64_t varint(FILE *file)
{
	uint64_t value = 0;
	for (unsigned shift = 0; shift < 64; shift += 7) {
		int c = getc(file);
		if (c == EOF)
			die("the file is cut");
		value |= (uint64_t)(c & 0x7f) << shift;
		if (!(c & 0x80))
			return value;
	}
	die("a long number");
	return 0;
}

int main(int argc, char **argv)
{
	FILE *file = argc == 2 || argc == 3 ? fopen(argv[1], "rb") : NULL;
	if (!file)
		die("no file");
	for (int tag; (tag = getc(file)) != EOF; packets++) {
		const size_t size = tag == 0x0a ? varint(file) : 0;
		uint8_t *data = malloc(size + 1);
		if (tag != 0x0a || !data || fread(data, 1, size, file) != size)
			die("no packet");
		TrPerfetto__Packet *packet =
		    tr_perfetto__packet__unpack(NULL, size, data);
		if (!packet)
			die("damaged");
		take(packet);
		tr_perfetto__packet__free_unpacked(packet, NULL);
		free(data);
	}
	for (uint32_t i = 0; i < TRACKS; i++)
		if (tracks[i].depth)
			die("a slice does not end");
	if (argc == 3)
		put_switches(argv[2]);
	fprintf(stderr,
		"%" PRIu64 " slices, %" PRIu64 " switches, %" PRIu64 " samples%s\n",
		slices, switches, samples, has_numbers ? ", numbers of the kernel" : "");
	return 0;
}
