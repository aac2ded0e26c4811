/* SPDX-License-Identifier: Apache-2.0 */
/* Runs programs on the functional model and prints what probes see:
 *
 * probe-run [-n INSTRUCTIONS] [-m MIB] [-e EXPRESSION BINARY ADDRESS] [PROBES]
 *	BINARY=ELF... [-- ELF...]
 *
 * Without programs it prints the places. With -e it evaluates an expression each time
 *that the address is reached. The first binary that is given for an address has it: no
 * processes are told apart. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../../sim/model/model.h"
#include "base/map.h"
#include "probe/probe.h"

enum { SP = 2, RA = 1, TP = 4, SATP = 0x180, CALLS_MAX = 4096, MARKS = 1 << 16 };

/* A call of a function whose return is watched. */
struct call {
	uint64_t ra, sp;
	size_t place;
	void *saved;
};

struct runner {
	struct soc *soc;
	struct tr_probes *probes;
	struct tr_map first; /* by address: place */
	struct call calls[CALLS_MAX];
	size_t ncalls;
	bool is_mark[MARKS]; /* addresses to return to */
	uint64_t hits;
};

_Noreturn static void die(const char *message)
{
	fflush(stdout);
	fprintf(stderr, "probe-run: %s\n", message);
	exit(2);
}

static bool read_x(void *user, unsigned reg, uint64_t *value)
{
	const struct runner *runner = user;
	*value = soc_x(runner->soc, 0, reg);
	return true;
}

static bool read_f(void *user, unsigned reg, uint64_t *value)
{
	const struct runner *runner = user;
	*value = soc_f(runner->soc, 0, reg);
	return true;
}

static bool read_memory(void *user, uint64_t address, void *to, size_t size)
{
	const struct runner *runner = user;
	return soc_read_virtual(runner->soc, 0, address, to, size);
}

static struct tr_probe_machine machine_of(struct runner *runner)
{
	struct tr_probe_machine machine = {.user = runner,
					   .x = read_x,
					   .f = read_f,
					   .read = read_memory,
					   .pc = soc_pc(runner->soc, 0),
					   .cycle = soc_cycle(runner->soc, 0)};
	soc_csr(runner->soc, 0, SATP, &machine.satp);
	return machine;
}

static void print_hit(struct runner *runner, const struct tr_probe_hit *hit)
{
	const struct tr_probes *probes = runner->probes;
	runner->hits++;
	printf("%s", tr_probes_name(probes, hit->probe));
	for (size_t i = 0; i < tr_probes_field_count(probes, hit->probe); i++) {
		printf(" %s=", tr_probes_field_name(probes, hit->probe, i));
		tr_probe_value_print(&hit->values[i], stdout);
	}
	putchar('\n');
}

static void hit(struct runner *runner, size_t place, const void *saved)
{
	struct tr_probe_machine machine = machine_of(runner);
	struct tr_probe_hit values;
	if (tr_probes_hit(runner->probes, place, &machine, saved, &values))
		print_hit(runner, &values);
}

static void enter(struct runner *runner, size_t i)
{
	struct tr_probe_machine machine = machine_of(runner);
	struct call call = {
	    .ra = soc_x(runner->soc, 0, RA), .sp = soc_x(runner->soc, 0, SP), .place = i};
	if (runner->ncalls == CALLS_MAX)
		die("too many calls that did not return");
	call.saved = calloc(1, tr_probes_place(runner->probes, i)->saved_size + 1);
	if (!call.saved)
		die("out of memory");
	tr_probes_enter(runner->probes, i, &machine, call.saved);
	runner->is_mark[call.ra / 2 % MARKS] = true;
	runner->calls[runner->ncalls++] = call;
}

static void leave(struct runner *runner, uint64_t pc)
{
	uint64_t sp = soc_x(runner->soc, 0, SP);
	for (size_t i = runner->ncalls; i-- > 0;) {
		struct call call = runner->calls[i];
		if (call.ra != pc || call.sp != sp)
			continue;
		memmove(&runner->calls[i], &runner->calls[i + 1],
			(--runner->ncalls - i) * sizeof(call));
		hit(runner, call.place, call.saved);
		free(call.saved);
	}
}

static void visit(struct runner *runner)
{
	uint64_t pc = soc_pc(runner->soc, 0);
	if (runner->is_mark[pc / 2 % MARKS])
		leave(runner, pc);
	uint32_t i = tr_map_get(&runner->first, pc);
	for (size_t count = tr_probes_place_count(runner->probes);
	     i != TR_MAP_NONE && i < count; i++) {
		const struct tr_probe_place *place = tr_probes_place(runner->probes, i);
		if (place->address != pc)
			return;
		if (place->kind == TR_PROBE_RETURN)
			enter(runner, i);
		else
			hit(runner, i, NULL);
	}
}

static void index_places(struct runner *runner)
{
	for (size_t i = tr_probes_place_count(runner->probes); i-- > 0;)
		if (!tr_map_set(&runner->first,
				tr_probes_place(runner->probes, i)->address, (uint32_t)i))
			die("out of memory");
}

static void print_places(const struct tr_probes *probes)
{
	static const char *const kinds[] = {"entry", "return", "place"};
	for (size_t i = 0; i < tr_probes_place_count(probes); i++) {
		const struct tr_probe_place *place = tr_probes_place(probes, i);
		printf("%s %s %s 0x%" PRIx64, tr_probes_name(probes, place->probe),
		       place->binary, kinds[place->kind], place->address);
		for (size_t n = 0; n < tr_probes_field_count(probes, place->probe); n++)
			printf("%s %s %s", n ? "," : ":",
			       tr_probes_field_type(probes, place->probe, n),
			       tr_probes_field_name(probes, place->probe, n));
		putchar('\n');
	}
	for (size_t i = 0; tr_probes_note(probes, i); i++)
		fprintf(stderr, "probe-run: %s\n", tr_probes_note(probes, i));
}

static void run(struct runner *runner, char **programs, uint64_t instructions,
		uint64_t mib)
{
	runner->soc = soc_new(&(struct soc_config){
	    .harts = 1, .ram_size = mib << 20, .features.fpu = true});
	if (!runner->soc)
		die("no machine");
	for (; *programs; programs++)
		if (!soc_load_elf(runner->soc, *programs))
			die(soc_message(runner->soc));
	index_places(runner);
	enum soc_stop stop = SOC_STOP_LIMIT;
	while (stop == SOC_STOP_LIMIT && instructions-- > 0) {
		visit(runner);
		stop = soc_step(runner->soc);
	}
	for (size_t i = 0; i < tr_probes_count(runner->probes); i++)
		if (tr_probes_unknown(runner->probes, i))
			fprintf(stderr, "probe-run: %s: %" PRIu64 " unknown\n",
				tr_probes_name(runner->probes, i),
				tr_probes_unknown(runner->probes, i));
	soc_free(runner->soc);
}

static void resolve(struct tr_probes *probes, const char *argument)
{
	char name[256];
	const char *path = strchr(argument, '=');
	snprintf(name, sizeof(name), "%.*s", (int)(path - argument), argument);
	if (tr_probes_resolve(probes, name, path + 1) != TR_OK)
		die(tr_probes_message(probes));
}

static const char *path_of(char **arguments, const char *binary)
{
	size_t length = strlen(binary);
	for (; *arguments; arguments++)
		if (strncmp(*arguments, binary, length) == 0 &&
		    (*arguments)[length] == '=')
			return *arguments + length + 1;
	die("-e: no file of the binary");
}

int main(int argc, char **argv)
{
	static struct runner runner;
	uint64_t instructions = UINT64_MAX, mib = 64;
	char **expression = NULL, **at = argv + 1;
	size_t place;
	(void)argc;
	runner.probes = tr_probes_new();
	for (; *at && **at == '-' && strcmp(*at, "--") != 0; at++) {
		if (strcmp(*at, "-n") == 0)
			instructions = strtoull(*++at, NULL, 0);
		else if (strcmp(*at, "-m") == 0)
			mib = strtoull(*++at, NULL, 0);
		else if (strcmp(*at, "-e") == 0 && at[1] && at[2] && at[3]) {
			expression = at + 1;
			at += 3;
		} else
			die("unknown option");
	}
	if (*at && !strchr(*at, '=') && strcmp(*at, "--") != 0 &&
	    tr_probes_read(runner.probes, *at++) != TR_OK)
		die(tr_probes_message(runner.probes));
	if (expression &&
	    tr_probes_expression(runner.probes, expression[0], expression[1],
				 path_of(at, expression[1]),
				 strtoull(expression[2], NULL, 16), &place) != TR_OK)
		die(tr_probes_message(runner.probes));
	for (; *at && strcmp(*at, "--") != 0; at++)
		if (strchr(*at, '=') && !expression)
			resolve(runner.probes, *at);
	if (tr_probes_unresolved(runner.probes))
		die("a binary without a file");
	if (*at && at[1])
		run(&runner, at + 1, instructions, mib);
	else
		print_places(runner.probes);
	tr_map_free(&runner.first);
	tr_probes_free(runner.probes);
	return 0;
}
