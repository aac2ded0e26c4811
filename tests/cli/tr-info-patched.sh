# SPDX-License-Identifier: Apache-2.0
# The jump of a static key in place of a no-operation is code of a kernel, also if the list
# does not say that the binary is one, as for tr-match; in a program it is another build.
printf '\t.option norvc\n\t.globl _start\n_start: addi sp, sp, -16\n\tnop\n\tret\n' > a.s
riscv64-unknown-elf-gcc -nostdlib -Wl,--build-id=none -Wl,-Ttext=0x10000 -o a.elf a.s
tr-text --encode -o a.tr << END
header content=rows
block b pc=0x10000 ff010113 0080006f
hart 0 priv=S satp=1
row b
end
END
for role in '' kernel user; do
	echo "a.elf $role" > bins.lst
	tr-info --bins bins.lst a.tr | grep '^[SU] ' | sed "s/^/'$role' /"
done
