/* SPDX-License-Identifier: Apache-2.0 */
#include "inspect.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "image/image.h"
#include "model/csr.h"
#include "text/text_names.h"
#include "unwind/symbols.h"
#include "view.h"
#include "watch.h"

enum { MESSAGE = 512 };

struct inspection {
	struct inspection_options o;
	const char **paths; /* the programs, and the kernels of tr-match */
	size_t npaths;
	bool found, failed;
	char message[MESSAGE];
};

static const char *const names[32] = {"zero", "ra", "sp",  "gp",  "tp", "t0", "t1", "t2",
				      "s0",   "s1", "a0",  "a1",  "a2", "a3", "a4", "a5",
				      "a6",   "a7", "s2",  "s3",  "s4", "s5", "s6", "s7",
				      "s8",   "s9", "s10", "s11", "t3", "t4", "t5", "t6"};

static bool inspect_wants_pc(void *user, uint64_t pc)
{
	(void)user, (void)pc;
	return false;
}

/* The code that the hart executes. */
struct place {
	const char *path; /* NULL: of no known program */
	struct tr_image *image;
	uint64_t pc, cycle;
	uint64_t address; /* in the file */
};

/* Opens the binary that the trace's note names. Returns NULL if that is not the file that
 * was matched, or part of one. */
static struct tr_image *open_noted_binary(const struct inspection *inspection, uint32_t n,
					  bool functions)
{
	const struct tr_image_options options = {.functions = functions};
	const char *path = tr_header_bin(inspection->o.header, n, "");
	struct tr_image *image = NULL;
	char message[MESSAGE];

	if (tr_header_bin(inspection->o.header, n, ".part"))
		return NULL;
	if (path && tr_image_open(&image, path, &options) == TR_OK &&
	    tr_symbols_are_of(inspection->o.header, n, image, message, sizeof(message)))
		return image;
	tr_image_close(image);
	return NULL;
}

/* Returns whether bin.`n` is a kernel, which runs where it is linked, and still is the
 * file that was matched. */
static bool is_matched_kernel(const struct inspection *inspection, uint32_t n)
{
	const char *role = tr_header_bin(inspection->o.header, n, ".role");

	if (!role || strcmp(role, "kernel") != 0)
		return false;
	struct tr_image *image = open_noted_binary(inspection, n, false);
	tr_image_close(image);
	return image != NULL;
}

/* Lists the files whose variables and types are known in any code. */
static bool list_paths(struct inspection *inspection)
{
	size_t count = inspection->o.nprograms;

	for (uint32_t n = 0; tr_header_bin(inspection->o.header, n, ""); n++)
		count++;
	inspection->paths = calloc(count + 1, sizeof(*inspection->paths));
	if (!inspection->paths)
		return false;
	for (size_t i = 0; i < inspection->o.nprograms; i++)
		inspection->paths[inspection->npaths++] = inspection->o.programs[i];
	for (uint32_t n = 0;
	     inspection->o.nexpressions && tr_header_bin(inspection->o.header, n, "");
	     n++)
		if (is_matched_kernel(inspection, n))
			inspection->paths[inspection->npaths++] =
			    tr_header_bin(inspection->o.header, n, "");
	return true;
}

/* Opens the program with a function at pc. Returns its path, or NULL. */
static const char *open_program(const struct inspection *inspection, uint64_t pc,
				struct tr_image **image)
{
	const struct tr_image_options options = {.functions = true};

	for (size_t i = 0; i < inspection->o.nprograms; i++) {
		*image = NULL;
		if (tr_image_open(image, inspection->o.programs[i], &options) == TR_OK &&
		    tr_image_function_at(*image, pc))
			return inspection->o.programs[i];
		tr_image_close(*image);
		*image = NULL;
	}
	return NULL;
}

static void print_x_and_satp(const struct inspection *inspection)
{
	FILE *out = inspection->o.out;
	uint64_t satp = 0;

	soc_csr(inspection->o.soc, inspection->o.hart, CSR_SATP, &satp);
	fprintf(out, "satp 0x%" PRIx64 "\n", satp);
	for (unsigned i = 1; i < 32; i++)
		fprintf(out, "%-4s0x%016" PRIx64 "%s", names[i],
			soc_x(inspection->o.soc, inspection->o.hart, i),
			i % 4 && i < 31 ? "  " : "\n");
}

static void print_place(const struct inspection *inspection, const struct place *place)
{
	const struct tr_function *function =
	    place->image ? tr_image_function_at(place->image, place->address) : NULL;
	const char *slash = place->path ? strrchr(place->path, '/') : NULL;
	char room[TR_NAME_ROOM];

	fprintf(inspection->o.out,
		"cycle %" PRIu64 ", hart %u, instruction %" PRIu64
		", privilege %s, pc 0x%" PRIx64,
		place->cycle, inspection->o.hart,
		soc_instret(inspection->o.soc, inspection->o.hart) + 1,
		tr_priv_name(soc_priv(inspection->o.soc, inspection->o.hart), room),
		place->pc);
	if (function)
		fprintf(inspection->o.out, " %s+0x%" PRIx64 " (%s)", function->name,
			place->address - function->entry,
			slash ? slash + 1 : place->path);
	fputc('\n', inspection->o.out);
}

static void fail_inspection(struct inspection *inspection, const char *why)
{
	inspection->failed = true;
	snprintf(inspection->message, sizeof(inspection->message), "%s", why);
}

/* Compiles with the types of a program. Keeps the reason of the first program for which
 * that fails. */
static struct tr_probes *compile_expression(struct inspection *inspection,
					    const char *text, const char *path,
					    uint64_t pc, size_t *place)
{
	struct tr_probes *probes = tr_probes_new();

	if (!probes) {
		fail_inspection(inspection, "out of memory");
		return NULL;
	}
	if (tr_probes_expression(probes, text, "program", path, pc, place) == TR_OK) {
		inspection->failed = false;
		return probes;
	}
	if (!inspection->failed)
		fail_inspection(inspection, tr_probes_message(probes));
	tr_probes_free(probes);
	return NULL;
}

/* What the program at the place does not have may be of another one. */
static void print_expression(struct inspection *inspection, const char *text,
			     const struct place *at)
{
	struct replay_view view = {inspection->o.soc, inspection->o.hart, NULL};
	struct tr_probe_machine machine = replay_machine(&view, at->pc, at->cycle);
	struct tr_probe_hit hit;
	size_t place = 0;
	struct tr_probes *probes = NULL;

	if (at->path)
		probes =
		    compile_expression(inspection, text, at->path, at->address, &place);
	if (probes)
		machine.bias = at->pc - at->address;
	for (size_t i = 0; i < inspection->npaths && !probes; i++)
		if (inspection->paths[i] != at->path)
			probes = compile_expression(inspection, text,
						    inspection->paths[i], at->pc, &place);
	if (!probes && !inspection->failed)
		fail_inspection(
		    inspection,
		    "--print: no program is known here: a checkpoint names none: "
		    "pipe the "
		    "trace through tr-match");
	if (probes && tr_probes_hit(probes, place, &machine, NULL, &hit))
		tr_probes_print(probes, &hit, inspection->o.out);
	tr_probes_free(probes);
}

static void inspect_reached(void *user, const struct replay_reached *at)
{
	struct inspection *inspection = user;
	struct place place = {.pc = at->pc, .cycle = at->cycle};

	inspection->found = true;
	place.address = at->address;
	if (at->binary != TR_NOTE_UNKNOWN)
		place.image = open_noted_binary(inspection, at->binary, true);
	if (place.image) {
		place.path = tr_header_bin(inspection->o.header, at->binary, "");
	} else {
		place.address = place.pc;
		if (at->priv != TR_PRIV_U)
			place.path = open_program(inspection, place.pc, &place.image);
	}
	print_place(inspection, &place);
	if (!inspection->o.nexpressions)
		print_x_and_satp(inspection);
	for (size_t i = 0; i < inspection->o.nexpressions && !inspection->failed; i++)
		print_expression(inspection, inspection->o.expressions[i], &place);
	tr_image_close(place.image);
}

struct inspection *inspection_new(const struct inspection_options *options)
{
	struct inspection *inspection = calloc(1, sizeof(*inspection));
	const struct replay_watch watch = {.user = inspection,
					   .wants = inspect_wants_pc,
					   .tells_binaries = true,
					   .reached = inspect_reached};

	if (!inspection)
		return NULL;
	inspection->o = *options;
	if (!list_paths(inspection)) {
		free(inspection);
		return NULL;
	}
	replay_watch(options->replay, &watch);
	replay_watch_cycle(options->replay, options->hart, options->cycle);
	return inspection;
}

void inspection_free(struct inspection *inspection)
{
	if (inspection)
		free(inspection->paths);
	free(inspection);
}

bool inspection_found(const struct inspection *inspection)
{
	return inspection->found;
}

const char *inspection_message(const struct inspection *inspection)
{
	return inspection->failed ? inspection->message : NULL;
}
