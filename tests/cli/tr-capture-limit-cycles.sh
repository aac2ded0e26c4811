# SPDX-License-Identifier: Apache-2.0
# For each N: all tokens that commit within N cycles, and a gap up to cycle N.
tr-text --encode -o a.tr "$SRC/tests/cli/data/two-spaces.txt"
tr-text --tokens a.tr | grep ^token > all
for ((n = 0; n <= 85; n++)); do
	tr-capture --max-cycles "$n" a.tr > b.tr || echo "status $?"
	tr-text --tokens b.tr | grep ^token > some
	head -n "$(wc -l < some)" all | cmp - some || echo "not so: $n"
	[ "$(awk -v n="$n" '{ sub(/.* cycle=/, ""); if ($1 <= n) count++ } END { print count + 0 }' all)" = "$(wc -l < some)" ] || echo "too few or many: $n"
	tr-text b.tr | grep '^end cycles'
done | awk '{ print }' ORS=' '
echo
tr-capture --no-provenance --max-cycles 40 a.tr | tr-text
