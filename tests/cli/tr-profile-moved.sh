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
commands() { tr-profile --dry-run "$1" | grep '^ *tr-match\|^ *tr-replay\|^ *tr-unwind -@' | sed "s|--probes [^ ]*/|--probes |; s|$here|PWD|g"; }
commands moved/trace.tr
echo '# in the folder'
(cd moved && commands trace.tr)
echo '# from elsewhere'
(cd / && commands "$here/moved/trace.tr")
echo '# without the checkpoint'
rm moved/start.checkpoint
commands moved/trace.tr
echo '# stacks have the names already'
sed -n '/^header/p' < <(tr-text moved/trace.tr) | sed 's/content=rows/content=stacks/' > stacks.txt
printf '%s\n' 'func f0 kind=program binary=p name=p' 'node n1 parent=n0 func=f0' 'thread t0 name=a' 'hart 0' \
	'srow n1 t0 cycles=10 instructions=1 fresh' 'end end=power-off' >> stacks.txt
tr-text --encode -o moved/stacks.tr stacks.txt
tr-profile --dry-run moved/stacks.tr | grep -c stacks.tr
