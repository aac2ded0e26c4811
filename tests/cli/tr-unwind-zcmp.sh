# SPDX-License-Identifier: Apache-2.0
# Zcmp and Zcmt return, call, jump and write sp where other harts have c.fsdsp. Which it is:
# the file's attributes, the header's ISA, a write of sp in the log, or else the next address.
cat > zcm.inc << 'END'
	.macro function name # visible, and with a type
	.globl \name
	.type \name, @function
\name:
	.endm
	.macro cm.push list, times=0
	.insn 2, 0xb802 | \list << 4 | \times << 2
	.endm
	.macro cm.pop list, times=0
	.insn 2, 0xba02 | \list << 4 | \times << 2
	.endm
	.macro cm.popret list, times=0
	.insn 2, 0xbe02 | \list << 4 | \times << 2
	.endm
	.macro cm.popretz list, times=0
	.insn 2, 0xbc02 | \list << 4 | \times << 2
	.endm
	.macro cm.jt index
	.insn 2, 0xa002 | \index << 2
	.endm
END
# As compilers write it: lists 4 (ra), 5 (ra, s0) and so on; recursion that returns early.
cat > calls.S << 'END'
	.include "zcm.inc"
	function _start
	lui sp, 0x80010
	call main
1:	j 1b
	function leaf
	li a1, 0
	beqz a0, 2f
1:	addi a0, a0, -1
	add a1, a1, a0
	bnez a0, 1b
2:	mv a0, a1
	ret
	function middle
	cm.push 8
	.insn 2, 0xaca2 # cm.mvsa01 s1, s0
	call leaf
	mv s2, a0
	mv a0, s0
	call leaf
	add a0, a0, s2
	call leaf
	cm.popret 8
	function deep
	beqz a0, 1f
	cm.push 6, 2
	mv s0, a0
	addi a0, a0, -1
	call deep
	li a0, 3
	call leaf
	mv a0, s0
	cm.popret 6, 2
1:	li a0, 1
	ret
	function main
	cm.push 7
	li s2, 3
1:	li a0, 4
	li a1, 2
	call middle
	addi s2, s2, -1
	bnez s2, 1b
	li a0, 4
	call deep
	cm.popretz 7
END
# By a table: calls, a jump to the next function, which no address tells from c.fsdsp, and
# one to an earlier function.
cat > table.S << 'END'
	.include "zcm.inc"
	function _start
	lui sp, 0x80010
	call main
1:	j 1b
	function last
	nop
	nop
	ret
	function work
	cm.push 4
	cm.jt 40 # of these, cm.jalt: last
	cm.pop 4
	cm.jt 2 # next
	function next
	nop
	cm.jt 1 # last
	function main
	cm.push 5
	li s0, 3
1:	cm.jt 33 # cm.jalt: work
	addi s0, s0, -1
	bnez s0, 1b
	cm.popret 5
END
# RV32 with D: each c.fsdsp has the encoding of another one of them.
cat > doubles.S << 'END'
	.include "zcm.inc"
	function _start
	lui sp, 0x80010
	call main
1:	j 1b
	function leaf
	c.fsdsp f8, 0(sp)	# cm.jt 8
	c.fsdsp f18, 184(sp)	# cm.pop
	ret
	function save
	addi sp, sp, -480
	addi sp, sp, -32
	c.fsdsp f18, 56(sp)	# cm.push
	c.fsdsp f8, 64(sp)	# cm.jalt 40
	c.fsdsp f18, 312(sp)	# cm.popret
	c.fsdsp f18, 376(sp)
	c.fsdsp f18, 248(sp)
	mv s1, ra
	call leaf
	mv ra, s1
	addi sp, sp, 480
	addi sp, sp, 32
	ret
	function main
	mv s0, ra
	call save
	call leaf
	call save
	jr s0
END
build() { # NAME OPTION...
	riscv64-unknown-elf-gcc -mabi=ilp32 "${@:2}" -nostdlib -Wl,--build-id=none -Wl,-Ttext=0x80000000 \
		-o "$1.elf" "$1.S"
	riscv64-unknown-elf-objdump -d -M no-aliases,numeric "$1.elf" > "$1.dump"
}
run() { perl "$SRC/tests/cli/data/logs/run.pl" "${@:2}" < "$1.dump" > "$1.log"; }
# Writes the profile by a log with all that Spike writes, and compares with it those by
# logs of instructions alone, without sp, and of commits alone, without traps.
profile() { # NAME
	cp "$1.log" all.log
	grep -v ': 3 ' "$1.log" > insns.log
	grep ': 3 ' "$1.log" > commits.log
	for log in all insns commits; do
		tr-capture -o run.tr $log.log
		tr-match --bins "$1.elf" run.tr 2> /dev/null | tr-unwind -v -o stacks.tr 2> said
		tr-fold -o $log.folded stacks.tr
		cmp $log.folded all.folded
		sed '/no DWARF/d; s/, 0 thread switches.*instructions unknown//' said
	done | uniq
	cat all.folded
}
build calls -march=rv32imac -Wa,-mno-arch-attr
run calls zcmp
profile calls | tee calls.out
tr-fold --table stacks.tr | awk 'NR > 2 { print $1, $NF }'
# The ISA of the file: without D, and one that names Zcmp.
build calls -march=rv32imac
profile calls | cmp - calls.out
perl -e '$tag = "\x05rv32i2p1_m2p0_f2p2_d2p2_zca1p0_zcmp1p0\0"; $file = "\x01" . pack("V", 5 + length $tag) . $tag;
	$vendor = "riscv\0$file"; print "A" . pack("V", 4 + length $vendor) . $vendor' > attributes
riscv64-unknown-elf-objcopy --update-section .riscv.attributes=attributes calls.elf
profile calls | cmp - calls.out

build table -march=rv32imac -Wa,-mno-arch-attr
run table zcmp 40=last 2=next 1=last 33=work
profile table | tee table.out
build table -march=rv32imac
profile table | cmp - table.out

build doubles -march=rv32imafdc -Wa,-mno-arch-attr
run doubles
profile doubles | tee doubles.out
build doubles -march=rv32imafdc
profile doubles | cmp - doubles.out
