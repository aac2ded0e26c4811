/* SPDX-License-Identifier: Apache-2.0 */
/* A fixture of a shared object: functions with and without a dynamic symbol, and a symbol
 * of assembly without a size, before a function that has none. */

extern "C" int exported(int value);
extern "C" int ended(int value);
extern "C" int outside(int value);

__attribute__((noinline)) static int hidden(int value)
{
	return value * 3 + 1;
}

int exported(int value)
{
	return hidden(value) ^ hidden(value + 1);
}

/* Its table has a personality, since it catches. */
__attribute__((noinline)) static int behind(int value)
{
	try {
		return outside(value) + 5;
	} catch (...) {
		return hidden(value);
	}
}

/* What is behind the sized functions. */
__asm__(".section .text.z, \"ax\"\n"
	".globl label\n"
	"label: nop\n"
	"ret\n"
	".cfi_startproc\n"
	"nop\n"
	"nop\n"
	"ret\n"
	".cfi_endproc\n"
	".text\n");

int ended(int value)
{
	return behind(value) - behind(value + 2);
}
