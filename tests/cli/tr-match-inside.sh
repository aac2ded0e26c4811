# SPDX-License-Identifier: Apache-2.0
# A binary that contains another one is not a second candidate for its code: firmware with a
# payload, and a copy of a program with other data. Programs that only have the same
# code are ambiguous.
cc="riscv64-unknown-elf-gcc -march=rv64imac -mabi=lp64 -mcmodel=medany -nostdlib -Wl,-n,--no-warn-rwx-segments"
cat > payload.S << 'END'
	.globl entry, count, table
	.type entry, @function
	.type count, @function
entry:	call count
	call count
	li t0, 0x100000
	li t1, 0x5555
	sw t1, (t0)
1:	j 1b
	.size entry, . - entry
count:	li a0, 1000
1:	addi a0, a0, -1
	bnez a0, 1b
	la a1, table
	ld a1, (a1)
	ret
	.size count, . - count
	.data
table:	.dword TABLE
END
cat > fw.S << 'END'
	.globl _start, boot
	.type _start, @function
	.type boot, @function
_start:	call boot
	li t0, 0x80010000
	jr t0
	.size _start, . - _start
boot:	li a0, 10
1:	addi a0, a0, -1
	bnez a0, 1b
	ret
	.size boot, . - boot
	.section .payload, "ax"
	.incbin "payload.bin"
END
$cc -Wl,-Ttext=0x80010000,-e,entry,-Tdata=0x80010100,--section-start=.note.gnu.build-id=0x80010200,--build-id=0x1234567890abcdef -DTABLE=1 -o payload.elf payload.S
riscv64-unknown-elf-objcopy -O binary -j .text -j .data payload.elf payload.bin
$cc -Wl,-Ttext=0x80000000,--section-start=.payload=0x80010000,--build-id=none -o fw.elf fw.S
soc-model --trace run.tr fw.elf
show() { # BINARY...
	echo "# $*"
	local bins=()
	for binary; do bins+=(--bins "$binary"); done
	tr-match "${bins[@]}" run.tr 2>&1 > matched.tr | sed 's/^tr-match: //'
	tr-unwind -o s.tr matched.tr 2> /dev/null
	tr-fold s.tr
	tr-info "${bins[@]}" --found s.tr run.tr | sed -n '/^findings/,$p'
}
show fw.elf
show fw.elf payload.elf
echo 'payload.elf firmware' > role.lst
show role.lst fw.elf
$cc -Wl,-Ttext=0x80010000,-e,entry,-Tdata=0x80010100,--section-start=.note.gnu.build-id=0x80010200,--build-id=0x1234567890abcdef -DTABLE=2 -o copy.elf payload.S
show role.lst copy.elf fw.elf
show copy.elf payload.elf fw.elf
echo '# another program'
$cc -Wl,-Ttext=0x80010000,-e,entry,-Tdata=0x80010100,--section-start=.note.gnu.build-id=0x80010200,--build-id=0x1234567890abcdee -DTABLE=2 -o other.elf payload.S
show payload.elf other.elf fw.elf
