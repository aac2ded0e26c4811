/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/cli_binaries.h"

#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "image/bin_keys.h"

enum { PAGE = 4096 };

/* Refuses a binary of another width than the machine's. */
static void check_xlen(const struct tr_cli *cli, struct tr_cli_binaries *b, size_t i,
		       const struct tr_header *header)
{
	unsigned xlen = tr_header_xlen(header);
	char text[512];
	if (tr_image_xlen(b->images[i]) == xlen)
		return;
	snprintf(text, sizeof(text), "%s: for RV%u, but the stream is of RV%u%s",
		 b->list.bins[i].path, tr_image_xlen(b->images[i]), xlen,
		 tr_header_lacks(header, "traps")
		     ? "; if a log did not show it: tr-capture --xlen"
		     : "");
	tr_die(cli, "%s", tr_bins_blame(&b->list, i, text));
}

bool tr_cli_loaded_file(const struct tr_header *header, size_t n, const char **name,
			const char **build)
{
	char key[48];
	snprintf(key, sizeof(key), "image.%zu", n);
	*name = tr_header_get(header, key);
	snprintf(key, sizeof(key), "image.%zu.build_id", n);
	*build = tr_header_get(header, key);
	if (!*build)
		*build = "";
	return *name;
}

/* Returns true if one of the first binaries is of this build. */
static bool has_build(const struct tr_cli_binaries *b, size_t count, const char *build)
{
	size_t i = 0;
	while (i < count && strcmp(tr_image_build_id(b->images[i]), build) != 0)
		i++;
	return i < count;
}

/* Warns of a file with the name of one that the machine ran, but of another build, unless
 * an earlier one is that. */
static void check_build(const struct tr_cli *cli, const struct tr_cli_binaries *b,
			size_t n, const struct tr_header *header)
{
	const struct tr_image *image = b->images[n];
	const char *build = tr_image_build_id(image), *name, *ran;
	for (size_t i = 0; tr_cli_loaded_file(header, i, &name, &ran); i++)
		if (*ran && *build && strcmp(name, tr_image_name(image)) == 0 &&
		    strcmp(ran, build) != 0 && !has_build(b, n, ran))
			tr_warn(cli,
				"warning: %s: another build than the one that ran: "
				"build-id %s, in the trace %s",
				tr_image_path(image), build, ran);
}

static void check_binary(const struct tr_cli *cli, struct tr_cli_binaries *b, size_t i,
			 const struct tr_header *header)
{
	check_xlen(cli, b, i, header);
	const char *reason = tr_bins_check_base(&b->list, i, b->images[i]);
	if (reason)
		tr_die(cli, "%s", reason);
	if (!tr_image_code_count(b->images[i]))
		tr_warn(cli,
			"warning: %s: no executable code; a file of debug information "
			"alone is put together with the stripped one by eu-unstrip",
			b->list.bins[i].path);
	check_build(cli, b, i, header);
}

/* Returns true if a file of a sysroot can be left out: it is damaged, of which there is a
 * warning, for another width, without code, or a copy of an earlier one. So can a vdso
 * that a kernel does not have, or that is listed as well. */
static bool may_leave_out_image(const struct tr_cli *cli, const struct tr_cli_binaries *b,
				size_t i, int status, const struct tr_header *header)
{
	const struct tr_image *image = b->images[i];
	const struct tr_bin *bin = &b->list.bins[i];
	if (!bin->in_sysroot && !bin->part)
		return false;
	if (status && bin->in_sysroot)
		tr_warn(cli, "warning: %s: left out", tr_image_message(image));
	return status || !tr_image_code_count(image) ||
	       tr_image_xlen(image) != tr_header_xlen(header) ||
	       (!tr_image_is_module(image) &&
		tr_map_get(&b->codes, tr_image_code_hash(image)) != TR_MAP_NONE);
}

/* A kernel contains the vdso, the kernel places each section of a module by itself, and
 * overlays are loaded in turns.
 * Files are opened in the order of the list, so what is listed as well comes first. */
static void add_image_parts(const struct tr_cli *cli, struct tr_cli_binaries *b, size_t i)
{
	const struct tr_bin *bin = &b->list.bins[i];
	const struct tr_image *image = b->images[i];
	const char *part;
	int status = TR_OK;
	if (bin->part)
		return;
	for (size_t k = 0; !status && (part = tr_image_part(image, k)); k++)
		status = tr_bins_add_part(&b->list, i, part,
					  tr_image_is_module(image) ? TR_ROLE_KERNEL
								    : bin->role);
	if (!status && bin->role == TR_ROLE_KERNEL && !tr_image_is_module(image))
		status = tr_bins_add_part(&b->list, i, "vdso", TR_ROLE_USER);
	tr_cli_check(cli, status);
}

static void reserve_image_slots(const struct tr_cli *cli, struct tr_cli_binaries *b)
{
	bool good =
	    tr_grow(&b->images, &b->image_room, b->list.count + 1, sizeof(*b->images)) &&
	    tr_grow(&b->binaries, &b->binary_room, b->list.count + 1,
		    sizeof(*b->binaries));
	tr_cli_check(cli, good ? TR_OK : TR_E_NOMEM);
}

/* Returns how far the code of an overlay is behind that of its file. */
static uint64_t base_of_part(const struct tr_cli_binaries *b, size_t i)
{
	const struct tr_bin *bin = &b->list.bins[i];
	for (size_t k = 0; bin->part && bin->has_base && k < i; k++)
		if (!b->list.bins[k].part &&
		    strcmp(b->list.bins[k].path, bin->path) == 0 &&
		    tr_image_has_overlays(b->images[i]))
			return tr_image_code(b->images[i], 0)->address / PAGE * PAGE -
			       tr_image_code(b->images[k], 0)->address / PAGE * PAGE;
	return 0;
}

/* Opens binary `i`. Returns false if it is left out. */
static bool open_listed_binary(const struct tr_cli *cli, struct tr_cli_binaries *b,
			       size_t i, struct tr_header *header)
{
	const struct tr_bin *bin = &b->list.bins[i];
	const struct tr_image_options options = {.part = bin->part};
	tr_cli_check_path(cli, bin->path);
	int status = tr_image_open(&b->images[i], bin->path, &options);
	tr_cli_need(cli, b->images[i]);
	if (may_leave_out_image(cli, b, i, status, header))
		return false;
	if (status)
		tr_die(cli, "%s",
		       tr_bins_blame(&b->list, i, tr_image_message(b->images[i])));
	if (!tr_map_set(&b->codes, tr_image_code_hash(b->images[i]), (uint32_t)i))
		tr_cli_check(cli, TR_E_NOMEM);
	check_binary(cli, b, i, header);
	b->binaries[i] = (struct tr_match_binary){
	    .overlays = tr_image_has_overlays(b->images[i]),
	    .image = b->images[i],
	    .role = tr_image_is_module(b->images[i]) ? TR_ROLE_KERNEL : bin->role,
	    .any_priv = tr_header_lacks(header, "priv"),
	    .has_base = bin->has_base,
	    .base = bin->base + base_of_part(b, i)};
	tr_cli_check(cli, tr_bin_keys_binary(header, i, b->images[i], bin));
	add_image_parts(cli, b, i);
	return true;
}

static void list_given_binaries(const struct tr_cli *cli, struct tr_cli_binaries *b,
				const struct tr_cli_places *places)
{
	for (size_t i = 0; i < places->bins.count; i++) {
		if (tr_bins_add(&b->list, places->bins.text[i]))
			tr_die(cli, "%s", b->list.message);
		tr_cli_protect_input(cli, cli->output, places->bins.text[i]);
	}
	for (size_t i = 0; i < places->sysroots.count; i++)
		if (tr_bins_add_sysroot(&b->list, places->sysroots.text[i]))
			tr_die(cli, "%s", b->list.message);
}

/* Opens the stubs of binary `i`. */
static void open_listed_stubs(const struct tr_cli *cli, struct tr_cli_binaries *b,
			      size_t i, struct tr_header *header)
{
	struct tr_stub_files *files;
	int status = tr_stub_files_open(&files, b->list.bins[i].stubs);
	tr_cli_need(cli, files);
	if (!status)
		status = tr_stub_files_check(files, b->images[i]);
	if (status)
		tr_die(cli, "%s",
		       tr_bins_blame(&b->list, i, tr_stub_files_message(files)));
	tr_cli_check(cli,
		     tr_grow(&b->stubs, &b->stub_room, b->nstubs + 1, sizeof(*b->stubs))
			 ? TR_OK
			 : TR_E_NOMEM);
	b->binaries[i].stubs = files;
	b->binaries[i].stubs_number = (uint32_t)(b->list.count + b->nstubs);
	tr_cli_check(cli, tr_bin_keys_stubs(header, b->list.count + b->nstubs, files, i,
					    b->images[i], b->list.bins[i].role));
	b->stubs[b->nstubs++] = files;
}

void tr_cli_binaries_open(const struct tr_cli *cli, const struct tr_cli_places *places,
			  struct tr_header *header, struct tr_cli_binaries *b)
{
	list_given_binaries(cli, b, places);
	for (size_t i = 0; i < b->list.count;) {
		reserve_image_slots(cli, b);
		if (open_listed_binary(cli, b, i, header)) {
			i++;
			continue;
		}
		tr_image_close(b->images[i]);
		tr_bins_remove(&b->list, i);
	}
	for (size_t i = 0; i < b->list.count; i++)
		if (b->list.bins[i].stubs)
			open_listed_stubs(cli, b, i, header);
	b->index = tr_match_index_new(b->binaries, b->list.count);
	tr_cli_need(cli, b->index);
}

void tr_cli_binaries_close(struct tr_cli_binaries *b)
{
	tr_match_index_free(b->index);
	for (size_t i = 0; i < b->list.count; i++)
		tr_image_close(b->images[i]);
	for (size_t i = 0; i < b->nstubs; i++)
		tr_stub_files_close(b->stubs[i]);
	free(b->stubs);
	free(b->images);
	free(b->binaries);
	tr_map_free(&b->codes);
	tr_bins_release(&b->list);
}
