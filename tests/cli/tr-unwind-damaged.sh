# SPDX-License-Identifier: Apache-2.0
# Cut at any byte it is refused; with any bit turned it is refused, or the stacks
# are the same.
set -o pipefail
. "$SRC/tests/cli/tr-unwind.inc"
sed -i 's/^header watch=4/&\nheader counters.0=a,b/; s/^row bar2/counters 0 | a=1 b=2\n&\ncounters 0 | a=9 b=2/' run.txt
tr-text --encode -u -o plain.tr run.txt
size=$(stat -c %s plain.tr)
tr-unwind --no-provenance plain.tr | cat > good.tr
for ((cut = 0; cut < size; cut += 7)); do
	head -c "$cut" plain.tr > bad.tr
	status=0
	tr-unwind --no-provenance bad.tr 2> message | cat > got.tr || status=$?
	[ "$status" = 2 ] && [ "$(wc -l < message)" = 1 ] || echo "cut at $cut: exit $status"
done
for ((at = 0; at < size; at += 11)); do
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
