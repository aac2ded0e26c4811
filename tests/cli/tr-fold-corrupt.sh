# SPDX-License-Identifier: Apache-2.0
# One bit is flipped in every byte of a small stream, plain and compressed: each time the
# stream is refused, or the output is unchanged.
check() { # STREAM OPTION...
	local stream=$1 size at byte status
	shift
	size=$(stat -c %s "$stream")
	for ((at = 0; at < size; at += 7)); do
		byte=$(od -An -tu1 -j "$at" -N 1 "$stream")
		cp "$stream" bad
		printf "\\x$(printf %x $((byte ^ 1 << at % 8)))" |
			dd of=bad bs=1 seek="$at" conv=notrunc status=none
		status=0
		tr-fold "$@" bad > got 2> message || status=$?
		if [ "$status" = 0 ]; then
			cmp good got
		elif [ "$status" != 2 ] || [ "$(wc -l < message)" != 1 ] ||
			! grep -q '^tr-fold: bad: ' message; then
			echo "$stream, byte $at: status $status, $(cat message)"
		fi
	done
}
tr-text --encode -u -o s.tr "$SRC/tests/browser/flame.txt"
zstd -q s.tr -o s.tr.zst
tr-fold s.tr > good
check s.tr
check s.tr.zst
tr-text --encode -u -o c.tr "$SRC/tests/cli/data/fold-counters.txt"
tr-fold --unit miss c.tr > good
check c.tr --unit miss
echo done
