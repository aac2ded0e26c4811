/* SPDX-License-Identifier: Apache-2.0 */
/* Reads a configuration of prof-daemon: read-config FILE */
#include <stdlib.h>
#include <string.h>

#include "target/profiler/daemon/daemon_config.h"

int main(int argc, char **argv)
{
	struct trouble trouble = {{0}};
	struct daemon_config config;

	if (argc != 2)
		return 2;
	if (!read_daemon_config(argv[1], &config, &trouble)) {
		if (!trouble.text[0] || strchr(trouble.text, '\n'))
			abort();
		return 2;
	}
	if (config.sampling_period > config.snapshot_period ||
	    config.snapshot_period > config.span || config.folder[0] != '/' ||
	    config_ring(&config, config.rate) > 2048)
		abort();
	return 0;
}
