/* SPDX-License-Identifier: Apache-2.0 */
/* Machine mode: the system calls of the example. */
#include "example.h"

#define UART  ((volatile unsigned char *)0x10000000)
#define POWER ((volatile unsigned *)0x100000)
enum { UART_STATUS = 5, UART_EMPTY = 0x20 };
enum { POWER_OFF = 0x5555, POWER_FAIL = 0x3333, CAUSE_ECALL_U = 8 };

static void write_uart_byte(char c)
{
	while (!(UART[UART_STATUS] & UART_EMPTY))
		;
	UART[0] = (unsigned char)c;
}

static void stop_machine(unsigned status)
{
	*POWER = status ? status << 16 | POWER_FAIL : POWER_OFF;
	for (;;)
		;
}

/* Called by trap_entry. Returns the value of a0. */
unsigned trap(unsigned argument, unsigned cause, unsigned call)
{
	if (cause != CAUSE_ECALL_U)
		stop_machine(cause + 1);
	if (call == CALL_EXIT)
		stop_machine(argument);
	if (call == CALL_PUT)
		write_uart_byte((char)argument);
	return argument;
}
