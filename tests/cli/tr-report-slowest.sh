# SPDX-License-Identifier: Apache-2.0
# The slowest calls of a function: their order, more calls than are kept, cycles in which
# the thread did not run, calls outside a window and calls that do not end.
stream() {
	cat << 'END'
header content=stacks
header precision=cycles
func f0 kind=program binary=p name=p
func f1 kind=function address=0x10 binary=p name=work
func f2 kind=function address=0x20 binary=p name=rare
node n1 parent=n0 func=f0
node n2 parent=n1 func=f1
node n3 parent=n1 func=f2
node n4 parent=n3 func=f2
thread t0 tp=0x1 satp=0x0 name=p
thread t1 tp=0x2 satp=0x0 name=q
END
	for ((i = 0; i < 40; i++)); do
		echo "srow n2 t0 cycles=$((100 + i * 7 % 40)) instructions=1 fresh"
		echo 'srow n1 t0 cycles=1 instructions=1'
	done
	cat << 'END'
srow n3 t0 cycles=5 instructions=9 fresh
srow n1 t1 cycles=1000 instructions=1
srow n3 t0 cycles=5 instructions=1
srow n4 t0 cycles=3 instructions=1 fresh
srow n3 t0 cycles=1 instructions=1
srow n1 t0 cycles=1 instructions=1
srow n3 t1 cycles=13 instructions=2 fresh
srow n1 t1 cycles=1 instructions=1
srow n3 t0 cycles=50 instructions=1 fresh
frame
end end=power-off
END
}
stream | tr-text --encode -o a.tr
tr-report slowest work a.tr
tr-report slowest rare a.tr
tr-report slowest rare --unit instructions a.tr
tr-report slowest work --from 200 --to 600 a.tr
tr-report slowest rare --format csv a.tr
tr-report slowest rare --format json -v a.tr
# Of equally slow calls the first are listed, also when there are too many.
{
	stream | sed '/^srow/d; /^frame/,$d'
	for ((i = 0; i < 25; i++)); do
		printf 'srow n2 t0 cycles=7 instructions=1 fresh\nsrow n1 t0 cycles=1 instructions=1\n'
	done
	printf 'frame\nend end=power-off\n'
} | tr-text --encode -o ties.tr
tr-report slowest work ties.tr | sed -n '3,4p;22p'
tr-report slowest absent a.tr
tr-report slowest rare --format folded a.tr
tr-report slowest rare a.tr > /dev/full
