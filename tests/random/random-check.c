/* SPDX-License-Identifier: Apache-2.0 */
/* random-check: runs random programs on the functional model in all its modes, which must
 * agree: at full speed, with rows, and by single steps. Each program must end with status
 * 0 and print nothing. With --float the machine has F and D. With --coverage it counts
 * the events of all programs in one table, and fails if one never occurred. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "coverage.h"
#include "layout.h"
#include "model/model.h"

static const char USAGE[] = "usage: random-check [--float] [--coverage] FILE.elf...\n"
			    "Runs random programs on the functional model.\n";

enum way { FREE, ROWS, STEPS, WAYS };
static const char *const way_names[WAYS] = {"at full speed", "with rows", "by steps"};

/* State at the end of a run, which must be the same in every mode. */
struct end {
	uint64_t instret, cycle, pc, x[32], ram;
	uint64_t reported; /* instructions reported to hooks; instret without hooks */
	size_t printed;
	enum soc_stop stop;
	unsigned status, priv;
};

/* Sufficient for the programs. */
enum { LIMIT = 50000000, SAMPLE = 0x800000 };

static uint64_t hash_ram(const struct soc *soc)
{
	static uint8_t bytes[SAMPLE];

	soc_read_physical(soc, SOC_RAM_BASE, bytes, sizeof(bytes));
	return XXH3_64bits(bytes, sizeof(bytes));
}

static void on_row(void *user, unsigned hart, const struct soc_row *row)
{
	struct end *end = user;

	(void)hart;
	end->reported += row->count;
}

static void on_uart(void *user, uint8_t byte)
{
	struct end *end = user;

	(void)byte;
	end->printed++;
}

static void on_commit(void *user, unsigned hart, const struct soc_commit *commit)
{
	struct end *end = user;

	(void)hart;
	end->reported++;
	coverage_commit(commit);
}

static void on_trap(void *user, unsigned hart, const struct soc_trap *trap)
{
	(void)user;
	(void)hart;
	coverage_trap(trap);
}

static void on_access(void *user, unsigned hart, const struct soc_access *access)
{
	(void)user;
	(void)hart;
	coverage_access(access);
}

static void on_xret(void *user, unsigned hart, unsigned priv)
{
	(void)user;
	(void)hart;
	coverage_xret(priv);
}

static void on_satp(void *user, unsigned hart, uint64_t satp)
{
	(void)user;
	(void)hart;
	coverage_satp(satp);
}

static void set_hooks(struct soc *soc, bool has_float, enum way way, struct end *end)
{
	struct soc_hooks hooks = {.user = end, .uart = on_uart};

	if (way == ROWS)
		hooks.row = on_row;
	if (way == STEPS) {
		hooks.commit = on_commit;
		hooks.trap = on_trap;
		hooks.access = on_access;
		hooks.xret = on_xret;
		hooks.satp = on_satp;
		coverage_begin(soc, has_float);
	}
	soc_set_hooks(soc, &hooks);
}

static void run(const char *path, bool has_float, enum way way, struct end *end)
{
	const struct soc_config config = {.harts = SOC_HARTS,
					  .features = {.fpu = has_float}};
	struct soc *soc = soc_new(&config);

	memset(end, 0, sizeof(*end));
	if (!soc || !soc_load_elf(soc, path)) {
		fprintf(stderr, "random-check: %s\n",
			soc ? soc_message(soc) : "out of memory");
		exit(2);
	}
	set_hooks(soc, has_float, way, end);
	end->stop = soc_run(soc, LIMIT, UINT64_MAX);
	end->status = soc_power_status(soc);
	end->instret = soc_instret(soc, 0);
	end->cycle = soc_cycle(soc, 0);
	end->pc = soc_pc(soc, 0);
	end->priv = soc_priv(soc, 0);
	for (unsigned i = 0; i < 32; i++)
		end->x[i] = soc_x(soc, 0, i);
	end->ram = hash_ram(soc);
	if (way == FREE)
		end->reported = end->instret;
	soc_free(soc);
}

static bool good(const char *path, const struct end *end)
{
	if (end->stop != SOC_STOP_POWER || end->status != 0)
		fprintf(stderr,
			"random-check: %s: stop %d, status %u, after %" PRIu64
			" instructions at 0x%" PRIx64 "\n",
			path, (int)end->stop, end->status, end->instret, end->pc);
	else if (end->printed)
		fprintf(stderr, "random-check: %s: it printed\n", path);
	else
		return true;
	return false;
}

static bool same(const char *path, const struct end *a, const struct end *b, enum way way)
{
	if (memcmp(a, b, sizeof(*a)) == 0)
		return true;
	fprintf(stderr,
		"random-check: %s: %s it ends otherwise: %" PRIu64 " for %" PRIu64
		" instructions, pc 0x%" PRIx64 " for 0x%" PRIx64 "\n",
		path, way_names[way], b->instret, a->instret, b->pc, a->pc);
	return false;
}

static bool check(const char *path, bool has_float, uint64_t *instructions)
{
	static struct end end[WAYS];
	bool fine = true;

	for (unsigned way = FREE; way < WAYS; way++) {
		run(path, has_float, (enum way)way, &end[way]);
		fine = fine && same(path, &end[FREE], &end[way], (enum way)way);
	}
	*instructions += end[FREE].instret;
	return good(path, &end[FREE]) && fine;
}

int main(int argc, char **argv)
{
	bool coverage = false, has_float = false, fine = true;
	uint64_t instructions = 0;
	int first = 1;

	if (first < argc && strcmp(argv[first], "--float") == 0)
		has_float = first++;
	if (first < argc && strcmp(argv[first], "--coverage") == 0)
		coverage = first++;
	if (first >= argc || argv[first][0] == '-') {
		fputs(USAGE, stderr);
		return 2;
	}
	for (int i = first; i < argc; i++)
		fine = check(argv[i], has_float, &instructions) && fine;
	if (coverage)
		fine = coverage_print(stdout) && fine;
	printf("random-check: %d programs, %" PRIu64 " instructions, %s\n", argc - first,
	       instructions, fine ? "all in order" : "failed");
	return fclose(stdout) ? 2 : !fine;
}
