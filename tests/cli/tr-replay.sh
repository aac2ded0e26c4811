# SPDX-License-Identifier: Apache-2.0
# The model follows the hardware's trace; damaged ones are refused at the place.
target=$SRC/build/target
programs=("$target/firmware.elf" "$target/hello.elf")

soc-sim --trace run.tr "${programs[@]}" > console
tr-replay run.tr "${programs[@]}" | sed 's/[0-9][0-9]*/N/g'
tr-replay -@ 2 - "${programs[@]}" < run.tr | tail -1 | sed 's/[0-9][0-9]*/N/g'
soc-model --trace model.tr "${programs[@]}" > /dev/null
tr-replay model.tr "${programs[@]}" | sed 's/[0-9][0-9]*/N/g'

# changed WHAT SED-SCRIPT: replays a copy of the trace whose text was edited.
tr-text run.tr > run.txt
changed() {
	echo "== $1"
	sed "$2" run.txt | sed '/^end instructions\|^end cycles/d' | tr-text --encode -o changed.tr
	if cmp -s <(tr-text changed.tr) run.txt; then echo unchanged; fi
	tr-replay changed.tr "${programs[@]}" 2>&1 | without_numbers
	echo "${PIPESTATUS[0]}"
}
# What depends on the compiler.
without_numbers() {
	sed -E 's/(byte|cycle|instruction) [0-9]+/\1 N/g; s/0x[0-9a-f]{8,}/0xN/g; s/\b[0-9a-f]{16}\b/HASH/g'
}
first() { # the number of the first line with this pattern at its beginning
	grep -n -m1 "^$1" run.txt | cut -d: -f1
}
load=$(first mmio-load)
read=$(first csr-read)
changed 'no load' "${load}d"
changed 'another value' "${load}s/value=0x60/value=0x40/"
changed 'another address' "${load}s/address=0x10000005/address=0x10000000/"
changed 'another size' "${load}s/size=1/size=8/"
changed 'a load twice' "${load}p"
changed 'no CSR read' "${read}d"
changed 'another CSR' "${read}s/csr=0x[0-9a-f]*/csr=0xc00/"
changed 'an SC in its place' "${read}s/.*/atomic address=0x80000000 size=8 value=0x1/"
changed 'xret to U' "$(first xret)s/priv=S/priv=U/"
changed 'no xret' "$(first xret)d"
changed 'another satp' "$(first satp)s/0x/0x1/"
changed 'another epc' "$(first 'trap cause')s/epc=0xffff/epc=0xfff0/"
changed 'no trap' "$(first 'trap cause')d"
changed 'another sp' "$(first 'reg x2 0x8')s/x2 0x/x2 0x1/"
changed 'another epc of an interrupt' "$(first 'trap interrupt')s/epc=0xffff/epc=0xfff0/"
changed 'no interrupt' "$(first 'trap interrupt')d"
changed 'a row twice' "$(first 'row b3')p"
changed 'no row' "$(first 'row b3')d"
changed 'another row' "$(first 'row b5')s/row b5/row b4/"
changed 'another instruction' "/^block b3 /s/ [0-9a-f]*\$/ 00000013/"
changed 'another hash' "$(first registers)s/hash=0x./hash=0x/"
changed 'with F and D' "s/^header isa=rv64imac/header isa=rv64gc/"
changed 'an unknown ISA' "s/^header isa=.*/header isa=rv32imac/"
changed 'an unknown value of a unit' "/^header isa=/a header copy_unit=1"
changed 'no ISA' "/^header isa=/d"
changed 'two harts' "s/^header harts=1/header harts=2/"
changed 'more harts than there can be' "s/^header harts=1/header harts=4294967297/"
changed 'no such memory' "s/^header ram_size=.*/header ram_size=4095/"

# The place is exact where the same code was compared before, as in the middle of the run.
row=$(awk '/^row/ { row[++n] = NR } END { print row[int(n / 2)] }' run.txt)
pc=$(awk -v row="$row" '/^block/ { pc[$2] = substr($3, 4) } NR == row { print pc[$2] }' run.txt)
changed 'an event too many' "${row}i xret priv=M"
tr-replay changed.tr "${programs[@]}" 2>&1 | sed "s/$pc\$/the row behind it/; s/.*, the model/the model/"

# A frame may end anywhere: before what an instruction has changed, or is to get.
sed '/^\(satp\|reg\|xret\|trap\|mmio-load\|csr-read\|registers\)/{
/token=/!i frame
}' run.txt | tr-text --encode -o frames.tr
cmp -s <(tr-text frames.tr) run.txt || tr-replay frames.tr "${programs[@]}" | cmp - <(tr-replay run.tr "${programs[@]}")

# The end of a trace has a hash too: the last value that came from outside is in a register.
soc-sim --trace run.tr --stop insn=c0102073/fffff07f "${programs[@]}" > /dev/null
tr-text run.tr > run.txt
grep '^registers' run.txt | sed 's/hash=.*/hash/'
changed 'another value in the last instruction' "$(first csr-read)s/value=0x/value=0x1/"
changed 'without the last hash' "$(first registers)d"
soc-sim --trace run.tr "${programs[@]}" > /dev/null

# Other programs; a checkpoint.
tr-replay run.tr "$target/firmware.elf" 2>&1 | without_numbers
tr-replay run.tr
tr-replay
soc-model --checkpoint a.ck --checkpoint-at cycle=20000 "${programs[@]}" > /dev/null
soc-sim --resume a.ck --trace part.tr > /dev/null
tr-replay --resume a.ck part.tr | sed 's/[0-9][0-9]*/N/g'
tr-replay --resume a.ck --at 30000 --print 'reg("a0")' part.tr > /dev/null || echo "exit $?"
tr-replay --resume a.ck run.tr
tr-replay part.tr "${programs[@]}"
tr-replay --resume a.ck part.tr "${programs[@]}"

head -c 20000 run.tr > cut.tr
tr-replay cut.tr "${programs[@]}" 2>&1 | without_numbers
tr-replay run.tr "${programs[@]}" > /dev/full
tr-replay run.tr "${programs[@]}" absent.elf
soc-model --harts 2 --max-instructions 1000 --trace two.tr "$target/firmware-smp.elf" > /dev/null 2>&1
tr-replay two.tr "$target/firmware-smp.elf"
