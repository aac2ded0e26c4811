/* SPDX-License-Identifier: Apache-2.0 */
/* Data of the generated functions of big. */
#ifndef BIG_H
#define BIG_H

#include <stdint.h>
#include <string.h>

enum { WORDS = 256, BYTES = 256 };

struct state {
	uint32_t phase; /* constant during a job */
	uint32_t words[WORDS];
	uint8_t bytes[2 * BYTES];
};

typedef uint32_t job(struct state *state, uint32_t x);
extern job *const jobs[];
extern const uint32_t job_count;

#endif
