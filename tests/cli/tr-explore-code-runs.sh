# SPDX-License-Identifier: Apache-2.0
# The instructions that the page shows are those of tr-annotate in runs of all kinds: cut off,
# without timing, of one address space or of some privileges, without DWARF or symbols, with code
# that was compiled at run time, with frames of an interpreted language, and with two binaries of
# the same name.
. "$SRC/tests/cli/tr-annotate.inc"
. "$SRC/tests/cli/tr-explore-code.inc"
. "$SRC/tests/cli/jit.inc"
check() { # NAME STREAM: also leaves the folder NAME
	mkdir "$1"
	tr-unwind -o "$1/stacks.tr" "$2" 2> said
	tr-annotate --all --slices "$1/annotate.slices" --stacks "$1/stacks.tr" --format json "$2" > annotated.json 2>> said || { echo "$1: exit $?"; sed 1q said; return; }
	node rows.js "$1" '' annotated 2>> said | sort > found
	sort annotated > expected
	diff found expected | head -n 5
	grep 'cut off' said | sort -u
	echo "$1: at least 10 instructions: $(($(wc -l < expected) >= 10))"
}
none() { # FOLDER FUNCTION
	f=$(tr-explore --query /names "$1" 2> said | grep -v '^\[$' | grep -n "^\[\"$2" | sed 's/:.*//; q')
	tr-explore --query "/code?func=$((f - 1))" "$1" 2> said
}

echo '# cut off'
for how in 'killed by signal 9' corrupt; do
	sed "s/^end end=.*/end end=$how/" run.txt | tr-text --encode -o cut.tr
	check "${how%% *}" cut.tr
done
echo '# without timing, and without instruction bits'
data=$SRC/tests/cli/data/logs
riscv64-unknown-elf-gcc -march=rv64imac_zicsr -mabi=lp64 -g -nostdlib -nostartfiles -T "$SRC/sim/target/firmware/firmware.ld" -o spike.elf "$data/spike-real.S"
riscv64-unknown-elf-gcc -march=rv32imc_zicsr -mabi=ilp32 -g -nostdlib -nostartfiles -T "$SRC/sim/target/firmware/firmware.ld" -o ibex.elf "$data/ibex-real.S"
tr-capture -o spike.tr "$data/spike-real.log"
tr-capture -o ibex.tr "$data/ibex-real.log"
tr-text --tokens spike.tr | awk '
	/^header precision/ { print; print "header cannot_supply=insn,satp,tp,traps"; next }
	/^header cannot_supply/ { next }
	$1 == "token" { gsub(/[0-9a-f]/, ".", $3) }
	{ print }' | tr-text --encode -o bare.tr
for name in spike ibex bare; do
	elf=$name
	[ $name != bare ] || elf=spike
	tr-match --bins $elf.elf -o matched.tr $name.tr 2> said
	check $name matched.tr
done
tr-explore --query /run spike | grep -o '"untimed":[a-z]*'
echo '# parts of a stream'
grep -v '^note\|^header bin' run.txt | tr-text --encode -o raw.tr
for privs in u s,u m; do
	tr-split-by-satp --priv $privs -o part.tr raw.tr
	tr-match --bins work.elf -o matched.tr part.tr 2> said
	check "$privs" matched.tr
done
tr-split-by-satp --satp 0x8000000000000001 -o part.tr raw.tr
tr-match --bins work.elf -o matched.tr part.tr 2> said
check space matched.tr
echo '# without DWARF, and without symbols'
for how in -g -s; do
	riscv64-unknown-elf-strip $how -o bare.elf work.elf
	sed 's/bin.0=work.elf/bin.0=bare.elf/' run.txt | tr-text --encode -o bare.tr
	check "strip$how" bare.tr
done
tr-explore --query '/code?func=2' strip-s | sed -n '/places/,/rows/p'
echo '# compiled at run time'
build_jit jit
build_jit dump -DDUMP
for name in jit dump; do
	tr-match --bins $name.elf --perf-map $name.map -o matched.tr $name.tr 2> said
	check $name matched.tr
done
none jit 'still"' | sed -n '/rows/,$p'
echo '# an interpreted language'
printf '%s\n' '.section .text.start, "ax"' '.globl _start' '_start: la sp, stack_top' 'call main' \
	'li t0, 0x100000' 'li t1, 0x5555' 'sw t1, (t0)' '1: j 1b' > start.S
riscv64-unknown-elf-gcc -march=rv64imac -mabi=lp64 -mcmodel=medany -O2 -g -ffreestanding -nostdlib -Wl,--no-warn-rwx-segments \
	-T "$SRC/sim/target/firmware/firmware.ld" -o tiny.elf start.S "$SRC/tests/interpreters/tiny.c"
soc-model --trace tiny.tr tiny.elf > counted
tr-replay --stream --probes "$SRC/tests/interpreters/tiny.probes" tiny.tr tiny.elf | tr-match --bins tiny.elf -o matched.tr
check tiny matched.tr
none tiny tiny:main

echo '# two binaries of the same name, with functions at the same addresses'
mkdir other
sed 's/add	a1, a1, a2/sub	a1, a1, a2/' work.s > other/work.s
riscv64-unknown-elf-gcc -g -march=rv64imac -mabi=lp64 -nostdlib -Wl,-e,_start -Wl,-Ttext=0x10000 -o other/work.elf other/work.s
{
	echo 'header bin.1=other/work.elf'
	sed -n '/^block/p' run.txt
	printf '%s\n' 'block sub pc=0x1000e 4581 6290 8d91 157d fd6d (bnez)' 'block again pc=0x10010 6290 8d91 157d fd6d (bnez)'
	sed -n '/^note/p' run.txt
	printf 'note 2 %s bin=1 address=%s\n' start 0x10000 sub 0x1000e again 0x10010 return 0x10018 start2 0x10006 leaf 0x1001c
	printf '%s\n' 'row start' 'row sum' 'row loop' 'row return' 'row start2' 'row leaf' 'trap cause=8 priv=M epc=0x1000a cycles=1' 'row handler' \
		'satp 0x8000000000000002 space=2' 'xret priv=U' 'row start' 'row sub' 'row again' 'row again' 'row again' 'row return' 'end end=power-off'
} > body.txt
{
	grep '^header' run.txt
	grep '^header' body.txt
	grep '^hart' run.txt
	grep -v '^header' body.txt
} | tr-text --encode -o same.tr
check same same.tr
f=$(tr-explore --query /names same | grep -v '^\[$' | grep -n '"sum","work"' | sed 's/:.*//')
for f in $f; do tr-explore --query "/code?func=$((f - 1))" same | grep -o '"10012".*'; done
