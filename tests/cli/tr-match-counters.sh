# SPDX-License-Identifier: Apache-2.0
# Samples of counters pass tr-match unchanged, also in frames that wait for later ones
# (two programs begin alike), and those of tr-unwind belong to the same cycles.
for n in 1 2; do
	printf '_start: addi a0,a0,1\nret\n.fill 62,4,0x13\nmain: addi a0,a0,%d\nret\n' $n > $n.s
	riscv64-unknown-elf-gcc -march=rv64i -mabi=lp64 -nostdlib -Wl,-e,0 -Wl,-Ttext=0x10000 -o $n.elf $n.s
	printf '%d.elf user\n' $n >> bins.lst
done
{
	printf '%s\n' 'header xlen=64' 'header watch=4' 'header counters.0=a,b'
	echo 'hart 0 cycle=7 priv=U satp=0x8000000000000001'
	echo 'block start pc=0x10000 00150513 00008067'
	for n in {1..6}; do
		printf '%s\n' "counters 0 cycles=1 | a=$n b=$((n * n))" 'row start stall 0:3' frame
	done
	printf '%s\n' 'block main pc=0x10100 00250513 00008067' 'row main'
	printf '%s\n' "counters 0 cycles=0 | a=41 b=41" 'end end=power-off'
} | tr-text --encode -o counters.tr
tr-text counters.tr | grep '^counters' > before
tr-match --bins bins.lst -o matched.tr counters.tr
tr-text matched.tr | grep ^note
tr-text matched.tr | grep '^counters' | cmp - before && echo "matched: the same"
tr-unwind matched.tr | tr-text | sed -n 's/^counters 0 cycle=//p' > after
for n in {1..6}; do
	echo "$((7 + (n - 1) * 4 + 1)) | a=$n b=$((n * n))"
done | diff - <(head -n 6 after) && tail -n 1 after
