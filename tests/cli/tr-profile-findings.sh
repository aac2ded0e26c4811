# SPDX-License-Identifier: Apache-2.0
# Findings of a profile are about what tr-match could not find. A trace alone knows
# position-independent firmware and kernel modules only by their code, not by addresses.
firmware() { # NAME WRITTEN: makes NAME.elf and NAME.bin, which call code that they write so often
	cat > "$1.s" <<- END
	.globl _start, work
	.type work, @function
	_start:	lla sp, _start + 0x10000
		li a0, 5000
		jal work
		li s0, $2
		lla t0, _start + 0x8000
		li t1, 0x80820505	# addi a0, a0, 1; ret
		sw t1, (t0)
		fence.i
	1:	beqz s0, 1f
		jalr t0
		addi s0, s0, -1
		j 1b
	1:	li t0, 0x100000
		li t1, 0x5555
		sw t1, (t0)
	1:	j 1b
	work:	addi a0, a0, -1
		bnez a0, work
		ret
	.size work, . - work
	END
	riscv64-linux-gnu-gcc -march=rv64imac_zicsr_zifencei -mabi=lp64 -nostdlib -static-pie \
		-Wl,--no-dynamic-linker,-Ttext=0,--build-id=none -o "$1.elf" "$1.s"
	riscv64-linux-gnu-objcopy -O binary -j .text "$1.elf" "$1.bin"
}
show() { # NAME OPTION...
	tr-profile -o p --bins "$1.elf" "${@:2}" soc-model --max-instructions 1M "$1.bin@0x80000000" 2>&1 | sed '/^p\//d; /^tr-unwind/d; /^tr-match/d'
	awk '/work$/ { print "work", $2 }' p/functions.txt
}
firmware fw 0
firmware writes 100
echo '# the firmware'
show fw
echo '# and a kernel, linked at its sign-extended address'
sed 's/_start/entry/g; s/work/idle/g; s/lla sp/nop; lla sp/' fw.s | riscv64-unknown-elf-gcc -march=rv64imac_zicsr_zifencei -mabi=lp64 -mcmodel=medany \
	-nostdlib -x assembler - -Wl,-Ttext=0xffffffff80000000,--build-id=none,-e,entry \
	-o vmlinux.elf
echo 'vmlinux.elf kernel' > kernel.lst
show fw --bins kernel.lst
echo '# code in no file'
show writes --bins kernel.lst
echo '# the trace alone'
tr-info --bins writes.elf --bins vmlinux.elf p/trace.tr | sed -n '/^findings/,$p'

# A module that was never loaded, and a program that has the same code where the module
# has it in its file.
printf '.section .modinfo, "a"\n.asciz "name=ext4"\n.text\n.globl f\nf: li a0, 0\nret\n' > ext4.s
riscv64-unknown-elf-gcc -march=rv64imac -mabi=lp64 -c -o ext4.ko ext4.s
echo 'ext4.ko kernel' > modules.lst
tr-text --encode -o user.tr << 'END'
header content=rows
hart 0 priv=U satp=0x8000000000000001
block a pc=0 4501 8082
block b pc=0x100 4501 8082
row a
row b
end
END
echo '# a module'
tr-info --bins modules.lst user.tr | sed -n '/^binaries/,$p'
tr-info --found user.tr --bins modules.lst user.tr
tr-info --found p/stacks.tr p/trace.tr
