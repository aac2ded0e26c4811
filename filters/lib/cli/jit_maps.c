/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/jit_maps.h"

#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "image/bin_keys.h"
#include "image/image_jit.h"

/* Takes ":KEY=N", with N from 1 to `most`, off the argument of --perf-map. Returns N, or
 * 0 if it is not there. */
static uint64_t take_space(const struct tr_cli *cli, char *path, const char *key,
			   uint64_t most)
{
	uint64_t value = 0;
	char *colon = strstr(path, key);
	for (char *next; colon && (next = strstr(colon + 1, key));)
		colon = next;
	if (!colon)
		return 0;
	const char *end = tr_parse_number(colon + strlen(key), &value);
	if (!end || *end || !value || value > most)
		tr_die(cli, "--perf-map %s: not the number of an address space", path);
	*colon = '\0';
	return value;
}

/* Opens map `i`, which is bin.`number`. */
static void open_jit_map(const struct tr_cli *cli, struct tr_jit_maps *maps, size_t i,
			 size_t number, char *path, struct tr_header *header)
{
	const uint64_t satp = take_space(cli, path, ":satp=", UINT64_MAX);
	const uint64_t space = take_space(cli, path, ":space=", TR_NOTE_AMBIGUOUS - 1);
	const struct tr_image_options options = {.part = tr_jit_part_of(path)};
	tr_cli_check_path(cli, path);
	const int status = tr_image_open(&maps->images[i], path, &options);
	tr_cli_need(cli, maps->images[i]);
	if (status)
		tr_die(cli, "%s", tr_image_message(maps->images[i]));
	maps->maps[i] = (struct tr_match_jit){.image = maps->images[i],
					      .number = (uint32_t)number,
					      .space = (uint32_t)space,
					      .satp = satp};
	tr_cli_check(cli, tr_bin_keys_map(header, number, maps->images[i], options.part));
}

void tr_jit_maps_open(const struct tr_cli *cli, const struct tr_texts *files,
		      size_t first, struct tr_header *header, struct tr_jit_maps *maps)
{
	maps->count = files->count;
	maps->images = calloc(maps->count + 1, sizeof(*maps->images));
	maps->maps = calloc(maps->count + 1, sizeof(*maps->maps));
	tr_cli_need(cli, maps->images);
	tr_cli_need(cli, maps->maps);
	for (size_t i = 0; i < maps->count; i++) {
		char path[PATH_MAX];
		if (snprintf(path, sizeof(path), "%s", files->text[i]) >= PATH_MAX)
			tr_die(cli, "%s: the path is too long", files->text[i]);
		open_jit_map(cli, maps, i, first + i, path, header);
	}
}

void tr_jit_maps_check(const struct tr_cli *cli, const struct tr_match *match)
{
	const struct tr_match_jit_conflict *conflict = tr_match_jit_conflict(match);
	if (conflict)
		tr_die(cli,
		       "%s: code of the address spaces %u and %u is in it (at 0x%" PRIx64
		       "), and it is of one process: choose by --perf-map FILE:space=N",
		       tr_image_path(conflict->map->image), conflict->spaces[0],
		       conflict->spaces[1], conflict->pc);
}

void tr_jit_maps_release(struct tr_jit_maps *maps)
{
	for (size_t i = 0; i < maps->count; i++)
		tr_image_close(maps->images[i]);
	free(maps->images);
	free(maps->maps);
}
