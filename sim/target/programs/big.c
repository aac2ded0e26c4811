/* SPDX-License-Identifier: Apache-2.0 */
/* Runs the jobs that gen_big.c wrote, which are a lot of code:
 * big [sweeps [seed]].
 */
#include "big.h"
#include "user.h"

static struct state state;

int main(int argc, char **argv)
{
	uint32_t sweeps = argument(argc, argv, 1, 10);
	uint32_t seed = argument(argc, argv, 2, 1);
	uint32_t sum = 0;

	for (uint32_t i = 0; i < WORDS; i++)
		state.words[i] = random_next(&seed);
	for (uint32_t i = 0; i < 2 * BYTES; i++)
		state.bytes[i] = (uint8_t)random_next(&seed);
	for (uint32_t i = 0; i < sweeps * job_count; i++) {
		state.phase = random_next(&seed);
		sum = sum * 3 + jobs[i % job_count](&state, seed);
	}
	printf("big: 0x%08lx\n", (unsigned long)sum);
	return 0;
}
