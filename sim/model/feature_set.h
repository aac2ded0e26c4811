/* SPDX-License-Identifier: Apache-2.0 */
/* What a machine has besides RV64IMAC. A new feature is a member here and a row in
 * run/feature_text.c, with its key; its option is in run/simulator.c. All other code
 * passes the structure on, except where the feature is implemented. */
#ifndef MODEL_FEATURE_SET_H
#define MODEL_FEATURE_SET_H

#include <stdbool.h>

struct soc_features {
	bool fpu;  /* the F and D extensions: RV64GC */
	bool copy; /* the copy unit: the instruction cpy (rtl/mem/copy.md) */
	bool disk; /* a disk: sim/README.md */
};
#define SOC_FEATURES_ALL                                                                 \
	{                                                                                \
		.fpu = true, .copy = true, .disk = true                                  \
	}

#endif
