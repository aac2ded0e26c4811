# SPDX-License-Identifier: Apache-2.0
# A coarse picture is that of sums of 256 frames, spread evenly: of a stream whose sums are
# known, and the same bytes by sums of the index as by all rows.
# stream FRAMES ROWS HARTS FILE: two programs, in turn; a rare function of each in all rows of some
# frames; untraced time; threads that move to another process.
stream() {
	awk -v FRAMES="$1" -v ROWS="$2" -v HARTS="$3" 'BEGIN {
		print "header content=stacks\nheader harts=" HARTS
		print "func f0 kind=program name=first\nfunc f1 kind=function binary=first name=work"
		print "func f2 kind=program name=second\nfunc f3 kind=function binary=second name=rare\nfunc f4 kind=gap name=[gap]"
		print "node n1 parent=n0 func=f0\nnode n2 parent=n1 func=f1\nnode n3 parent=n0 func=f2\nnode n4 parent=n3 func=f3\nnode n5 parent=n0 func=f4"
		print "thread t0 tp=0x1000 name=one\nthread t1 tp=0x2000 name=two"
		for (frame = 0; frame < FRAMES; frame++) {
			if (frame) print "frame"
			second = frame >= FRAMES / 2
			for (h = 0; h < HARTS; h++) {
				print "hart " h (frame ? "" : " cycle=" 100 * h)
				for (row = 0; row < ROWS; row++) {
					node = row == 5 && frame % 3 == 0 ? 5 : second ? frame % 200 == 0 ? 4 : 3 : row % 4 ? 2 : 1
					printf "scontext priv=%s process=%d\n", row % 8 < 6 ? "U" : "S", second ? row % 8 < 4 ? 3 : 2 : row % 16 ? 2 : 1
					printf "srow n%d t%d cycles=10 instructions=5\n", node, row % 8 < 3
				}
			}
		}
		print "end end=power-off"
	}' | tr-text --encode --no-provenance -o "$4"
	zstd -dqc "$4" > "${4%.tr}.plain.tr"
}
picture() { tr-timeline --format svg --coarse "$@"; }
stream 1024 32 1 one.tr
stream 600 32 2 two.tr
echo '== two sections of each program: frames, threads and processes from their first cycle on'
picture one.tr > one.svg
grep -o '1 hart.*coarse[^<]*' one.svg
sed -n '/<rect.*<title>/ { s/.*<title>//; N; s/\n/: /; s/<.*//; p }' one.svg
for window in '' '--from 5 --to 300000' '--from 81919 --to 163841' '--from 81921 --to 245759' '--to 200000' '--from 320k'; do
	for name in one two; do
		# shellcheck disable=SC2086 # words
		picture $window $name.plain.tr 2> expected > expected.svg
		# shellcheck disable=SC2086 # words
		picture $window $name.tr 2>&1 > got.svg | sed 's/\.tr/.plain.tr/' | cmp - expected
		cmp got.svg expected.svg || echo "$window: $name differs"
	done
done
echo '== rows that sums stand for are not read, but without --coarse; pipes; threads'
mapfile -t at < <(LC_ALL=C grep -obUaP '\x5e\x2a\x4d\x18' one.tr | cut -d : -f 1)
{ head -c $((at[1] - 2000)) one.tr; printf XXXXXXXX; tail -c +$((at[1] - 1991)) one.tr; } > damaged.tr
picture --quiet damaged.tr | cmp - <(picture --quiet one.tr) && echo same
tr-timeline --format svg damaged.tr 2>&1 > got.svg | sed 's/record.*/.../'
picture --quiet -@ 3 one.tr | cmp - <(picture --quiet one.tr)
cat one.tr | picture --quiet | cmp - <(picture --quiet one.tr)
echo '== options that it does not go with'
for options in '' '--table processes' '--format speedscope'; do
	# shellcheck disable=SC2086 # words
	tr-timeline --coarse $options one.tr
done
