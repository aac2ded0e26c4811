/* SPDX-License-Identifier: Apache-2.0 */
/* Prints what the daemon and readers of the log have in memory, as lines of follow_log.c.
 */
#ifndef LOG_FACTS_H
#define LOG_FACTS_H

#include <stdint.h>

#include "stream/probes.h"

/* Print, and return NULL or a message. The bytes are struct prof_sample, any number. */
const char *print_samples(uint64_t cycle, struct tr_probe_value data);
/* The bytes are what log_reader.c writes: a time, or a log. */
const char *print_seen(uint64_t cycle, struct tr_probe_value data);

#endif
