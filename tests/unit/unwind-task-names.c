/* SPDX-License-Identifier: Apache-2.0 */
/* Threads and processes get the tasks that hits of probes tell of: of a tp that is used
 * again, of renamed tasks, of threads, and of what runs before any hit. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "check.h"
#include "stream/kernel_tasks.h"
#include "unwind/task_names.h"

enum { A = 0x7000a000, B = 0x7000b000, C = 0x7000c000, EVENTS = 64 };
enum { TASK, SWITCH, ODD, NO_TASK, STACK, TOP };

struct bench {
	int fd;
	struct tr_header *header;
	struct tr_probe_names probes;
	struct tr_writer *writer;
	struct tr_task_names *names;
	struct tr_event events[2][EVENTS];
	struct tr_buffer values[2][EVENTS];
	uint32_t nevents[2], nrows;
	char got[2048];
};

static void begin(struct bench *b)
{
	static const struct tr_writer_options options = {0};
	static const struct tr_func func = {.name = "f", .binary = "b"};
	*b = (struct bench){.fd = memfd_create("tasks", 0), .header = tr_header_new()};
	tr_header_set(b->header, "content", "stacks");
	tr_header_set(b->header, "probe.0", "task");
	tr_header_set(b->header, "probe.0.fields", "x,comm,task,pid,tgid");
	tr_header_set(b->header, "probe.1", "switch");
	tr_header_set(b->header, "probe.1.fields",
		      "prev_task,prev_pid,prev_tgid,next_task,next,next_tgid");
	tr_header_set(b->header, "probe.2", "no comm");
	tr_header_set(b->header, "probe.2.fields", "task,pid,tgid");
	tr_header_set(b->header, "probe.3", "others");
	tr_header_set(b->header, "probe.3.fields",
		      "pid,tgid,comm,multitask,ask,task_pid");
	tr_header_set(b->header, "probe.4", "stack");
	tr_header_set(b->header, "probe.4.fields", "stack,stack_size,name");
	tr_header_set(b->header, "probe.5", "top");
	tr_header_set(b->header, "probe.5.fields", "at_stack,at_stack_top,at_pid");
	CHECK_EQ(tr_probe_names_read(&b->probes, b->header), TR_OK);
	CHECK(tr_kernel_tasks_possible(&b->probes));
	CHECK_EQ(tr_writer_open(&b->writer, b->fd, b->header, &options), TR_OK);
	b->names = tr_task_names_new(&b->probes, b->writer);
	tr_writer_func(b->writer, &func);
	tr_writer_node(b->writer, &(struct tr_node){0});
}

static void add(struct bench *b, unsigned hart, uint64_t cycle, uint32_t probe,
		const struct tr_probe_value *values, uint32_t count)
{
	struct tr_buffer *bytes = &b->values[hart][b->nevents[hart]];
	bytes->size = 0;
	tr_hit_encode(bytes, values, count);
	b->events[hart][b->nevents[hart]++] = (struct tr_event){
	    .kind = TR_EV_PROBE,
	    .u.probe = {cycle, probe, count, bytes->data, (uint32_t)bytes->size}};
}

static struct tr_probe_value text(const char *name)
{
	return (struct tr_probe_value){.kind = name ? TR_PROBE_STRING : TR_PROBE_MISSING,
				       .data = (const uint8_t *)name,
				       .size = name ? strlen(name) : 0};
}

static struct tr_probe_value number(enum tr_probe_value_kind kind, uint64_t value)
{
	return (struct tr_probe_value){.kind = kind, .number = value};
}

static void tell(struct bench *b, unsigned hart, uint64_t cycle, uint64_t address,
		 uint32_t pid, uint32_t tgid, const char *comm)
{
	const struct tr_probe_value values[] = {
	    number(TR_PROBE_MISSING, 0), text(comm), number(TR_PROBE_ADDRESS, address),
	    number(TR_PROBE_SIGNED, pid), number(TR_PROBE_SIGNED, tgid)};
	add(b, hart, cycle, TASK, values, 5);
}

static void frame(struct bench *b)
{
	const struct tr_hart_frame harts[2] = {
	    {.events = b->events[0], .nevents = b->nevents[0], .hart = 0},
	    {.events = b->events[1], .nevents = b->nevents[1], .hart = 1}};
	const struct tr_frame frame = {.harts = harts, .nharts = 2};
	CHECK_EQ(tr_task_names_frame(b->names, &frame), TR_OK);
	b->nevents[0] = b->nevents[1] = 0;
}

static void thread(struct bench *b, uint64_t tp)
{
	CHECK_EQ(
	    tr_task_names_thread(b->names, &(struct tr_thread){.tp = tp, .name = "sh"}),
	    TR_OK);
}

static void tell_stack(struct bench *b, uint64_t cycle, uint64_t base, uint64_t size,
		       const char *name)
{
	const struct tr_probe_value values[] = {
	    number(TR_PROBE_ADDRESS, base), number(TR_PROBE_UNSIGNED, size), text(name)};
	add(b, 0, cycle, STACK, values, 3);
}

static void tell_top(struct bench *b, uint64_t cycle, uint64_t base, uint64_t top,
		     uint32_t pid)
{
	const struct tr_probe_value values[] = {number(TR_PROBE_ADDRESS, base),
						number(TR_PROBE_ADDRESS, top),
						number(TR_PROBE_SIGNED, pid)};
	add(b, 0, cycle, TOP, values, 3);
}

static void row_at(struct bench *b, unsigned hart, uint32_t thread_of, uint64_t cycles,
		   struct tr_unwind_where where)
{
	struct tr_srow r = {.cycles = cycles, .node = 1, .thread = thread_of};
	CHECK_EQ(tr_task_names_row(b->names, hart, 0, &where, &r), TR_OK);
	CHECK_EQ(tr_writer_srow(b->writer, hart, &r, NULL), TR_OK);
}

static void row(struct bench *b, unsigned hart, uint32_t thread_of, uint32_t process,
		uint64_t cycles)
{
	struct tr_srow r = {.cycles = cycles, .node = 1, .thread = thread_of};
	const struct tr_unwind_where where = {0};
	CHECK_EQ(tr_task_names_row(b->names, hart, process, &where, &r), TR_OK);
	CHECK_EQ(tr_writer_srow(b->writer, hart, &r, NULL), TR_OK);
}

static void say(struct bench *b, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static void say(struct bench *b, const char *format, ...)
{
	size_t used = strlen(b->got);
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(b->got + used, sizeof(b->got) - used, format, arguments);
	va_end(arguments);
}

static void release(struct bench *b)
{
	tr_task_names_free(b->names);
	tr_writer_close(b->writer);
	tr_probe_names_release(&b->probes);
	tr_header_free(b->header);
	for (unsigned i = 0; i < EVENTS; i++) {
		tr_buffer_free(&b->values[0][i]);
		tr_buffer_free(&b->values[1][i]);
	}
	close(b->fd);
}

/* Reads what was written: the tasks, the uses, and the threads of the rows. */
static void end(struct bench *b, const char *expected)
{
	char path[32];
	struct tr_reader *r;
	const struct tr_sframe *f;
	CHECK_EQ(tr_writer_end(b->writer, NULL), TR_OK);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", b->fd);
	CHECK_EQ(tr_reader_open(&r, path, 1), TR_OK);
	while (tr_reader_next_stacks(r, &f) == TR_OK) {
		for (uint32_t i = 0; i < f->ntasks; i++)
			say(b, "k%u=%s[%u/%u] ", f->tasks[i].number, f->tasks[i].name,
			    f->tasks[i].pid, f->tasks[i].tgid);
		for (uint32_t i = 0; i < f->nuses; i++)
			say(b, "%c%u=k%u ", f->uses[i].is_process ? 'p' : 't',
			    f->uses[i].id, f->uses[i].task);
		for (uint32_t h = 0; h < f->nharts; h++)
			for (uint32_t i = 0; i < f->harts[h].nrows; i++)
				say(b, "%u:t%u ", f->harts[h].hart,
				    f->harts[h].rows[i].thread);
	}
	CHECK_STR(tr_reader_message(r), "end of the stream");
	CHECK_STR(b->got, expected);
	tr_reader_close(r);
	release(b);
}

static struct bench bench;

/* Each task at one address has a thread of its own, from its first hit on. */
static void used_again(void)
{
	struct bench *b = &bench;
	begin(b);
	thread(b, 0);
	thread(b, A);
	tell(b, 0, 10, A, 7, 7, "sh");
	tell(b, 0, 30, A, 8, 8, "ls");
	tell(b, 0, 50, A, 9, 9, "sh");
	frame(b);
	row(b, 0, 0, 0, 10); /* no thread */
	row(b, 0, 1, 3, 20); /* 10 to 30 */
	row(b, 0, 1, 4, 10); /* 30 to 40 */
	row(b, 0, 1, 5, 10);
	row(b, 0, 1, 6, 10); /* 50 to 60 */
	row(b, 0, 1, 6, 10);
	end(b, "k0=sh[7/7] k1=ls[8/8] k2=sh[9/9] t1=k0 p3=k0 t2=k1 p4=k1 p5=k1 t3=k2 "
	       "p6=k2 0:t0 0:t1 0:t2 0:t2 0:t3 0:t3 ");
}

/* exec and prctl change the name, not the task; what cannot be in a name is replaced. */
static void renamed(void)
{
	struct bench *b = &bench;
	begin(b);
	thread(b, A);
	tell(b, 0, 10, A, 7, 7, "sh");
	tell(b, 0, 20, A, 7, 7, "busybox");
	tell(b, 0, 21, A, 7, 7, "busybox");
	tell(b, 0, 22, A, 7, 7, NULL);
	tell(b, 0, 30, A, 7, 7, "a;b\n\xc3\xa4\xc2\x9b\xe2\x80\xae\xff");
	frame(b);
	row(b, 0, 0, 3, 15);
	row(b, 0, 0, 4, 20);
	end(b, "k0=sh[7/7] k0=busybox[7/7] k0=a?b?\xc3\xa4??????[7/7] t0=k0 p3=k0 p4=k0 "
	       "0:t0 "
	       "0:t0 ");
}

/* A thread is of the process with its tgid, also if that was never seen. Kernel threads
 * are of no process. */
static void threads(void)
{
	struct bench *b = &bench;
	begin(b);
	thread(b, A);
	thread(b, B);
	thread(b, C);
	tell(b, 0, 0, A, 12, 11, "worker");
	tell(b, 0, 0, C, 2, 2, "kthreadd");
	frame(b);
	row(b, 0, 0, 5, 10);
	row(b, 0, 2, 0, 10);
	tell(b, 0, 20, B, 11, 11, "main");
	frame(b);
	row(b, 0, 1, 5, 10);
	row(b, 0, 0, 5, 10);
	end(b, "k0=worker[11/11] k1=worker[12/11] k2=kthreadd[2/2] k0=main[11/11] t0=k1 "
	       "p5=k0 t2=k2 t1=k0 0:t0 0:t2 0:t1 0:t0 ");
}

/* exec in a thread that is not the first: it becomes the process's task. */
static void thread_replaces_leader(void)
{
	struct bench *b = &bench;
	begin(b);
	thread(b, A);
	thread(b, B);
	tell(b, 0, 0, A, 11, 11, "java");
	tell(b, 0, 0, B, 12, 11, "worker");
	tell(b, 0, 15, B, 11, 11, "sh");
	frame(b);
	row(b, 0, 0, 5, 5);
	row(b, 0, 1, 5, 10);
	row(b, 0, 1, 6, 10);
	end(b,
	    "k0=java[11/11] k1=worker[12/11] k0=sh[11/11] t0=k0 p5=k0 t1=k1 t2=k0 p6=k0 "
	    "0:t0 0:t1 0:t2 ");
}

/* A pid of a task that has ended belongs to the next one. A child by vfork runs in its
 * parent's address space. */
static void pids_again(void)
{
	struct bench *b = &bench;
	begin(b);
	thread(b, A);
	thread(b, B);
	tell(b, 0, 0, A, 7, 7, "one");
	tell(b, 0, 15, B, 7, 7, "two");
	frame(b);
	row(b, 0, 0, 5, 15);
	row(b, 0, 1, 5, 5);
	row(b, 0, 1, 6, 5);
	end(b, "k0=one[7/7] k1=two[7/7] t0=k0 p5=k0 t1=k1 p6=k1 0:t0 0:t1 0:t1 ");
}

/* Rows before the first hit are of the same task; both tasks of a switch are told. */
static void before_hits(void)
{
	static const struct tr_probe_value values[] = {
	    {.kind = TR_PROBE_ADDRESS, .number = A},
	    {.kind = TR_PROBE_SIGNED, .number = 0},
	    {.kind = TR_PROBE_SIGNED, .number = 0},
	    {.kind = TR_PROBE_ADDRESS, .number = B},
	    {.kind = TR_PROBE_UNSIGNED, .number = 1},
	    {.kind = TR_PROBE_UNSIGNED, .number = 1}};
	struct bench *b = &bench;
	begin(b);
	thread(b, A);
	thread(b, B);
	frame(b);
	row(b, 0, 0, 0, 10);
	add(b, 0, 20, SWITCH, values, 6);
	frame(b);
	row(b, 0, 0, 0, 10);
	row(b, 0, 1, 1, 10);
	end(b, "k0=[0/0] k1=[1/1] t0=k0 t1=k1 p1=k1 0:t0 0:t0 0:t1 ");
}

/* The hits of two harts are in the order of time, also if a frame has earlier ones. */
static void two_harts(void)
{
	struct bench *b = &bench;
	begin(b);
	thread(b, A);
	tell(b, 0, 10, A, 7, 7, "a");
	tell(b, 0, 40, A, 9, 9, "c");
	tell(b, 1, 20, A, 8, 8, "b");
	frame(b);
	tell(b, 1, 15, A, 7, 7, "old");	  /* before the name that is known */
	tell(b, 1, 25, A, 8, 8, "later"); /* after it */
	tell(b, 1, 30, A, 10, 10, "d");
	tell(b, 1, 38, A, 9, 9, "e"); /* earlier than known */
	frame(b);
	row(b, 0, 0, 0, 20); /* from 0 */
	row(b, 0, 0, 0, 10); /* 20 */
	row(b, 0, 0, 0, 9);  /* 30 */
	row(b, 0, 0, 0, 1);  /* 39 */
	row(b, 1, 0, 0, 40); /* from 0 */
	row(b, 1, 0, 0, 1);
	end(b,
	    "k0=a[7/7] k1=b[8/8] k2=c[9/9] k0=old[7/7] k1=later[8/8] k3=d[10/10] t0=k0 "
	    "t1=k1 t2=k3 t3=k2 0:t0 0:t1 0:t2 0:t3 1:t0 1:t3 ");
}

/* Hits that lack a number, or have one that no task can have, tell nothing. */
static void damaged(void)
{
	static const enum tr_probe_value_kind kinds[] = {
	    TR_PROBE_MISSING, TR_PROBE_BOOL,   TR_PROBE_FLOAT,
	    TR_PROBE_ENUM,    TR_PROBE_STRING, TR_PROBE_BYTES};
	struct bench *b = &bench;
	begin(b);
	thread(b, A);
	for (unsigned field = 0; field < 3; field++)
		for (unsigned i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
			struct tr_probe_value values[] = {number(TR_PROBE_ADDRESS, A),
							  number(TR_PROBE_SIGNED, 7),
							  number(TR_PROBE_SIGNED, 7)};
			values[field].kind = kinds[i];
			add(b, 0, 5, ODD, values, 3);
		}
	for (unsigned field = 1; field < 3; field++) {
		struct tr_probe_value values[] = {number(TR_PROBE_ADDRESS, A),
						  number(TR_PROBE_SIGNED, 7),
						  number(TR_PROBE_SIGNED, 7)};
		values[field].number = (uint64_t)-1;
		add(b, 0, 5, ODD, values, 3);
		values[field].number = INT32_MAX;
		add(b, 0, 5, ODD, values, 3);
	}
	const struct tr_probe_value others[6] = {number(TR_PROBE_SIGNED, 1),
						 number(TR_PROBE_SIGNED, 1), text("x"),
						 number(TR_PROBE_ADDRESS, A)};
	add(b, 0, 5, NO_TASK, others, 6);
	frame(b);
	row(b, 0, 0, 3, 10);
	end(b, "0:t0 ");
}

/* Of many tasks at one address, those of rows that may still come are known. */
static void many(void)
{
	struct bench *b = &bench;
	char expected[2048] = "";
	begin(b);
	thread(b, A);
	for (uint32_t i = 0; i < 40; i++) {
		tell(b, 0, 10 * i, A, 100 + i, 100 + i, "x");
		frame(b);
		row(b, 0, 0, 0, 10);
	}
	for (unsigned i = 0; i < 40; i++)
		snprintf(expected + strlen(expected), sizeof(expected) - strlen(expected),
			 "k%u=x[%u/%u] ", i, 100 + i, 100 + i);
	for (unsigned i = 0; i < 40; i++)
		snprintf(expected + strlen(expected), sizeof(expected) - strlen(expected),
			 "t%u=k%u ", i, i);
	for (unsigned i = 0; i < 40; i++)
		snprintf(expected + strlen(expected), sizeof(expected) - strlen(expected),
			 "0:t%u ", i);
	end(b, expected);
}

/* A task beyond the limit has no name, even if no other task was at its address. */
static void too_many(void)
{
	enum { MOST = 1 << 20 };
	struct bench *b = &bench;
	begin(b);
	for (uint32_t i = 0; i <= MOST; i++) {
		tell(b, 0, i, A + UINT64_C(64) * i, 1 + i, 1 + i, NULL);
		if (b->nevents[0] == EVENTS || i == MOST)
			frame(b);
	}
	thread(b, A + UINT64_C(64) * MOST);
	struct tr_srow r = {.cycles = 1, .node = 1, .thread = 0};
	const struct tr_unwind_where where = {0};
	CHECK_EQ(tr_task_names_row(b->names, 0, 1, &where, &r), TR_OK);
	CHECK_EQ(r.thread, 0);
	release(b);
}

/* Without numbers, names tell the tasks of a stack apart. Its end is of it, its lowest
 * address is not; elsewhere, a thread remains what it was. */
static void by_stack(void)
{
	struct bench *b = &bench;
	begin(b);
	thread(b, 0);
	thread(b, 0);
	tell_stack(b, 0, 0x1000, 0x400, "a");
	tell_stack(b, 0, 0x1400, 0x400, "b");
	tell_stack(b, 20, 0x1000, 0x400, "a");
	tell_stack(b, 30, 0x1000, 0x400, "c");
	tell_stack(b, 40, 0, 0x400, "none");
	tell_stack(b, 40, 0x1000, 0x400, "");
	tell_stack(b, 40, 0x1000, 0x400, NULL);
	frame(b);
	row_at(b, 0, 0, 10, (struct tr_unwind_where){.sp = 0x1400});
	row_at(b, 0, 1, 10, (struct tr_unwind_where){.sp = 0x1401});
	row_at(b, 0, 0, 5, (struct tr_unwind_where){.sp = 0x1001});
	row_at(b, 0, 0, 5, (struct tr_unwind_where){.sp = 0x9000}); /* a handler */
	row_at(b, 0, 0, 10, (struct tr_unwind_where){.sp = 0x1001});
	row_at(b, 0, 1, 5, (struct tr_unwind_where){.sp = 0x9000});
	row_at(b, 0, 1, 5, (struct tr_unwind_where){.sp = 0x1100}); /* not its own */
	end(b, "k0=a[4294967295/4294967295] k1=b[4294967295/4294967295] "
	       "k2=c[4294967295/4294967295] t0=k0 t1=k1 t2=k2 t3=k2 0:t0 0:t1 0:t0 0:t0 "
	       "0:t2 0:t1 0:t3 ");
}

/* Memory of several stacks is used for others: the last one that was told of counts. What
 * ran somewhere else before a task was known is not the task, what can have been on its
 * stack is. */
static void overlapping(void)
{
	struct bench *b = &bench;
	begin(b);
	thread(b, 0);
	thread(b, 0);
	thread(b, 0);
	frame(b);
	row_at(b, 0, 0, 10, (struct tr_unwind_where){.sp = 0x8000, .lowest = 0x8000});
	row_at(b, 0, 1, 10, (struct tr_unwind_where){.sp = 0x1280, .lowest = 0x1200});
	tell_top(b, 20, 0x1000, 0x1100, 7);
	tell_top(b, 20, 0x1000, 0x1080, 7);
	tell_stack(b, 50, 0x800, 0x1000, "large");
	tell_stack(b, 70, 0x1080, 0x80, "small");
	frame(b);
	row_at(b, 0, 1, 10, (struct tr_unwind_where){.sp = 0x1100, .lowest = 0x1100});
	row_at(b, 0, 0, 10, (struct tr_unwind_where){.sp = 0x10c0, .lowest = 0x10c0});
	row_at(b, 0, 2, 10, (struct tr_unwind_where){.sp = 0x9000, .lowest = 0x9000});
	row_at(b, 0, 2, 20, (struct tr_unwind_where){.sp = 0x10c0});
	row_at(b, 0, 2, 10, (struct tr_unwind_where){.sp = 0x10c0});
	row_at(b, 0, 2, 10, (struct tr_unwind_where){.sp = 0x1180});
	end(b, "k0=[7/7] k1=large[4294967295/4294967295] k2=small[4294967295/4294967295] "
	       "t1=k0 t3=k0 t4=k1 t5=k2 0:t0 0:t1 0:t1 0:t3 0:t2 0:t4 0:t5 0:t4 ");
}

/* More tasks of a stack than are kept: the earliest are not taken for later ones. */
static void forgotten(void)
{
	enum { KEPT = 4096 };
	struct bench *b = &bench;
	char name[16];
	begin(b);
	thread(b, 0);
	for (unsigned i = 0; i < KEPT + 10; i++) {
		snprintf(name, sizeof(name), "n%u", i);
		tell_stack(b, 10 + i, 0x1000, 0x400, name);
		frame(b);
	}
	struct tr_srow r = {.cycles = 12, .node = 1, .thread = 0};
	const struct tr_unwind_where where = {.sp = 0x1200, .lowest = 0x1200};
	CHECK_EQ(tr_task_names_row(b->names, 0, 0, &where, &r), TR_OK);
	CHECK_EQ(r.thread, 0);
	CHECK_EQ(tr_task_names_row(b->names, 0, 0, &where, &r), TR_OK);
	release(b);
}

static void impossible(void)
{
	struct tr_header *header = tr_header_new();
	struct tr_probe_names probes;
	tr_header_set(header, "probe.0", "p");
	tr_header_set(header, "probe.0.fields", "task,stack,comm_of");
	CHECK_EQ(tr_probe_names_read(&probes, header), TR_OK);
	CHECK(!tr_kernel_tasks_possible(&probes));
	tr_probe_names_release(&probes);
	tr_header_free(header);
}

int main(void)
{
	used_again();
	renamed();
	threads();
	thread_replaces_leader();
	pids_again();
	before_hits();
	two_harts();
	damaged();
	many();
	too_many();
	by_stack();
	overlapping();
	forgotten();
	impossible();
	return check_done();
}
