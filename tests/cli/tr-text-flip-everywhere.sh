# SPDX-License-Identifier: Apache-2.0
# A bit flipped anywhere is detected.
for text in stacks counters stack-counters spans stack-names; do
	tr-text --encode -u -o a.tr "$SRC/tests/cli/data/$text.txt"
	mapfile -t bytes < <(od -An -v -w1 -tu1 a.tr)
	bad=0
	for ((n = 0; n < ${#bytes[@]}; n++)); do
		cp a.tr b.tr
		printf -v octal '%03o' $((bytes[n] ^ 1 << n % 8))
		printf "\\$octal" | dd of=b.tr bs=1 seek="$n" conv=notrunc status=none
		tr-text b.tr > /dev/null 2> message
		[ $? = 2 ] && [ "$(wc -l < message)" = 1 ] || bad=$((bad + 1))
	done
	echo "taken: $bad of $((n > 0))"
done
