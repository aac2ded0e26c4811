# SPDX-License-Identifier: Apache-2.0
# Finds the binaries of the code: at the linked address, the load address, or a base.
cat > a.s <<END
.option norelax
.globl _start
_start:	addi sp, sp, -16
	ret
END
link() { riscv64-unknown-elf-gcc -march=rv64imac -mabi=lp64 -nostdlib -Wl,--build-id=none "$@"; }
link -Wl,-Ttext=0x10000 -o user.elf a.s
link -Wl,-Ttext=0x20000 -o moved.elf a.s
link -Wl,-Ttext=0x40000 -o away.elf a.s
cat > kernel.ld <<END
SECTIONS { .text 0xffffffff80200000 : AT(0x80200000) { *(.text) } }
END
link -Wl,-T,kernel.ld -o kernel.elf a.s
cat > bins.lst <<END
kernel.elf kernel
user.elf user
moved.elf user base=0x50000
away.elf user
END
code=$(riscv64-unknown-elf-objdump -d user.elf | awk '$1 ~ /^100/ { printf " %s", $2 }')
tr-text --encode -o a.tr <<END
header content=rows
block low pc=0x10000$code
block load pc=0x80200000$code
block base pc=0x50000$code
block lost pc=0x60000$code
hart 0 priv=S satp=1
row load
priv U
row low x3
row base x2
row lost
end
END
tr-info --bins bins.lst a.tr | sed -n '/^binaries/,$p'
echo away.elf > bins.lst
tr-info -b bins.lst a.tr | sed -n '/^findings/,$p'
echo "status ${PIPESTATUS[0]}"
echo '# a binary that need not run'
printf '%s\n' 'kernel.elf kernel' 'user.elf user' 'moved.elf user base=0x50000' 'away.elf user optional' > bins.lst
tr-info --bins bins.lst a.tr | sed -n '/^findings/,$p'
echo '# listed twice: it must have run unless both say so'
printf '%s\n' 'away.elf user optional' 'kernel.elf kernel' 'user.elf user' 'moved.elf user base=0x50000' 'away.elf user' > bins.lst
tr-info --bins bins.lst a.tr | grep '^  away'
echo '# a position-independent one: its place is found by tr-match only, so it is not searched'
riscv64-linux-gnu-gcc -march=rv64imac -mabi=lp64 -nostdlib -static-pie -Wl,--no-dynamic-linker,--build-id=none -o pie.elf a.s
printf '%s\n' 'kernel.elf kernel' 'user.elf user' 'moved.elf user base=0x50000' 'pie.elf user' > bins.lst
tr-info --bins bins.lst a.tr | sed -n '/^findings/,$p'
echo pie.elf > bins.lst
tr-info -b bins.lst a.tr | sed -n '/^findings/,$p'
echo "status ${PIPESTATUS[0]}"
