/* SPDX-License-Identifier: Apache-2.0 */
/* The benchmark states. */
#include "kernels.h"

static void prepare_words(void);

#define prepare	  prepare_words
#define benchmark run_states
#define right	  check_states
#include "benchmarks/states.c"

/* prepare() of the benchmark adds to the words that were made before. */
void prepare_states(void)
{
	memset(made, 0, sizeof(made));
	prepare_words();
}
