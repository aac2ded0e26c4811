/* SPDX-License-Identifier: Apache-2.0 */
/* Counts what programs do on the functional model, by its hooks. */
#ifndef RANDOM_COVERAGE_H
#define RANDOM_COVERAGE_H

#include <stdio.h>

#include "model/model.h"

/* A machine after reset comes next. */
void coverage_begin(void);
/* What the hooks of the same names are told. */
void coverage_commit(const struct soc_commit *commit);
void coverage_trap(const struct soc_trap *trap);
void coverage_access(const struct soc_access *access);
void coverage_xret(unsigned priv);
void coverage_satp(uint64_t satp);

/* A line for each thing: its name, a tab, how often. False: one that programs
 * should do was never done. */
bool coverage_print(FILE *out);

#endif
