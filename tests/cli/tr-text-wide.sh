# SPDX-License-Identifier: Apache-2.0
# A frame of stacks is ended before its definitions or rows exceed a chunk; other harts
# and their contexts go on.
wide() {
	awk 'BEGIN {
		long = sprintf("%900s", ""); gsub(/ /, "x", long)
		print "header content=stacks\nheader harts=2"
		for (i = 0; i < 40000; i++)
			print "func f" i " kind=function address=0 binary=b name=f" i long
		print "thread t0 tp=0 satp=0 name=t"
		for (i = 0; i < 2; i++) {
			print "node n" i + 1 " parent=n0 func=f" 39998 + i
			print "hart " i "\nsrow n" i + 1 " t0 cycles=" 5 + i " instructions=4"
		}
		for (i = 0; i < 3000000; i++)
			print "srow n2 t0 cycles=3000000000 instructions=2000000000"
		print "end"
	}'
}
wide | tr-text --encode -o wide.tr
tr-fold wide.tr | sed 's/xx*//g'
tr-info wide.tr | awk '$1 == "functions" || $1 == "rows" || $1 == "cycles" || $1 == "frames"'
