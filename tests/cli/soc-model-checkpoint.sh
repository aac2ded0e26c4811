# SPDX-License-Identifier: Apache-2.0
# A run that is resumed continues exactly like the original: at points in M, S and U of the
# demo's boot and programs, before traps, and in the middle of a WFI.
. "$SRC/tests/cli/soc-model.inc"
target=$SRC/build/target
demo=("$target/firmware.elf" "$target/demo.elf")

# point CYCLE PROGRAM...: compares 200,000 cycles from there on.
point() {
	local at=$1
	shift
	soc-model --trace whole.tr --start cycle=$at --stop cycle=$((at + 200000)) "$@" > /dev/null
	soc-model --checkpoint a.ck --checkpoint-at cycle=$at "$@" > /dev/null
	soc-model --trace part.tr --resume a.ck --start cycle=$at --stop cycle=$((at + 200000)) > /dev/null
	tr-diff whole.tr part.tr > diff || cat diff
	# The privilege, and whether a trap comes first, which is not in a window.
	soc-model --trace part.tr --resume a.ck --max-cycles 3 > /dev/null
	tr-text --tokens part.tr | sed -nE 's/^hart .* priv=(.) .*/\1/p; /^(token|trap)/{s/ .*//p;q}' | paste -sd' '
}
for at in 1 2 100 1000 2000 3000 10000 100000 500000 1000001 1003200 2000000 3000000 4000000 \
	5000000 6000000 7000000 8000000 9000000 10000000 15000000 20000000 25000000 30000000; do
	point $at "${demo[@]}"
done | sort | uniq -c
# Before an exception, and before an interrupt.
soc-model --trace whole.tr --start cycle=3M --stop cycle=4M "${demo[@]}" > /dev/null
for kind in cause interrupt; do
	at=$(tr-text --tokens whole.tr | awk -v trap="^trap $kind" '
		$0 ~ trap { print last + 1; exit }
		/^token/ { match($0, / cycle=[0-9]+/); last = substr($0, RSTART + 7, RLENGTH - 7) }')
	echo "before a trap with its $kind: $(point "$at" "${demo[@]}")"
done

# A timer interrupt ends the WFI; the handler is at cycle 3201.
program wfi.elf << END
.globl _start, waits
_start:	la t0, handler
	csrw mtvec, t0
	li a0, 0x2004000
	li a1, 2
	sd a1, (a0)
	li a0, 0x80
	csrw mie, a0
	csrsi mstatus, 8
waits:	wfi
	j waits
.balign 4
handler: $off
END
for at in 12 13 3000 6399 6400 6401 6402; do
	echo "wfi.elf, cycle $at: $(point $at wfi.elf)"
done

# The whole rest of the run, and the same bytes each time: from the original run, and from
# one that was resumed. Their keys say how they came about.
soc-model --checkpoint a.ck --checkpoint-at cycle=5M "${demo[@]}" > /dev/null
soc-model --checkpoint b.ck --checkpoint-at cycle=5M "${demo[@]}" > /dev/null
tail -c +1000 a.ck | cmp - <(tail -c +1000 b.ck)
soc-model --no-provenance --checkpoint b.ck --checkpoint-at cycle=9M --checkpoint-continue --resume a.ck > out
soc-model --no-provenance --checkpoint c.ck --checkpoint-at cycle=9M "${demo[@]}" > /dev/null
soc-model --checkpoint d.ck --checkpoint-at cycle=5M "${demo[@]}" > parts
cat out >> parts
soc-model "${demo[@]}" > whole
cmp parts whole && echo "same output"
keys() { tail -c +25 "$1" | sed -n '/^uart.fifo/q;p' | grep -av '^\(pg\|image\)'; }
diff <(keys c.ck) <(keys b.ck) | sed 's/digest=.*/digest=/'
memory() { sed '1,/^uart.fifo/d' "$1"; }
memory b.ck | cmp - <(memory c.ck) && echo "same memory"

# Where a run ends, by a limit or a trigger; limits count from the checkpoint.
soc-model --checkpoint d.ck --max-instructions 4M --resume a.ck > /dev/null
keys d.ck | grep "^instret"
soc-model --checkpoint d.ck --max-cycles 4M --resume a.ck > /dev/null
keys d.ck | grep "^cycle"
soc-model --checkpoint d.ck --stop cycle=9M --resume a.ck > /dev/null
memory d.ck | cmp - <(memory c.ck) || echo "the token of the stop trigger is the last before the checkpoint"

# The trace says what it is from, and has the right stacks.
soc-sim --trace r.tr --max-instructions 300k --resume b.ck > /dev/null
tr-info r.tr | grep -a "^ *\(resumed\|image\|soc-\)" | sed -E 's/(digest|build_id|hash) .*/\1/; s| /[^ ]*/| |g'
tr-match --bins "$target/bins.lst" r.tr | tr-unwind | tr-fold | sed 's/ [0-9]*$//' | cut -d';' -f1-3 | sort -u | head -n 12
