# SPDX-License-Identifier: Apache-2.0
# A profile from the trace that tr-profile --linux has left: its list of binaries is beside
# it, and the flame graphs have a frame for each process. With other places only these count.
printf '\t.globl _start\n_start: nop\n' > vmlinux.s
riscv64-unknown-elf-gcc -nostdlib -o vmlinux vmlinux.s
mkdir left
touch left/start.checkpoint
printf '"%s" kernel\n' "$PWD/vmlinux" > left/bins.lst
line='--resume left/start.checkpoint'
tr-text --encode -o left/trace.tr << END
header content=rows
header xlen=64
header pg=soc-model	0.1.0	soc-model --checkpoint left/start.checkpoint firmware.elf vmlinux
header pg=soc-sim	0.1.0	soc-sim $line
hart 0
block b pc=0x80000000 00000013
row b
end end=power-off
END
commands() {
	tr-profile --dry-run "$@" | grep '^ *tr-match\|^ *tr-fold\|^ *tr-replay' | sed "s|--probes [^ ]*/|--probes |"
}
commands left/trace.tr
echo '# other places'
commands left/trace.tr vmlinux
commands --bins vmlinux left/trace.tr
echo '# no list'
rm left/bins.lst
commands left/trace.tr
echo '# the folder is the same: what the trace needs stays'
printf '"%s" kernel\n' "$PWD/vmlinux" > left/bins.lst
touch left/console.txt left/flame.svg
tr-profile -o left left/trace.tr > /dev/null 2>&1
for file in bins.lst console.txt start.checkpoint flame.svg; do
	echo "$file: $(stat -c %F left/$file)"
done
