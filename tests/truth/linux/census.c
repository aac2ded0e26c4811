/* SPDX-License-Identifier: Apache-2.0 */
/* Compares who runs according to the machine's memory and to the stream. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "linux.h"
#include "rules.h"

/* One task. The stream has one thread per program that it runs. */
struct person {
	uint64_t task, points, right;
	uint32_t pid;
	char comm[TASK_COMM]; /* the last one */
	const char *program, *thread;
};

struct claim {
	uint32_t person; /* first person of the thread, from 1; 0: none */
	bool is_shared;
};

static struct {
	struct person *people; /* [0]: nobody, while the MMU is off */
	struct claim *claims;  /* indexed by the stream's thread */
	uint64_t *mms;	       /* indexed by the stream's process */
	size_t npeople, people_room, nclaims, nmms;
	uint64_t spaced, wrong_space, programs, named; /* points */
} census;

static bool find_person(const struct task *task, size_t *i)
{
	for (*i = census.npeople; (*i)-- > 0;)
		if (census.people[*i].task == task->address &&
		    census.people[*i].pid == task->pid)
			return true;
	*i = census.npeople;
	if (!tr_grow(&census.people, &census.people_room, *i + 1, sizeof(*census.people)))
		return false;
	struct person *new = &census.people[census.npeople++];
	*new = (struct person){.task = task->address, .pid = task->pid, .program = "-"};
	return true;
}

static bool claim(uint32_t thread, size_t person)
{
	size_t before = census.nclaims;

	if (!tr_grow(&census.claims, &census.nclaims, thread + (size_t)1,
		     sizeof(*census.claims)))
		return false;
	memset(&census.claims[before], 0,
	       (census.nclaims - before) * sizeof(*census.claims));
	struct claim *c = &census.claims[thread];
	if (c->person == 0)
		c->person = (uint32_t)person + 1;
	c->is_shared |= c->person != person + 1;
	return true;
}

/* A process of the stream is one life of an address space, and so has one memory map. In
 * exit a task has none. */
static bool claim_space(uint32_t process, const struct task *task)
{
	size_t before = census.nmms;

	if (!process || !task->mm)
		return true;
	if (!tr_grow(&census.mms, &census.nmms, process + (size_t)1, sizeof(*census.mms)))
		return false;
	memset(&census.mms[before], 0, (census.nmms - before) * sizeof(*census.mms));
	uint64_t *mm = &census.mms[process];
	if (!*mm)
		*mm = task->mm;
	census.spaced++;
	census.wrong_space += *mm != task->mm;
	return true;
}

/* comm is a prefix of the name by which the program was called. */
static bool is_named(const struct task *task, const char *name)
{
	return strncmp(task->comm, name, TASK_COMM - 1) == 0;
}

void linux_count(const struct machine *m, const struct walk *walk,
		 const struct tr_reader *reader, const struct point *point)
{
	const struct tr_thread *thread = tr_reader_thread(reader, point->thread);
	struct task task;
	size_t i;

	task_read(m, &linux_places.layout, walk->thread, &task);
	if (!find_person(&task, &i) || !claim(point->thread, i) ||
	    !claim_space(point->process, &task)) {
		fprintf(stderr, "truth: no memory\n");
		exit(2);
	}
	struct person *person = &census.people[i];
	memcpy(person->comm, task.comm, sizeof(person->comm));
	if (walk->program)
		person->program = walk->program->name;
	census.programs += walk->program && task.mm;
	census.named += walk->program && task.mm && is_named(&task, walk->program->name);
	person->thread = point->name;
	person->points++;
	person->right += thread->tp == task.address;
}

static int by_pid(const void *a, const void *b)
{
	const struct person *x = a, *y = b;

	if (x->pid != y->pid)
		return x->pid < y->pid ? -1 : 1;
	return (x->task > y->task) - (x->task < y->task);
}

static void print_sums(FILE *out)
{
	uint64_t shared = 0;

	for (size_t i = 0; i < census.nclaims; i++)
		shared += census.claims[i].is_shared;
	fprintf(out,
		"tasks: %zu; %" PRIu64 " threads of the stream were several of them, ",
		census.npeople, shared);
	fprintf(out, "one after another (a thread is a tp and a program)\n");
	fprintf(out,
		"processes: %" PRIu64 " points, %" PRIu64 " in the memory of another\n",
		census.spaced, census.wrong_space);
	fprintf(out,
		"comm is the name of the program's file: %" PRIu64 " of %" PRIu64
		" points\n",
		census.named, census.programs);
}

void linux_print(FILE *out)
{
	qsort(census.people, census.npeople, sizeof(*census.people), by_pid);
	fprintf(out, "%6s %-18s %-16s %-12s %-12s %7s %7s\n", "pid", "task", "comm",
		"program", "stream has", "points", "right");
	for (size_t i = 0; i < census.npeople; i++) {
		const struct person *p = &census.people[i];
		fprintf(out,
			"%6" PRIu32 " 0x%-16" PRIx64 " %-16s %-12s %-12s %7" PRIu64
			" %7" PRIu64 "\n",
			p->pid, p->task, p->comm, p->program, p->thread, p->points,
			p->right);
	}
	print_sums(out);
	free(census.people);
	free(census.claims);
	free(census.mms);
}
