/* SPDX-License-Identifier: Apache-2.0 */
/* Fills memory before the run: programs, or a checkpoint. */
#include <inttypes.h>
#include <stdlib.h>

#include "feature_text.h"
#include "simulator_state.h"
#include "symbol.h"

/* Warns of features that the program needs and the machine lacks. */
static void warn_of_elf(const struct settings *s, const struct machine *machine,
			const char *path)
{
	const char *extension =
	    features_missing_abi(&machine->features, machine->image->flags);

	if (extension)
		tr_warn(&s->cli,
			"warning: %s: compiled for the extension %s, which the machine "
			"does not have; compile with -march=rv64imac -mabi=lp64, or run "
			"it with --isa rv64gc",
			path, extension);
	if (symbol_is_in(path, "tohost"))
		tr_warn(&s->cli,
			"warning: %s: it has a symbol tohost, which the machine does not "
			"watch: only a 32-bit store of 0x5555 to 0x100000 ends the run",
			path);
}

/* Loads an ELF file; `first` is set to the one that covers the reset address. */
static bool load_elf(struct settings *s, struct machine *machine, const char *path)
{
	struct soc_image *image = machine->image;
	bool before = soc_image_has(image, SOC_RESET_PC);

	if (!soc_image_load_elf(image, path))
		return tell_trouble(&s->trouble, "%s", image->message);
	s->elf[s->nelf++] = path;
	warn_of_elf(s, machine, path);
	if (image->entry == UINT64_MAX)
		return true;
	if (image->entry == SOC_RESET_PC)
		s->begins = true;
	if (!before && soc_image_has(image, SOC_RESET_PC)) {
		s->first.path = path;
		s->first.entry = image->entry;
	}
	return true;
}

/* Refuses to overwrite an input. */
static bool keep_input(struct settings *s, const char *path)
{
	const char *const outputs[] = {s->trace, s->counting.path,
				       s->session.saving.path};

	for (unsigned i = 0; i < sizeof(outputs) / sizeof(outputs[0]); i++)
		if (outputs[i] && tr_cli_is_same_file(outputs[i], path))
			return tell_trouble(&s->trouble, "%s: %s",
					    tr_cli_output_name(outputs[i]),
					    TR_CLI_IS_INPUT);
	return true;
}

static bool keep_operand(struct settings *s, const char *operand)
{
	char *path = NULL;
	uint64_t address;
	bool placed;

	if (!operand)
		return true;
	bool done = boot_split(operand, &path, &address, &placed, &s->trouble) &&
		    keep_input(s, path);
	free(path);
	return done;
}

/* Loads a file: without an address it is an ELF file. */
static bool load_operand(struct settings *s, struct machine *machine, const char *operand)
{
	struct soc_image *image = machine->image;
	char *path = NULL;
	uint64_t address = 0;
	bool is_raw;

	bool done = boot_split(operand, &path, &address, &is_raw, &s->trouble) &&
		    keep_input(s, path);
	if (done && !is_raw)
		done = load_elf(s, machine, operand);
	else if (done && !soc_image_load_raw(image, path, address))
		done = tell_trouble(&s->trouble, "%s", image->message);
	free(path);
	return done;
}

static bool check_reset_address(struct settings *s, const struct soc_image *image)
{
	if (!soc_image_has(image, SOC_RESET_PC))
		return tell_trouble(&s->trouble,
				    "nothing is loaded at the reset address 0x%x",
				    SOC_RESET_PC);
	if (!s->begins && s->first.path)
		tr_warn(&s->cli,
			"warning: %s: its entry point 0x%" PRIx64
			" is not the reset address, 0x%x",
			s->first.path, s->first.entry, SOC_RESET_PC);
	return true;
}

static bool load_operands(struct settings *s, struct machine *machine)
{
	struct soc_image *image = machine->image;

	for (int i = optind; i < s->cli.argc; i++)
		if (!load_operand(s, machine, s->cli.argv[i]))
			return false;
	if (!check_reset_address(s, image) || !keep_operand(s, s->boot.dtb) ||
	    !keep_operand(s, s->boot.initrd) || !boot_load(&s->boot, image, &s->trouble))
		return false;
	machine->ops->set_a1(machine, image->tree);
	return true;
}

static bool keep_programs(struct settings *s)
{
	const struct trigger *triggers[] = {&s->session.start, &s->session.stop,
					    &s->session.saving.at};

	for (unsigned i = 0; i < sizeof(triggers) / sizeof(triggers[0]); i++)
		if (triggers[i]->file && !keep_input(s, triggers[i]->file))
			return false;
	return (!s->resume || keep_input(s, s->resume)) &&
	       (!s->disk_path || keep_input(s, s->disk_path));
}

/* Adds what the machine has already done to a limit. */
static void add_done(uint64_t *limit, uint64_t done)
{
	*limit = *limit < UINT64_MAX - done ? *limit + done : UINT64_MAX;
}

static bool resume_checkpoint(struct settings *s, struct machine *machine)
{
	char message[CHECKPOINT_MESSAGE];

	struct soc_line_uses *uses = malloc(sizeof(*uses));

	if (!uses)
		return tell_no_memory(&s->trouble);
	bool loaded =
	    checkpoint_load(&s->from, machine->image->ram, machine->disk, uses, message);
	bool resumed = loaded && machine->ops->resume(machine, s->from.states);
	if (resumed && machine->ops->fill_caches)
		machine->ops->fill_caches(machine, uses);
	free(uses);
	if (!loaded)
		return tell_trouble(&s->trouble, "%s", message);
	if (!resumed)
		return tell_no_memory(&s->trouble);
	add_done(&s->session.max_instructions, checkpoint_instret(&s->from));
	add_done(&s->session.max_cycles, checkpoint_cycle(&s->from));
	return true;
}

bool simulator_load(struct settings *s, struct machine *machine)
{
	static const char *const options[] = {"--start", "--stop", "--checkpoint-at"};
	struct trigger *triggers[] = {&s->session.start, &s->session.stop,
				      &s->session.saving.at};
	char message[CHECKPOINT_MESSAGE];

	s->elf = calloc((size_t)s->cli.argc, sizeof(*s->elf));
	if (!s->elf)
		return tell_no_memory(&s->trouble);
	if (!keep_programs(s) ||
	    !(s->resume ? resume_checkpoint(s, machine) : load_operands(s, machine)))
		return false;
	for (unsigned i = 0; i < sizeof(triggers) / sizeof(triggers[0]); i++)
		if (!trigger_resolve(triggers[i], s->elf, s->nelf, message,
				     sizeof(message)))
			return tell_trouble(&s->trouble, "%s: %s", options[i], message);
	return true;
}
