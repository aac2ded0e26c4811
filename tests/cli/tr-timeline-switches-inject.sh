# SPDX-License-Identifier: Apache-2.0
# A signal, and a system call that was injected, are the program's: a switch above one begins
# with the function that was called there. One above a trap is the trap, whose frame takes all
# of its cycles.
for name in '[signal]' '[inject]' '[timer interrupt]' '[ecall]'; do
	tr-text --encode -o s.tr <<- END
		header content=stacks
		func f0 kind=program binary=p name=p
		func f1 kind=function address=0x10 binary=p name=main
		func f2 kind=trap name="$name"
		func f3 kind=function address=0x20 binary=p name=yield
		func f4 kind=function address=0x30 binary=p name=other
		node n1 parent=n0 func=f0
		node n2 parent=n1 func=f1
		node n3 parent=n2 func=f2
		node n4 parent=n3 func=f3
		node n5 parent=n1 func=f4
		node n6 parent=n5 func=f3
		thread t0 name=""
		thread t1 name=a
		thread t2 name=b
		hart 0
		srow n5 t2 cycles=100 instructions=1 fresh
		srow n6 t2 cycles=10 instructions=1 fresh
		srow n2 t1 cycles=1000 instructions=1 fresh
		srow n3 t1 cycles=3 instructions=1 fresh
		srow n4 t1 cycles=20 instructions=1 fresh
		srow n6 t2 cycles=5 instructions=1
		srow n5 t2 cycles=100 instructions=1
		end end=power-off
	END
	echo "# $name"
	tr-timeline --table switches s.tr
done
