# SPDX-License-Identifier: Apache-2.0
# A window from where one trigger started tracing to where another stopped it, in the
# middle of the trace or at its end.
stream() {
	cat << 'END'
header content=stacks
func f0 kind=program name=p
func f1 kind=gap name=[untraced]
node n1 parent=n0 func=f0
node n2 parent=n0 func=f1
thread t0 name=p
hart 0 cycle=100
scontext priv=U process=0
srow n1 t0 cycles=1 instructions=1 fresh
scontext priv=U process=0 triggers=2
srow n2 t0 cycles=2 instructions=0
scontext priv=U process=0 triggers=1
srow n1 t0 cycles=4 instructions=4 fresh
scontext priv=M process=0
srow n1 t0 cycles=8 instructions=8
frame
hart 0
scontext priv=M process=0 triggers=2
srow n2 t0 cycles=16 instructions=0
scontext priv=M process=0 triggers=1
srow n1 t0 cycles=32 instructions=32 fresh
END
	echo "end end=$1"
}
stream limit | tr-text --encode -o s.tr
stream trigger | tr-text --encode -o ended.tr
try() {
	echo "# $*"
	tr-fold -v "$@" 2>&1
	echo "exit $?"
}
try --from trigger --to trigger s.tr
try --from trigger s.tr
try --to trigger s.tr
try --from 115 --to trigger s.tr
try --from 120 --to trigger s.tr
try --from 120 --to trigger ended.tr
try --from p --to trigger s.tr
stream limit | sed 's/ triggers=.//' | tr-text --encode -o s.tr
try --from trigger s.tr
