/* SPDX-License-Identifier: Apache-2.0 */
/* Prints what a trace has of the log of the run-time profiler, of whose code it has
 * nothing, for log.awk to compare: executions of stubs and interrupts on one side, what
 * the daemon has read and readers have seen on the other.
 *
 *	follow-log FOLDER TRACE NAME=ENTRIES INDEXES...
 *
 * The trace has the hits of spaces.probes, written.probes, log.probes, and of the loads
 * with which the daemon copies counters, whose names begin with `load`. Files that the
 * target gives go to FOLDER (given_files.h). NAME is a program's file name, ENTRIES has
 * its functions (watched_programs.h), INDEXES their indexes (counter_loads.h).
 *
 * The true calls at the daemon's loads (counter_loads.h):
 *
 *	pass FILE LIFE FIRST LAST CALLS...
 *
 * An interrupt at which the sampler ran. MODE is user or kernel. PROFILED is 1 if it
 * interrupted one of the programs, 2 if that one has executed no instruction yet. LOCAL
 * and GLOBAL are the indexes of the function there, also if in its stub, or -1:
 *
 *	tick CYCLE HART PID TID MODE PC PROFILED LOCAL GLOBAL
 *
 * A sample that the daemon has read in that cycle. If MODE is lost, PC of them were:
 *
 *	sample READ HART PID TID MODE PC TIME
 *
 * The samples of a read have been counted:
 *
 *	counted CYCLE
 *
 * CLOCK_MONOTONIC, at most a microsecond and the way into the kernel before:
 *
 *	clock CYCLE TIME
 *
 * At the end, what each process has executed from exec or fork on. A LIFE that is over
 * was followed by another program of that process, or by its end:
 *
 *	life PID LIFE PROGRAM GLOBAL:CALLS...
 *
 * At the begin, the indexes of a program's functions:
 *
 *	index PROGRAM LOCAL GLOBAL
 *
 * What a reader has seen (log_reader.c): the header of the buffer, and the indexes that
 * have calls or samples:
 *
 *	log CYCLE FILE RESULT SEQUENCE TIME SPAN CYCLES PERIOD SAMPLES ALL LOST
 *		INDEX:CALLS:SAMPLES...
 */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "block_marks.h"
#include "counter_loads.h"
#include "given_files.h"
#include "log_facts.h"
#include "trace_walk.h"

enum { EXIT_TROUBLE = 2, PAGE = 4096 };
enum probe_kind {
	PROBE_FORK,
	PROBE_EXEC,
	PROBE_SWITCH,
	PROBE_MAPPED,
	PROBE_UNMAPPED,
	PROBE_SAMPLED, /* several, whose names begin with this, as those of PROBE_LOAD */
	PROBE_SAMPLES,
	PROBE_SEEN,
	PROBE_COUNTED,
	PROBE_WRITTEN,
	PROBE_LOAD,
	PROBE_KINDS
};
enum { PROBE_FIELDS = 4 };
static const struct {
	const char *name, *fields[PROBE_FIELDS];
} known_probes[PROBE_KINDS] = {{"fork", {"child", "tgid", "parent", "shares"}},
			       {"exec", {"pid", "tgid", "code", "program"}},
			       {"switch", {"next"}},
			       {"mapped", {"address", "size", "page", "name"}},
			       {"unmapped", {"address", "size"}},
			       {"sampled", {NULL}},
			       {"samples", {"data"}},
			       {"seen", {"data"}},
			       {"counted", {NULL}},
			       {"written", {"data"}},
			       {"load", {"address"}}};
struct known_probe {
	enum probe_kind kind; /* PROBE_KINDS: another */
	uint32_t fields[PROBE_FIELDS];
};

#define TIMER_INTERRUPT (TR_CAUSE_INTERRUPT | 5)
/* Stubs are that near to the program; the vdso is not. */
#define STUBS_WITHIN (UINT64_C(1) << 31)

struct interrupted_place {
	uint64_t cause, pc;
	bool is_user;
	int profiled;
	uint32_t local, global; /* index of the function, or NO_INDEX */
};

struct log_follower {
	struct trace_walk walk;
	struct process_lives lives;
	struct counter_loads loads;
	struct given_files given;
	struct known_probe *probes; /* by number in the trace */
	uint32_t probe_count;
	struct interrupted_place traps[TR_MAX_HARTS]; /* the latest of each hart */
	uint32_t entered[TASKS];		      /* entry replaced last, by task */
	uint32_t tgids[TASKS];
};

static void die_following(const char *format, ...)
{
	va_list arguments;

	fputs("follow-log: ", stderr);
	va_start(arguments, format);
	vfprintf(stderr, format, arguments);
	va_end(arguments);
	fputc('\n', stderr);
	exit(EXIT_TROUBLE);
}

static void expect_good(const char *trouble)
{
	if (trouble)
		die_following("%s", trouble);
}

/* --- probes */

static enum probe_kind find_probe_kind(const char *name)
{
	int kind = 0;

	if (strncmp(name, "load", 4) == 0)
		return PROBE_LOAD;
	if (strncmp(name, "sampled", 7) == 0)
		return PROBE_SAMPLED;
	while (kind < PROBE_KINDS && strcmp(name, known_probes[kind].name) != 0)
		kind++;
	return (enum probe_kind)kind;
}

static void find_known_probes(struct log_follower *follower)
{
	const struct tr_probe_names *names = tr_reader_probes(follower->walk.reader);
	bool found[PROBE_KINDS + 1] = {false};

	follower->probe_count = names->count;
	follower->probes = calloc(names->count + 1, sizeof(*follower->probes));
	if (!follower->probes)
		die_following("out of memory");
	for (uint32_t p = 0; p < names->count; p++) {
		struct known_probe *probe = &follower->probes[p];
		probe->kind = find_probe_kind(names->probes[p].name);
		found[probe->kind] = true;
		for (int f = 0; probe->kind < PROBE_KINDS && f < PROBE_FIELDS; f++) {
			const char *field = known_probes[probe->kind].fields[f];
			if (!field)
				break;
			probe->fields[f] = tr_probe_names_field(names, p, field);
			if (probe->fields[f] == UINT32_MAX)
				die_following("the probe %s has no field %s",
					      names->probes[p].name, field);
		}
	}
	for (int kind = 0; kind < PROBE_KINDS; kind++)
		if (!found[kind])
			die_following("the trace has no probe %s",
				      known_probes[kind].name);
}

static uint64_t hit_number(const struct tr_hit *hit, uint32_t field)
{
	struct tr_probe_value value = tr_hit_value(hit, field);

	if (value.kind == TR_PROBE_MISSING)
		die_following("a probe has no value");
	return value.number;
}

static struct tr_probe_value hit_bytes(const struct tr_hit *hit, uint32_t field)
{
	struct tr_probe_value value = tr_hit_value(hit, field);

	if (value.kind != TR_PROBE_BYTES || value.is_cut)
		die_following("not all bytes could be read");
	return value;
}

/* --- lives */

static void take_fork(struct log_follower *follower, const struct tr_hit *hit,
		      const uint32_t *fields)
{
	uint64_t child = hit_number(hit, fields[0]), tgid = hit_number(hit, fields[1]);
	uint64_t parent = hit_number(hit, fields[2]);

	if (!fork_task_life(&follower->lives, parent, child, tgid,
			    hit_number(hit, fields[3]) != 0))
		die_following("out of memory, or a pid is too large");
	follower->tgids[child] = (uint32_t)tgid;
	follower->entered[child] = follower->entered[parent];
}

static void take_exec(struct log_follower *follower, struct walked_hart *hart,
		      const struct tr_hit *hit, const uint32_t *fields)
{
	struct process_lives *lives = &follower->lives;
	struct tr_probe_value path = tr_hit_value(hit, fields[3]);
	size_t program =
	    find_watched_program(&lives->watched, (const char *)path.data, path.size);

	hart->pid = hit_number(hit, fields[0]);
	if (!start_task_life(lives, hart->pid, hit_number(hit, fields[1]), program,
			     hit_number(hit, fields[2])))
		die_following("out of memory, or a pid is too large");
	follower->entered[hart->pid] = MARK_END;
	follower->tgids[hart->pid] = (uint32_t)hit_number(hit, fields[1]);
}

/* --- samples */

static void print_tick(const struct log_follower *follower,
		       const struct walked_hart *hart, uint64_t cycle)
{
	unsigned number = (unsigned)(hart - follower->walk.harts);
	const struct interrupted_place *place = &follower->traps[number];

	if (place->cause != TIMER_INTERRUPT)
		die_following("cycle %" PRIu64
			      ": the sampler ran in no timer interrupt: cause %" PRIx64,
			      cycle, place->cause);
	printf("tick %" PRIu64 " %u %" PRIu32 " %" PRIu64 " %s %" PRIx64 " %d %" PRId32
	       " %" PRId32 "\n",
	       cycle, number, follower->tgids[hart->pid], hart->pid,
	       place->is_user ? "user" : "kernel", place->pc, place->profiled,
	       (int32_t)place->local, (int32_t)place->global);
}

/* --- steps of a hart */

static void take_mapped(struct log_follower *follower, const struct tr_hit *hit,
			const uint32_t *fields)
{
	struct tr_probe_value name = tr_hit_value(hit, fields[3]);
	struct mapped_counts map = {.address = hit_number(hit, fields[0]),
				    .size = hit_number(hit, fields[1]),
				    .offset = hit_number(hit, fields[2]) * PAGE};
	char text[TR_MAX_PROBE_NAME];

	snprintf(text, sizeof(text), "%.*s", (int)name.size, (const char *)name.data);
	expect_good(map_counts(&follower->loads, map, text));
}

static void take_written(struct log_follower *follower, struct tr_probe_value data)
{
	expect_good(take_given_bytes(&follower->given, data.data, data.size));
}

static void take_hit(struct log_follower *follower, struct walked_hart *hart,
		     const struct tr_hit *hit)
{
	const struct known_probe *probe = &follower->probes[hit->probe];
	const uint32_t *fields = probe->fields;
	unsigned number = (unsigned)(hart - follower->walk.harts);

	switch (probe->kind) {
	case PROBE_SWITCH:
		hart->pid = hit_number(hit, fields[0]);
		break;
	case PROBE_FORK:
		take_fork(follower, hit, fields);
		break;
	case PROBE_EXEC:
		take_exec(follower, hart, hit, fields);
		break;
	case PROBE_MAPPED:
		take_mapped(follower, hit, fields);
		break;
	case PROBE_UNMAPPED:
		expect_good(tell_unmap(&follower->loads, number, hit->cycle,
				       hit_number(hit, fields[0]),
				       hit_number(hit, fields[1])));
		break;
	case PROBE_SAMPLED:
		print_tick(follower, hart, hit->cycle);
		break;
	case PROBE_SAMPLES:
		expect_good(print_samples(hit->cycle, hit_bytes(hit, fields[0])));
		break;
	case PROBE_COUNTED:
		printf("counted %" PRIu64 "\n", hit->cycle);
		break;
	case PROBE_SEEN:
		expect_good(print_seen(hit->cycle, hit_bytes(hit, fields[0])));
		break;
	case PROBE_WRITTEN:
		take_written(follower, hit_bytes(hit, fields[0]));
		break;
	case PROBE_LOAD:
		expect_good(tell_load(&follower->loads, number, hit->cycle,
				      hit_number(hit, fields[0])));
		break;
	default:
		break;
	}
}

static void follow_row(struct log_follower *follower, const struct walked_step *step,
		       struct traced_task *task, const struct tr_row *row, uint64_t cycle,
		       const struct block_mark *marks)
{
	struct tr_token tokens[TR_BLOCK_MAX_TOKENS];
	unsigned number = (unsigned)(step->hart - follower->walk.harts), taken = 0;
	uint32_t counted;

	tr_tokens(tr_frame_block(step->frame, row->block),
		  tr_frame_timing(step->frame, row->timing), tokens);
	for (; marks->entry != MARK_END; marks++) {
		for (; taken <= marks->token; taken++)
			cycle += tokens[taken].cycles;
		if (!count_block_mark(&follower->lives, task, *marks, &counted))
			die_following("too many entries are open");
		if (counted != MARK_END)
			expect_good(tell_count(&follower->loads, number, cycle,
					       task->life, counted));
		if (marks->is_replaced)
			follower->entered[step->hart->pid] = marks->entry;
	}
}

static void follow_user_rows(struct log_follower *follower,
			     const struct walked_step *step, struct traced_task *task)
{
	const struct tr_row *rows = step->hart->cursor.hart->rows;
	struct placed_program *placed = task->life->placed;
	uint64_t cycle = step->hart->cursor.cycle;
	bool failed;

	task->life->has_begun = true;
	if (!prepare_block_marks(placed, step->frame))
		die_following("out of memory");
	for (uint32_t i = step->first; i < step->last; i++) {
		const struct block_mark *marks =
		    find_block_marks(placed, step->frame, rows[i].block, &failed);
		if (failed)
			die_following("out of memory, or a trace without instructions");
		if (marks)
			follow_row(follower, step, task, &rows[i], cycle, marks);
		cycle += rows[i].cycles;
	}
}

/* Returns the entry of the function that has a pc, or in whose stub it is, or MARK_END.
 * What a task executes outside of its program and near it is the stub of the entry that
 * it has executed last. */
static uint32_t find_function(const struct log_follower *follower,
			      const struct process_life *life, uint64_t pid, uint64_t pc)
{
	const struct watched_program *watched = life->placed->program;
	const struct counter_indexes *indexes =
	    &follower->loads.indexes[watched - follower->lives.watched.programs];
	uint64_t address = pc - life->placed->bias;

	if (address - watched->code >= watched->size) {
		uint64_t far = address > watched->code ? address - watched->code
						       : watched->code - address;
		return far < STUBS_WITHIN ? follower->entered[pid] : MARK_END;
	}
	for (size_t i = find_next_entry(watched, address + 1); i; i--)
		if (address < indexes->end[i - 1])
			return (uint32_t)(i - 1);
	return MARK_END;
}

static void note_trap(struct log_follower *follower, const struct walked_step *step,
		      const struct traced_task *task)
{
	struct interrupted_place *place =
	    &follower->traps[step->hart - follower->walk.harts];
	bool is_user = tr_mode_is_user(tr_mode_of(step->hart->priv));

	/* The firmware, which the kernel calls in an interrupt. */
	if (tr_mode_of(step->event->u.trap.priv).nominal == TR_PRIV_M)
		return;
	*place = (struct interrupted_place){.cause = step->event->u.trap.cause,
					    .pc = step->event->u.trap.epc,
					    .is_user = is_user,
					    .profiled = !task			? 0
							: task->life->has_begun ? 1
										: 2,
					    .local = NO_INDEX,
					    .global = NO_INDEX};
	if (place->cause != TIMER_INTERRUPT || !task || !is_user)
		return;
	uint32_t entry = find_function(follower, task->life, step->hart->pid, place->pc);
	const struct counter_indexes *indexes =
	    &follower->loads
		 .indexes[task->life->placed->program - follower->lives.watched.programs];
	if (entry != MARK_END) {
		place->local = indexes->local[entry];
		place->global = indexes->global[entry];
	}
}

static void take_log_step(void *context, const struct walked_step *step)
{
	struct log_follower *follower = context;
	const struct walked_hart *hart = step->hart;
	struct traced_task *task = NULL;

	if (hart->pid < TASKS)
		task = follower->lives.tasks[hart->pid];
	if (task && !task->life)
		task = NULL;
	if (!step->event && task && tr_mode_is_user(tr_mode_of(hart->priv)))
		follow_user_rows(follower, step, task);
	if (step->event && step->event->kind == TR_EV_TRAP)
		note_trap(follower, step, task);
	if (step->event && step->event->kind == TR_EV_PROBE)
		take_hit(follower, step->hart, &step->event->u.probe);
}

static void print_lives(const struct log_follower *follower)
{
	for (size_t i = 0; i < follower->lives.count; i++) {
		const struct process_life *life = follower->lives.lives[i];
		const struct watched_program *watched = life->placed->program;
		const struct counter_indexes *indexes =
		    &follower->loads.indexes[watched - follower->lives.watched.programs];
		printf("life %" PRIu32 " %" PRIu32 " %s", life->pid, life->number,
		       watched->name);
		for (uint32_t k = 0; k < indexes->local_count; k++) {
			uint32_t entry = indexes->entry_of[k];
			if (life->counts[entry].counted)
				printf(" %" PRIu32 ":%" PRIu64, indexes->global[entry],
				       life->counts[entry].counted);
		}
		putchar('\n');
	}
}

static void print_indexes(const struct log_follower *follower)
{
	for (size_t p = 0; p < follower->lives.watched.count; p++) {
		const struct counter_indexes *indexes = &follower->loads.indexes[p];
		for (uint32_t k = 0; k < indexes->local_count; k++)
			printf("index %s %" PRIu32 " %" PRIu32 "\n",
			       follower->lives.watched.programs[p].name, k,
			       indexes->global[indexes->entry_of[k]]);
	}
}

static void settle_log(void *context, uint64_t cycle)
{
	struct log_follower *follower = context;

	settle_counts(&follower->loads, cycle);
}

/* --- the command */

static void read_followed_programs(struct log_follower *follower, char **operands)
{
	struct watched_programs *watched = &follower->lives.watched;
	size_t program;

	follower->loads.lives = &follower->lives;
	for (char **operand = operands; *operand; operand += 2) {
		const char *trouble = read_watched_program(watched, *operand);
		if (trouble)
			die_following("%s: %s", *operand, trouble);
	}
	follower->loads.indexes =
	    calloc(watched->count, sizeof(*follower->loads.indexes));
	if (!follower->loads.indexes)
		die_following("out of memory");
	for (program = 0; program < watched->count; program++) {
		const char *path = operands[2 * program + 1];
		const char *trouble =
		    read_counter_indexes(&follower->loads, program, path);
		if (trouble)
			die_following("%s: %s", path, trouble);
	}
}

int main(int argc, char **argv)
{
	static struct log_follower follower;

	if (argc < 5 || argc % 2 == 0) {
		fputs("usage: follow-log FOLDER TRACE NAME=ENTRIES INDEXES...\n", stderr);
		return EXIT_TROUBLE;
	}
	for (size_t i = 0; i < TASKS; i++)
		follower.entered[i] = MARK_END;
	follower.given.folder = argv[1];
	read_followed_programs(&follower, argv + 3);
	if (tr_reader_open(&follower.walk.reader, argv[2], 2) != TR_OK)
		die_following("%s", tr_reader_message(follower.walk.reader));
	find_known_probes(&follower);
	follower.walk.context = &follower;
	follower.walk.take_step = take_log_step;
	follower.walk.reach_cycle = settle_log;
	print_indexes(&follower);
	expect_good(walk_trace(&follower.walk));
	end_counter_loads(&follower.loads);
	expect_good(end_given_files(&follower.given));
	print_lives(&follower);
	end_task_lives(&follower.lives);
	if (follower.lives.orphans)
		die_following("%" PRIu64 " counts of stubs without an entry",
			      follower.lives.orphans);
	if (fflush(stdout) || ferror(stdout))
		die_following("cannot write");
	tr_reader_close(follower.walk.reader);
	free_counter_loads(&follower.loads);
	free_process_lives(&follower.lives);
	free(follower.probes);
	return 0;
}
