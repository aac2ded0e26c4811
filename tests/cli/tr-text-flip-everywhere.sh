# SPDX-License-Identifier: Apache-2.0
# A bit flipped anywhere is detected: in every sixth byte, or with STRIDE=1 in every byte.
stride=${STRIDE:-6} first=0
for text in stacks counters stack-counters spans stack-names; do
	tr-text --encode -u -o a.tr "$SRC/tests/cli/data/$text.txt"
	mapfile -t bytes < <(od -An -v -w1 -tu1 a.tr)
	bad=0 first=$(((first + 1) % stride))
	for ((n = first; n < ${#bytes[@]}; n += stride)); do
		cp a.tr b.tr
		printf -v octal '%03o' $((bytes[n] ^ 1 << n % 8))
		printf "\\$octal" | dd of=b.tr bs=1 seek="$n" conv=notrunc status=none
		tr-text b.tr > /dev/null 2> message
		[ $? = 2 ] && [ "$(wc -l < message)" = 1 ] || bad=$((bad + 1))
	done
	echo "taken: $bad of $((n > 0))"
done
