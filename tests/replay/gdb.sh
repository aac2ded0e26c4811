#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# gdb.sh BIN TARGET SMP FOLDER: gdb on replays, forwards and backwards. Registers and variables
# must be those that tr-replay prints of the cycle.
set -eu -o pipefail
bin=$1 target=$2 smp=$3 folder=$4
. "$(dirname "$0")/gdb.inc"

# Registers in gdb's output, a line for each place: cycle, hart, instruction, pc, x1 to x31.
gdb_places() {
	awk '/^cycle [0-9]/ { gsub(/,/, ""); line = $2 " " $4 " " $6; n = 0 }
		/^(ra|[sgt]p|fp|[ast][0-9]+) +0x/ { x[n++] = $2 }
		/^pc +0x/ { line = line " " $2; for (i = 0; i < n; i++) line = line " " x[i]; print line }'
}
# The same of tr-replay at the cycles and harts of these places.
replay_places() {
	while read -r cycle hart _; do
		tr-replay --at "$cycle" --hart "$hart" "$@" | awk '
			/^cycle/ { gsub(/,/, ""); line = $2 " " $4 " " $6; for (i = 1; i < NF; i++) if ($i == "pc") line = line " " $(i + 1) }
			!/^cycle|^satp/ { gsub(/0x/, " 0x"); for (i = 2; i <= NF; i += 2) { sub(/0x0*/, "0x", $i); line = line " " ($i == "0x" ? "0x0" : $i) } }
			END { print line }'
	done
}

# Windows: back from the first instruction of one there is nothing, forwards the next one.
soc-sim --trace windows.tr --start pc="$target/hello.elf:schedule" --stop insn=73/7f \
	"$target/firmware.elf" "$target/hello.elf" > console
serve windows.tr "$target/firmware.elf" "$target/hello.elf"
debug "$target/hello.elf" > session << 'E'
reverse-stepi
monitor cycle
break schedule
continue
monitor cycle
reverse-stepi
monitor cycle
reverse-continue
monitor cycle
delete
stepi 1000
monitor cycle
kill
E
grep '^cycle' session > places
tr-replay --probe 'schedule: hello:schedule { }' windows.tr "$target/firmware.elf" "$target/hello.elf" | head -2 |
	awk '{ at[NR] = "cycle " $1 ", hart 0," } END { print at[1]; print at[2]; print at[2]; print at[1] }' > expected
same 'a window' <(head -4 places | cut -d' ' -f1-4) expected
[ "$(grep -c 'No more reverse-execution' session)" = 2 ] || { echo 'gdb: a window has a past'; exit 1; }
awk '{ n[NR] = $NF } END { exit !(n[5] - n[4] > 1000) }' places || { echo 'gdb: steps end with a window'; exit 1; }

soc-sim --trace hello.tr "$target/firmware.elf" "$target/hello.elf" > console
run=(hello.tr "$target/firmware.elf" "$target/hello.elf")
serve "${run[@]}"
debug "$target/hello.elf" > session << 'E'
here
break page_alloc
ignore 1 3
continue
here
print fresh_pages
stepi
here
stepi
here
reverse-stepi
reverse-stepi
here
reverse-continue
here
delete
watch fresh_pages
continue
here
print fresh_pages
reverse-continue
here
print fresh_pages
delete
continue
here
reverse-stepi
here
break page_alloc
reverse-continue
here
delete
reverse-continue
here
tbreak page_alloc
continue
tbreak *$stvec if $scause == 12
continue
printf "trap: privilege %d, cause %d, from %#lx\n", $priv, $scause, $sepc
symbol-file
tbreak *$stvec if $scause == 8
continue
reverse-stepi
stepi
printf "ecall: %d\n", $pc == $stvec
kill
E
gdb_places < session > places
[ "$(wc -l < places)" = 12 ] || { echo "gdb: too few places"; cat session; exit 1; }
sed 9d places > at # the end of the trace has no instruction
replay_places "${run[@]}" < at > expected
same 'a register' at expected
[ "$(sed -n 2p places)" = "$(sed -n 5p places)" ] || { echo 'gdb: the way back leads elsewhere'; exit 1; }
[ "$(sed -n 1p places)" = "$(sed -n 12p places)" ] || { echo 'gdb: the way back does not lead to the start'; exit 1; }
awk '{ n[NR] = $3 } END { exit !(n[3] == n[2] + 1 && n[4] == n[3] + 1 && n[6] < n[2] && n[8] == n[7] - 1 &&
	n[10] == n[9] - 1 && n[11] < n[10] && n[11] > n[2]) }' places || { echo 'gdb: places out of order'; cat places; exit 1; }
grep '^\$' session | sed 's/.*) //; s/ .*//' > values
for place in 2 7 8; do
	tr-replay --at "$(awk -v n=$place 'NR == n { print $1 }' places)" --print fresh_pages "${run[@]}" |
		sed -n 's/^fresh_pages = //p'
done > printed
same 'a variable' values printed
[ "$(sed -n 2p values)" != "$(sed -n 3p values)" ] || { echo 'gdb: the watched variable is not written'; exit 1; }
# Its first instruction is after the trap has been taken.
grep -q '^trap: privilege 1, cause 12, ' session || { echo 'gdb: no trap'; grep '^trap' session; exit 1; }
grep -q '^ecall: 1' session || { echo 'gdb: a step does not lead to the handler'; exit 1; }

# Two harts are threads.
soc-sim --harts 2 --trace two.tr "$smp" > console
serve --at 20000 two.tr "$smp"
debug "$smp" > session << 'E'
here
thread 2
stepi
here
stepi
here
reverse-stepi
here
thread 1
stepi
here
set var $a0 = 1
E
serve --at 20000 --hart 1 two.tr "$smp"
debug "$smp" >> session << 'E'
here
set *(char *)0x80000000 = 1
E
grep -q "Could not write register" session && grep -q "Cannot access memory" session ||
	{ echo 'gdb: the past was changed'; cat session; exit 1; }
gdb_places < session > places
replay_places two.tr "$smp" < places > expected
same 'a register of two harts' places expected
[ "$(cut -d' ' -f2 places | tr -d '\n')" = 011101 ] || { echo 'gdb: other harts'; cat places; exit 1; }
[ "$(sed -n 2p places)" = "$(sed -n 4p places)" ] || { echo 'gdb: the way back of hart 1 leads elsewhere'; exit 1; }

# The same way with an index that has places as without one.
soc-model --trace long.tr --max-instructions 36M "$target/firmware.elf" "$target/forever.elf" > console
run=(long.tr "$target/firmware.elf" "$target/forever.elf")
tr-replay --index long.ix "${run[@]}" > summary
for index in long.ix none; do
	if [ $index = none ]; then serve --at 34M "${run[@]}"; else serve --index $index --at 34M "${run[@]}"; fi
	debug "$target/forever.elf" > $index.session << 'E'
here
stepi
reverse-stepi
here
break page_alloc
reverse-continue
here
reverse-continue
here
delete
watch fresh_pages
reverse-continue
here
continue
here
delete
break supervisor_main
reverse-continue
here
break page_alloc
continue
here
delete
continue
here
reverse-stepi
here
reverse-continue
here
kill
E
done
same 'the way with an index' long.ix.session none.session
[ "$(gdb_places < none.session | cut -d' ' -f3 | tr '\n' ' ' | grep -c '^34000000 34000000 3.* 36000001 36000000 1 $')" = 1 ] ||
	{ echo 'gdb: other places'; gdb_places < none.session; exit 1; }

[ ! -s server.err ] || { echo 'gdb: messages'; cat server.err; exit 1; }
echo 'gdb: registers, variables and cycles agree in both directions'
