/* SPDX-License-Identifier: Apache-2.0 */
/* Messages on the firmware's console, and power-off. */
#include "supervisor.h"

#include "soc.h"

enum { SBI_PUTCHAR = 1 };

void print_size(const char *text, size_t size)
{
	for (size_t i = 0; i < size; i++)
		sbi_call((uint8_t)text[i], 0, 0, SBI_PUTCHAR);
}

void print(const char *text)
{
	size_t size = 0;

	while (text[size])
		size++;
	print_size(text, size);
}

void print_number(uint64_t value, unsigned radix)
{
	char digits[20];
	size_t at = sizeof(digits);

	do {
		digits[--at] = "0123456789abcdef"[value % radix];
		value /= radix;
	} while (value);
	print_size(digits + at, sizeof(digits) - at);
}

void power_off(int status)
{
	volatile uint32_t *power = (uint32_t *)(SOC_POWER_BASE + KERNEL_OFFSET);

	*power = status ? SOC_POWER_FAIL | (uint32_t)status << 16 : SOC_POWER_OFF;
	for (;;)
		__asm__ volatile("wfi");
}

void panic(const char *reason)
{
	print("supervisor: ");
	print(reason);
	print("\n");
	power_off(254);
}
