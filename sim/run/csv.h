/* SPDX-License-Identifier: Apache-2.0 */
/* Samples of counters as FireSim's AutoCounter writes them, version 1 of its CSV.
 *
 * Seven rows about the columns, then one for each sample. Whole rows only: what cannot
 * be written whole is taken back from a regular file.
 */
#ifndef RUN_CSV_H
#define RUN_CSV_H

#include "machine.h"

struct csv;

/* Writes the head, for these of the machine's counters; the file stays open after
 * csv_free(). NULL: out of memory. */
struct csv *csv_new(int fd, const struct machine_counter *list, const size_t *chosen,
		    size_t n);
void csv_free(struct csv *csv);

/* At `cycle`, after `counted` cycles in windows. */
void csv_row(struct csv *csv, uint64_t cycle, uint64_t counted, const uint64_t *values);

/* The errno of the first write that failed, else 0. */
int csv_error(const struct csv *csv);

#endif
