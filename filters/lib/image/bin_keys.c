/* SPDX-License-Identifier: Apache-2.0 */
#include "image/bin_keys.h"

#include <inttypes.h>
#include <stdio.h>

/* Adds the key bin.N, or one of those below it, as ".name". Returns a status. */
static int set_bin_key(struct tr_header *header, size_t n, const char *below,
		       const char *text)
{
	char key[48];
	snprintf(key, sizeof(key), "bin.%zu%s", n, below);
	return tr_header_set(header, key, text);
}

/* Adds where the executable segments are in memory and in the file. Returns a status. */
static int describe_segments(struct tr_header *header, size_t n,
			     const struct tr_image *image)
{
	char text[TR_IMAGE_SEGMENTS * 64] = "";
	const struct tr_segment *segment;
	size_t size = 0;
	for (size_t i = 0; (segment = tr_image_segment(image, i)); i++)
		size += (size_t)snprintf(text + size, sizeof(text) - size,
					 "%s0x%" PRIx64 ":0x%" PRIx64 ":0x%" PRIx64,
					 i ? "," : "", segment->address, segment->size,
					 segment->offset);
	return *text ? set_bin_key(header, n, ".segments", text) : TR_OK;
}

int tr_bin_keys_binary(struct tr_header *header, size_t n, const struct tr_image *image,
		       const struct tr_bin *bin)
{
	char number[20];
	int status = set_bin_key(header, n, "", tr_image_path(image));
	status |= set_bin_key(header, n, ".name", tr_image_name(image));
	status |= set_bin_key(header, n, ".role", tr_role_name(bin->role));
	status |= set_bin_key(header, n, ".build_id", tr_image_build_id(image));
	snprintf(number, sizeof(number), "%016" PRIx64, tr_image_code_hash(image));
	status |= set_bin_key(header, n, ".hash", number);
	if (bin->part)
		status |= set_bin_key(header, n, ".part", bin->part);
	if (bin->in_sysroot)
		status |= set_bin_key(header, n, ".sysroot", "yes");
	status |= set_bin_key(header, n, ".kind",
			      !tr_image_is_pie(image)	   ? "fixed"
			      : tr_image_is_library(image) ? "library"
							   : "program");
	snprintf(number, sizeof(number), "0x%" PRIx64, tr_image_entry(image));
	status |= set_bin_key(header, n, ".entry", number);
	return bin->part ? status : status | describe_segments(header, n, image);
}

int tr_bin_keys_stubs(struct tr_header *header, size_t n,
		      const struct tr_stub_files *files, size_t program,
		      const struct tr_image *image, enum tr_role role)
{
	char text[1100];
	int status = set_bin_key(header, n, "", tr_stub_files_folder(files));
	snprintf(text, sizeof(text), "%s [stubs]", tr_image_name(image));
	status |= set_bin_key(header, n, ".name", text);
	status |= set_bin_key(header, n, ".role", tr_role_name(role));
	status |= set_bin_key(header, n, ".build_id", tr_image_build_id(image));
	snprintf(text, sizeof(text), "%016" PRIx64,
		 tr_stub_files_plan(files, 0)->code_checksum);
	status |= set_bin_key(header, n, ".hash", text);
	status |= set_bin_key(header, n, ".part", "stubs");
	status |= set_bin_key(header, n, ".kind", "library");
	snprintf(text, sizeof(text), "%zu", program);
	return status | set_bin_key(header, n, ".program", text);
}

int tr_bin_keys_map(struct tr_header *header, size_t n, const struct tr_image *image,
		    const char *part)
{
	char hash[20];
	int status = set_bin_key(header, n, "", tr_image_path(image));
	status |= set_bin_key(header, n, ".name", tr_image_name(image));
	status |= set_bin_key(header, n, ".role", tr_role_name(TR_ROLE_ANY));
	status |= set_bin_key(header, n, ".build_id", "");
	snprintf(hash, sizeof(hash), "%016" PRIx64, tr_image_code_hash(image));
	status |= set_bin_key(header, n, ".hash", hash);
	status |= set_bin_key(header, n, ".part", part);
	return status | set_bin_key(header, n, ".kind", "library");
}
