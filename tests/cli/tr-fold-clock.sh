# SPDX-License-Identifier: Apache-2.0
# The clock frequency comes from --clock or the header, and from nowhere else.
stream() { # HEADER...
	printf 'header %s\n' content=stacks "$@"
	cat << 'END'
func f0 kind=program name=p
func f1 kind=function address=0x10 binary=p name=main
node n1 parent=n0 func=f0
node n2 parent=n1 func=f1
thread t0 name=p
srow n1 t0 cycles=1000 instructions=1
srow n2 t0 cycles=2000000 instructions=1
end end=limit
END
}
show() { # OPTION...
	tr-fold --svg s.svg "$@" s.tr > /dev/null
	grep -oP 'cycles at [^<"]*(?=<)' s.svg || echo 'no time'
}
stream precision=cycles | tr-text --encode -o s.tr
show
show --clock 50M
stream precision=cycles clock_hz=3200000000 | tr-text --encode -o s.tr
show
show --clock 100000k
show --clock 0
stream precision=instructions | tr-text --encode -o s.tr
show --clock 50M
tr-fold --clock 1.5G s.tr
tr-fold --clock fast s.tr
