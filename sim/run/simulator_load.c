/* SPDX-License-Identifier: Apache-2.0 */
/* Fills memory before the run: programs, or a checkpoint. */
#include <elf.h>
#include <inttypes.h>
#include <stdlib.h>

#include "simulator_state.h"
#include "symbol.h"

/* Warns of features that the program needs and the machine lacks. */
static void warn_of_elf(const struct settings *s, const struct machine *machine,
			const char *path)
{
	static const char *const floats[] = {NULL, "F", "D", "Q"};
	unsigned abi = (machine->image->flags & EF_RISCV_FLOAT_ABI) >> 1;
	unsigned has = machine->has_float ? 2 : 0;

	if (abi > has)
		tr_warn(&s->cli,
			"warning: %s: compiled for the extension %s, which the machine "
			"does not have; compile with -march=rv64imac -mabi=lp64, or run "
			"it with --isa rv64gc",
			path, floats[abi]);
	if (symbol_is_in(path, "tohost"))
		tr_warn(&s->cli,
			"warning: %s: it has a symbol tohost, which the machine does not "
			"watch: only a 32-bit store of 0x5555 to 0x100000 ends the run",
			path);
}

/* Loads an ELF file; `first` is set to the one that covers the reset address. */
static void load_elf(struct settings *s, struct machine *machine, const char *path)
{
	struct soc_image *image = machine->image;
	bool before = soc_image_has(image, SOC_RESET_PC);

	if (!soc_image_load_elf(image, path))
		tr_die(&s->cli, "%s", image->message);
	s->elf[s->nelf++] = path;
	warn_of_elf(s, machine, path);
	if (image->entry == UINT64_MAX)
		return;
	if (image->entry == SOC_RESET_PC)
		s->begins = true;
	if (!before && soc_image_has(image, SOC_RESET_PC)) {
		s->first.path = path;
		s->first.entry = image->entry;
	}
}

/* Refuses to overwrite an input. */
static void keep_input(const struct settings *s, const char *path)
{
	if (s->trace)
		tr_cli_protect_input(&s->cli, s->trace, path);
	if (s->counting.path)
		tr_cli_protect_input(&s->cli, s->counting.path, path);
	if (s->session.saving.path)
		tr_cli_protect_input(&s->cli, s->session.saving.path, path);
}

static void keep_operand(const struct settings *s, const char *operand)
{
	char *path = NULL;
	uint64_t address;

	if (operand)
		keep_input(s, boot_split(&s->cli, operand, &path, &address) ? path
									    : operand);
	free(path);
}

static void load_operand(struct settings *s, struct machine *machine, const char *operand)
{
	struct soc_image *image = machine->image;
	char *path = NULL;
	uint64_t address = 0;
	bool is_raw = boot_split(&s->cli, operand, &path, &address);

	keep_input(s, is_raw ? path : operand);
	if (!is_raw) /* without an address it is an ELF file */
		load_elf(s, machine, operand);
	else if (!soc_image_load_raw(image, path, address))
		tr_die(&s->cli, "%s", image->message);
	free(path);
}

static void check_reset_address(const struct settings *s, const struct soc_image *image)
{
	if (!soc_image_has(image, SOC_RESET_PC))
		tr_die(&s->cli, "nothing is loaded at the reset address 0x%x",
		       SOC_RESET_PC);
	if (!s->begins && s->first.path)
		tr_warn(&s->cli,
			"warning: %s: its entry point 0x%" PRIx64
			" is not the reset address, 0x%x",
			s->first.path, s->first.entry, SOC_RESET_PC);
}

static void load_operands(struct settings *s, struct machine *machine)
{
	struct soc_image *image = machine->image;

	for (int i = optind; i < s->cli.argc; i++)
		load_operand(s, machine, s->cli.argv[i]);
	check_reset_address(s, image);
	keep_operand(s, s->boot.dtb);
	keep_operand(s, s->boot.initrd);
	boot_load(&s->boot, &s->cli, image);
	machine->ops->set_a1(machine, image->tree);
}

static void keep_programs(const struct settings *s)
{
	const struct trigger *triggers[] = {&s->session.start, &s->session.stop,
					    &s->session.saving.at};

	for (unsigned i = 0; i < sizeof(triggers) / sizeof(triggers[0]); i++)
		if (triggers[i]->file)
			keep_input(s, triggers[i]->file);
	if (s->resume)
		keep_input(s, s->resume);
}

/* Adds what the machine has already done to a limit. */
static void add_done(uint64_t *limit, uint64_t done)
{
	*limit = *limit < UINT64_MAX - done ? *limit + done : UINT64_MAX;
}

static void resume_checkpoint(struct settings *s, struct machine *machine)
{
	char message[CHECKPOINT_MESSAGE];

	if (!checkpoint_load(&s->from, machine->image->ram, message))
		tr_die(&s->cli, "%s", message);
	if (!machine->ops->resume(machine, s->from.states))
		tr_cli_need(&s->cli, NULL);
	add_done(&s->session.max_instructions, checkpoint_instret(&s->from));
	add_done(&s->session.max_cycles, checkpoint_cycle(&s->from));
}

void simulator_load(struct settings *s, struct machine *machine)
{
	static const char *const options[] = {"--start", "--stop", "--checkpoint-at"};
	struct trigger *triggers[] = {&s->session.start, &s->session.stop,
				      &s->session.saving.at};
	char message[CHECKPOINT_MESSAGE];

	s->elf = calloc((size_t)s->cli.argc, sizeof(*s->elf));
	tr_cli_need(&s->cli, s->elf);
	keep_programs(s);
	if (s->resume)
		resume_checkpoint(s, machine);
	else
		load_operands(s, machine);
	for (unsigned i = 0; i < sizeof(triggers) / sizeof(triggers[0]); i++)
		if (!trigger_resolve(triggers[i], s->elf, s->nelf, message,
				     sizeof(message)))
			tr_die(&s->cli, "%s: %s", options[i], message);
}
