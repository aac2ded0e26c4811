/* SPDX-License-Identifier: Apache-2.0 */
/* Files with the whole state of a machine: soc-checkpoint(5). */
#ifndef RUN_CHECKPOINT_H
#define RUN_CHECKPOINT_H

#include "model/disk.h"
#include "model/feature_set.h"
#include "model/load.h"
#include "model/model.h"
#include "model/state.h"
#include "stream/header.h"

enum { CHECKPOINT_MESSAGE = 512 };

struct checkpoint_source {
	const struct soc_state *states; /* of all harts; of the devices in each */
	unsigned harts;
	const uint8_t *ram;
	uint64_t ram_size;
	struct soc_features features;
	const struct soc_disk *disk;	  /* with features.disk */
	const struct soc_line_uses *uses; /* NULL: none are kept */
	const struct tr_header *keys;	  /* what identifies the run: identity.h */
};

/* Returns whether a file could be created at `path`, which must not be a folder; else the
 * reason is in `message`. */
bool checkpoint_may_write(const char *path, char *message);
/* Writes a file. It replaces an existing one as a whole, or not at all on failure, which
 * leaves a line in `message`. A device or pipe is written directly. */
bool checkpoint_write(const char *path, const struct checkpoint_source *source,
		      char *message);

struct checkpoint {
	struct soc_state states[SOC_HARTS_MAX]; /* the devices are the same in all */
	unsigned harts;
	uint64_t ram_size;
	struct soc_features features;
	uint64_t disk_sectors, disk_digest; /* with features.disk: soc_disk_digest() */
	struct tr_header *keys;
	uint32_t version;
	uint64_t digest; /* of keys and state */
	const char *path;
	struct soc_file file;
	uint64_t ram_at; /* byte of the file where RAM begins */
	bool has_uses;	 /* of RAM: soc_last_uses() */
	size_t nuses;
};

/* Opens a file and reads all but RAM; keeps a pointer to `path`. On failure returns false
 * with a line in `message`, and there is nothing to close. */
bool checkpoint_open(struct checkpoint *c, const char *path, char *message);
void checkpoint_close(struct checkpoint *c);
/* Returns the cycle of the hart that is furthest ahead, and the instructions of all. */
uint64_t checkpoint_cycle(const struct checkpoint *c);
uint64_t checkpoint_instret(const struct checkpoint *c);
/* Reads RAM, of c->ram_size bytes, which must be zero, and what the target had written to
 * the disk and the last uses of RAM, unless these are NULL. Returns false with a line in
 * `message` if the file is damaged, or memory runs out. */
bool checkpoint_load(const struct checkpoint *c, uint8_t *ram, struct soc_disk *disk,
		     struct soc_line_uses *uses, char *message);
/* Returns whether this is the disk that the machine had, apart from what the target has
 * written; else false with a line in `message`. */
bool checkpoint_match_disk(const struct checkpoint *c, const struct soc_disk *disk,
			   char *message);

/* Adds a state to the keys. Returns TR_OK or TR_E_NOMEM. */
int checkpoint_put_state(struct tr_header *keys, const struct soc_state *state,
			 const struct soc_features *features);
/* Gets a state. Returns NULL, or the key that is missing or has a value that the
 * machine cannot have. */
const char *checkpoint_get_state(const struct tr_header *keys, struct soc_state *state,
				 const struct soc_features *features);

#endif
