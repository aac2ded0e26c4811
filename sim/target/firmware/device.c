/* SPDX-License-Identifier: Apache-2.0 */
/* The firmware's devices: UART and power. */
#include "firmware.h"
#include "soc.h"

enum { UART_DATA = 0, UART_IER = 1, UART_FCR = 2, UART_LCR = 3, UART_LSR = 5 };
enum { LSR_READY = 0x01, LSR_EMPTY = 0x20 };

static volatile uint8_t *uart(unsigned reg)
{
	return (volatile uint8_t *)SOC_UART_BASE + reg;
}

void uart_init(void)
{
	*uart(UART_IER) = 0;
	*uart(UART_LCR) = 3; /* 8 bits, no parity */
	*uart(UART_FCR) = 1;
}

void uart_put(char c)
{
	while (!(*uart(UART_LSR) & LSR_EMPTY))
		continue;
	*uart(UART_DATA) = (uint8_t)c;
}

int uart_get(void)
{
	return *uart(UART_LSR) & LSR_READY ? *uart(UART_DATA) : -1;
}

void power(unsigned value)
{
	*(volatile uint32_t *)SOC_POWER_BASE = value;
	for (;;)
		__asm__ volatile("wfi");
}
