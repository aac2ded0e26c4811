# SPDX-License-Identifier: Apache-2.0
# With a terminal, target seconds are not shorter than wall-clock seconds: a program that
# polls for a byte each second sees few seconds pass, and reads the byte when it arrives.
. "$SRC/tests/cli/soc-model.inc"
program a.elf << END
	.globl _start
_start:
	li s0, 0x10000000
	li s1, 0x2004000
	li s2, 1000000
	li s3, '.'
	li a0, 0x80
	csrw mie, a0
1:	sb s3, (s0)
	add s4, s4, s2
	sd s4, (s1)
	wfi
	lb a0, 5(s0)
	andi a0, a0, 1
	beqz a0, 1b
	lb a0, (s0)
	sb a0, (s0)
	$off
END
{
	sleep 2
	echo x
} | script -qec "soc-model a.elf" /dev/null | tr -d '\r' > out
tr -d . < out
echo
seconds=$(tr -cd . < out | wc -c)
[ "$seconds" -ge 2 ] && [ "$seconds" -le 8 ] || echo "$seconds seconds"
