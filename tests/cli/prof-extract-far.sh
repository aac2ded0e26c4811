# SPDX-License-Identifier: Apache-2.0
# Functions out of reach of near entries have far ones, which replace more bytes and need a
# register for the way back, or are refused.
. "$SRC/tests/cli/prof-extract.inc"
live_all='add a0, a0, t1; add a0, a0, t2; add a0, a0, t3; add a0, a0, t4; add a0, a0, t5; add a0, a0, t6'
{
	echo "$macros"
	cat <<- END
		function begin
			addi a0, a0, 1
			tail middle
		done_ begin
		function address_above # which a stub below does not reach
			auipc a0, 0x7ffff
			addi a1, a1, 1
			c.addi a2, 1
			ret
		done_ address_above
		function address_below
			auipc a0, 0x80000
			c.addi a0, 1
			ret
		done_ address_below
		.space 0x180000
		function middle
			c.addi a0, 1
			c.addi a1, 1
			c.addi a2, 1
			c.addi a3, 1
			ret
		done_ middle
		function middle_branches
			bnez a0, 1f
			auipc a0, 0
			addi a0, a0, 1
			ret
		1:	addi a1, a1, 2
			ret
		done_ middle_branches
		function middle_address # which a stub above does not reach
			auipc a0, 0x80000
			c.addi a1, 1
			c.addi a2, 1
			ret
		done_ middle_address
		function middle_short
			c.addi a0, 1
			c.addi a1, 1
			ret
		done_ middle_short
		function middle_loops
			c.addi a0, 1
			c.addi a1, 1
		1:	c.addi a2, 1
			bnez a0, 1b
			ret
		done_ middle_loops
		function middle_full # t0 and t1 are dead, but behind the replaced bytes no other
			c.addi a0, 1
			c.addi a1, 1
			c.addi a2, 1
			mv t1, a0
			$live_all
			ret
		done_ middle_full
		.space 0x180000
		function end
			c.addi a0, 1
			c.addi a1, 1
			ret
		done_ end
	END
} | program a.elf
prof-extract --list a.elf
prof-extract --why a.elf | sed 's/^0x[0-9a-f]* //'
echo 'position-independent:'
riscv64-linux-gnu-gcc -march=rv64gc -mabi=lp64d -nostdlib -static-pie -Wl,--build-id=none -Wl,-e,begin -o pie.elf a.elf.s
prof-extract --list pie.elf | cut -d , -f 1,4,5

# From the stubs below such a program, counters above it are out of reach: there is no image.
for size in 0x70000000 0x7fff0000; do
	{
		cat a.elf.s
		printf '.bss\n.space %s\n' "$size"
	} | program "large$size"
	prof-extract -o "prof$size" "large$size"
	printf '%s bytes: ' "$size"
	riscv64-linux-gnu-readelf -SW "prof$size$PWD/large$size/injected.o" | grep -o '\.text[.a-z]*' | paste -sd ' '
done
