/* SPDX-License-Identifier: Apache-2.0 */
#include "board.h"

#include "net/port.h"

size_t board_receive(struct board_input *in, const uint8_t *data, size_t size)
{
	size_t n = 0;

	if (in->count)
		return 0;
	while (n < size && n < sizeof(in->bytes)) {
		in->bytes[n] = data[n];
		n++;
	}
	in->first = 0;
	in->count = (unsigned)n;
	return n;
}

uint8_t board_take(struct board_input *in)
{
	in->count--;
	return in->bytes[in->first++];
}

enum soc_power board_power(uint32_t value, unsigned *status)
{
	*status = 0;
	if ((value & 0xffff) == SOC_POWER_RESET)
		return SOC_POWERED_RESET;
	if ((value & 0xffff) == SOC_POWER_FAIL)
		*status = value >> 16 & 0xff ? value >> 16 & 0xff : 1;
	return SOC_POWERED_OFF;
}

void board_copy_loaded(struct soc *model, const struct soc_image *image)
{
	for (size_t i = 0; i < image->nloaded; i++) {
		uint64_t first = image->loaded[i].first;

		soc_write_physical(model, first, image->ram + first - SOC_RAM_BASE,
				   image->loaded[i].last - first + 1);
	}
}

uint64_t board_address(const struct harness_options *options)
{
	const struct net_port *port = options->port;

	if (!options->nic)
		return 0;
	return net_address(port ? net_port_node(port) : 0);
}

struct wire *board_wire(const struct harness_options *options, struct machine *machine)
{
	struct net_port *port = options->port;

	machine->has_nic = true;
	machine->is_node = port != NULL;
	machine->node = port ? net_port_node(port) : 0;
	return wire_new(port, options->nic_latency, options->pcap);
}
