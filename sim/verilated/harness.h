/* SPDX-License-Identifier: Apache-2.0 */
/* The RTL as a machine (run/machine.h): triggers, traps, L2 and DRAM, console. */
#ifndef VERILATED_HARNESS_H
#define VERILATED_HARNESS_H

#include <stdio.h>

#include "l2_dram.h"
#include "run/machine.h"

/* What the link of the network interface is connected to; NONE: there is no interface. */
enum harness_nic { HARNESS_NIC_NONE, HARNESS_NIC_LOOPBACK, HARNESS_NIC_NETWORK };
struct net_port;

struct harness_options {
	struct soc_features features;
	struct l2_dram_timing timing;
	bool no_skip;  /* evaluate every cycle */
	bool lockstep; /* compare with the model */
	enum harness_nic nic;
	unsigned nic_latency;  /* cycles, of the loopback */
	struct net_port *port; /* of the network; the harness closes it */
	FILE *pcap;	       /* gets the frames of the wire; may be NULL */
	const char *wave;      /* struct rtl_config */
	FILE *kanata;
};

/* Returns a machine at reset, of up to RTL_HARTS_MAX harts, or NULL if memory runs out.
 */
struct machine *harness_new(unsigned harts, uint64_t ram_size,
			    const struct harness_options *options);
void harness_free(struct machine *m);

#endif
