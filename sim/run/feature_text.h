/* SPDX-License-Identifier: Apache-2.0 */
/* The features of a machine as text: operands of options, keys of checkpoints and traces,
 * names in messages. */
#ifndef RUN_FEATURE_TEXT_H
#define RUN_FEATURE_TEXT_H

#include "model/feature_set.h"
#include "stream/header.h"
#include "trouble.h"

/* The values of --isa and of the key "isa", NULL at the end; the first is the default. */
extern const char *const FEATURES_ISAS[];
const char *features_name_isa(const struct soc_features *features);
/* Sets what the ISA has. Returns false if it is NULL or not in the list. */
bool features_set_isa(struct soc_features *features, const char *isa);

/* Adds the keys of the units, which are not part of the ISA, with the value `yes`.
 * Returns TR_OK or TR_E_NOMEM. */
int features_put_units(struct tr_header *keys, const struct soc_features *features,
		       const char *yes);
/* Sets the units that the keys name. Returns NULL, or a key with another value. */
const char *features_get_units(const struct tr_header *keys, const char *yes,
			       struct soc_features *features);

/* A simulator that can only have the features `can`: returns the name of one that it
 * lacks, or NULL. */
const char *features_find_missing(const struct soc_features *features,
				  const struct soc_features *can);
/* Compares what options requested with a machine that was saved in the file `path`.
 * `isa` is the operand of --isa, or NULL. Returns false, with its trouble, if the machine
 * has another ISA, or lacks a unit. */
bool features_match_saved(const struct soc_features *requested, const char *isa,
			  const struct soc_features *saved, const char *path,
			  struct trouble *trouble);
/* Returns the extension that an ELF file of these flags (e_flags) passes floating-point
 * values in and the machine lacks, or NULL. */
const char *features_missing_abi(const struct soc_features *features, uint32_t flags);

#endif
