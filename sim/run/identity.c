/* SPDX-License-Identifier: Apache-2.0 */
/* Keys that identify what a machine runs. */
#include "identity.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "checkpoint_internal.h"
#include "image/image.h"

static int set_hash(struct tr_header *header, const char *key, uint64_t hash)
{
	char text[20];

	snprintf(text, sizeof(text), "%016" PRIx64, hash);
	return tr_header_set(header, key, text);
}

/* Names the loaded files, so that a different build is detected later. */
static int name_images(struct tr_header *header, const struct identity *identity)
{
	const struct tr_image_options code_only = {.functions = false};
	int status = TR_OK;

	for (size_t i = 0; i < identity->nelf && !status; i++) {
		struct tr_image *image = NULL;
		char key[40];

		if (tr_image_open(&image, identity->elf[i], &code_only) == TR_OK) {
			snprintf(key, sizeof(key), "image.%zu", i);
			status = tr_header_set(header, key, tr_image_name(image));
			snprintf(key, sizeof(key), "image.%zu.build_id", i);
			status |= tr_header_set(header, key, tr_image_build_id(image));
		}
		tr_image_close(image);
	}
	return status;
}

static bool identifies_run(const char *key)
{
	return strncmp(key, "image", 5) == 0 || strcmp(key, "pg") == 0;
}

/* Takes over the keys of the run that wrote the checkpoint. */
static int take_over(struct tr_header *header, const struct checkpoint *c)
{
	const char *slash = strrchr(c->path, '/');
	int status = TR_OK;

	for (size_t i = 0; i < tr_header_count(c->keys) && !status; i++)
		if (identifies_run(tr_header_key(c->keys, i)))
			status = tr_header_add(header, tr_header_key(c->keys, i),
					       tr_header_value(c->keys, i));
	if (!status)
		status = tr_header_set(header, "resumed", slash ? slash + 1 : c->path);
	if (!status)
		status = set_hash(header, "resumed.digest", c->digest);
	if (!status)
		status = tr_header_set_u64(header, "resumed.cycle", checkpoint_cycle(c));
	if (!status)
		status = tr_header_set_u64(header, "resumed.instruction",
					   checkpoint_instret(c));
	if (!status && c->has_uses)
		status = tr_header_set(header, "resumed.warm", CHECKPOINT_YES);
	return status;
}

int identity_fill(struct tr_header *header, const struct identity *identity)
{
	int status;

	if (identity->resumed) {
		status = take_over(header, identity->resumed);
	} else {
		status =
		    set_hash(header, "image_hash", soc_image_digest(identity->image));
		if (!status)
			status = name_images(header, identity);
	}
	if (!status && identity->argv)
		status = tr_header_add(header, "pg", identity->argv);
	return status;
}
