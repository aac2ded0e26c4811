/* SPDX-License-Identifier: Apache-2.0 */
/* Prints the plan of a program. */
#include "extract_report.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const char *const refusal_texts[PROF_REFUSALS] = {
    [PROF_REFUSED_CALL] = "a call in the bytes to replace would return into them",
    [PROF_REFUSED_ECALL] = "the kernel uses the address of a system call there",
    [PROF_REFUSED_EBREAK] = "debuggers use the address of an ebreak there",
    [PROF_REFUSED_TARGET] = "something may jump into the bytes to replace",
    [PROF_REFUSED_SMALL] = "it is shorter than the jump to its stub",
    [PROF_REFUSED_LIVE] = "its first instructions may read t0 or t1",
    [PROF_REFUSED_REACH] = "no stub is within reach",
    [PROF_REFUSED_REGISTER] = "no register is free for the way back",
    [PROF_REFUSED_UNKNOWN] = "an instruction to replace is not known",
    [PROF_REFUSED_OVERLAP] = "another function begins in the bytes to replace",
};

static const char *name_entry(const struct prof_planned *f)
{
	if (f->refusal != PROF_COUNTED)
		return prof_name_refusal(f->refusal);
	return f->kind == TR_STUBS_FAR ? "far" : "near";
}

void prof_explain_plan(const struct prof_plan *plan)
{
	for (size_t i = 0; i < plan->count; i++) {
		const struct prof_planned *f = &plan->functions[i];
		printf("0x%" PRIx64 " %s: %s: ", f->listed->start, f->listed->name,
		       name_entry(f));
		if (f->refusal != PROF_COUNTED) {
			printf("%s%s\n",
			       f->kind == TR_STUBS_FAR ? "for a far entry, " : "",
			       refusal_texts[f->refusal]);
			continue;
		}
		const struct tr_stubs_function *stub = &plan->stubs.functions[f->number];
		printf("%u bytes replaced, a stub of %u bytes %s the program%s\n",
		       stub->size, stub->stub_size, stub->area ? "above" : "below",
		       f->loops ? ", counts executions of a loop" : "");
	}
}

/* Prints a name, in quotes if CSV requires them. */
static void print_name(const char *name)
{
	if (!strpbrk(name, ",\"")) {
		fputs(name, stdout);
		return;
	}
	putchar('"');
	for (; *name; name++) {
		if (*name == '"')
			putchar('"');
		putchar(*name);
	}
	putchar('"');
}

void prof_print_table(const struct prof_plan *plan)
{
	puts("name,address,size,entry,stub_size,loops");
	for (size_t i = 0; i < plan->count; i++) {
		const struct prof_planned *f = &plan->functions[i];
		const bool counted = f->refusal == PROF_COUNTED;
		print_name(f->listed->name);
		printf(",0x%" PRIx64 ",%" PRIu64 ",%s,%u,%d\n", f->listed->start, f->size,
		       name_entry(f),
		       counted ? plan->stubs.functions[f->number].stub_size : 0,
		       f->loops);
	}
}
