/* SPDX-License-Identifier: Apache-2.0 */
/* Counts the executions of the entries of functions in a trace, by process, as a second
 * opinion on the counters of the run-time profiler, of whose code it has nothing:
 *
 *	count-entries [--moves FILE] [--given FOLDER] [--costs FILE] TRACE NAME=FILE…
 *	count-entries --spaces [--moves FILE] TRACE NAME=FILE…
 *
 * The trace has the hits of spaces.probes (tr-replay --stream). NAME is a program's file
 * name, FILE has its functions (watched_programs.h). Prints a line for each function that
 * a process executed, with the columns of process_lives.h. --moves: a line for each place
 * at which a task was interrupted, and the one where it went on, if that is another one
 *or if a tracer made it do system calls meanwhile. --given: the files in what the probe
 *`written` has as its field `data` (given_files.h). --costs: what counting costs a call
 *(stub_costs.h).
 */
#include <getopt.h>
#include <inttypes.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "block_marks.h"
#include "given_files.h"
#include "process_lives.h"
#include "space_lives.h"
#include "stub_costs.h"
#include "trace_walk.h"

enum { EXIT_TROUBLE = 2 };
enum probe_kind { PROBE_FORK, PROBE_EXEC, PROBE_SWITCH, PROBE_WRITTEN, PROBE_KINDS };
static const char *const probe_names[PROBE_KINDS] = {"fork", "exec", "switch", "written"};
enum { PROBE_FIELDS = 4 };
static const char *const probe_fields[PROBE_KINDS][PROBE_FIELDS] = {
    {"child", "tgid", "parent", "shares"},
    {"pid", "tgid", "code", "program"},
    {"next"},
    {"data"}};

struct entry_counter {
	struct trace_walk walk;
	struct process_lives lives;
	uint32_t probes[PROBE_KINDS];
	uint32_t fields[PROBE_KINDS][PROBE_FIELDS];
	struct stub_costs *costs;   /* by program; NULL: not asked for */
	struct costed_call *calls;  /* by pid */
	struct space_lives *spaces; /* NULL: probes tell of lives */
	size_t *binaries;	    /* by number: which program is watched, or SIZE_MAX */
	size_t binary_count;
	FILE *moves, *cost;
	struct given_files given;
};

static void die_counting(const char *format, ...)
{
	va_list arguments;

	fputs("count-entries: ", stderr);
	va_start(arguments, format);
	vfprintf(stderr, format, arguments);
	va_end(arguments);
	fputc('\n', stderr);
	exit(EXIT_TROUBLE);
}

/* Finds the watched programs among the trace's binaries. */
static void find_space_binaries(struct entry_counter *counter)
{
	const struct tr_header *header = tr_reader_header(counter->walk.reader);
	char key[32];
	const char *name;

	counter->spaces = calloc(1, sizeof(*counter->spaces));
	for (size_t n = 0;; n++) {
		snprintf(key, sizeof(key), "bin.%zu", n);
		name = tr_header_get(header, key);
		if (!name)
			break;
		counter->binaries =
		    realloc(counter->binaries, (n + 1) * sizeof(*counter->binaries));
		if (!counter->binaries)
			die_counting("out of memory");
		counter->binaries[n] =
		    find_watched_program(&counter->lives.watched, name, strlen(name));
		counter->binary_count = n + 1;
	}
	if (!counter->spaces || !counter->binary_count)
		die_counting("the trace has no binaries: tr-match");
}

static void find_space_probes(struct entry_counter *counter)
{
	const struct tr_probe_names *names = tr_reader_probes(counter->walk.reader);

	for (int kind = 0; kind < PROBE_KINDS; kind++) {
		uint32_t p = 0;
		counter->probes[kind] = UINT32_MAX;
		if (kind == PROBE_WRITTEN && !counter->given.folder)
			continue;
		while (p < names->count &&
		       strcmp(names->probes[p].name, probe_names[kind]) != 0)
			p++;
		if (p == names->count)
			die_counting("the trace has no probe %s", probe_names[kind]);
		counter->probes[kind] = p;
		for (int f = 0; f < PROBE_FIELDS && probe_fields[kind][f]; f++) {
			uint32_t field =
			    tr_probe_names_field(names, p, probe_fields[kind][f]);
			if (field == UINT32_MAX)
				die_counting("the probe %s has no field %s",
					     probe_names[kind], probe_fields[kind][f]);
			counter->fields[kind][f] = field;
		}
	}
}

/* --- steps of a hart */

static void tell_move(struct entry_counter *counter, struct traced_task *task,
		      uint64_t to)
{
	uint64_t from = task->stopped_at;
	struct process_life *life = task->life;

	task->is_stopped = false;
	/* A system call goes on behind its ecall. */
	if (((to == from || to == from + 4) && !task->was_elsewhere) || !counter->moves)
		return;
	fprintf(counter->moves,
		"%" PRIu32 ",%" PRIu32 ",%s,0x%" PRIx64 ",0x%" PRIx64 "\n", life->pid,
		life->number, life->placed->program->name, from - life->placed->bias,
		to - life->placed->bias);
}

static struct stub_costs *program_costs(struct entry_counter *counter,
					const struct placed_program *placed)
{
	return &counter->costs[placed->program - counter->lives.watched.programs];
}

static void follow_row_costs(struct entry_counter *counter, uint64_t pid,
			     const struct placed_program *placed,
			     const struct tr_frame *frame, const struct tr_row *row)
{
	struct tr_token tokens[TR_BLOCK_MAX_TOKENS];
	const struct tr_block *block = tr_frame_block(frame, row->block);

	tr_tokens(block, tr_frame_timing(frame, row->timing), tokens);
	follow_stub_calls(program_costs(counter, placed), &counter->calls[pid], placed,
			  tokens, block->tokens);
}

static void count_user_rows(struct entry_counter *counter, const struct walked_step *step,
			    struct traced_task *task)
{
	const struct tr_frame *frame = step->frame;
	const struct tr_row *rows = step->hart->cursor.hart->rows;
	struct placed_program *placed = task->life->placed;

	if (!prepare_block_marks(placed, frame))
		die_counting("out of memory");
	if (task->is_stopped)
		tell_move(counter, task,
			  tr_frame_block(frame, rows[step->first].block)->pc);
	for (uint32_t i = step->first; i < step->last; i++) {
		bool failed;
		const struct block_mark *marks =
		    find_block_marks(placed, frame, rows[i].block, &failed);
		if (failed)
			die_counting("out of memory, or a trace without instructions");
		if (marks && !count_block_marks(&counter->lives, task, marks))
			die_counting("too many entries are open");
		if (counter->costs && (marks || counter->calls[step->hart->pid].is_open))
			follow_row_costs(counter, step->hart->pid, placed, frame,
					 &rows[i]);
	}
}

static uint64_t hit_number(const struct tr_hit *hit, uint32_t field)
{
	struct tr_probe_value value = tr_hit_value(hit, field);

	if (value.kind == TR_PROBE_MISSING)
		die_counting("a probe has no value");
	return value.number;
}

static void take_space_hit(struct entry_counter *counter, struct walked_hart *hart,
			   const struct tr_hit *hit)
{
	uint32_t(*fields)[PROBE_FIELDS] = counter->fields;
	struct process_lives *lives = &counter->lives;
	bool good = true;

	if (hit->probe == counter->probes[PROBE_SWITCH]) {
		hart->pid = hit_number(hit, fields[PROBE_SWITCH][0]);
	} else if (hit->probe == counter->probes[PROBE_FORK]) {
		const uint32_t *f = fields[PROBE_FORK];
		good = fork_task_life(lives, hit_number(hit, f[2]), hit_number(hit, f[0]),
				      hit_number(hit, f[1]), hit_number(hit, f[3]) != 0);
	} else if (hit->probe == counter->probes[PROBE_EXEC]) {
		const uint32_t *f = fields[PROBE_EXEC];
		struct tr_probe_value path = tr_hit_value(hit, f[3]);
		hart->pid = hit_number(hit, f[0]);
		good = start_task_life(lives, hart->pid, hit_number(hit, f[1]),
				       find_watched_program(&lives->watched,
							    (const char *)path.data,
							    path.size),
				       hit_number(hit, f[2]));
	} else if (hit->probe == counter->probes[PROBE_WRITTEN]) {
		struct tr_probe_value data = tr_hit_value(hit, fields[PROBE_WRITTEN][0]);
		if (data.kind != TR_PROBE_BYTES || data.is_cut)
			die_counting("not all that was written could be read");
		const char *trouble =
		    take_given_bytes(&counter->given, data.data, data.size);
		if (trouble)
			die_counting("%s", trouble);
	}
	if (!good)
		die_counting("out of memory, or a pid is too large");
}

static struct traced_task *find_user_task(struct entry_counter *counter,
					  const struct walked_hart *hart,
					  const struct tr_context *context)
{
	if (counter->spaces) {
		bool failed;
		struct traced_task *found =
		    find_space_task(counter->spaces, context, &failed);
		if (failed)
			die_counting("out of memory");
		return found;
	}
	struct traced_task *task =
	    hart->pid < TASKS ? counter->lives.tasks[hart->pid] : NULL;

	return task && task->life ? task : NULL;
}

/* System calls that a tracer makes a task do are traps without commits between them. */
static void note_user_trap(struct traced_task *task, uint64_t epc)
{
	if (!task->is_stopped) {
		task->stopped_at = epc;
		task->was_elsewhere = false;
	}
	task->is_stopped = true;
	task->was_elsewhere |= task->stopped_at != epc;
}

static void take_counted_step(void *context, const struct walked_step *step)
{
	struct entry_counter *counter = context;
	struct walked_hart *hart = step->hart;
	const struct tr_event *event = step->event;
	bool is_user = tr_mode_is_user(tr_mode_of(hart->priv));
	struct traced_task *task =
	    is_user ? find_user_task(counter, hart, &step->before) : NULL;

	if (!event && task)
		count_user_rows(counter, step, task);
	if (event && event->kind == TR_EV_TRAP && task) {
		note_user_trap(task, event->u.trap.epc);
		if (counter->costs)
			interrupt_stub_call(program_costs(counter, task->life->placed),
					    &counter->calls[hart->pid]);
	}
	if (event && event->kind == TR_EV_PROBE)
		take_space_hit(counter, hart, &event->u.probe);
}

static const char *take_frame_notes(void *context, const struct tr_frame *frame)
{
	struct entry_counter *counter = context;

	return take_space_notes(counter->spaces, &counter->lives, frame,
				counter->binaries, counter->binary_count);
}

static void count_whole_trace(struct entry_counter *counter)
{
	counter->walk.context = counter;
	counter->walk.take_frame = counter->spaces ? take_frame_notes : NULL;
	counter->walk.take_step = take_counted_step;
	const char *trouble = walk_trace(&counter->walk);

	if (trouble)
		die_counting("%s", trouble);
	end_task_lives(&counter->lives);
	if (counter->spaces)
		end_space_lives(counter->spaces);
	trouble = end_given_files(&counter->given);
	if (trouble)
		die_counting("%s", trouble);
}

/* --- the table */

static int compare_process_lives(const void *a, const void *b)
{
	const struct process_life *x = *(const struct process_life *const *)a;
	const struct process_life *y = *(const struct process_life *const *)b;

	if (x->pid != y->pid)
		return x->pid < y->pid ? -1 : 1;
	return x->number < y->number ? -1 : 1;
}

static void print_life_counts(const struct process_life *life)
{
	const struct watched_program *program = life->placed->program;

	for (size_t i = 0; i < program->count; i++) {
		const struct entry_counts *c = &life->counts[i];
		if (!c->before && !c->entered && !c->inherited)
			continue;
		printf("%" PRIu32 ",%" PRIu32 ",%s,0x%" PRIx64 ",%s,%" PRIu64 ",%" PRIu64
		       ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 "\n",
		       life->pid, life->number, program->name,
		       program->entries[i].address, program->entries[i].name, c->before,
		       c->late, c->entered, c->open, c->inherited);
	}
}

static void print_entry_counts(struct process_lives *lives)
{
	puts("pid,life,program,address,function,before,late,entered,open,inherited");
	if (lives->count)
		qsort(lives->lives, lives->count, sizeof(struct process_life *),
		      compare_process_lives);
	for (size_t i = 0; i < lives->count; i++)
		print_life_counts(lives->lives[i]);
	if (lives->orphans)
		die_counting("%" PRIu64 " counts of stubs without an entry",
			     lives->orphans);
	if (fflush(stdout) || ferror(stdout))
		die_counting("cannot write");
}

static FILE *open_other_output(const char *path)
{
	FILE *file = path ? fopen(path, "w") : NULL;

	if (path && !file)
		die_counting("%s: cannot be written", path);
	return file;
}

static void close_other_output(FILE *file)
{
	if (file && (ferror(file) | fclose(file)))
		die_counting("cannot write");
}

static void print_costs(struct entry_counter *counter)
{
	const struct watched_programs *watched = &counter->lives.watched;

	fputs("program,kind,calls,cycles,least,median,most,interrupted\n", counter->cost);
	for (size_t i = 0; i < watched->count; i++)
		print_stub_costs(&counter->costs[i], watched->programs[i].name,
				 counter->cost);
}

static int usage_counting(void)
{
	fputs("usage: count-entries [--moves FILE] [--given FOLDER] [--costs FILE] "
	      "[--spaces] "
	      "TRACE NAME=FILE...\n",
	      stderr);
	return EXIT_TROUBLE;
}

static void read_counted_programs(struct entry_counter *counter, char **operands)
{
	struct watched_programs *watched = &counter->lives.watched;

	for (; *operands; operands++) {
		const char *trouble = read_watched_program(watched, *operands);
		if (trouble)
			die_counting("%s: %s", *operands, trouble);
	}
	if (!counter->cost)
		return;
	counter->costs = calloc(watched->count, sizeof(*counter->costs));
	counter->calls = calloc(TASKS, sizeof(*counter->calls));
	if (!counter->costs || !counter->calls)
		die_counting("out of memory");
}

int main(int argc, char **argv)
{
	static const struct option options[] = {{"moves", required_argument, NULL, 'm'},
						{"given", required_argument, NULL, 'g'},
						{"costs", required_argument, NULL, 'c'},
						{"spaces", no_argument, NULL, 's'},
						{NULL, 0, NULL, 0}};
	static struct entry_counter counter;
	const char *paths[UCHAR_MAX + 1] = {NULL};

	for (int option; (option = getopt_long(argc, argv, "", options, NULL)) != -1;) {
		if (option == '?')
			return usage_counting();
		paths[option] = optarg ? optarg : "";
	}
	if (argc - optind < 2 || (paths['s'] && (paths['g'] || paths['c'])))
		return usage_counting();
	counter.moves = open_other_output(paths['m']);
	counter.given.folder = paths['g'];
	counter.cost = open_other_output(paths['c']);
	read_counted_programs(&counter, argv + optind + 1);
	if (tr_reader_open(&counter.walk.reader, argv[optind], 2) != TR_OK)
		die_counting("%s", tr_reader_message(counter.walk.reader));
	if (paths['s'])
		find_space_binaries(&counter);
	else
		find_space_probes(&counter);
	count_whole_trace(&counter);
	print_entry_counts(&counter.lives);
	if (counter.cost)
		print_costs(&counter);
	close_other_output(counter.moves);
	close_other_output(counter.cost);
	tr_reader_close(counter.walk.reader);
	free(counter.costs);
	free(counter.calls);
	free(counter.binaries);
	if (counter.spaces)
		free_space_lives(counter.spaces);
	free(counter.spaces);
	free_process_lives(&counter.lives);
	return 0;
}
