# SPDX-License-Identifier: Apache-2.0
# Errors in a list of binaries, and advice on how to fix them.
cat > a.s <<END
.option norelax
.globl _start
_start:	addi sp, sp, -16
	ret
	nop
	ret
END
cat > b.s <<END
.globl _start
_start:	addi sp, sp, -32
	nop
	ret
END
mkdir sub
link() { riscv64-unknown-elf-gcc -march=rv64imac -mabi=lp64 -nostdlib -Wl,--build-id=none "$@"; }
link -Wl,-Ttext=0x10000 -o a.elf a.s
link -Wl,-Ttext=0x20000 -o b.elf b.s
link -Wl,-Ttext=0x30000 -o sub/a.elf b.s
riscv64-unknown-elf-strip -o s.elf a.elf
code() { riscv64-unknown-elf-objdump -d "$1" | awk '$1 ~ /^[0-9a-f]+:$/ { printf " %s", $2 }'; }
a="$(code a.elf)" b="$(code b.elf)"
tr-text --encode -o a.tr <<END
header content=rows
block one pc=0x10000${a:0:10}
block two pc=0x20000$b
block bad pc=0x10004 1141 8082
hart 0 priv=M
row one x999
row two
priv U
satp 1
row one x999
row bad
priv S
row two
end end=power-off
END
try() {
	printf '%s\n' "$@" > bins.lst
	tr-info --bins bins.lst a.tr > out
	echo "status $?"
	sed -n '/^findings/,$p' out
}
echo 'Nothing to say but what is lost:'
try a.elf b.elf
echo 'Roles:'
try 'a.elf user' 'b.elf user'
try 'a.elf kernel' 'b.elf kernel'
try 'a.elf kernel' 'b.elf user'
echo 'The same code:'
try a.elf s.elf b.elf
try 'a.elf user' 's.elf firmware' b.elf
echo 'Stripped:'
try s.elf b.elf
echo 'The same name:'
try a.elf b.elf sub/a.elf
sed -n '/^binaries/,/^end/p' out
echo 'Many spaces:'
{
	echo 'header content=rows'
	echo "block one pc=0x10000${a:0:10}"
	echo 'block bad pc=0x40000 1141 8082'
	echo 'hart 0 priv=U'
	for ((i = 1; i <= 8; i++)); do printf 'satp %d\nrow one\nrow bad x%d\n' "$i" "$i"; done
	echo end
} | tr-text --encode > a.tr
try 'a.elf user'
echo 'A role for nobody:'
try 'a.elf firmware' | grep -E '^status|role'
echo 'Without a fixed address:'
cp b.elf p.elf
printf '\003' | dd of=p.elf bs=1 seek=16 conv=notrunc status=none # ET_DYN
try p.elf
