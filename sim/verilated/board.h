/* SPDX-License-Identifier: Apache-2.0 */
/* What surrounds the harts: console input, the power register, the model's copy of
 * memory, the wire. */
#ifndef VERILATED_BOARD_H
#define VERILATED_BOARD_H

#include "harness.h"
#include "model/load.h"
#include "model/model.h"
#include "wire.h"

/* Bytes for the UART, which takes one at a time. */
struct board_input {
	uint8_t bytes[16];
	unsigned first, count;
};

/* Stores bytes, if all before have been taken. Returns how many. */
size_t board_receive(struct board_input *in, const uint8_t *data, size_t size);
/* Returns the next byte; there must be one. */
uint8_t board_take(struct board_input *in);

/* What a value of the power register means, and the exit status. */
enum soc_power board_power(uint32_t value, unsigned *status);

/* Gives the model what was loaded. */
void board_copy_loaded(struct soc *model, const struct soc_image *image);

/* The strap of the network interface; 0: there is none. */
uint64_t board_address(const struct harness_options *options);
/* Returns the wire of the options, which must name one, and records in the machine
 * whether it is a node of a network. Returns NULL if memory runs out. */
struct wire *board_wire(const struct harness_options *options, struct machine *machine);

#endif
