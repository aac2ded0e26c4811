# SPDX-License-Identifier: Apache-2.0
# A kernel module, from its relocatable object: each section has an address of its own, on
# no page, and the bits that relocations write are ignored; a tracer's call is patched in.
# Another module with the same code apart from those bits cannot be told apart.
cat > mod.S << 'END'
	.option norelax
	.section .modinfo, "a"
	.string "license=GPL"
	.text
	.globl work; .type work, @function
work:	nop
	addi sp, sp, -32
	sd ra, 24(sp)
	li a0, 17
	la a1, value
	call printk
	xori a0, a0, 5
	beqz a0, .Ldone
	lw a2, value
	add a0, a0, a2
.Ldone:	ld ra, 24(sp)
	addi sp, sp, 32
	ret
	.size work, . - work
	.section .init.text, "ax"
	.globl start; .type start, @function
start:	addi sp, sp, -16
	sd ra, 8(sp)
	li a1, 99
	ori a1, a1, 3
	andi a2, a1, 7
	slli a2, a2, 3
	call work
	ld ra, 8(sp)
	addi sp, sp, 16
	ret
	.size start, . - start
	.data
value:	.word 1
END
cc="riscv64-linux-gnu-gcc -march=rv64ima -mabi=lp64 -mno-relax -c"
$cc -o mod.ko mod.S
sed 's/modinfo/comment2/' mod.S > plain.S
$cc -o plain.ko plain.S
link() { # FILE TEXT INIT: the module as the kernel links it
	riscv64-linux-gnu-ld -o "$1" --no-relax -Ttext="$2" --section-start=.init.text="$3" \
		--section-start=.data=0xffffffff02000000 --defsym printk=0xffffffff80123456 -e 0 mod.ko
}
# The blocks of a function: each ends with a transfer of control.
blocks() { # NAME FILE FUNCTION
	riscv64-linux-gnu-objdump -d -M no-aliases "$2" | awk -v name="$1" -v wanted="<$3>:" '
		function put() { if (code) printf "block %s%d pc=0x%s%s\n", name, ++n, pc, code; code = "" }
		$2 == wanted { found = 1; next }
		found && NF == 0 { exit }
		found {
			sub(":", "", $1)
			if (!code) pc = $1
			code = code " " $2
			if ($3 ~ /^(jal|jalr|beq|bne)$/) put()
		}'
}
link ran1 0xffffffff01234568 0xffffffff01300024
link ran2 0xffffffff01777004 0xffffffff01234568
{
	echo 'header content=rows'
	echo 'header xlen=64'
	for i in 1 2; do
		blocks w$i ran$i work
		blocks s$i ran$i start
	done
	echo 'hart 0 priv=S satp=0x8000000000000001'
	for i in 1 2; do
		for b in s${i}1 w${i}1 w${i}2 w${i}3 s${i}2; do echo "row $b"; done
	done
	echo 'end end=power-off'
} > run.txt
tr-text --encode run.txt > run.tr
tr-match --bins mod.ko run.tr > matched.tr
tr-info matched.tr | sed -n '/^code found/,/^end/p'
tr-unwind matched.tr | tr-fold
# The nop at the entry becomes the call of a tracer.
sed '/^block w11/s/ 00000013/ 00c002ef/' run.txt | tr-text --encode | tr-match --bins mod.ko -v > /dev/null
# A part of a sysroot; a relocatable object that is no module; damage.
mkdir -p root/lib/modules
cp mod.ko root/lib/modules
tr-match --sysroot root run.tr | tr-info | grep 'mod.ko'
! tr-match --bins plain.ko run.tr > /dev/null
for size in 64 200 1000; do
	head -c $size mod.ko > cut.ko
	! tr-match --bins cut.ko run.tr > /dev/null
done
