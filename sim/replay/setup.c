/* SPDX-License-Identifier: Apache-2.0 */
#include "setup.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static bool says_yes(const struct setup *s, const char *key)
{
	const char *value = tr_header_get(s->header, key);

	return value && strcmp(value, "yes") == 0;
}

/* Creates the machine that the header describes. */
static struct soc *create_traced_machine(const struct setup *s)
{
	const char *isa = tr_header_get(s->header, "isa");
	const char *precision = tr_header_get(s->header, "precision");
	uint64_t harts = tr_header_get_u64(s->header, "harts", 1);
	const struct soc_config config = {
	    .ram_size = tr_header_get_u64(s->header, "ram_size", 0),
	    .harts = harts <= TR_MAX_HARTS ? (unsigned)harts : 0,
	    .has_float = isa && strcmp(isa, "rv64gc") == 0,
	    .has_copy = says_yes(s, "copy_unit"),
	    .has_nic = says_yes(s, "nic")};

	if (!isa || !config.ram_size)
		tr_die(s->cli,
		       "%s: its source did not record what a replay needs: trace with "
		       "soc-sim or soc-model of this version",
		       s->trace);
	if (!config.has_float && strcmp(isa, "rv64imac") != 0)
		tr_die(s->cli, "%s: its ISA is %s; rv64imac and rv64gc are replayed",
		       s->trace, isa);
	if (config.harts > 1 && precision && strcmp(precision, "cycles") != 0)
		tr_die(s->cli,
		       "%s: has several harts and no cycles, so that the order of their "
		       "accesses is not known",
		       s->trace);
	struct soc *soc = soc_new(&config);
	if (!soc)
		tr_die(s->cli, "%s: no such machine, or out of memory", s->trace);
	return soc;
}

static void load_run_programs(const struct setup *s, struct soc *soc)
{
	for (int i = 0; i < s->nprograms; i++) {
		const char *operand = s->programs[i];
		char *path = NULL;
		uint64_t address = 0;
		bool done = boot_split(s->cli, operand, &path, &address)
				? soc_load_raw(soc, path, address)
				: soc_load_elf(soc, operand);

		free(path);
		if (!done)
			tr_die(s->cli, "%s", soc_message(soc));
	}
	boot_load(&s->boot, s->cli, soc_image(soc));
	for (unsigned i = 0; i < soc_harts(soc); i++)
		soc_set_x(soc, i, 11, tr_header_get_u64(s->header, "reset_a1", 0));
}

/* Refuses files other than those of the run. */
static void check_image_hash(const struct setup *s, struct soc *soc)
{
	const char *resumed = tr_header_get(s->header, "resumed");
	const char *expected = tr_header_get(s->header, "image_hash");
	char hash[24];

	if (resumed)
		tr_die(s->cli, "%s: the run began at the checkpoint %s: use --resume",
		       s->trace, resumed);
	snprintf(hash, sizeof(hash), "%016" PRIx64, soc_image_hash(soc));
	if (!expected || strcmp(expected, hash) != 0)
		tr_die(s->cli,
		       "%s: the run had other contents of memory (hash %s) than these "
		       "files (%s): name all files of the run, in its order, with its "
		       "--dtb and --initrd",
		       s->trace, expected ? expected : "unknown", hash);
}

static void load_checkpoint(struct setup *s, struct soc *soc)
{
	const char *expected = tr_header_get(s->header, "resumed.digest");
	char message[CHECKPOINT_MESSAGE], digest[24];

	if (!checkpoint_open(&s->from, s->resume, message))
		tr_die(s->cli, "%s", message);
	snprintf(digest, sizeof(digest), "%016" PRIx64, s->from.digest);
	if (!expected || strcmp(expected, digest) != 0)
		tr_die(s->cli, "%s: the run did not begin at this checkpoint, but at %s",
		       s->resume,
		       expected ? tr_header_get(s->header, "resumed") : "reset");
	if (!checkpoint_load(&s->from, soc_image(soc)->ram, message))
		tr_die(s->cli, "%s", message);
	if (s->from.harts != soc_harts(soc))
		tr_die(s->cli, "%s: of a machine with %u harts, but the run had %u",
		       s->resume, s->from.harts, soc_harts(soc));
	for (unsigned i = 0; i < s->from.harts; i++)
		soc_set_state(soc, i, &s->from.states[i]);
}

struct soc *setup_machine(struct setup *s)
{
	struct soc *soc = create_traced_machine(s);

	if (s->resume) {
		load_checkpoint(s, soc);
	} else {
		load_run_programs(s, soc);
		check_image_hash(s, soc);
	}
	return soc;
}

void setup_close(struct setup *s)
{
	if (s->resume)
		checkpoint_close(&s->from);
}

static void protect_input(const struct setup *s, const char *output, const char *input)
{
	char *path = NULL;
	uint64_t address;
	bool is_placed = boot_split(s->cli, input, &path, &address);

	tr_cli_protect_input(s->cli, output, is_placed ? path : input);
	free(path);
}

void setup_protect_inputs(const struct setup *s, const char *output)
{
	protect_input(s, output, strcmp(s->trace, "-") == 0 ? "/dev/stdin" : s->trace);
	if (s->resume)
		protect_input(s, output, s->resume);
	if (s->boot.dtb)
		protect_input(s, output, s->boot.dtb);
	if (s->boot.initrd)
		protect_input(s, output, s->boot.initrd);
	for (int i = 0; i < s->nprograms; i++)
		protect_input(s, output, s->programs[i]);
}
