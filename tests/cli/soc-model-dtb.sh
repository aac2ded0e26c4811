# SPDX-License-Identifier: Apache-2.0
# A device tree and an initial RAM disk: their load addresses, the properties that the
# kernel receives, and the messages when an address range is occupied.
. "$SRC/tests/cli/soc-model.inc"
cp "$SRC/build/target/firmware.elf" .

# A kernel that prints the addresses of both, from a1 and from the tree, as Linux finds
# them, and the first eight bytes of each. Its image has a header with a size.
cat > kernel.S << 'END'
	.option norvc
	j start
	.balign 8
	.dword 0x200000
	.dword 0x1234567 # the size
	.zero 32
	.ascii "RSC\x05"
	.balign 64
	# Prints a0 in hexadecimal, and a blank.
print:	li t0, 60
1:	srl t1, a0, t0
	andi t1, t1, 15
	addi t2, t1, '0'
	li t3, 10
	blt t1, t3, 2f
	addi t2, t1, 'a' - 10
2:	sb t2, (s1)
	addi t0, t0, -4
	bgez t0, 1b
	li t2, 10
	sb t2, (s1)
	ret
	# The two words at s2 as a big-endian number into a0.
number:	mv t0, s2
	li a0, 0
	li t1, 8
1:	slli a0, a0, 8
	lbu t2, (t0)
	or a0, a0, t2
	addi t0, t0, 1
	addi t1, t1, -1
	bnez t1, 1b
	ret
start:	li s1, 0x10000000
	mv s0, a1
	mv a0, a1
	call print
	beqz s0, off
	ld a0, (s0)
	call print
	# The value of each property that has eight bytes and not the first name.
	addi s2, s0, 4
	call number
	srli s3, a0, 32 # bytes
	add s3, s3, s0
	slli a0, a0, 32
	addi s2, s0, 52
3:	addi s2, s2, 4
	bgeu s2, s3, off
	call number
	li t0, 0x0000000300000008
	bne a0, t0, 3b
	addi s2, s2, 12
	call number
	call print
	j 3b
off:	li t0, 0x100000
	li t1, 0x5555
	sw t1, (t0)
	j .
END
riscv64-unknown-elf-gcc -march=rv64imac_zicsr -mabi=lp64 -nostdlib -static kernel.S -o kernel.elf \
	-Wl,-n,-Ttext=0x80200000,-e,0x80200000,--no-warn-rwx-segments,--build-id=none
riscv64-unknown-elf-objcopy -O binary kernel.elf kernel
tree() {
	dtc -q -O dtb << END
/dts-v1/;
/ {
	#address-cells = <2>;
	#size-cells = <2>;
	memory@80000000 { device_type = "memory"; reg = <0 0x80000000 0 $1>; };
};
END
}
tree 0x4000000 > soc.dtb
tree 0x8000001 > large.dtb
echo 'not a tree' > text
head -c 60 soc.dtb > cut.dtb
printf '%5000s' disk > disk
: > empty

try() {
	soc-model firmware.elf "$@" < /dev/null
	echo "$*: status $?"
}
try kernel@0x80200000
try kernel@0x80200000 --dtb soc.dtb
try kernel.elf --dtb soc.dtb --initrd disk
try kernel@0x80200000 --dtb soc.dtb@0x82000000 --initrd disk@0x83000000
for files in '--dtb soc.dtb@0x80300000' '--dtb soc.dtb --initrd disk@0x81434566' \
	'--dtb soc.dtb@0x82000004' '--dtb soc.dtb@0x90000000' '--dtb large.dtb' '--initrd disk' '--dtb text' \
	'--dtb cut.dtb' '--dtb empty' '--dtb missing' '--dtb soc.dtb --initrd missing' \
	'--ram 4M --dtb soc.dtb' '--trace soc.dtb --dtb soc.dtb' '--trace disk --dtb soc.dtb --initrd disk@0x83000000'; do
	try kernel@0x80200000 $files
done
# The image fits, but the file loaded behind it does not.
dtc -q -O dtb -o small.dtb <<< '/dts-v1/; / { };'
try --ram 20692k kernel@0x80200000 --dtb small.dtb
# The hardware, with each commit compared with the model's.
soc-sim --lockstep firmware.elf kernel@0x80200000 --dtb soc.dtb --initrd disk < /dev/null
echo "soc-sim: status $?"
