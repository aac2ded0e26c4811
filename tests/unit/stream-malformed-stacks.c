/* SPDX-License-Identifier: Apache-2.0 */
/* Frames of stacks that no writer produces, with valid checksums: each is refused for the
 * right reason. */
#include "stream-malformed.h"

enum { HEAD, FUNCS, NODES, THREADS, CONTEXTS, ROWS, MORE_ROWS };

/* f in binary b; f called by f; a thread "t"; two rows on each of two harts. */
static const struct payload GOOD =
    {
	.parts =
	    {
		/* number, harts; hart, start, rows */
		[HEAD] = {0, 8, {0, 2, 0, 0, 2, 1, 50, 2}},
		[FUNCS] = {13, 6, {0, 0x10, 1, 'f', 1, 'b'}},
		[NODES] = {15, 4, {0, 0, 1, 0}},
		[THREADS] = {17, 4, {0x70, 0x80, 1, 't'}},
		/* a row of process 7 in U, one in M; two of process 1 in S */
		[CONTEXTS] = {20, 8, {2, 1, 7 << 4, 1, 3, 1, 2, 1 << 4 | 1}},
		/* node 2 of thread 0, with classes, 9 cycles, 3 instructions; node 1 */
		[ROWS] = {19, 12, {2 << 3 | 7, 0, 9, 3, 2, 1, 5, 2, 4, 1 << 3, 1, 1}},
		[MORE_ROWS] = {19, 7, {1 << 3 | 1, 0, 10, 2, 1 << 3, 1, 1}},
	    },
	.nparts = 7,
};
static const char END[] = "instructions=7\ncycles=21\nframes=1\n";

#define HUGE (UINT64_C(1) << 63)

static const struct change CHANGES[] = {
    {HEAD, 0, 1, "frame out of order"},
    {HEAD, 1, 65, "frame out of order"},
    {HEAD, 2, UINT32_MAX, "damaged frame head"},
    {HEAD, 3, HUGE - 1, "damaged frame head"},
    {HEAD, 3, HUGE - 2, "more cycles than possible"},
    {HEAD, 4, 1, "contexts do not match the stack rows"},
    {HEAD, 4, 3, "contexts do not match the stack rows"},
    {HEAD, 4, 0, "contexts do not match the stack rows"},
    {HEAD, 4, 1000, "damaged frame head"},
    {FUNCS, 0, 200, "damaged function definition"},
    {FUNCS, 2, 60, "damaged function definition"},
    {FUNCS, 2, 1 << 16, "damaged function definition"},
    {FUNCS, 3, 0, "damaged function definition"},
    {FUNCS, 4, 2, "damaged function definition"},
    {FUNCS, 5, 0, "damaged function definition"},
    {FUNCS, 6, 0, "damaged function definition"},
    {FUNCS, 3, ';', "damaged function definition"},
    {FUNCS, 5, '\n', "damaged function definition"},
    {NODES, 0, 1, "damaged node definition"},
    {NODES, 1, 1, "damaged node definition"},
    {NODES, 2, 2, "damaged node definition"},
    {NODES, 2, 0, ""},
    {NODES, 4, 0, "damaged node definition"},
    {THREADS, 3, 0x7f, "damaged thread definition"},
    {THREADS, 2, 2, "damaged thread definition"},
    {THREADS, 3, 0, "damaged thread definition"},
    {THREADS, 4, 0, "damaged thread definition"},
    {CONTEXTS, 0, 1, "contexts do not match the stack rows"},
    {CONTEXTS, 0, 3, "contexts do not match the stack rows"},
    {CONTEXTS, 1, 0, "damaged context of stack rows"},
    {CONTEXTS, 1, 2, "damaged context of stack rows"},
    {CONTEXTS, 2, UINT64_C(1) << 38, "damaged context of stack rows"},
    {CONTEXTS, 2, (UINT64_C(1) << 38) - 1, ""},
    {CONTEXTS, 5, 0, "contexts do not match the stack rows"},
    {CONTEXTS, 6, 1, "contexts do not match the stack rows"},
    {CONTEXTS, 8, 0, "contexts do not match the stack rows"},
    {ROWS, 0, 3 << 3 | 7, "a stack row without a thread"},
    {ROWS, 0, 2 << 3 | 6, "a stack row without a thread"},
    {ROWS, 1, 1, "damaged stack row"},
    {ROWS, 2, HUGE - 1, "damaged stack row"},
    {ROWS, 2, 8, "damaged stack row"}, /* fewer than its classes have */
    {ROWS, 2, 10, "the totals differ from those of the frames"},
    {ROWS, 3, HUGE - 1, "damaged stack row"},
    {ROWS, 3, 4, "the totals differ from those of the frames"},
    {ROWS, 4, 33, "damaged stack row"},
    {ROWS, 5, 32, "damaged stack row"},
    {ROWS, 5, 31, ""},
    {ROWS, 8, 5, "damaged stack row"},
    {ROWS, 9, 0, ""}, /* the root */
    {ROWS, 12, 0, "bytes after the stack rows"},
    {MORE_ROWS, 0, 1 << 3, "a stack row without a thread"},
    {MORE_ROWS, 7, 0, "bytes after the stack rows"},
};

static void missing(void)
{
	char said[256];
	struct payload p = GOOD;
	p.nparts = MORE_ROWS;
	read_frame(TR_CHUNK_STACKS, &p, END, said);
	CHECK_STR(said, "damaged or missing section");
	p.parts[HEAD].numbers[7] = 0;
	p.parts[CONTEXTS].count = 5;
	read_frame(TR_CHUNK_STACKS, &p, "instructions=4\ncycles=10\nframes=1\n", said);
	CHECK_STR(said, "");
	p = GOOD;
	p.parts[THREADS].kind = 100;
	p.parts[ROWS].numbers[1] = 0;
	read_frame(TR_CHUNK_STACKS, &p, END, said);
	CHECK_STR(said, "damaged stack row");
	p = GOOD;
	p.parts[THREADS].kind = 101;
	read_frame(TR_CHUNK_STACKS, &p, END, said);
	CHECK_STR(said, "a section that this version does not know");
	p = GOOD;
	p.parts[MORE_ROWS] = (struct part){0, 2, {19, 9}};
	read_frame(TR_CHUNK_STACKS, &p, END, said);
	CHECK_STR(said, "damaged or missing section");
	p = GOOD;
	p.nparts = 8;
	p.parts[7] = GOOD.parts[ROWS];
	read_frame(TR_CHUNK_STACKS, &p, END, said);
	CHECK_STR(said, "stack rows without a hart");
	p = GOOD;
	p.parts[CONTEXTS].kind = 100;
	read_frame(TR_CHUNK_STACKS, &p, END, said);
	CHECK_STR(said, "");
}

/* Tasks, which of them threads and processes are, and the tp of a thread. */
static void tasks(void)
{
	enum { TASKS, USES, TPS, PARTS_OF_TASKS };
	static const struct part PARTS[] = {
	    /* number, pid, tgid, name; the second; the first again */
	    [TASKS] = {36, 13, {0, 7, 7, 1, 'a', 1, 8, 7, 0, 0, 7, 7, 0}},
	    /* thread 0: task 1; process 9: task 0 */
	    [USES] = {38, 4, {0, 1, 9 << 1 | 1, 0}},
	    /* thread 0 */
	    [TPS] = {46, 2, {0, 0x90}}};
	static const struct {
		unsigned part, number;
		uint64_t value;
		const char *said;
	} TRIES[] = {
	    {TASKS, 0, 0, ""},
	    {TASKS, 0, 1, "damaged task definition"}, /* not the next one */
	    {TASKS, 5, 2, "damaged task definition"},
	    {TASKS, 5, 0, "damaged use of a task"}, /* there is no second */
	    {TASKS, 1, UINT32_MAX, "damaged task definition"},
	    {TASKS, 1, UINT32_MAX - 1, ""},
	    {TASKS, 2, UINT32_MAX, "damaged task definition"},
	    {TASKS, 3, 100, "damaged task definition"},
	    {TASKS, 4, ';', "damaged task definition"},
	    {TASKS, 4, 0, "damaged task definition"},
	    {TASKS, 13, 2, "damaged task definition"},
	    {USES, 0, 1 << 1, "damaged use of a task"}, /* no such thread */
	    {USES, 0, 1 << 1 | 1, ""},
	    {USES, 2, (UINT64_C(1) << 33) - 1, ""},
	    {USES, 2, UINT64_C(1) << 33, "damaged use of a task"},
	    {USES, 1, 2, "damaged use of a task"},
	    {USES, 4, 1, "damaged use of a task"},
	    {TPS, 0, 1, "damaged tp of a thread"}, /* no such thread */
	    {TPS, 1, UINT64_MAX, ""},
	    {TPS, 2, 0, "damaged tp of a thread"},
	};
	for (size_t i = 0; i < sizeof(TRIES) / sizeof(TRIES[0]); i++) {
		char said[256];
		struct payload p = GOOD;
		memcpy(&p.parts[p.nparts], PARTS, sizeof(PARTS));
		struct part *part = &p.parts[p.nparts + TRIES[i].part];
		p.nparts += PARTS_OF_TASKS;
		part->numbers[TRIES[i].number] = TRIES[i].value;
		if (TRIES[i].number == part->count)
			part->count++;
		read_frame(TR_CHUNK_STACKS, &p, END, said);
		if (!CHECK_STR(said, TRIES[i].said))
			fprintf(stderr, "try %zu\n", i);
	}
}

static void second_frame(void)
{
	static const struct change SECOND[] = {
	    {HEAD, 0, 1, ""},
	    {HEAD, 0, 0, "frame out of order"},
	    {HEAD, 2, 1, "a hart does not continue where it ended"},
	    {HEAD, 3, 9, "a hart does not continue where it ended"},
	    {HEAD, 6, 50, "a hart does not continue where it ended"},
	};
	static const char BOTH[] = "instructions=14\ncycles=42\nframes=2\n";
	for (size_t i = 0; i < sizeof(SECOND) / sizeof(SECOND[0]); i++) {
		char said[256];
		struct payload p = GOOD;
		struct tr_buffer stream = {0};
		add_chunk(&stream, TR_CHUNK_HEADER, 0, "xlen=64\n", 8);
		add_payload(&stream, TR_CHUNK_STACKS, 1, &p);
		p.parts[HEAD].numbers[0] = 1;
		p.parts[HEAD].numbers[3] = 10;
		p.parts[HEAD].numbers[6] = 61;
		p.parts[HEAD].numbers[SECOND[i].number] = SECOND[i].value;
		add_payload(&stream, TR_CHUNK_STACKS, 2, &p);
		add_chunk(&stream, TR_CHUNK_END, 3, BOTH, strlen(BOTH));
		read_all(&stream, TR_CHUNK_STACKS, said);
		CHECK_STR(said, SECOND[i].said);
		tr_buffer_free(&stream);
	}
}

int main(void)
{
	char said[256];
	read_frame(TR_CHUNK_STACKS, &GOOD, END, said);
	CHECK_STR(said, "");
	for (size_t i = 0; i < sizeof(CHANGES) / sizeof(CHANGES[0]); i++)
		check_change(TR_CHUNK_STACKS, &GOOD, END, &CHANGES[i]);
	missing();
	tasks();
	second_frame();
	return check_done();
}
