# SPDX-License-Identifier: Apache-2.0
# A window equals that part of the whole trace; its first token has all its cycles and
# their classes, whichever way the window was opened.
. "$SRC/tests/cli/soc-model.inc"

program a.elf -Wl,-e,0x80000000 << END
	nop
	la t0, data
	ld t1, (t0)
waits:	add t2, t1, t1
	div t3, t1, t2
	mv t4, t3
	la t5, handler
	csrw mtvec, t5
	ecall
$off
	j .
	.balign 4
handler: la t6, data
	ld t6, 64(t6)
	csrr t5, mepc
	addi t5, t5, 4
	csrw mepc, t5
	mret
	.balign 64
data:	.dword 1, 2
END
tokens() { # FILE: those from the one that waits for the load
	tr-text --tokens "$1" | grep '^token' | awk '$3 == "006303b3" { on = 1 } on'
}
soc-sim --trace whole.tr a.elf
tokens whole.tr > whole
head -n 1 whole | awk '{ print $3, ($4 ~ /\//) ? "has lost cycles" : "has lost none" }'
first=$(awk '{ sub(/.*=/, "", $6); sub(/cycles=/, "", $4); print $6 - int($4) + 1; exit }' whole)
for start in pc=waits insn=006303b3 insn=33/7f "cycle=$first"; do
	soc-sim --start "$start" --trace window.tr a.elf
	tokens window.tr | cmp - whole && echo "${start%%=*}: the same"
done

# From a cycle in the middle of a token or a trap: the rest of its cycles, each with its
# class. The starts are where a class begins, and one cycle later.
tr-text --tokens whole.tr | awk '
	/^(token|trap)/ {
		for (i = 2; i <= NF; i++) if ($i ~ /^cycles=/) timing = $i
		n = split(substr(timing, 8), run, "/")
		at = now
		print at + 1
		for (i = 2; i <= n; i++) { split(run[i], of, "*"); print at + 2; at += of[2]; print at + 1 }
		now += run[1]
	}' | sort -nu > starts
for start in $(< starts); do
	soc-sim --start "cycle=$start" --trace window.tr a.elf
	# With a trigger to watch for, classes are known from the start.
	soc-sim --start "cycle=$start" --stop pc=0x1000 --trace watched.tr a.elf
	tr-text --tokens whole.tr | awk -v start="$start" '
		$1 != "token" { next }
		{ at = $6; sub(/.*=/, "", at) }
		at + 0 < start { next }
		{ n = split(substr($4, 8), run, "/"); skip = start - (at - run[1] + 1) }
		skip > 0 {
			$4 = "cycles=" run[1] - skip
			for (i = 2; i <= n; i++) {
				split(run[i], of, "*")
				left = of[2] > skip ? of[2] - skip : 0
				skip -= of[2] - left
				if (left) $4 = $4 "/" of[1] "*" left
			}
		}
		{ print }' > expected
	for file in window.tr watched.tr; do
		tr-text --tokens $file | grep "^token" | cmp - expected || echo "$file from cycle $start"
	done
done
echo "$(wc -l < starts) starts amidst tokens"
