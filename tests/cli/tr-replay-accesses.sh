# SPDX-License-Identifier: Apache-2.0
# --accesses writes the address of each load and store. It is that of the registers, which
# probes show; each access has one, also of two harts, of either core, and in windows.
target=$SRC/build/target
compile() { # ELF FILE...
	riscv64-unknown-elf-gcc -march=rv64imac_zicsr_zifencei -mabi=lp64 -mcmodel=medany -ffreestanding -g -O1 -nostdlib -static -o "$1" \
		"${@:2}" -Wl,-n,-Ttext=0x80000000,--no-warn-rwx-segments,--build-id=none
}
cat > walk.S << 'END'
	.globl	_start
_start:	la	s0, table
	la	sp, stack
	li	s1, 500
	li	s2, 12345
1:	slli	s3, s2, 3
	andi	s3, s3, 0x7f8
	add	s4, s0, s3
l1:	ld	a0, 0(s4)
	addi	s4, s4, 16
s1:	sd	s2, 8(s4)
a1:	amoadd.w a1, s2, (s4)
r1:	lr.d	a2, (s4)
c1:	sc.d	a3, a2, (s4)
	addi	sp, sp, -32
p1:	sd	a0, 24(sp)
p2:	sw	a0, 4(sp)
	mul	s2, s2, s2
	addi	s2, s2, 77
	call	inner
p3:	ld	a0, 24(sp)
	addi	sp, sp, 32
	addi	s1, s1, -1
	bnez	s1, 1b
	li	t0, 0x5555
	li	t1, 0x100000
d1:	sw	t0, (t1)
2:	j	2b
inner:	addi	sp, sp, -16
i1:	sd	ra, 8(sp)
	andi	t0, s2, 1
	beqz	t0, 3f
	la	t2, table
b1:	lbu	t0, 5(t2)
	lui	t3, 0x80
	slli	t3, t3, 12
h1:	lhu	t0, 2(t3)
3:	ld	ra, 8(sp)
	addi	sp, sp, 16
	ret
	.bss
	.balign 4096
table:	.zero	4096
	.zero	4096
stack:
END
compile walk.elf walk.S

# The register and the offset of each access.
places='l1 s4 0 load 8
s1 s4 8 store 8
a1 s4 0 amo 4
r1 s4 0 load 8
c1 s4 0 sc 8
p1 sp 24 store 8
p2 sp 4 store 4
p3 sp 24 load 8
d1 t1 0 store 4
i1 sp 8 store 8
b1 t2 5 load 1
h1 t3 2 load 2'
sed 's/^\([^ ]*\) \([^ ]*\) \([^ ]*\) .*/\1: walk:\1 { r = reg("\2") + \3 }/' <<< "$places" > walk.probes
# accesses STREAM: for each token that has one: hart, cycle, pc, bits, what, size, at, address...
accesses() { tr-text --tokens "$1" | awk '/^token/ && (n = index($0, "(")) { for (i = 1; i <= NF; i++) { if (sub(/^cycle=/, "", $i)) cycle = $i
	if (sub(/^hart=/, "", $i)) hart = $i }
	$0 = hart " " cycle " " $2 " " $3 " " substr($0, index($0, "(")); print }'; }
# is_access: awk that tells by its bits whether an instruction is one, independently.
hex='function hex(text, n, i) { for (i = 1; i <= length(text); i++) n = n * 16 + index("123456789abcdef", substr(text, i, 1)); return n }'
is_access=$hex'
	function is_access(bits, low, q, f) { low = hex(substr(bits, length(bits) - 1)); q = low % 4
	if (length(bits) == 8) { low %= 128; return low == 3 || low == 7 || low == 35 || low == 39 || low == 47 }
	f = int(hex(substr(bits, 1, 1)) / 2)
	return (q == 0 && f != 0 && f != 4) || (q == 2 && f != 0 && f != 4) }'
all() { # STREAM: each token that is an access has an address, and no other
	tr-text --tokens "$1" | awk "$is_access"'/^token/ { has = /[(]/; is = is_access($3); n += is; wrong += has != is } END { print (n > 1000), wrong + 0 }'
}
for simulator in soc-sim soc-model; do
	echo "== $simulator"
	$simulator --trace walk.tr walk.elf
	tr-replay --stream --accesses -o accesses.tr walk.tr walk.elf
	all accesses.tr
	accesses accesses.tr > got.txt
	# Probes know the cycle of the commit and the register.
	tr-replay --probes walk.probes walk.tr walk.elf |
		awk 'NR == FNR { what[$1] = $4 " " $5; next }
		{ sub(/r=/, "", $5); printf "%s %s (%s at 0x%x\n", $3, $1, what[$4], $5 }' <(echo "$places") - | sort > wanted.txt
	wc -l < wanted.txt
	sed -E 's/ device\)/)/; s/\)//; s/^([0-9]+ [0-9]+) [^ ]+ [^ ]+/\1/' got.txt | sort | comm -13 - wanted.txt
	grep -c device got.txt
	tr-text accesses.tr | grep -v '^header p\|^header acc' | cmp - <(tr-text walk.tr | grep -v '^header p') && echo 'the same rest'
done

# Firmware, kernel and user mode: physical addresses, devices as the events have them.
programs=("$target/firmware.elf" "$target/hello.elf")
soc-sim --trace all.tr "${programs[@]}" > /dev/null
tr-replay --stream --accesses -v -o accesses.tr all.tr "${programs[@]}" 2>&1 | grep addresses | sed 's/[0-9][0-9]*/N/g'
all accesses.tr
tr-text --tokens accesses.tr | awk '/^mmio-load/ { sub(/address=/, "", $2); want = $2; n++ }
	/^token/ && want { wrong += !(/device[)]$/ && ($0 ~ "[(]load [0-9] at " want " device" || $0 ~ "= " want " device")); want = "" } END { print (n > 10), wrong + 0 }'
accesses accesses.tr > all.txt
grep -c ' at 0xffffffff80.* = 0x80' all.txt | sed 's/[1-9][0-9]*/N/'

# Other filters pass them.
tr-match --bins "$target/bins.lst" accesses.tr > matched.tr
accesses matched.tr | cmp - all.txt && echo 'tr-match passes them'
tr-capture -o captured.tr accesses.tr && accesses captured.tr | cmp - all.txt && echo 'tr-capture passes them'
tr-replay --stream --probe 'p: hello:schedule { }' accesses.tr "${programs[@]}" > probes.tr
accesses probes.tr | cmp - all.txt && echo 'tr-replay passes them'
tr-replay --stream --accesses accesses.tr "${programs[@]}" > again.tr
accesses again.tr | cmp - all.txt && echo 'tr-replay replaces them'
tr-split-by-satp --priv m,u accesses.tr > split.tr
accesses split.tr | cmp - <(awk 'NR == FNR { kept[$1 " " $2 " " $3] = 1; next } ($1 " " $2 " " $3) in kept' \
	<(tr-text --tokens accesses.tr | awk '/^token/ && / priv=[MU] / { hart = cycle = $0; sub(/.* hart=/, "", hart); sub(/ .*/, "", hart)
		sub(/.* cycle=/, "", cycle); sub(/ .*/, "", cycle); print hart, cycle, $2 }') all.txt) && echo "tr-split-by-satp passes them: $(($(accesses split.tr | wc -l) > 100))"
for limit in 30000 30001 30002 30003; do
	tr-capture --max-instructions $limit -o limited.tr accesses.tr 2> /dev/null
	accesses limited.tr > limited.txt
	head -n "$(wc -l < limited.txt)" all.txt | cmp - limited.txt && all limited.tr
done
tr-text accesses.tr | tr-text --encode -o text.tr && accesses text.tr | wc -l

# Only those of chosen functions of a matched trace.
printf '%s\n' "$target/firmware.elf firmware" "$target/hello.elf kernel" > bins.lst
tr-match --bins bins.lst all.tr 2> /dev/null > matched.tr # without its programs
tr-replay --stream --accesses-of hello:schedule --accesses-of uart_put matched.tr "${programs[@]}" > some.tr
for function in 'hello.elf schedule' 'firmware.elf uart_put'; do
	riscv64-unknown-elf-nm -S "$target/${function% *}" | awk -v name="${function#* }" '$4 == name { print $1, $2 }'
done > functions.txt
awk "$hex"'NR == FNR { low[NR] = hex(substr($1, 9)); high[NR] = low[NR] + hex($2); n = NR; next }
	{ pc = substr($3, length($3) - 7); for (i = 1; i <= n; i++) if (hex(pc) >= low[i] && hex(pc) < high[i]) print }' functions.txt all.txt > wanted.txt
accesses some.tr | cmp - wanted.txt && echo "those of two functions: $(($(wc -l < wanted.txt) > 100))"
tr-replay --stream --accesses-of nothing -o none.tr matched.tr "${programs[@]}"
tr-text --header none.tr | grep '^header acc'
tr-replay --stream --accesses-of schedule all.tr "${programs[@]}" 2>&1 > /dev/null | tail -1

# Windows: what they have is as in the whole, and only accesses of the instructions with which one
# begins, before the state of the machine, have no address.
soc-sim --trace walk.tr walk.elf
tr-replay --stream --accesses walk.tr walk.elf > walk-accesses.tr
accesses walk-accesses.tr | sort > all-walk.txt
for label in l1 s1 a1 r1 c1 p1 p2 i1 b1; do
	soc-sim --trace part.tr --start pc=walk.elf:$label --stop cycle=9000 walk.elf > /dev/null
	before=$(tr-replay --stream --accesses -v -o part-accesses.tr part.tr walk.elf 2>&1 | sed -n '/windows/s/.*; \([0-9]*\) instructions before it.*/\1/p')
	accesses part-accesses.tr | sort > part.txt
	echo "$label $(comm -23 part.txt all-walk.txt | wc -l) $(all part-accesses.tr | awk -v most="$before" '{ print $1 + 0 ? $1 : "few", $2 + 0 <= most + 0 && most < 9 ? "known" : $2 " unknown of " most }')"
done
soc-model --trace whole.tr "${programs[@]}" > /dev/null
soc-model --trace many.tr --start pc="$target/hello.elf:schedule" --stop insn=73/7f "${programs[@]}" > /dev/null
tr-replay --stream --accesses -o whole-accesses.tr whole.tr "${programs[@]}"
tr-replay --stream --accesses -o many-accesses.tr many.tr "${programs[@]}"
accesses many-accesses.tr > many.txt
comm -23 <(sort many.txt) <(accesses whole-accesses.tr | sort) | wc -l
[ -s many.txt ] && all many-accesses.tr | sed 's/^0/few/'
soc-model --checkpoint a.ck --checkpoint-at pc="$target/hello.elf:schedule" "${programs[@]}" > /dev/null
soc-model --resume a.ck --trace part.tr > /dev/null
tr-replay --stream --accesses --resume a.ck part.tr > part-accesses.tr
all part-accesses.tr

# Two harts.
cat > two.S << 'END'
	.globl	test
	.type	test, @function
test:	la	s4, both
	csrr	t0, mhartid
	slli	t0, t0, 3
	add	s5, s4, t0
	li	s2, 12000
1:	amoadd.d zero, s2, (s4)
	sd	s2, 64(s5)
	addi	s2, s2, -1
	bnez	s2, 1b
	ret
	.size	test, . - test
	.bss
	.balign	64
both:	.zero	128
END
. "$SRC/tests/cli/two-harts.inc"
two_harts two.S
tr-replay --stream --accesses -o two-accesses.tr two.tr two.elf
all two-accesses.tr
both=$(riscv64-unknown-elf-nm two.elf | awk '$3 == "both" { print "0x" $1 }')
accesses two-accesses.tr | awk -v both="$both" "$hex"'{ sub(/)/, "", $8); at = hex(substr($8, 3)) - hex(substr(both, 3)) } at >= 0 && at < 128 { n[$1 " " $5 " " at]++ } END { for (k in n) print k, n[k] }' | sort

# Damage is told; without the sections there is nothing to print.
tr-replay --accesses walk.tr walk.elf
tr-replay --stream --accesses --at 10 walk.tr walk.elf
tr-replay --stream --accesses -o /dev/full walk.tr walk.elf
