/* SPDX-License-Identifier: Apache-2.0 */
/* A small program whose file and trace are seeds: calls, an inlined one, two stacks. */
__attribute__((naked, section(".text.start"))) void _start(void)
{
	__asm__("la sp, _start + 0x10000\n\tcall leave");
}

static inline __attribute__((always_inline)) unsigned long twice(unsigned long n)
{
	return n * 2 + 1;
}

__attribute__((noinline)) unsigned long work(unsigned long n)
{
	return n < 3 ? n : work(n - 1) + twice(work(n - 2));
}

__attribute__((naked, noinline)) unsigned long elsewhere(unsigned long n)
{
	__asm__("mv t1, sp\n\tlui t2, 4\n\tsub sp, sp, t2\n\taddi sp, sp, -16\n\tsd t1, "
		"0(sp)\n\t"
		"sd ra, 8(sp)\n\tcall work\n\tld ra, 8(sp)\n\tld sp, 0(sp)\n\tret");
}

void leave(void)
{
	for (unsigned long n = 0;; n++)
		elsewhere(work(n % 7));
}
