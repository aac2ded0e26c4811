/* SPDX-License-Identifier: Apache-2.0 */
/* Resumes the model from a checkpoint: read-checkpoint FILE
 *
 * A file that is read gives a state in which the machine can run, and which is the same
 * when it is asked for again; otherwise the program aborts. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "model/disk.h"
#include "model/model.h"
#include "run/checkpoint.h"

enum { MOST = 1 << 24, INSTRUCTIONS = 1000 }; /* bytes of memory; to run */

/* Returns a disk of zeros of that size. */
static struct soc_disk *open_zeros(uint64_t sectors)
{
	char path[32], message[SOC_DISK_MESSAGE];
	const int fd = memfd_create("disk", 0);

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	if (fd < 0 || ftruncate(fd, (off_t)(sectors * SOC_DISK_SECTOR)) != 0)
		abort();
	struct soc_disk *disk = soc_disk_open(path, message);
	if (!disk)
		abort();
	close(fd);
	return disk;
}

static void run(const struct checkpoint *c)
{
	static const struct soc_disk_timing none;
	const struct soc_config config = {
	    .ram_size = c->ram_size, .harts = c->harts, .features = c->features};
	struct soc *soc = soc_new(&config);
	struct soc_disk *disk = c->features.disk ? open_zeros(c->disk_sectors) : NULL;
	char message[CHECKPOINT_MESSAGE];
	struct soc_state state;

	if (!soc)
		abort();
	if (disk)
		soc_set_disk(soc, disk, &none);
	if (checkpoint_load(c, soc_image(soc)->ram, disk, NULL, message)) {
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
	soc_disk_close(disk);
}

int main(int argc, char **argv)
{
	char message[CHECKPOINT_MESSAGE];
	struct checkpoint c;

	if (argc != 2)
		return 2;
	if (!checkpoint_open(&c, argv[1], message))
		return 1;
	if (c.ram_size <= MOST && c.disk_sectors <= MOST / SOC_DISK_SECTOR)
		run(&c);
	checkpoint_close(&c);
	return 0;
}
