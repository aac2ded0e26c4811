/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by the parts of the coverage. */
#ifndef RANDOM_COVERAGE_INTERNAL_H
#define RANDOM_COVERAGE_INTERNAL_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* Prints the name of an event and its count, and if it is needed and never occurred, that
 * it is missing. Returns false then. */
bool coverage_put(FILE *out, const char *what, uint64_t count, bool needed);

#endif
