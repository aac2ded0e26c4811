/* SPDX-License-Identifier: Apache-2.0 */
#include "feature_text.h"

#include <elf.h>
#include <stddef.h>
#include <string.h>

#include "base/status.h"

static const struct feature {
	size_t at; /* in struct soc_features */
	const char *name;
	const char *key, *option; /* of a unit; NULL: part of the ISA */
} FEATURES[] = {
    {offsetof(struct soc_features, fpu), .name = "F and D"},
    {offsetof(struct soc_features, copy), "the copy unit", "copy_unit", "--copy-unit"},
    {offsetof(struct soc_features, disk), "a disk", "disk", "--disk"},
};
enum { NFEATURES = sizeof(FEATURES) / sizeof(FEATURES[0]) };

const char *const FEATURES_ISAS[] = {"rv64imac", "rv64gc", NULL};

static bool has_feature(const struct soc_features *features, const struct feature *f)
{
	return *(const bool *)((const char *)features + f->at);
}

const char *features_name_isa(const struct soc_features *features)
{
	return FEATURES_ISAS[features->fpu];
}

bool features_set_isa(struct soc_features *features, const char *isa)
{
	for (size_t i = 0; isa && FEATURES_ISAS[i]; i++)
		if (strcmp(isa, FEATURES_ISAS[i]) == 0) {
			features->fpu = i == 1;
			return true;
		}
	return false;
}

int features_put_units(struct tr_header *keys, const struct soc_features *features,
		       const char *yes)
{
	int status = TR_OK;

	for (size_t i = 0; i < NFEATURES && !status; i++)
		if (FEATURES[i].key && has_feature(features, &FEATURES[i]))
			status = tr_header_set(keys, FEATURES[i].key, yes);
	return status;
}

const char *features_get_units(const struct tr_header *keys, const char *yes,
			       struct soc_features *features)
{
	for (size_t i = 0; i < NFEATURES; i++) {
		const struct feature *f = &FEATURES[i];
		const char *value = f->key ? tr_header_get(keys, f->key) : NULL;

		if (value && strcmp(value, yes) != 0)
			return f->key;
		if (f->key)
			*(bool *)((char *)features + f->at) = value != NULL;
	}
	return NULL;
}

const char *features_find_missing(const struct soc_features *features,
				  const struct soc_features *can)
{
	for (size_t i = 0; i < NFEATURES; i++)
		if (has_feature(features, &FEATURES[i]) &&
		    !has_feature(can, &FEATURES[i]))
			return FEATURES[i].name;
	return NULL;
}

bool features_match_saved(const struct soc_features *requested, const char *isa,
			  const struct soc_features *saved, const char *path,
			  struct trouble *trouble)
{
	const char *is = features_name_isa(saved);

	if (isa && strcmp(isa, is) != 0)
		return tell_trouble(trouble, "%s: of a machine with --isa %s, not %s",
				    path, is, isa);
	for (size_t i = 0; i < NFEATURES; i++) {
		const struct feature *f = &FEATURES[i];

		if (f->option && has_feature(requested, f) && !has_feature(saved, f))
			return tell_trouble(trouble, "%s: of a machine without %s", path,
					    f->option);
	}
	return true;
}

const char *features_missing_abi(const struct soc_features *features, uint32_t flags)
{
	static const char *const names[] = {NULL, "F", "D", "Q"};
	unsigned abi = (flags & EF_RISCV_FLOAT_ABI) >> 1;

	return abi > (features->fpu ? 2U : 0U) ? names[abi] : NULL;
}
