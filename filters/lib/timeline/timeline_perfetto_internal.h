/* SPDX-License-Identifier: Apache-2.0 */
/* Internals of the writer for Perfetto, shared by timeline_perfetto*.c. */
#ifndef TR_TIMELINE_PERFETTO_INTERNAL_H
#define TR_TIMELINE_PERFETTO_INTERNAL_H

#include "base/buffer.h"
#include "base/map.h"
#include "timeline/perfetto.pb-c.h"
#include "timeline/timeline_perfetto.h"

enum { PIDS = 1000000, TIDS = 2000000, MORE_TIDS = 3000000 };
enum { SEQUENCE_EVENTS = 1, SEQUENCE_SWITCHES = 2 };
enum { BEGINS = 1, NEEDS_NAMES = 2 };
/* Numbers of names of annotations; those of privileges follow. */
enum { NAME_CYCLES = 1, NAME_START, NAME_MODE };
/* The stream does not have the reason why a thread stops; Perfetto shows states beyond
 * the kernel's as unknown. */
enum { STATE_UNKNOWN = 4096, PRIORITY = 120 };
enum { NAME_BYTES = 4096 };

/* Small, since there is one for each thread. */
struct perfetto_thread {
	uint64_t uuid, marks; /* of its track, and that of its marks, 0: none yet */
	uint32_t number;      /* in the stream */
	int32_t tid;	      /* 0: of a hart */
};

/* Tracks of a task of the kernel. */
struct perfetto_task {
	uint64_t process, thread, goroutines; /* uuids, 0 for none yet */
	struct perfetto_slices {
		uint64_t uuid;
		uint64_t end; /* cycle, of the last slice */
	} calls, waits;
};

/* The track of a goroutine, and the cycle in which its last slice ends. */
struct perfetto_goroutine {
	uint64_t uuid, end, goid;
};

struct perfetto_hart {
	uint32_t number;
	uint64_t uuid, mode_uuid;
	int mode; /* of the open slice, -1: none */
	uint64_t mode_end;
	uint64_t modes[TR_TIMELINE_MODES]; /* cycles in the open slice */
};

struct tr_perfetto {
	FILE *file;
	const struct tr_profile *profile;
	const struct tr_counters *counters;
	const struct tr_tasks *tasks; /* or NULL */
	struct tr_timeline_clock clock;
	struct tr_buffer packet;
	struct perfetto_thread *threads;
	size_t thread_capacity;
	struct perfetto_task *task_tracks;
	size_t task_capacity;
	struct perfetto_goroutine *goroutines;
	size_t goroutine_capacity;
	uint8_t *named; /* functions whose names were written */
	size_t named_capacity;
	uint8_t *processes; /* groups that were described */
	size_t process_capacity;
	uint8_t others[2];   /* the groups without a number that were described */
	struct tr_map rises; /* from (hart, set, counter) to a uuid */
	struct perfetto_hart harts[TR_MAX_HARTS];
	uint32_t nharts;
	uint32_t uuids; /* given so far */
	uint64_t window_from, window_to;
	char text[NAME_BYTES], next_text[NAME_BYTES];
};

/* timeline_perfetto.c: write a packet, and those of a track, of a track of a name below
 * another one (0: none), and of an event at a cycle or a nanosecond. Return a status. */
int tr_perfetto_put(struct tr_perfetto *, TrPerfetto__Packet *, uint32_t sequence);
int tr_perfetto_track(struct tr_perfetto *, TrPerfetto__Track *);
int tr_perfetto_named_track(struct tr_perfetto *, uint64_t uuid, uint64_t parent,
			    char *name, TrPerfetto__Counter *counter);
int tr_perfetto_event(struct tr_perfetto *, TrPerfetto__Event *, uint64_t cycle,
		      TrPerfetto__Interned *names);
int tr_perfetto_event_at(struct tr_perfetto *, TrPerfetto__Event *, uint64_t ns,
			 TrPerfetto__Interned *names);
/* Sets an annotation with an interned name. */
void tr_perfetto_annotate(TrPerfetto__Annotation *, uint64_t name, uint64_t value);

/* A slice with annotations, of which `last`, which may be NULL, is known at its end. */
struct perfetto_slice {
	char *name;
	uint64_t start, end; /* cycles */
	uint64_t after;	     /* it begins after this nanosecond, 0: none */
	TrPerfetto__Annotation **notes;
	size_t nnotes;
	TrPerfetto__Annotation *last;
};
/* timeline_perfetto_tasks.c: writes it, with its cycles. Returns a status. */
int tr_perfetto_slice(struct tr_perfetto *, uint64_t uuid, const struct perfetto_slice *);
int tr_perfetto_take_task(void *state, const struct tr_task_event *);
/* timeline_perfetto_goroutines.c: writes the state of a goroutine. Returns a status. */
int tr_perfetto_goroutine(struct tr_perfetto *, const struct tr_task_event *);

/* timeline_perfetto_marks.c */
int tr_perfetto_take_mark(void *state, const struct tr_mark_event *);

/* timeline_perfetto_tree.c: writes the tree of processes. Returns a status. */
int tr_perfetto_tree(struct tr_perfetto *);

/* timeline_perfetto_tracks.c: finds or describes the track of a task. Returns a status.
 */
int tr_perfetto_task_thread(struct tr_perfetto *, uint32_t task, uint64_t *uuid);
/* timeline_perfetto_tracks.c: returns a hart, whose track is described; NULL when out of
 * memory. */
struct perfetto_hart *tr_perfetto_hart(struct tr_perfetto *, uint32_t number);
int tr_perfetto_take_track(void *state, uint32_t id, const struct tr_timeline_track *);

/* timeline_perfetto_harts.c */
int tr_perfetto_take_run(void *state, uint32_t hart, uint64_t cycle, uint32_t from,
			 uint32_t to);
int tr_perfetto_take_modes(void *state, const struct tr_timeline_modes *);
int tr_perfetto_take_rise(void *state, const struct tr_timeline_rise *);
int tr_perfetto_end_mode(struct tr_perfetto *, struct perfetto_hart *);

#endif
