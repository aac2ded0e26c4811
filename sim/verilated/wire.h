/* SPDX-License-Identifier: Apache-2.0 */
/* The wire at the link of the network interface: takes the words that it sends, and
 * delivers words.
 *
 * A frame takes one cycle for each 8 bytes, without gaps, or as many as the network's
 * rate requires. Cycles are numbered as in l2_dram.h: outputs of cycle n must be passed
 * in before inputs for cycle n + 1 are requested. */
#ifndef VERILATED_WIRE_H
#define VERILATED_WIRE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum { WIRE_FRAME = 10240 }; /* bytes of the longest frame */

/* 1 to 8 bytes, 8 unless `last`; the first is in the lowest bits. */
struct wire_word {
	bool last;
	unsigned bytes;
	uint64_t data;
};

/* Inputs of soc.sv driven by the wire. */
struct wire_pins {
	bool up;
	bool ready; /* words may be sent */
	bool valid;
	struct wire_word word;
};

struct wire;
struct net_port;

/* With a port the wire leads to the other nodes of a network (net/port.h), and the port
 * is the wire's; the network's time begins with the first call of wire_sync(). Without
 * one, frames come back `latency` cycles after their first word, but not before they have
 * ended and the frames before them. `pcap` gets all frames, in the order of their last
 * words; it may be NULL, and wire_free() does not close it. If it cannot be written, that
 * is a fault of the wire, with this path. Returns NULL if memory runs out. */
struct wire *wire_new(struct net_port *port, uint64_t latency, FILE *pcap,
		      const char *path);
void wire_free(struct wire *w);

/* Call before wire_drive() in the cycles of wire_next(). Returns false if other nodes
 * have not come far enough yet: look for a request to stop, and call it again; or if
 * wire_fault() has an answer. */
bool wire_sync(struct wire *w, uint64_t cycle);
/* The node ends in this cycle, in an orderly way: for the others the link goes down. */
void wire_leave(struct wire *w, uint64_t cycle);

/* Takes a word that the network interface sends in cycle `cycle`. */
void wire_send(struct wire *w, uint64_t cycle, const struct wire_word *word);
/* Gets the pins in cycle `cycle`; they are constant until wire_next(). */
void wire_drive(struct wire *w, uint64_t cycle, struct wire_pins *pins);
/* Returns the next cycle for which wire_drive() must be called, or UINT64_MAX if nothing
 * happens before the next word is sent. */
uint64_t wire_next(const struct wire *w);

/* Returns a description of what went wrong, or NULL. */
const char *wire_fault(const struct wire *w);

#endif
