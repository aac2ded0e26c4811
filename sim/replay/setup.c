/* SPDX-License-Identifier: Apache-2.0 */
#include "setup.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "run/feature_text.h"

static bool says_yes(const struct setup *s, const char *key)
{
	const char *value = tr_header_get(s->header, key);

	return value && strcmp(value, "yes") == 0;
}

/* Determines the features; refuses a trace that cannot be replayed. */
static bool check_traced_machine(const struct setup *s, struct soc_config *config,
				 struct trouble *trouble)
{
	const char *isa = tr_header_get(s->header, "isa");
	const char *precision = tr_header_get(s->header, "precision");

	if (!isa || !config->ram_size)
		return tell_trouble(trouble,
				    "%s: its source did not record what a replay needs: "
				    "trace with soc-sim or soc-model of this version",
				    s->trace);
	if (!features_set_isa(&config->features, isa))
		return tell_trouble(trouble,
				    "%s: its ISA is %s; rv64imac and rv64gc are replayed",
				    s->trace, isa);
	const char *unit = features_get_units(s->header, "yes", &config->features);
	if (unit)
		return tell_trouble(trouble, "%s: unknown %s %s", s->trace, unit,
				    tr_header_get(s->header, unit));
	if (config->harts > 1 && precision && strcmp(precision, "cycles") != 0)
		return tell_trouble(trouble,
				    "%s: has several harts and no cycles, so that the "
				    "order of their accesses is not known",
				    s->trace);
	return true;
}

/* Sets how many harts the machine had: the last of a sampled run has the windows. */
static bool count_harts(const struct setup *s, uint64_t *harts, struct trouble *trouble)
{
	const uint64_t sampled = tr_header_get_u64(s->header, "sampled_hart", 0);

	*harts = tr_header_get_u64(s->header, "harts", 1);
	if (!tr_header_get(s->header, "sampled_hart"))
		return true;
	if (sampled == 0 || sampled + 1 != *harts)
		return tell_trouble(trouble,
				    "%s: the windows of a sampled run are of hart "
				    "%" PRIu64 ", which is not behind the others",
				    s->trace, sampled);
	*harts = sampled;
	return true;
}

/* Creates the machine that the header describes. */
static struct soc *create_traced_machine(const struct setup *s, struct trouble *trouble)
{
	uint64_t harts;

	if (!count_harts(s, &harts, trouble))
		return NULL;
	struct soc_config config = {.ram_size =
					tr_header_get_u64(s->header, "ram_size", 0),
				    .harts = harts <= TR_MAX_HARTS ? (unsigned)harts : 0,
				    .has_nic = says_yes(s, "nic")};

	if (!check_traced_machine(s, &config, trouble))
		return NULL;
	struct soc *soc = soc_new(&config);
	if (!soc)
		tell_trouble(trouble, "%s: no such machine, or out of memory", s->trace);
	return soc;
}

static bool load_run_program(const char *operand, struct soc *soc,
			     struct trouble *trouble)
{
	char *path = NULL;
	uint64_t address = 0;
	bool placed;

	if (!boot_split(operand, &path, &address, &placed, trouble))
		return false;
	bool done =
	    placed ? soc_load_raw(soc, path, address) : soc_load_elf(soc, operand);
	free(path);
	return done || tell_trouble(trouble, "%s", soc_message(soc));
}

static bool load_run_programs(const struct setup *s, struct soc *soc,
			      struct trouble *trouble)
{
	for (int i = 0; i < s->nprograms; i++)
		if (!load_run_program(s->programs[i], soc, trouble))
			return false;
	struct boot boot = s->boot;

	boot.has_disk = soc_get_features(soc)->disk;
	if (!boot_load(&boot, soc_image(soc), trouble))
		return false;
	for (unsigned i = 0; i < soc_harts(soc); i++)
		soc_set_x(soc, i, 11, tr_header_get_u64(s->header, "reset_a1", 0));
	return true;
}

/* Refuses files other than those of the run. */
static bool check_image_hash(const struct setup *s, struct soc *soc,
			     struct trouble *trouble)
{
	const char *resumed = tr_header_get(s->header, "resumed");
	const char *expected = tr_header_get(s->header, "image_hash");
	char hash[24];

	if (resumed)
		return tell_trouble(
		    trouble, "%s: the run began at the checkpoint %s: use --resume",
		    s->trace, resumed);
	snprintf(hash, sizeof(hash), "%016" PRIx64, soc_image_hash(soc));
	if (!expected || strcmp(expected, hash) != 0)
		return tell_trouble(
		    trouble,
		    "%s: the run had other contents of memory (hash %s) than these "
		    "files (%s): name all files of the run, in its order, with its "
		    "--dtb and --initrd",
		    s->trace, expected ? expected : "unknown", hash);
	return true;
}

/* The L1I of the traced machine began with code that was fetched before: after a store to
 * it, and until fence.i, the machine may execute what was there. */
static void set_fetched_code(struct soc *soc, const struct soc_line_uses *uses)
{
	enum { PAGE = 4096, LINE = 64 };

	for (size_t i = 0; i < uses->n; i++) {
		const uint64_t page = uses->uses[i] / PAGE * PAGE;
		struct soc_code_lines lines = soc_code_lines(soc, page);

		if (uses->uses[i] % LINE != SOC_USE_FETCH)
			continue;
		lines.fetched |= UINT64_C(1) << uses->uses[i] % PAGE / LINE;
		soc_set_code_lines(soc, page, lines);
	}
}

/* Reads memory, and sets the state of the harts. */
static bool load_contents(struct setup *s, struct soc *soc, struct trouble *trouble)
{
	struct soc_line_uses *uses = malloc(sizeof(*uses));
	char message[CHECKPOINT_MESSAGE] = "out of memory";
	bool loaded =
	    uses && checkpoint_load(&s->from, soc_image(soc)->ram, NULL, uses, message);

	for (unsigned i = 0; loaded && i < s->from.harts; i++)
		soc_set_state(soc, i, &s->from.states[i]);
	if (loaded)
		set_fetched_code(soc, uses);
	free(uses);
	return loaded || tell_trouble(trouble, "%s", message);
}

static bool load_checkpoint(struct setup *s, struct soc *soc, struct trouble *trouble)
{
	const char *expected = tr_header_get(s->header, "resumed.digest");
	char message[CHECKPOINT_MESSAGE], digest[24];

	if (!checkpoint_open(&s->from, s->resume, message))
		return tell_trouble(trouble, "%s", message);
	snprintf(digest, sizeof(digest), "%016" PRIx64, s->from.digest);
	if (!expected || strcmp(expected, digest) != 0)
		return tell_trouble(
		    trouble, "%s: the run did not begin at this checkpoint, but at %s",
		    s->resume, expected ? tr_header_get(s->header, "resumed") : "reset");
	if (s->from.harts != soc_harts(soc))
		return tell_trouble(trouble,
				    "%s: of a machine with %u harts, but the run had %u",
				    s->resume, s->from.harts, soc_harts(soc));
	if (s->from.ram_size != soc_image(soc)->size)
		return tell_trouble(trouble,
				    "%s: of a machine with %" PRIu64
				    " bytes of memory, but the run had %" PRIu64,
				    s->resume, s->from.ram_size, soc_image(soc)->size);
	return load_contents(s, soc, trouble);
}

struct soc *setup_machine(struct setup *s, struct trouble *trouble)
{
	struct soc *soc = create_traced_machine(s, trouble);

	if (!soc)
		return NULL;
	if (s->resume
		? load_checkpoint(s, soc, trouble)
		: load_run_programs(s, soc, trouble) && check_image_hash(s, soc, trouble))
		return soc;
	soc_free(soc);
	return NULL;
}

void setup_close(struct setup *s)
{
	if (s->resume)
		checkpoint_close(&s->from);
}

static bool protect_input(const char *output, const char *input, struct trouble *trouble)
{
	char *path = NULL;
	uint64_t address;
	bool placed;

	if (!boot_split(input, &path, &address, &placed, trouble))
		return false;
	bool done =
	    !tr_cli_is_same_file(output, path) ||
	    tell_trouble(trouble, "%s: %s", tr_cli_output_name(output), TR_CLI_IS_INPUT);
	free(path);
	return done;
}

bool setup_protect_inputs(const struct setup *s, const char *output,
			  struct trouble *trouble)
{
	const char *const inputs[] = {strcmp(s->trace, "-") == 0 ? "/dev/stdin"
								 : s->trace,
				      s->resume, s->boot.dtb, s->boot.initrd};

	for (unsigned i = 0; i < sizeof(inputs) / sizeof(inputs[0]); i++)
		if (inputs[i] && !protect_input(output, inputs[i], trouble))
			return false;
	for (int i = 0; i < s->nprograms; i++)
		if (!protect_input(output, s->programs[i], trouble))
			return false;
	return true;
}
