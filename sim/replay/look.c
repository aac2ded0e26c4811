/* SPDX-License-Identifier: Apache-2.0 */
#include "look.h"

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

struct look {
	struct look_options o;
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

static const char *trace_bin_key(const struct look *look, uint32_t n, const char *what)
{
	char key[48];

	snprintf(key, sizeof key, "bin.%u%s", n, what);
	return tr_header_get(look->o.header, key);
}

/* Opens the binary that the trace's note names. Returns NULL if that is not the file that
 * was matched, or part of one. */
static struct tr_image *open_noted_binary(const struct look *look, uint32_t n,
					  bool functions)
{
	const struct tr_image_options options = {.functions = functions};
	const char *path = trace_bin_key(look, n, "");
	struct tr_image *image = NULL;
	char message[MESSAGE];

	if (trace_bin_key(look, n, ".part"))
		return NULL;
	if (path && tr_image_open(&image, path, &options) == TR_OK &&
	    tr_symbols_are_of(look->o.header, n, image, message, sizeof message))
		return image;
	tr_image_close(image);
	return NULL;
}

/* Returns whether bin.`n` is a kernel, which runs where it is linked, and still is the
 * file that was matched. */
static bool is_matched_kernel(const struct look *look, uint32_t n)
{
	const char *role = trace_bin_key(look, n, ".role");
	struct tr_image *image;

	if (!role || strcmp(role, "kernel") != 0)
		return false;
	image = open_noted_binary(look, n, false);
	tr_image_close(image);
	return image != NULL;
}

/* Lists the files whose variables and types are known in any code. */
static bool list_paths(struct look *look)
{
	size_t count = look->o.nprograms;

	for (uint32_t n = 0; trace_bin_key(look, n, ""); n++)
		count++;
	look->paths = calloc(count + 1, sizeof *look->paths);
	if (!look->paths)
		return false;
	for (size_t i = 0; i < look->o.nprograms; i++)
		look->paths[look->npaths++] = look->o.programs[i];
	for (uint32_t n = 0; look->o.nexpressions && trace_bin_key(look, n, ""); n++)
		if (is_matched_kernel(look, n))
			look->paths[look->npaths++] = trace_bin_key(look, n, "");
	return true;
}

/* Opens the program with a function at pc. Returns its path, or NULL. */
static const char *open_program(const struct look *look, uint64_t pc,
				struct tr_image **image)
{
	const struct tr_image_options options = {.functions = true};

	for (size_t i = 0; i < look->o.nprograms; i++) {
		*image = NULL;
		if (tr_image_open(image, look->o.programs[i], &options) == TR_OK &&
		    tr_image_function_at(*image, pc))
			return look->o.programs[i];
		tr_image_close(*image);
		*image = NULL;
	}
	return NULL;
}

static void print_x_and_satp(const struct look *look)
{
	FILE *out = look->o.out;
	uint64_t satp = 0;

	soc_csr(look->o.soc, look->o.hart, CSR_SATP, &satp);
	fprintf(out, "satp 0x%" PRIx64 "\n", satp);
	for (unsigned i = 1; i < 32; i++)
		fprintf(out, "%-4s0x%016" PRIx64 "%s", names[i],
			soc_x(look->o.soc, look->o.hart, i),
			i % 4 && i < 31 ? "  " : "\n");
}

static void print_place(const struct look *look, const struct place *place)
{
	const struct tr_function *function =
	    place->image ? tr_image_function_at(place->image, place->address) : NULL;
	const char *slash = place->path ? strrchr(place->path, '/') : NULL;
	char room[TR_NAME_ROOM];

	fprintf(look->o.out,
		"cycle %" PRIu64 ", hart %u, instruction %" PRIu64
		", privilege %s, pc 0x%" PRIx64,
		place->cycle, look->o.hart, soc_instret(look->o.soc, look->o.hart) + 1,
		tr_priv_name(soc_priv(look->o.soc, look->o.hart), room), place->pc);
	if (function)
		fprintf(look->o.out, " %s+0x%" PRIx64 " (%s)", function->name,
			place->address - function->entry,
			slash ? slash + 1 : place->path);
	fputc('\n', look->o.out);
}

static void fail_inspection(struct look *look, const char *why)
{
	look->failed = true;
	snprintf(look->message, sizeof look->message, "%s", why);
}

/* Compiles with the types of a program. Keeps the reason of the first program for which
 * that fails. */
static struct tr_probes *compile_expression(struct look *look, const char *text,
					    const char *path, uint64_t pc, size_t *place)
{
	struct tr_probes *probes = tr_probes_new();

	if (!probes) {
		fail_inspection(look, "out of memory");
		return NULL;
	}
	if (tr_probes_expression(probes, text, "program", path, pc, place) == TR_OK) {
		look->failed = false;
		return probes;
	}
	if (!look->failed)
		fail_inspection(look, tr_probes_message(probes));
	tr_probes_free(probes);
	return NULL;
}

/* What the program at the place does not have may be of another one. */
static void print_expression(struct look *look, const char *text, const struct place *at)
{
	struct replay_view view = {look->o.soc, look->o.hart};
	struct tr_probe_machine machine = replay_machine(&view, at->pc, at->cycle);
	struct tr_probe_hit hit;
	size_t place = 0;
	struct tr_probes *probes = NULL;

	if (at->path)
		probes = compile_expression(look, text, at->path, at->address, &place);
	if (probes)
		machine.bias = at->pc - at->address;
	for (size_t i = 0; i < look->npaths && !probes; i++)
		if (look->paths[i] != at->path)
			probes = compile_expression(look, text, look->paths[i], at->pc,
						    &place);
	if (!probes && !look->failed)
		fail_inspection(
		    look, "--print: no program is known here: a checkpoint names none: "
			  "pipe the "
			  "trace through tr-match");
	if (probes && tr_probes_hit(probes, place, &machine, NULL, &hit))
		tr_probes_print(probes, &hit, look->o.out);
	tr_probes_free(probes);
}

static void inspect_reached(void *user, const struct replay_reached *at)
{
	struct look *look = user;
	struct place place = {.pc = at->pc, .cycle = at->cycle};

	look->found = true;
	place.address = at->address;
	if (at->binary != TR_NOTE_UNKNOWN)
		place.image = open_noted_binary(look, at->binary, true);
	if (place.image) {
		place.path = trace_bin_key(look, at->binary, "");
	} else {
		place.address = place.pc;
		if (at->priv != TR_PRIV_U)
			place.path = open_program(look, place.pc, &place.image);
	}
	print_place(look, &place);
	if (!look->o.nexpressions)
		print_x_and_satp(look);
	for (size_t i = 0; i < look->o.nexpressions && !look->failed; i++)
		print_expression(look, look->o.expressions[i], &place);
	tr_image_close(place.image);
}

struct look *look_new(const struct look_options *options)
{
	struct look *look = calloc(1, sizeof *look);
	const struct replay_watch watch = {.user = look,
					   .wants = inspect_wants_pc,
					   .tells_binaries = true,
					   .reached = inspect_reached};

	if (!look)
		return NULL;
	look->o = *options;
	if (!list_paths(look)) {
		free(look);
		return NULL;
	}
	replay_watch(options->replay, &watch);
	replay_watch_cycle(options->replay, options->hart, options->cycle);
	return look;
}

void look_free(struct look *look)
{
	if (look)
		free(look->paths);
	free(look);
}

bool look_found(const struct look *look)
{
	return look->found;
}

const char *look_message(const struct look *look)
{
	return look->failed ? look->message : NULL;
}
