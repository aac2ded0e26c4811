# SPDX-License-Identifier: Apache-2.0
# A part of the stream, cut by cycle in the middle of rows or where functions are entered
# and return; adjacent parts add up to the whole.
tr-text --encode -o s.tr "$SRC/tests/cli/data/machine.txt"
window() {
	echo "# $*"
	tr-fold -v "$@" s.tr 2>&1
	echo "exit $?"
}
window --from 10 --to 30
window --from 29 --to 31
window --from 337
window --to 1
window --from 0 --to 1G
window --from main --to 170
window --from sys_write --to sys_write
window --from p:leaf --to leaf
window --from 200 --to sys_write
window --from '[load page fault]' --to trap_vector
window --from 29 --to 31 --unit instructions
echo '# calls that began before are none'
tr-report functions --from 172 --to 229 s.tr
tr-report functions --from leaf --to leaf s.tr
echo '# a call that ends with the window, one that ended where it begins'
tr-report functions --from 201 --to 210 s.tr | grep leaf
window --from 210 --to leaf
tr-report histogram leaf --from 222 s.tr
echo '# classes'
tr-report tma --from 100 --to 165 s.tr

echo '# a row that commits in the last cycle of the one before it'
tr-text --encode -o wide.tr << 'END'
header content=stacks
header commit_width=2
func f0 kind=function name=a
func f1 kind=function name=b
node n1 parent=n0 func=f0
node n2 parent=n0 func=f1
thread t0 name=x
srow n1 t0 cycles=10 instructions=20 fresh
srow n2 t0 cycles=0 instructions=1 fresh
srow n1 t0 cycles=10 instructions=10 fresh
end end=limit
END
for bounds in '--to 10' '--from 9 --to 11' '--from 10' '--to 9'; do
	echo "# $bounds"
	tr-fold --unit instructions -v $bounds wide.tr 2>&1
done

echo '# cut everywhere, in three'
for ((cut = 1; cut < 338; cut += 4)); do
	for unit in cycles instructions; do
		{
			tr-fold --unit $unit --to $cut s.tr
			tr-fold --unit $unit --from $cut --to $((cut + 3)) s.tr 2>/dev/null
			((cut + 3 >= 338)) || tr-fold --unit $unit --from $((cut + 3)) s.tr
		} | awk '{ n = $NF; sub(/ [0-9]+$/, ""); sum[$0] += n }
			END { for (i in sum) print i, sum[i] }' | sort | grep -v ' 0$' > parts
		tr-fold --unit $unit s.tr | sort | cmp - parts
	done
done

echo '# no such window'
for options in '--from 338' '--to 0' '--from 20 --to 20' '--from 20 --to 10' \
	'--from mian' '--to q:main' '--from main --to nothing_like_it' '--from 300 --to leaf' \
	'--from leaf --to 100' '--from 9x' '--to do_idle' '--from 18446744073709551615'; do
	window $options
done
tr-fold --from '' s.tr
echo "exit $?"
