# SPDX-License-Identifier: Apache-2.0
# Each bad line of a stream of stacks is reported by its number.
try() {
	{ echo 'header content=stacks'; echo 'func f0 kind=function name=main'; echo 'node n1 parent=n0 func=f0'; echo 'thread t0 name=x'; printf '%s\n' "$@"; } > a.txt
	tr-text --encode -o a.tr a.txt
	[ $? = 2 ] || echo "taken: $*"
}
try 'srow n1 t0 cycles=1'
try 'srow n2 t0 cycles=1' end
try 'srow n1 t1 cycles=1' end
try 'srow n1 t0 cycles=1 stale' end
try 'srow n1 t0 cycles=1 classes=/1*2' end
try 'srow n1 t0 cycles=9 classes=1*2' end
try 'func f2 kind=function name=x' end
try 'func f1 kind=func name=x' end
try 'func f1 kind=function' end
try 'node n2 parent=n2 func=f0' end
try 'node n2 parent=n0 func=f1' end
try 'row b' end
try 'scontext process=1' end
try 'scontext priv=X' end
try 'scontext priv=U process=0x100000000' end
try 'hart 0 cycle=5' 'hart 0 cycle=6' end
try 'srow n1 t0 instructions=5' 'end instructions=6'
try end 'srow n1 t0 cycles=1'
try 'func f1 kind=function name="a;b"' end
try 'func f1 kind=function name=x binary="a\x0ab"' end
try 'thread t1 name="\x7f"' end
