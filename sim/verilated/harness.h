/* SPDX-License-Identifier: Apache-2.0 */
/* The RTL as a machine (run/machine.h): triggers, traps, L2 and DRAM, console. */
#ifndef VERILATED_HARNESS_H
#define VERILATED_HARNESS_H

#include "model/model.h"
#include "rtl.h"
#include "run/machine.h"

struct net_port;

struct harness_options {
	struct rtl_config rtl; /* without `mac` and `disk_sectors` */
	struct l2_dram_timing timing;
	bool no_skip;	       /* evaluate every cycle */
	bool lockstep;	       /* compare with the model */
	struct soc_disk *disk; /* or NULL; outlives the harness; of one hart */
	struct soc_disk_timing disk_timing;
	bool nic;	       /* with a network interface */
	struct net_port *port; /* of its network; the harness closes it. NULL: loopback */
	unsigned nic_latency;  /* cycles, of the loopback */
	FILE *pcap;	       /* gets the frames of the wire; may be NULL */
	const char *pcap_path;
	/* RAM of another machine, which executes nothing while this one does; NULL: RAM
	 * of its own. It outlives the harness. */
	struct soc_image *image;
};

/* Returns a machine at reset, of up to RTL_HARTS_MAX harts, or NULL if memory runs out.
 */
struct machine *harness_new(const struct harness_options *options);
void harness_free(struct machine *m);

#endif
