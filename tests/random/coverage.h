/* SPDX-License-Identifier: Apache-2.0 */
/* Counts the events of programs on the functional model, by its hooks. */
#ifndef RANDOM_COVERAGE_H
#define RANDOM_COVERAGE_H

#include <stdio.h>

#include "model/model.h"

/* Starts a new machine after reset; all machines of a run are alike. */
void coverage_begin(struct soc *soc, bool has_float);
/* To be called by the hooks of the same names. */
void coverage_commit(const struct soc_commit *commit);
void coverage_trap(const struct soc_trap *trap);
void coverage_access(const struct soc_access *access);
void coverage_xret(unsigned priv);
void coverage_satp(uint64_t satp);

/* Prints one line per event: its name, a tab, its count. Returns false if an event that
 * programs should cause never occurred. */
bool coverage_print(FILE *out);

#endif
