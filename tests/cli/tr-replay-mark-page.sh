# SPDX-License-Identifier: Apache-2.0
# Stores to a page of memory or of a device are marks: of each the hart, cycle, kind and number are
# those of the store, which the trace shows by its address and the program by its counter.
cat > app.S << 'END'
	.section .text.start, "ax"
	.globl	_start
_start:	csrr	s1, mhartid
	slli	s1, s1, 4
	addi	s0, s1, 3		# the number: 3, 2, 1; of hart 1: 19, 18, 17
	la	s2, page
	li	s3, 0x2008000		# a page of the CLINT without a register
1:	sd	s0, 8(s2)		# of RAM: region N, in it point N
	sw	s0, 8(s3)		# of the device: region N, in it the region N + 100
	addi	s4, s0, 100
	sd	s4, 8(s3)
	sb	s0, 0(s2)
	div	s5, s4, s0
	sd	s4, 16(s3)
	ld	s5, 0(s2)		# none: a load
	amoswap.d s5, s0, (s2)		# point N
	sw	s0, 16(s3)
	sd	s0, 16(s2)
	addi	s0, s0, -1
	bne	s0, s1, 1b
	sd	s0, 24(s2)		# none: these bytes have no meaning
	sh	s0, 2(s2)
	sd	s0, -8(s2)		# none: another page
	li	t0, 0x1000
	add	t0, s2, t0
	sd	s0, 0(t0)
	la	t0, 2f
	csrw	mtvec, t0
	sd	s0, 1(s2)		# none: misaligned, it traps
	.balign 4
2:	csrr	s1, mhartid
	la	t0, ended
	li	t1, 1
	amoadd.w x0, t1, (t0)
	bnez	s1, 3f
4:	lw	t1, (t0)
	lw	t2, harts
	bne	t1, t2, 4b
	li	t0, 0x100000
	li	t1, 0x5555
	sw	t1, (t0)
3:	j	3b
	.data
harts:	.word	1
ended:	.word	0
	.balign 4096
	.zero	4096
page:	.zero	8192
END
build() { # ELF HARTS
	sed "s/^harts:.*/harts: .word $2/" app.S > harts.S
	riscv64-unknown-elf-gcc -g -march=rv64imac_zicsr -mabi=lp64 -mcmodel=medany -nostdlib -Wl,--no-warn-rwx-segments \
		-T "$SRC/sim/target/firmware/firmware.ld" -o "$1" harts.S
}
address() { riscv64-unknown-elf-nm "$1" | awk -v name="$2" '$3 == name { print "0x" $1 }'; }
# wanted: "hart cycle kind number" of each store, in the order of each hart, by where it is
wanted() { # TRACE PAGE
	tr-replay --stream --accesses "$1" "$elf" | tr-text --tokens | sed 's/[()]//g' | awk -v page="$2" '
		/^token/ { cycle = hart = ""
			for (i = 1; i <= NF; i++) { if (sub(/^cycle=/, "", $i)) cycle = $i; if (sub(/^hart=/, "", $i)) hart = $i }
			if (!match($0, /(store|amo) [0-9] at 0x[0-9a-f]*/)) next
			n = split(substr($0, RSTART, RLENGTH), part, " ")
			at = substr(part[4], length(part[4]) - 2); base = substr(part[4], 1, length(part[4]) - 3)
			if (base "000" != page || !(at == "000" || at == "008" || at == "010")) next
			print hart + 0, cycle, at }' | sort -s -n -k 1,1
}
got() { # STREAM: the hits in the stacks
	tr-text "$1" | awk '/^hart / { hart = $2 }
		/^probe [0-9]/ { match($0, /cycle=[0-9]*/); cycle = substr($0, RSTART + 6, RLENGTH - 6)
			match($0, /kind=string:"[a-z]*/); kind = substr($0, RSTART + 13, RLENGTH - 13)
			match($0, /number=[0-9]*/); print hart + 0, cycle, kind, substr($0, RSTART + 7, RLENGTH - 7) }' | sort -s -n -k 1,1
}
check() { # PAGE
	tr-replay --stream --mark-page "$1" run.tr "$elf" | tr-match --bins "$elf" | tr-unwind 2> /dev/null > stacks.tr
	got stacks.tr > got.txt
	wanted run.tr "$1" | sed 's/000$/point/; s/008$/begin/; s/010$/end/' > wanted.txt
	sed 's/ [0-9]*$//' got.txt | cmp - wanted.txt && awk '{ print $1, $3, $4 }' got.txt
}
build one.elf 1
build two.elf 2
elf=one.elf
ram=$(printf '0x%x' "$(address one.elf page)")
for simulator in soc-model soc-sim; do
	echo "# $simulator"
	$simulator --trace run.tr one.elf
	check "$ram" > ram.txt
	check 0x2008000 > device.txt
	cat ram.txt device.txt > "all.$simulator"
done
cmp all.soc-model all.soc-sim && echo 'the same marks'
echo '# RAM'
cat ram.txt
echo '# device'
cat device.txt
tr-timeline --table marks stacks.tr | awk '{ print $1, $2, $3, $11, $12, $13 }' | sort
tr-fold --from 'mark:mark 102' --to 'mark:mark 102' stacks.tr | awk '{ n += $NF } END { print n }' > cycles
awk '$4 == 102 { print $2 }' got.txt | { read -r from; read -r to; echo $((to - from)); } | cmp - cycles && echo 'the window is the region'
echo '# two harts'
elf=two.elf
soc-sim --harts 2 --trace run.tr two.elf
check "$ram" > harts.txt
grep '^0' harts.txt | cmp - ram.txt && echo 'hart 0 as alone'
grep '^1' harts.txt
echo '# with probes; a window'
elf=one.elf
soc-sim --trace run.tr one.elf
check "$ram" > /dev/null
tr-replay --stream --probe 'here: one:_start { }' --mark-page "$ram" run.tr one.elf | tr-text | grep -a -c '^probe [01] '
tr-replay --stream --mark-page "$ram" run.tr one.elf | tr-replay --stream --mark-page 0x2008000 - one.elf |
	tr-match --bins one.elf | tr-unwind 2> /dev/null | tr-timeline --table marks | awk 'NR > 1 { n += $1 } END { print n }'
from=$(awk '$4 == 2 { print $2; exit }' got.txt)
soc-sim --start "cycle=$from" --trace run.tr one.elf
tr-replay --stream --mark-page "$ram" run.tr one.elf | tr-text | grep -a '^probe 0 ' | sed 's/.*|//'
echo '# wrong'
for page in 80001000 0x80001008 page 0x; do
	tr-replay --stream --mark-page "$page" run.tr one.elf > bad.tr || echo "exit $?"
done
tr-replay --mark-page 0x2008000 run.tr one.elf || echo "exit $?"
tr-replay --stream --accesses --mark-page 0x2008000 run.tr one.elf > bad.tr || echo "exit $?"
echo '# firmware, kernel and user mode: each byte that is sent is a point of the page of the UART'
programs=("$SRC/build/target/firmware.elf" "$SRC/build/target/hello.elf")
soc-sim --trace run.tr "${programs[@]}" > sent.txt
tr-replay --stream --mark-page 0x10000000 run.tr "${programs[@]}" 2> /dev/null | tr-text |
	sed -n 's/^probe 0 .*"point" number=\([0-9]*\) .*/\1/p' | awk '{ printf "%c", $1 }' | cmp - sent.txt && echo "the program's output"
