# SPDX-License-Identifier: Apache-2.0
# The folder of a run of tr-profile --linux has been moved, or is looked at from elsewhere: the
# checkpoint and the list of binaries are those beside the trace, whose header has another path.
printf '\t.globl _start\n_start: nop\n' > vmlinux.s
riscv64-unknown-elf-gcc -nostdlib -o vmlinux vmlinux.s
mkdir moved
touch moved/start.checkpoint
printf '"%s" kernel\n' "$PWD/vmlinux" > moved/bins.lst
tr-text --encode -o moved/trace.tr << END
header content=rows
header xlen=64
header resumed=start.checkpoint
header pg=soc-model	0.1.0	soc-model --checkpoint left/start.checkpoint firmware.elf vmlinux
header pg=soc-sim	0.1.0	soc-sim --resume left/start.checkpoint
hart 0
block b pc=0x80000000 00000013
row b
end end=power-off
END
here=$PWD
commands() { tr-profile --dry-run "$1" | grep '^ *tr-match\|^ *tr-replay' | sed "s|--probes [^ ]*/|--probes |; s|$here|PWD|g"; }
commands moved/trace.tr
echo '# in the folder'
(cd moved && commands trace.tr)
echo '# from elsewhere'
(cd / && commands "$here/moved/trace.tr")
echo '# without the checkpoint'
rm moved/start.checkpoint
commands moved/trace.tr
