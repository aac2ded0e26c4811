# SPDX-License-Identifier: Apache-2.0
# A stream truncated at any byte is refused, plain or compressed; every sixth byte, or with
# STRIDE=1 every byte.
stride=${STRIDE:-6} first=0
for text in two-spaces counters stack-counters spans stack-names; do
	for u in -u ""; do
		tr-text --encode $u -o a.tr "$SRC/tests/cli/data/$text.txt"
		size=$(stat -c %s a.tr) bad=0
		first=$(((first + 1) % stride))
		for ((n = first; n < size; n += stride)); do
			head -c "$n" a.tr > b.tr
			tr-text b.tr > /dev/null 2> message
			[ $? = 2 ] && [ "$(wc -l < message)" = 1 ] || bad=$((bad + 1))
		done
		echo "taken: $bad"
	done
done
