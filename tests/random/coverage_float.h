/* SPDX-License-Identifier: Apache-2.0 */
/* Counts what programs do with floating point: for coverage.c. */
#ifndef RANDOM_COVERAGE_FLOAT_H
#define RANDOM_COVERAGE_FLOAT_H

#include <stdio.h>

#include "model/model.h"

/* Starts a new machine after reset, which must have F and D. */
void coverage_float_begin(void);
/* To be called with each commit and trap; `was` is the privilege before the trap. */
void coverage_float_commit(const struct soc *soc, const struct soc_commit *commit);
void coverage_float_trap(struct soc *soc, const struct soc_trap *trap, unsigned was);

/* Prints lines as coverage_print() does, with the same result. */
bool coverage_float_print(FILE *out);

#endif
