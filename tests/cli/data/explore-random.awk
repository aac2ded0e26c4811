# SPDX-License-Identifier: Apache-2.0
# A stream of stacks of two harts, as text: processes, threads that migrate, long and empty
# rows, recursion, calls, classes of `width` slots a cycle (0: no classes). The same for the
# same `seed`.
function random(n) {
	seed = (seed * 16807) % 2147483647
	return seed % n
}
function row(node, thread, most,    cycles, left, instructions, lost) {
	cycles = random(10) ? random(most) : 0
	left = cycles * (width ? width : 1)
	# At a width of 1 an instruction has a cycle of its row.
	instructions = cycles ? random(left + 1) : width == 1 ? 0 : random(2)
	left = left > instructions ? left - instructions : 0
	lost = random(left + 1)
	printf "srow n%d t%d cycles=%d instructions=%d%s%s\n", node, thread, cycles, instructions,
		width && lost ? " classes=/" 1 + random(3) "*" lost : "", random(3) ? "" : " fresh"
}
BEGIN {
	print "header content=stacks\nheader harts=2"
	if (width) print "header classes=memory.dram,memory.l2,branch"
	if (width > 1) print "header commit_width=" width
	print "func f0 kind=program binary=p name=p\nfunc f1 kind=program binary=q name=q"
	for (i = 2; i < 12; i++) print "func f" i " kind=function binary=" (i % 2 ? "p" : "k") " address=0x" i "0 name=f" i % 9
	print "node n1 parent=n0 func=f0\nnode n2 parent=n0 func=f1"
	for (i = 3; i < 60; i++) print "node n" i " parent=n" 1 + random(i - 1) " func=f" 2 + random(10)
	print "thread t0 tp=0x10 name=p\nthread t1 tp=0x20 name=q\nthread t2 tp=0x30 name=p"
	for (frame = 0; frame < 30; frame++) {
		if (frame) print "frame " frame
		for (hart = 0; hart < 2; hart++) {
			print "hart " hart (frame ? "" : " cycle=0")
			for (i = 0; i < 40; i++) {
				thread = random(3)
				print "scontext priv=" (random(2) ? "U" : "S") " process=" (thread == 1 ? 0 : 1 + random(4))
				row(1 + random(59), thread, hart ? 90 : 120)
			}
			if (hart && frame % 10 == 5) row(1, 0, 4000)
		}
	}
	print "end end=power-off"
}
