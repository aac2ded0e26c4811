/* SPDX-License-Identifier: Apache-2.0 */
/* Cached checkpoints of machines that have booted, by the contents of what they booted.
 *
 * They are in $XDG_CACHE_HOME/tr-profiler/linux or ~/.cache/tr-profiler/linux. The name
 * of a file also has the hash of its own contents, so that a damaged one is not used. */
#ifndef TR_CHECKPOINTS_H
#define TR_CHECKPOINTS_H

#include <stdbool.h>
#include <stdint.h>

/* What a checkpoint depends on, as 32 hexadecimal digits. */
struct tr_checkpoint_key {
	char text[33];
};

/* Computes the key of these texts and the contents of these files. Both end with NULL.
 * Returns false with errno set, and the file in *failed, if one cannot be read. */
bool tr_checkpoint_key(struct tr_checkpoint_key *key, const char *const *texts,
		       const char *const *files, const char **failed);

/* Copies the checkpoint of this key to the file `to`. Returns false if there is none, or
 * if it is damaged; that one is removed. `to` then does not exist. */
bool tr_checkpoint_fetch(const struct tr_checkpoint_key *key, const char *to);

/* Adds the file `from`, and removes the checkpoints that were not used for longest, so
 * that all have at most `limit` bytes, as TR_CHECKPOINTS_BYTES. Returns false if it
 * cannot be added, as when no cache can be written, or if it has more bytes; all others
 * remain then. */
bool tr_checkpoint_store(const struct tr_checkpoint_key *key, const char *from,
			 uint64_t limit);
#define TR_CHECKPOINTS_BYTES (UINT64_C(1) << 30)

#endif
