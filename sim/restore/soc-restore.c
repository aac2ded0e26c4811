/* SPDX-License-Identifier: Apache-2.0 */
/* soc-restore: turns a checkpoint into an ELF file for other simulators. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/options.h"
#include "elf.h"
#include "page.h"
#include "soc.h"

static const char usage[] = "usage: soc-restore [OPTION...] FILE.ck\n"
			    "Turn a checkpoint into an ELF file, which any simulator of "
			    "an RV64 machine can run:\n"
			    "code in it restores the state, and enters the program.\n";

/* Devices that the code must not cover. */
static const struct {
	uint64_t first, size;
} DEVICES[] = {
    {SOC_POWER_BASE, SOC_POWER_SIZE}, {SOC_CLINT_BASE, SOC_CLINT_SIZE},
    {SOC_PLIC_BASE, SOC_PLIC_SIZE},   {SOC_UART_BASE, SOC_UART_SIZE},
    {SOC_DISK_BASE, SOC_DISK_SIZE},   {SOC_NIC_BASE, SOC_NIC_SIZE},
};

struct restore {
	struct tr_cli cli;
	bool has_address, no_devices;
	uint64_t address; /* of the code that restores */
	struct checkpoint checkpoint;
	struct soc_image image; /* only its RAM */
	uint8_t page[RESTORE_SIZE];
};

static void take_address(void *context, const struct tr_option *option, const char *text)
{
	struct restore *r = context;
	char *end;

	(void)option;
	errno = 0;
	r->address = strtoull(text, &end, strncmp(text, "0x", 2) == 0 ? 16 : 10);
	if (text[0] < '0' || text[0] > '9' || *end || errno ||
	    r->address > UINT64_MAX - 2 * RESTORE_SIZE)
		tr_die(&r->cli, "--at: not an address: %s", text);
	if (r->address % RESTORE_SIZE)
		tr_die(&r->cli, "--at: not a multiple of %d: %s", RESTORE_SIZE, text);
	r->has_address = true;
}

static void parse_command(struct restore *r)
{
	struct tr_cli *cli = &r->cli;
	const struct tr_option options[] = {
	    {"at", .argument = "ADDRESS", .take = take_address,
	     .help = "a page of 4096 bytes for the code that restores, which the program "
		     "must not use (by default behind the memory)"},
	    {"no-devices", .flag = &r->no_devices,
	     .help = "leave CLINT, PLIC and UART as they are, or are not"},
	    {"output", 'o', .argument = "FILE", .text = &cli->output,
	     .help = "write to FILE (standard output)"},
	    {0}};

	tr_options_parse(cli, options, r);
	if (optind == cli->argc)
		tr_die(cli, "no checkpoint: `--help` shows the options");
	if (optind + 1 < cli->argc)
		tr_die(cli, "more than one checkpoint: %s", cli->argv[optind + 1]);
	if ((!cli->output || strcmp(cli->output, "-") == 0) && isatty(STDOUT_FILENO))
		tr_die(cli,
		       "refusing to write binary to a terminal; use -o FILE or a pipe");
}

static void load_checkpoint(struct restore *r, const char *path)
{
	struct checkpoint *c = &r->checkpoint;
	char message[CHECKPOINT_MESSAGE];

	if (!checkpoint_open(c, path, message))
		tr_die(&r->cli, "%s", message);
	const char *refusal = restore_refusal(c, !r->no_devices);
	if (refusal)
		tr_die(&r->cli, "%s: cannot be restored elsewhere: %s", path, refusal);
	if (!soc_image_init(&r->image, c->ram_size))
		tr_die(&r->cli, "%s: no memory for that of the machine", path);
	if (!checkpoint_load(c, r->image.ram, NULL, NULL, message))
		tr_die(&r->cli, "%s", message);
	for (unsigned n = 0; (refusal = restore_doubt(c, !r->no_devices, n)); n++)
		tr_warn(&r->cli, "warning: %s: %s", path, refusal);
}

/* Returns the page in RAM where the code goes, or NULL if it is not there. Dies if the
 * address is in use. */
static uint8_t *choose_page(struct restore *r)
{
	static const uint8_t zeros[RESTORE_SIZE];
	const uint64_t size = r->checkpoint.ram_size;

	if (!r->has_address)
		r->address = SOC_RAM_BASE + size;
	for (size_t i = 0; i < sizeof(DEVICES) / sizeof(DEVICES[0]); i++)
		if (r->address < DEVICES[i].first + DEVICES[i].size &&
		    r->address + RESTORE_SIZE > DEVICES[i].first)
			tr_die(&r->cli, "--at: 0x%" PRIx64 " is a device", r->address);
	if (r->address < SOC_RAM_BASE || r->address - SOC_RAM_BASE >= size)
		return NULL;
	uint8_t *page = r->image.ram + (r->address - SOC_RAM_BASE);
	if (r->address == SOC_RESET_PC || memcmp(page, zeros, sizeof(zeros)) != 0)
		tr_die(&r->cli, "--at: 0x%" PRIx64 " is memory in use", r->address);
	tr_warn(&r->cli,
		"warning: --at: 0x%" PRIx64
		" is memory of the program, which finds the code there if it uses these "
		"zeros",
		r->address);
	return page;
}

int main(int argc, char **argv)
{
	static struct restore r;
	struct tr_cli *cli = &r.cli;

	tr_cli_init(cli, TR_CLI_PLAIN, "soc-restore", usage, argc, argv);
	parse_command(&r);
	load_checkpoint(&r, argv[optind]);
	uint8_t *inside = choose_page(&r);
	restore_build(&r.checkpoint, !r.no_devices, r.address, r.page, r.image.ram);
	if (inside)
		memcpy(inside, r.page, sizeof(r.page));
	const struct restore_elf elf = {.ram = r.image.ram,
					.ram_size = r.checkpoint.ram_size,
					.page = inside ? NULL : r.page,
					.page_at = r.address,
					.fpu = r.checkpoint.features.fpu};
	FILE *file = tr_cli_text(cli);
	if (!restore_write_elf(file, &elf))
		tr_cli_check(cli, TR_E_NOMEM);
	tr_cli_text_close(cli, file);
	soc_image_free(&r.image);
	checkpoint_close(&r.checkpoint);
	return TR_EXIT_OK;
}
