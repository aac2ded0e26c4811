# SPDX-License-Identifier: Apache-2.0
# --focus, --hide, --hide-helpers and --merge-recursion: in folded text the same as a
# change of its lines; calls and durations in tables; classes, counters and windows.
tr-text --encode -o s.tr "$SRC/tests/cli/data/machine.txt"
tr-text --encode -o r.tr << 'END'
header content=stacks
header classes=memory.dram,idle.wfi
func f0 kind=program binary=p name=p
func f1 kind=function binary=p name=main
func f2 kind=function binary=p name=walk
func f3 kind=function binary=p name=step
func f4 kind=function binary=p name=__riscv_save_4
func f5 kind=function binary=p name="leaf(int)"
func f6 kind=line binary=p name="p.c:7"
func f7 kind=inlined binary=p name="add (inlined)"
func f8 kind=trap name="[timer interrupt]"
func f9 kind=function binary=k name=walk
func f10 kind=gap name=[lost]
node n1 parent=n0 func=f0
node n2 parent=n1 func=f1
node n3 parent=n2 func=f2
node n4 parent=n3 func=f2
node n5 parent=n4 func=f2
node n6 parent=n5 func=f3
node n7 parent=n6 func=f2
node n8 parent=n7 func=f4
node n9 parent=n8 func=f5
node n10 parent=n9 func=f6
node n11 parent=n9 func=f7
node n12 parent=n5 func=f8
node n13 parent=n12 func=f9
node n14 parent=n13 func=f9
node n15 parent=n2 func=f4
node n16 parent=n15 func=f5
node n17 parent=n0 func=f10
thread t0 tp=0x1 name=p
hart 0 cycle=0
scontext process=1 priv=U
srow n2 t0 cycles=1 instructions=1 fresh
srow n3 t0 cycles=20 instructions=10 classes=/1*10 fresh
srow n4 t0 cycles=100 instructions=100 fresh
srow n4 t0 cycles=200 instructions=200 fresh
srow n5 t0 cycles=4000 instructions=4000 fresh
srow n6 t0 cycles=50000 instructions=50000 fresh
srow n7 t0 cycles=600000 instructions=600000 fresh
srow n8 t0 cycles=7000000 instructions=7000000 fresh
srow n9 t0 cycles=1 instructions=1 fresh
srow n10 t0 cycles=2 instructions=2
srow n11 t0 cycles=3 instructions=3
srow n9 t0 cycles=4 instructions=4
srow n5 t0 cycles=5 instructions=5
scontext process=1 priv=S
srow n13 t0 cycles=70 instructions=70 fresh
srow n14 t0 cycles=800 instructions=800 fresh
srow n13 t0 cycles=6 instructions=6
scontext process=1 priv=U
srow n5 t0 cycles=7 instructions=7
srow n3 t0 cycles=8 instructions=8
srow n2 t0 cycles=9 instructions=9
srow n15 t0 cycles=5 instructions=5 fresh
srow n15 t0 cycles=6 instructions=6 fresh
srow n16 t0 cycles=12 instructions=12 fresh
srow n2 t0 cycles=13 instructions=13
srow n3 t0 cycles=14 instructions=14 fresh
srow n2 t0 cycles=15 instructions=15
srow n17 t0 cycles=100 instructions=0
end end=power-off
END
tr-fold r.tr

# edit SCRIPT: changes the frames f[1..n] of each line, then sums the lines.
edit() {
	awk '{
		count = $NF; sub(/ [0-9]*$/, ""); n = split($0, f, ";")
		'"$1"'
		line = f[1]
		for (i = 2; i <= n; i++) if (f[i] != "") line = line ";" f[i]
		sum[line] += count
	} END { for (line in sum) print line, sum[line] }' | LC_ALL=C sort
}
check() { # NAME SCRIPT OPTION...: on both streams
	for stream in r s; do
		tr-fold "${@:3}" $stream.tr > got 2> message
		tr-fold $stream.tr | edit "$2" | diff - got > /dev/null ||
			{ echo "$1: differs on $stream"; diff <(tr-fold $stream.tr | edit "$2") got; }
		sed "s/^/$1: /" message
	done
}
check walk 'for (i = 2; i <= n; i++) if (f[i] ~ /^walk$/) f[i] = ""' --hide '^walk$'
check two 'for (i = 2; i <= n; i++) if (f[i] ~ /^sys_|leaf|main|^p\.c/) f[i] = ""' --hide '^sys_' \
	--hide 'leaf|main'
check classes 'for (i = 2; i <= n; i++) if (f[i] ~ /^[[:alpha:]_]+$/) f[i] = ""' \
	--hide '^[[:alpha:]_]+$'
check traps 'for (i = 2; i <= n; i++) if (f[i] ~ /^\[/) f[i] = ""' --hide '^\['
check helpers 'for (i = 2; i <= n; i++) if (f[i] ~ /^__riscv_save_[0-9]+$/) f[i] = ""' \
	--hide-helpers
check recursion 'last = f[1]
	for (i = 2; i <= n; i++) if (f[i] == last) f[i] = ""; else last = f[i]' --merge-recursion
check both 'last = f[1]; for (i = 2; i <= n; i++) if (f[i] == "step" || f[i] == last) f[i] = ""
	else last = f[i]' --merge-recursion --hide '^step$'
check focus 'if (!/leaf/ && !/^\[(reset|lost)/) { n = 1; f[1] = "[out of focus]" }' --focus leaf
check ends 'if (!/;main(;|$)/ && !/^\[(reset|lost)/) { n = 1; f[1] = "[out of focus]" }' \
	--focus '^main$'
check hidden 'if (!/;walk(;|$)/ && !/;sys_write(;|$)/ && !/^\[(reset|lost)/) {
	n = 1; f[1] = "[out of focus]" }
	for (i = 2; i <= n; i++) if (f[i] ~ /^(walk|sys_write)$/) f[i] = ""' \
	--focus '^(walk|sys_write)$' --hide '^(walk|sys_write)$'

echo '# tables: calls and durations of outer frames'
tr-report functions --merge-recursion r.tr
tr-report functions --hide-helpers --hide '^walk$' r.tr
tr-report functions --focus 'leaf.int.' --by privilege r.tr
tr-report tma --focus '^step$' --hide-helpers r.tr
tr-report histogram walk --hide '^walk$' r.tr
tr-fold --from walk --to walk --hide 'walk|main' -v r.tr
tr-fold --by process --idle --focus leaf s.tr
tr-fold --fold fw --hide '^fw$' s.tr
tr-fold --format csv --hide-helpers --merge-recursion --focus leaf r.tr
tr-text --encode -o c.tr "$SRC/tests/cli/data/fold-counters.txt"
tr-fold --unit miss --focus work c.tr
tr-fold --unit miss -v c.tr > /dev/null
tr-fold --unit miss --hide . -v c.tr
tr-fold --unit miss --focus main -v c.tr > /dev/null
tr-fold --unit miss --focus ecall -v c.tr > /dev/null
tr-fold --svg r.svg --focus '^step$' --hide-helpers r.tr > /dev/null
grep -o '"\[out of focus\]"' r.svg | head -1
grep -c __riscv_save r.svg
echo '# a hidden function does not tell the privilege of its caller'
tr-text --encode << 'END' | tr-report functions --by privilege --hide '^\[' --hide '^entry$'
header content=stacks
func f0 kind=program binary=p name=p
func f1 kind=trap name=[interrupt]
func f2 kind=function binary=k name=entry
func f3 kind=function binary=p name=main
node n1 parent=n0 func=f0
node n2 parent=n1 func=f3
node n3 parent=n2 func=f1
node n4 parent=n3 func=f2
thread t0 name=p
hart 0 cycle=0
scontext process=1 priv=S
srow n4 t0 cycles=10 instructions=10 fresh
scontext process=1 priv=U
srow n2 t0 cycles=2 instructions=2
end end=limit
END
echo '# untraced time on top of a frame is not hidden'
tr-text --encode << 'END' | tr-fold --hide '^\['
header content=stacks
func f0 kind=program binary=p name=p
func f1 kind=trap name=[ecall]
func f2 kind=gap name=[gap]
node n1 parent=n0 func=f0
node n2 parent=n1 func=f1
node n3 parent=n2 func=f2
thread t0 name=p
srow n1 t0 cycles=1 instructions=1 fresh
srow n3 t0 cycles=2 instructions=0
end end=limit
END
echo '# trouble'
try() {
	tr-fold "$@"
	echo "exit $?"
}
try --focus '(' r.tr
try --hide 'a[' r.tr
try --hide '' r.tr
try --focus nothing r.tr
try --focus 'out of focus' r.tr
try --hide nothing r.tr | tail -1
try --hide-helpers s.tr | tail -1
try $(printf -- '--hide x%.0s ' {1..65}) r.tr
try $(printf -- '--focus x%.0s ' {1..65}) r.tr
