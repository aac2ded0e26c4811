# SPDX-License-Identifier: Apache-2.0
# A stream truncated at any byte is refused; with any bit flipped it is refused, or the
# stacks are unchanged.
set -o pipefail
. "$SRC/tests/cli/tr-unwind.inc"
sed -i 's/^header watch=4/&\nheader counters.0=a,b/; s/^row bar2/counters 0 | a=1 b=2\n&\ncounters 0 | a=9 b=2/' run.txt
tr-text --encode -u -o plain.tr run.txt
size=$(stat -c %s plain.tr)
tr-unwind --no-provenance plain.tr | cat > good.tr
cuts=0 bits=0
for ((cut = 0; cut < size; cut += 7)); do
	head -c "$cut" plain.tr > bad.tr
	status=0
	tr-unwind --no-provenance bad.tr 2> message | cat > got.tr || status=$?
	[ "$status" = 2 ] && [ "$(wc -l < message)" = 1 ] || echo "cut at $cut: exit $status"
	cuts=$((cuts + 1))
done
for ((at = 0; at < size; at += 11)); do
	bits=$((bits + 1))
	byte=$(od -An -tu1 -j "$at" -N 1 plain.tr)
	{
		head -c "$at" plain.tr
		printf "\\x$(printf %x $((byte ^ 1 << at % 8)))"
		tail -c +$((at + 2)) plain.tr
	} > bad.tr
	status=0
	tr-unwind --no-provenance bad.tr 2> message | cat > got.tr || status=$?
	[ "$status" = 2 ] && [ "$(wc -l < message)" = 1 ] && continue
	[ "$status" = 0 ] && cmp -s got.tr good.tr || echo "bit at $at: exit $status"
done
# An empty stream would have nothing to damage.
[ "$cuts" -gt 40 ] && [ "$bits" -gt 40 ] || echo "only $cuts cuts and $bits bits of $size bytes"
