# SPDX-License-Identifier: Apache-2.0
# Durations of calls: two modes 30 % apart with an empty bucket between them, recursion,
# functions of the same name, calls that do not end.
stream() {
	cat << 'END'
header content=stacks
header clock_hz=3200000000
header precision=cycles
func f0 kind=program binary=p name=p
func f1 kind=function address=0x10 binary=p name="copy<a, b>"
func f2 kind=function address=0x20 binary=p name=again
func f3 kind=function address=0x30 binary=p name=again
func f4 kind=function address=0x30 binary=q name=again
node n1 parent=n0 func=f0
node n2 parent=n1 func=f1
node n3 parent=n1 func=f2
node n4 parent=n3 func=f2
node n5 parent=n1 func=f3
node n6 parent=n1 func=f4
thread t0 tp=0x1 satp=0x0 name=p
END
	for ((i = 0; i < 40; i++)); do
		echo "srow n2 t0 cycles=$((1000 + i)) instructions=1 fresh"
		echo 'srow n1 t0 cycles=1 instructions=1'
		echo "srow n2 t0 cycles=$((1300 + i)) instructions=2 fresh"
		echo 'srow n1 t0 cycles=1 instructions=1'
	done
	cat << 'END'
srow n2 t0 cycles=70000 instructions=1 fresh
srow n3 t0 cycles=1 instructions=1 fresh
srow n4 t0 cycles=2 instructions=1 fresh
srow n4 t0 cycles=4 instructions=1 fresh
srow n3 t0 cycles=8 instructions=1
srow n5 t0 cycles=16 instructions=1 fresh
srow n6 t0 cycles=32 instructions=1 fresh
end end=limit
END
}
stream | tr-text --encode -o s.tr
tr-report histogram 'copy<a, b>' --svg s.svg -v s.tr
tr-report histogram 'copy<a, b>' --unit instructions s.tr
tr-report histogram again s.tr
tr-report histogram q:again -o out --svg open.svg s.tr
cat out
tr-report histogram p s.tr
sed '/^<script/,/script>$/d' s.svg | grep -v '^\.\|^text\|axis'
sed -n 's/.*class="grid".* y="\(.*\)" .*>\(.*\)<.*/tick \2 at \1/p' s.svg
grep -c '<rect class="bar"' s.svg open.svg

echo '# not to be had'
try() {
	tr-report histogram "$@"
	echo "exit $?"
}
try agian s.tr
try nothing_like_it s.tr
try p --svg x -o x s.tr
try p -o /dev/full s.tr
try p --svg /dev/full s.tr > /dev/null
