/* SPDX-License-Identifier: Apache-2.0 */
/* Waits for the link to go down, by its interrupt, and powers off. */
#include "nic.h"

void interrupt(void)
{
}

int main(void)
{
	nic_write(NIC_CONTROL, 3);
	check(nic_read(NIC_STATUS) & 1, 1);
	while (nic_read(NIC_STATUS) & 1)
		;
	check(nic_read(NIC_INT_STATUS) & 4, 2);
	return 0;
}
