/* SPDX-License-Identifier: Apache-2.0 */
/* Weak functions, whose names are those of others after linking. As in Linux's
 * lib/crc32.c, others call them by an alias. */

int sum(int n);
int sum_base(int n);
int step(int n);
int __generic_step(int n);

static volatile int kept;

__attribute__((weak, noinline)) int step(int n)
{
	kept = n;
	return kept - n;
}
int __generic_step(int n) __attribute__((alias("step")));

__attribute__((weak, noinline)) int sum(int n)
{
	int all = 1;
	for (int i = 0; i < n; i++)
		all += __generic_step(i);
	return all;
}
int sum_base(int n) __attribute__((alias("sum")));
