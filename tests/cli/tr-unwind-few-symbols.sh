# SPDX-License-Identifier: Apache-2.0
# Files that kept few symbols: a symbol without a size ends at the next function that calls,
# pointers or jumps find, and code without a symbol is divided into functions. Where
# all calls lead to symbols, the jumps within one do not divide it.
build() { # NAME SOURCE... : NAME.tr of NAME.elf
	riscv64-unknown-elf-gcc -march=rv64imac_zicsr -mabi=lp64 -mcmodel=medany -O2 -ffreestanding -nostdlib \
		-T "$SRC/sim/target/firmware/firmware.ld" -Wl,--build-id=none -o "$1.elf" "${@:2}"
	soc-model --trace "$1.tr" "$1.elf"
}
show() { # BINARY TRACE
	echo "== $1"
	tr-match --bins "$1.elf" "$2.tr" | tr-unwind -o s.tr 2> /dev/null
	tr-fold s.tr
	tr-fold -v -o /dev/null s.tr 2>&1
}
keep() { # FROM TO SYMBOL...
	riscv64-unknown-elf-objcopy --strip-all "${@:3}" "$1.elf" "$2.elf"
}

cat > start.S << 'END'
	.section .text.start, "ax"
	.globl _start
_start:	la sp, stack_top
	call main
	li t0, 0x100000
	li t1, 0x5555
	sw t1, (t0)
1:	j 1b
END
cat > calls.c << 'END'
volatile unsigned sink;
__attribute__((noinline)) void leaf(unsigned n) { for (unsigned i = 0; i < n; i++) sink += i; }
__attribute__((noinline)) void middle(unsigned n) { leaf(n); leaf(2 * n); sink ^= n; }
__attribute__((noinline)) unsigned deep(unsigned n) { if (!n) return 1; unsigned r = deep(n - 1); leaf(3); return r + n; }
int main(void) { for (int i = 0; i < 5; i++) middle(10); sink += deep(4); return 0; }
END
build full start.S calls.c
keep full none
keep full one --keep-symbol=_start
keep full sized --keep-symbol=middle
for name in full none one sized; do
	show $name full
done
# The stacks are those of the file with all symbols.
for name in none one sized; do
	tr-match --bins $name.elf full.tr | tr-unwind 2> /dev/null | tr-fold > $name.folded
	riscv64-unknown-elf-nm full.elf | while read -r address _ name; do
		echo "s/[a-z]*+0x0*$(printf %x 0x"$address")\\b/$name/g"
	done > names.sed
	sed -f names.sed -e 's/^[a-z]*;/full;/' $name.folded | sort > got
	tr-match --bins full.elf full.tr | tr-unwind 2> /dev/null | tr-fold | sort | diff - got
done

# In assembly: "gone" is called, "pointed" only by a register, "vector" has jumps of its
# own, and the local label "inner" is called within "outer".
cat > asm.S << 'END'
	.section .text.start, "ax"
	.globl _start, outer, vector, gone, pointed
_start:	la sp, stack_top
	la t0, vector
	csrw mtvec, t0
	la t1, pointed
	jalr t1
	jal 1f		# only the place
1:	call gone
	call outer
	ecall
	li t0, 0x100000
	li t1, 0x5555
	sw t1, (t0)
1:	j 1b
gone:	li a0, 4
1:	addi a0, a0, -1
	bnez a0, 1b
	ret
pointed:
	li a1, 5
	ret
outer:	addi sp, sp, -16
	sd ra, (sp)
	call inner
	ld ra, (sp)
	addi sp, sp, 16
	ret
inner:	li a2, 6
	ret
	.balign 4
vector:	j 1f
	.word 0
1:	csrr t0, mepc
	addi t0, t0, 4
	j 2f
	.word 0
2:	csrw mepc, t0
	mret
END
build asm asm.S
keep asm few --keep-symbol=_start --keep-symbol=outer --keep-symbol=inner --keep-symbol=vector
show asm asm
show few asm
