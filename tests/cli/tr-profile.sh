# SPDX-License-Identifier: Apache-2.0
# One command from a simulator, a trace or a log to pictures and tables.
. "$SRC/tests/cli/soc-model.inc"
program spin.elf << END
	.globl _start, spin
	.type _start, @function
	.type spin, @function
_start:
	la sp, _start + 0x10000
	li s0, 3
1:	jal spin
	addi s0, s0, -1
	bnez s0, 1b
	$off
spin:
	li t0, 1000
1:	addi t0, t0, -1
	bnez t0, 1b
	ret
END
# The numbers of the results that do not depend on how they were made.
show() {
	echo "status $?"
	(cd "$1" && ls && cat stacks.folded && grep -c '<svg' flame.svg && sed -n 3,4p functions.txt)
}
echo '# the commands'
tr-profile --dry-run --sysroot "a b" -- soc-model --ram 64M spin.elf@0x80000000 --x=spin.elf
tr-profile --dry-run spin.elf
tr-profile --dry-run --from spike -b spin.elf -o "it's" -- spike -l --log-commits spin.elf
echo '# a simulator'
tr-profile soc-model spin.elf
show spin-profile
echo '# the hardware'
tr-profile -o hardware spin.elf > hardware.txt
echo "status $?"
(cd hardware && ls && grep -c '<svg' classes.svg)
for file in hardware/trace.tr hardware/stacks.tr spin-profile/trace.tr spin-profile/stacks.tr; do
	echo "$file: $(tr-profile --dry-run $file | grep -c classes) commands for classes"
done
echo '# a trace, whose images are found in its folder'
mkdir folder && cp spin.elf spin-profile/trace.tr folder/ && mv spin.elf away.elf
tr-profile folder/trace.tr > out.txt
show trace-profile
cmp trace-profile/stacks.folded spin-profile/stacks.folded
tr-profile folder/trace.tr -o other -b away.elf > out.txt
cmp other/stacks.folded <(sed 's/^spin/away/' spin-profile/stacks.folded)
tr-profile - away.elf -o piped < folder/trace.tr > out.txt
cmp piped/stacks.folded other/stacks.folded
tr-profile other/stacks.tr > out.txt
cmp stacks-profile/stacks.folded other/stacks.folded
echo '# a log'
tr-profile "$SRC/tests/cli/data/logs/spike.log" away.elf > out.txt 2> errors
echo "status $?"
tr-profile -o log --from spike -b away.elf -- cat "$SRC/tests/cli/data/logs/spike.log" 2>> errors
sort errors
echo "status $?"
echo '# trouble'
for arguments in '' 'nosuch.elf' 'folder/nosuch.tr' 'folder/trace.tr nosuch.elf' '-o away.elf away.elf' \
	'-o piped piped/stacks.tr extra' '--from rocket -o piped piped/trace.tr -b away.elf' 'soc-model' '--from' \
	'-o failed -- false away.elf' '-o log away.elf --nosuch'; do
	rm -f folder/spin.elf
	# shellcheck disable=SC2086 # words
	tr-profile $arguments
	echo "status $?"
done
cp away.elf spin.elf
tr-profile soc-model spin.elf > /dev/full
echo "status $?"
head -c 420 folder/trace.tr > cut.tr
tr-profile cut.tr spin.elf 2> errors
echo "status $?"
sort errors
echo '# a kernel without debug information: its processes have no names'
mkdir kernel && cp away.elf kernel/vmlinux.elf
tr-profile --dry-run -o k -b away.elf soc-model --ram 64M --dtb "$SRC/Makefile" kernel/vmlinux.elf away.elf@0x80100000 |
	sed "s|/[^ ]*/linux.probes|linux.probes|; s|$SRC|SRC|g"
tr-profile -o k soc-model kernel/vmlinux.elf > out.txt
show k
tr-profile -o k2 k/trace.tr > out.txt
cmp k/stacks.folded k2/stacks.folded && ls k2
echo '# a kernel without symbols: its vmlinux is needed'
{ head -c 48 /dev/zero; printf 'RISCV\0\0\0RSC\5\0\0\0\0'; } > Image
names() { tr-profile --dry-run -o k "$@" 2>&1 | grep -E '^tr-profile|tr-match|tr-replay|tr-unwind -@' | sed "s|/[^ ]*/linux.probes|linux.probes|"; }
names soc-model away.elf Image@0x80200000
names -b kernel/vmlinux.elf soc-model away.elf Image@0x80200000
names --from qemu -- soc-model -kernel=Image -d away.elf
echo kernel/vmlinux.elf > kernel.lst
names -b kernel.lst soc-sim --resume=a.ck
touch a.ck
names -b kernel.lst soc-sim --resume=a.ck
