/* SPDX-License-Identifier: Apache-2.0 */
/* The binaries in which tr-match looks for code. All functions die on failure, with the
 * messages of the program. */
#ifndef TR_CLI_BINARIES_H
#define TR_CLI_BINARIES_H

#include "base/map.h"
#include "cli/options.h"
#include "image/bins.h"
#include "image/image.h"
#include "image/stub_files.h"
#include "match/match_index.h"

/* Where they are: lists and ELF files; folders. */
struct tr_cli_places {
	struct tr_texts bins, sysroots;
};

struct tr_cli_binaries {
	struct tr_bins list;
	struct tr_image **images;
	struct tr_match_binary *binaries;
	size_t image_room, binary_room;
	struct tr_stub_files **stubs; /* by their numbers, less list.count */
	size_t nstubs, stub_room;
	struct tr_match_index *index;
	struct tr_map codes; /* hashes of the code of all binaries */
};

/* Opens them, and describes them in the header of the stream to be matched. *binaries is
 * all zero before. */
void tr_cli_binaries_open(const struct tr_cli *cli, const struct tr_cli_places *places,
			  struct tr_header *header, struct tr_cli_binaries *binaries);
/* Gets the N-th file that the simulator loaded, and its build-id or "". Returns false
 * after the last one. */
bool tr_cli_loaded_file(const struct tr_header *header, size_t n, const char **name,
			const char **build);
void tr_cli_binaries_close(struct tr_cli_binaries *binaries);

#endif
