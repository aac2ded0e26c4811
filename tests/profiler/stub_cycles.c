/* SPDX-License-Identifier: Apache-2.0 */
/* Measures each function of stub_cycles_functions.S, warm, in three loops, and prints its
 * address and the cycles of 20 calls in each. Runs bare-metal on the hardware, with and
 * without stubs (stub-cycles.sh). */
#include <stdint.h>

#include "soc.h"

enum { WARM = 4, CALLS = 20 };

typedef void call_loop(uint64_t function, uint64_t *times, uint64_t *end);
call_loop loop_a, loop_b, loop_c;
extern const uint64_t functions[], functions_end[];

static void put_char(char c)
{
	*(volatile uint8_t *)SOC_UART_BASE = (uint8_t)c;
}

static void put_number(uint64_t number, unsigned base)
{
	if (number >= base)
		put_number(number / base, base);
	put_char("0123456789abcdef"[number % base]);
}

static uint64_t measure_calls(call_loop *loop, uint64_t function)
{
	static uint64_t times[WARM + CALLS];
	loop(function, times, times + WARM + CALLS);
	return times[WARM + CALLS - 1] - times[WARM - 1];
}

int main(void)
{
	static call_loop *const loops[] = {loop_a, loop_b, loop_c};
	for (const uint64_t *f = functions; f != functions_end; f++) {
		put_char('0');
		put_char('x');
		put_number(*f, 16);
		for (unsigned i = 0; i < sizeof(loops) / sizeof(loops[0]); i++) {
			put_char(' ');
			put_number(measure_calls(loops[i], *f), 10);
		}
		put_char('\n');
	}
	return 0;
}
