# SPDX-License-Identifier: Apache-2.0
# Windows of a longer run are replayed from the state of the machine that they begin with;
# without it, or with a damaged one, they are refused.
target=$SRC/build/target
programs=("$target/firmware.elf" "$target/hello.elf")
schedule='schedule: hello:schedule { satp = satp; sp = reg("sp") }'

without_numbers() { sed -E 's/[0-9]+/N/g'; }
for simulator in soc-sim soc-model; do
	echo "== $simulator"
	$simulator --trace all.tr "${programs[@]}" > /dev/null
	tr-replay --probe "$schedule" all.tr "${programs[@]}" > all.txt
	cycle=$(awk 'NR == 3 { print $1 - 1000 }' all.txt) end=$(awk 'NR == 6 { print $1 + 1000 }' all.txt)
	$simulator --trace one.tr --start cycle="$cycle" --stop cycle="$end" "${programs[@]}" > /dev/null
	tr-replay one.tr "${programs[@]}" | without_numbers
	tr-replay --probe "$schedule" one.tr "${programs[@]}" > one.txt
	sed -n 3,6p all.txt | cmp - one.txt && echo the same hits

	# Many windows, each from the first instruction of a function on.
	$simulator --trace many.tr --start pc="$target/hello.elf:schedule" --stop insn=73/7f "${programs[@]}" > /dev/null
	tr-replay --probe "$schedule" many.tr "${programs[@]}" | cmp all.txt - && echo the same hits
	tr-match --bins "${programs[1]}" many.tr |
		tr-replay -v -o many.txt --probe "$schedule" - "${programs[@]}" 2>&1 | tail -1 | sed 's/[1-9][0-9]*/N/'
	cmp all.txt many.txt
	tr-replay --stream --probe "$schedule" many.tr "${programs[@]}" | tr-text | grep -c '^probe' |
		cmp - <(wc -l < all.txt)

	# Any cycle of the last window, and one before it: the first instruction behind it.
	at=$(awk 'END { print $1 }' all.txt)
	tr-replay --at "$at" all.tr "${programs[@]}" > look.txt
	tr-replay --at "$at" many.tr "${programs[@]}" | cmp look.txt -
	tr-replay --index many.ix many.tr "${programs[@]}" > /dev/null
	tr-replay --at "$at" --index many.ix many.tr "${programs[@]}" | cmp look.txt -
done

# From a checkpoint.
soc-model --checkpoint a.ck --checkpoint-at pc="$target/hello.elf:schedule" "${programs[@]}" > /dev/null
soc-sim --resume a.ck --trace part.tr --start insn=73/7f --stop insn=63/7f > /dev/null
tr-replay --resume a.ck part.tr | without_numbers

soc-sim --trace one.tr --start pc="$target/hello.elf:schedule" --max-instructions 200k "${programs[@]}" > /dev/null
tr-text one.tr > one.text
changed() { # WHAT SED-SCRIPT
	echo "== $1"
	sed -E "$2" one.text | sed '/^end instructions\|^end cycles/d' | tr-text --encode -o changed.tr
	tr-replay changed.tr "${programs[@]}" 2>&1 | sed -E 's/(byte|cycle|instruction) [0-9]+/\1 N/g; s/0x[0-9a-f]{8,}/0xN/g'
	echo "${PIPESTATUS[0]}"
}
changed 'no state' '/^state/d'
changed 'an empty state' 's/^state back=([01]).*/state back=\1 data=/'
changed 'not a state' 's/^state back=([01]) data=../state back=\1 data=ff/'
changed 'a state that cannot be' "s/^(state .*)$(printf 'priv=1' | od -An -tx1 | tr -d ' ')/\1$(printf 'priv=2' | od -An -tx1 | tr -d ' ')/"
changed 'another state' "s/^(state .*)$(printf 'satp=8' | od -An -tx1 | tr -d ' ')/\1$(printf 'satp=0' | od -An -tx1 | tr -d ' ')/"
changed 'a state before no instruction' '0,/^state/{/^row/d}'
changed 'no memory' '/^memory/d'
changed 'memory elsewhere' '0,/^memory/s/^memory address=0x8/memory address=0x1/'
changed 'left out in the middle' '/^row/{x;s/^/x/;/^x{9}$/{s/.*/gap cycles=5 tokens=5 reason=untraced/p;s/.*/xxxxxxxxxx/};x}'
