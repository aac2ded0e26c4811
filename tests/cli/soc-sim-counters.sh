# SPDX-License-Identifier: Apache-2.0
# Counters: the CSV and the samples in the trace agree, and neither changes the run;
# skipped cycles are counted with their number; a histogram counts every cycle once.
images="$SRC/build/target/firmware.elf $SRC/build/target/hello.elf"
run() {
	soc-sim --no-provenance "$@" $images > console
	echo "$*: status $?, $(tail -n 1 console)"
}
some='uart_*,wfi,l1?_refill'
run --trace plain.tr
run --trace beside.tr --counters all --counters-every 1k --counters-csv all.csv
cmp plain.tr beside.tr
run --counters all --counters-every 1k --counters-csv every.csv --no-skip
cmp all.csv every.csv
run --trace within.tr --counters "$some" --counters-every 777
run --counters "$some" --counters-every 777 --counters-csv some.csv
soc-sim --counters "$some" --counters-every 777 --counters-csv - $images 2> beside > stdout.csv
cmp some.csv stdout.csv
cmp console beside
head -n 8 some.csv

# The tokens are the same, and the samples equal the CSV.
tokens() {
	tr-text --tokens "$1" | grep -v '^header count\|^counters\|^frame'
}
cmp <(tokens plain.tr) <(tokens within.tr)
tr-text within.tr | grep '^header counter'
tr-text --tokens within.tr | awk '
	{ cycles = 0; for (i = 2; i <= NF; i++) if ($i ~ /^cycles=/) cycles = substr($i, 8) + 0 }
	$1 == "token" || $1 == "trap" || $1 == "gap" { now += cycles }
	$1 == "counters" {
		sub(/.*\| /, "")
		gsub(/uart_rx=[0-9]+=|[a-z0-9_]+=/, "")
		gsub(/ /, ",")
		print now + cycles "," $0
	}' > samples
tail -n +8 some.csv | cut -d, -f1,3- | cmp - samples
[ "$(wc -l < samples)" -gt 100 ] || echo 'few samples'

# Rows are at the multiples and at the end; each histogram sums to the cycles.
tail -n +8 all.csv | awk -F, -v at="$(grep '^label' all.csv)" '
	BEGIN { n = split(at, label) }
	{ sum = 0; for (i = 1; i <= n; i++) if (label[i] ~ /^uart_rx=/) sum += $i }
	sum != $2 || $1 != $2 { print "row " NR ": cycle " $1 ", " $2 " counted, histogram " sum }
	$1 != (NR - 1) * 1000 { off++ } END { print off " row not at a multiple" }'
end=$(tr-text plain.tr | sed -n 's/^end cycles=//p')
echo "last row less the run: $(($(tail -n 1 all.csv | cut -d, -f1) - end))"

# Input arrives in the same cycles.
. "$SRC/tests/cli/soc-model.inc"
program echo.elf << END
.globl _start
_start:
	li s0, 0x10000000
	li s1, 3
1:	lb a0, 5(s0)
	andi a0, a0, 1
	beqz a0, 1b
	lb a0, (s0)
	sb a0, (s0)
	addi s1, s1, -1
	bnez s1, 1b
	$off
END
images=echo.elf
echo abc > input
run --trace plain.tr < input
run --trace beside.tr --counters uart_rx --counters-every 999 --counters-csv some.csv < input
cmp plain.tr beside.tr
