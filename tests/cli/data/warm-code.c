// SPDX-License-Identifier: Apache-2.0
// Code that is executed before a mark, and overwritten behind it: twice without fence.i,
// and then with it.
#include <stdint.h>
#include <tr-profiler/mark.h>

enum { LI_A0_1 = 0x00100513, LI_A0_2 = 0x00200513, RET = 0x00008067 };

__attribute__((aligned(4096))) static volatile uint32_t code[1024];

static int call(void)
{
	return ((int (*)(void))(uintptr_t)code)();
}

int main(void)
{
	code[0] = LI_A0_1;
	code[1] = RET;
	__asm__ volatile("fence.i" ::: "memory");
	call();
	TR_BEGIN(1, "code");
	code[0] = LI_A0_2;
	call();
	call();
	__asm__ volatile("fence.i" ::: "memory");
	call();
	TR_END(1, "code");
	return 0;
}

static uint64_t stack[512];

__attribute__((naked, section(".text.start"))) void _start(void)
{
	__asm__("la sp, %0\n\tli t0, 4096\n\tadd sp, sp, t0\n\tcall main\n\t"
		"li t0, 0x100000\n\tli t1, 0x5555\n\tsw t1, (t0)" ::"s"(stack));
}
