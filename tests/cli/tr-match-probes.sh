# SPDX-License-Identifier: Apache-2.0
# Hits of probes pass tr-match unchanged, also in frames that wait for later ones (two
# programs begin alike), and tr-capture; those of tr-unwind have the cycle of their token.
for n in 1 2; do
	printf '_start: addi a0,a0,1\nret\n.fill 62,4,0x13\nmain: addi a0,a0,%d\nret\n' $n > $n.s
	riscv64-unknown-elf-gcc -march=rv64i -mabi=lp64 -nostdlib -Wl,-e,0 -Wl,-Ttext=0x10000 -o $n.elf $n.s
	printf '%d.elf user\n' $n >> bins.lst
done
{
	printf '%s\n' 'header xlen=64' 'header watch=4' 'header probe.0=p' \
		'header probe.0.fields=n,s'
	echo 'hart 0 cycle=7 priv=U satp=0x8000000000000001'
	echo 'block start pc=0x10000 00150513 00008067'
	for n in {1..6}; do
		printf '%s\n' "probe 0 token=1 | n=$n s=string:\"hit $n\" (p)" \
			'row start stall 0:3' frame
	done
	printf '%s\n' 'block main pc=0x10100 00250513 00008067' 'row main'
	printf '%s\n' 'probe 0 | n=41 s=string:"" (p)' 'end end=power-off'
} > probes.txt
tr-text --encode -o probes.tr probes.txt
tr-text probes.tr | grep '^probe' > before
tr-capture -o captured.tr probes.tr
tr-match --bins bins.lst -o matched.tr captured.tr
tr-text matched.tr | grep ^note
tr-text matched.tr | grep '^probe' | cmp - before && echo "matched: the same"
tr-unwind matched.tr | tr-text | sed -n 's/^probe 0 cycle=//p' > after
for n in {1..6}; do
	echo "$((7 + n * 4)) | n=$n s=string:\"hit $n\" (p)"
done | diff - <(head -n 6 after) && tail -n 1 after
