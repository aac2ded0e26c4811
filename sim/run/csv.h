/* SPDX-License-Identifier: Apache-2.0 */
/* Samples of counters in version 1 of the CSV format of FireSim's AutoCounter.
 *
 * Seven rows describe the columns; each further row is a sample. Rows are complete: an
 * incomplete row is removed from a regular file. */
#ifndef RUN_CSV_H
#define RUN_CSV_H

#include "machine.h"

struct csv;

/* Writes the heading rows for the chosen counters. `fd` stays open after csv_free().
 * Returns NULL if memory runs out. */
struct csv *csv_new(int fd, const struct machine_counter *list, const size_t *chosen,
		    size_t n);
void csv_free(struct csv *csv);

/* Adds a row at `cycle`, after `counted` cycles in windows. */
void csv_row(struct csv *csv, uint64_t cycle, uint64_t counted, const uint64_t *values);

/* Returns the errno of the first failed write, or 0. */
int csv_error(const struct csv *csv);

#endif
