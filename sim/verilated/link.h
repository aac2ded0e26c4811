// SPDX-License-Identifier: Apache-2.0
// The pins of the network interface's link, of soc.sv and of soc_smp.sv: ROOT has them.
#ifndef VERILATED_LINK_H
#define VERILATED_LINK_H

#include "pins.h"
#include "wire.h"

// `dma`: the bits NIC_RSP and NIC_DONE.
template <class ROOT>
static void drive_link(ROOT *root, const struct wire_pins *link, unsigned dma)
{
	const struct wire_word *word = &link->word;

	root->nic_i =
	    static_cast<CData>(dma | (link->valid ? NIC_RX : 0) |
			       (link->up ? NIC_UP : 0) | (link->ready ? NIC_READY : 0));
	if (link->valid)
		pack_pin(root->link_rx_i,
			 link_word{word->data, (word->bytes - 1) & 7U, word->last});
}

// Returns whether the network interface sends a word.
template <class ROOT> static bool read_link_word(const ROOT *root, struct wire_word *to)
{
	link_word word = unpack_pin<link_word>(root->link_tx_o);

	to->last = word.last;
	to->bytes = word.bytes + 1;
	to->data = word.data;
	return root->link_tx_valid_o;
}

#endif
