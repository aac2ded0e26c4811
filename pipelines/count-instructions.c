/* SPDX-License-Identifier: Apache-2.0 */
/* count-instructions: runs a machine on the functional model, as soc-model does with
 * --isa rv64gc, and counts the instructions that a program executes at each address:
 *
 *     count-instructions [OPTION...] PROGRAM COUNTS IMAGE...
 *
 * The options are soc-model's --ram, --dtb and --initrd. PROGRAM is a static ELF file, of
 * which the first process that executes it is counted. COUNTS gets a line
 * "ADDRESS,NUMBER" for each instruction in its text that was executed in U-mode;
 * "other,NUMBER" of those elsewhere, such as the vdso; and "kernel,NUMBER" of those that
 * the kernel and the firmware executed in its address space.
 *
 * Nothing here knows of the profiler in the target: the counts are those of the model's
 * instructions. */
#include <elf.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/load.h"
#include "model/model.h"
#include "run/boot.h"
#include "run/exec.h"

enum { CSR_SATP = 0x180, A1 = 11, PRIV_U = 0 };

struct counter {
	struct soc *soc;
	struct exec *program;
	struct soc_file file;
	const uint8_t *text; /* in the file */
	uint64_t address, size;
	/* By halfword of the text: rows that begin here minus those that ended before,
	 * and whether an instruction begins here. */
	int64_t *rows;
	bool *begins;
	uint64_t other, kernel; /* instructions elsewhere, and not in U-mode */
	uint64_t satp;		/* of the process */
	bool mapped;		/* the current satp is that */
	unsigned priv;
};

static void end_with(const char *path, const char *what)
{
	fprintf(stderr, "count-instructions: %s%s%s\n", path, *path ? ": " : "", what);
	exit(2);
}

/* --- the program */

static void open_program(struct counter *c, const char *path)
{
	struct soc_image messages = {.ram = NULL};
	char message[512];
	Elf64_Ehdr header;
	Elf64_Phdr part;

	c->program = exec_open(path, message, sizeof(message));
	if (!c->program)
		end_with("", message);
	if (!soc_file_open(&messages, &c->file, path))
		end_with("", messages.message);
	/* exec_open() has checked the headers. */
	memcpy(&header, c->file.data, sizeof(header));
	for (unsigned i = 0; i < header.e_phnum && !c->size; i++) {
		memcpy(&part, c->file.data + header.e_phoff + i * sizeof(part),
		       sizeof(part));
		if (part.p_type != PT_LOAD || !(part.p_flags & PF_X))
			continue;
		c->text = c->file.data + part.p_offset;
		c->address = part.p_vaddr;
		c->size = part.p_filesz & ~UINT64_C(1);
	}
	if (!c->size || header.e_type != ET_EXEC)
		end_with(path, "not a static program at fixed addresses");
	c->rows = calloc(c->size / 2 + 1, sizeof(*c->rows));
	c->begins = calloc(c->size / 2 + 1, sizeof(*c->begins));
	if (!c->rows || !c->begins)
		end_with(path, "out of memory");
}

static bool is_in_text(const struct counter *c, uint64_t address, uint64_t bytes)
{
	uint64_t offset = address - c->address;

	return offset < c->size && bytes <= c->size - offset;
}

/* --- hooks */

/* Compares a row with the program, and notes where its instructions begin. */
static bool compare_row(struct counter *c, const struct soc_row *row)
{
	uint64_t at = row->pc - c->address;

	if (!is_in_text(c, row->pc, row->bytes) ||
	    memcmp(c->text + at, row->code, row->bytes) != 0)
		return false;
	for (unsigned i = 0; i < row->bytes; i += (row->code[i] & 3) == 3 ? 4 : 2)
		c->begins[(at + i) / 2] = true;
	return true;
}

/* Returns whether a row is code of the program, at its address. */
static bool is_program_row(struct counter *c, const struct soc_row *row)
{
	struct soc_row_cache *cache = row->cache;

	if (!cache)
		return compare_row(c, row);
	if (!cache->stamp || cache->pc != row->pc)
		*cache = (struct soc_row_cache){1, row->pc, compare_row(c, row)};
	return cache->id;
}

static void count_row(void *user, unsigned hart, const struct soc_row *row)
{
	struct counter *c = user;

	(void)hart;
	if (!c->mapped)
		return;
	if (c->priv != PRIV_U) {
		c->kernel += row->count;
	} else if (is_program_row(c, row)) {
		c->rows[(row->pc - c->address) / 2]++;
		c->rows[(row->pc + row->bytes - c->address) / 2]--;
	} else {
		c->other += row->count;
	}
}

static void take_trap(void *user, unsigned hart, const struct soc_trap *trap)
{
	(void)hart;
	((struct counter *)user)->priv = trap->priv;
}

static void take_return(void *user, unsigned hart, unsigned priv)
{
	(void)hart;
	((struct counter *)user)->priv = priv;
}

static void take_satp(void *user, unsigned hart, uint64_t satp)
{
	struct counter *c = user;

	(void)hart;
	c->mapped = satp == c->satp;
}

static void print_byte(void *user, uint8_t byte)
{
	(void)user;
	putchar(byte);
}

/* --- the run */

static bool read_memory(void *user, uint64_t address, void *data, size_t size)
{
	return soc_read_virtual(user, 0, address, data, size);
}

static bool program_begins(void *user)
{
	const struct counter *c = user;
	const struct exec_view view = {.pc = soc_pc(c->soc, 0),
				       .sp = soc_x(c->soc, 0, 2),
				       .user = c->soc,
				       .read = read_memory};

	return exec_begins(c->program, &view);
}

static void load_operand(struct soc *soc, const char *operand)
{
	struct trouble trouble = {""};
	char *path = NULL;
	uint64_t address;
	bool is_raw;

	if (!boot_split(operand, &path, &address, &is_raw, &trouble))
		end_with("", trouble.text);
	if (!(is_raw ? soc_load_raw(soc, path, address) : soc_load_elf(soc, path)))
		end_with("", soc_message(soc));
	free(path);
}

static struct soc *load_machine(uint64_t ram, const struct boot *boot, char **images)
{
	const struct soc_config config = {
	    .ram_size = ram, .harts = 1, .features = {.fpu = true}};
	struct trouble trouble = {""};
	struct soc *soc = soc_new(&config);

	if (!soc)
		end_with("", "out of memory");
	while (*images)
		load_operand(soc, *images++);
	if (!boot_load(boot, soc_image(soc), &trouble))
		end_with("", trouble.text);
	soc_set_x(soc, 0, A1, soc_image(soc)->tree);
	return soc;
}

static void run_counted(struct counter *c)
{
	struct soc_hooks hooks = {.user = c, .uart = print_byte};

	soc_set_hooks(c->soc, &hooks);
	soc_break_at_return(c->soc, program_begins, c);
	if (soc_run(c->soc, UINT64_MAX, UINT64_MAX) != SOC_STOP_BREAK)
		end_with("", "the program does not begin");
	soc_break_clear(c->soc);
	soc_csr(c->soc, 0, CSR_SATP, &c->satp);
	c->mapped = true;
	c->priv = PRIV_U;
	hooks.row = count_row;
	hooks.trap = take_trap;
	hooks.xret = take_return;
	hooks.satp = take_satp;
	soc_set_hooks(c->soc, &hooks);
	if (soc_run(c->soc, UINT64_MAX, UINT64_MAX) != SOC_STOP_POWER)
		end_with("", "the machine does not power off");
}

static void write_counts(const struct counter *c, const char *path)
{
	FILE *file = fopen(path, "w");
	int64_t count = 0;

	if (!file)
		end_with(path, "cannot be written");
	for (uint64_t i = 0; i < c->size / 2; i++) {
		count += c->rows[i];
		if (count && c->begins[i])
			fprintf(file, "0x%" PRIx64 ",%" PRId64 "\n", c->address + 2 * i,
				count);
	}
	fprintf(file, "other,%" PRIu64 "\nkernel,%" PRIu64 "\n", c->other, c->kernel);
	if (ferror(file) | fclose(file))
		end_with(path, "cannot be written");
}

int main(int argc, char **argv)
{
	static const struct option options[] = {{"ram", required_argument, NULL, 'r'},
						{"dtb", required_argument, NULL, 'd'},
						{"initrd", required_argument, NULL, 'i'},
						{NULL, 0, NULL, 0}};
	struct counter counter = {.soc = NULL};
	struct trouble trouble = {""};
	struct boot boot = {.dtb = NULL};
	uint64_t ram = 0;
	int option;

	while ((option = getopt_long(argc, argv, "", options, NULL)) >= 0) {
		if (option == 'r' && !boot_ram(optarg, &ram, &trouble))
			end_with("", trouble.text);
		else if (option == 'd')
			boot.dtb = optarg;
		else if (option == 'i')
			boot.initrd = optarg;
		else if (option == '?')
			return 2;
	}
	if (argc - optind < 3)
		end_with("", "expected PROGRAM COUNTS IMAGE...");
	argv += optind;
	open_program(&counter, argv[0]);
	counter.soc = load_machine(ram, &boot, argv + 2);
	run_counted(&counter);
	write_counts(&counter, argv[1]);
	return (int)soc_power_status(counter.soc);
}
