/* SPDX-License-Identifier: Apache-2.0 */
/* Resumes the model from a checkpoint: read-checkpoint FILE
 *
 * A file that is read gives a state in which the machine can run, and which is the same
 * when it is asked for again; otherwise the program aborts. */
#include <stdlib.h>
#include <string.h>

#include "model/model.h"
#include "run/checkpoint.h"

enum { MOST = 1 << 24, INSTRUCTIONS = 1000 }; /* bytes of memory; to run */

static void run(const struct checkpoint *c)
{
	const struct soc_config config = {
	    .ram_size = c->ram_size, .harts = c->harts, .features = c->features};
	struct soc *soc = soc_new(&config);
	char message[CHECKPOINT_MESSAGE];
	struct soc_state state;

	if (!soc)
		abort();
	if (checkpoint_load(c, soc_image(soc)->ram, NULL, message)) {
		for (unsigned i = 0; i < c->harts; i++)
			soc_set_state(soc, i, &c->states[i]);
		for (unsigned i = 0; i < c->harts; i++) {
			soc_get_state(soc, i, &state);
			if (memcmp(&state, &c->states[i], sizeof(state)) != 0)
				abort();
		}
		soc_run(soc, checkpoint_instret(c) + INSTRUCTIONS,
			checkpoint_cycle(c) + INSTRUCTIONS);
	}
	soc_free(soc);
}

int main(int argc, char **argv)
{
	char message[CHECKPOINT_MESSAGE];
	struct checkpoint c;

	if (argc != 2)
		return 2;
	if (!checkpoint_open(&c, argv[1], message))
		return 1;
	if (c.ram_size <= MOST)
		run(&c);
	checkpoint_close(&c);
	return 0;
}
