# SPDX-License-Identifier: Apache-2.0
# Prints stacks of three threads in turn with a hundred thousand marks: regions, one in the other,
# some of them without an end, ends of none, and points.
BEGIN {
	print "header content=stacks\nfunc f0 kind=function binary=demo address=0x10 name=main\nnode n1 parent=n0 func=f0"
	for (t = 0; t < 3; t++) print "thread t" t " tp=0x" t + 1 " name=demo"
	seed = 7
	for (i = 0; i < 100000; i++) {
		if (i % 10000 == 0) { if (i) print "frame"; print "hart 0" (i ? "" : " cycle=0") "\nscontext priv=U process=1" }
		seed = seed * 16807 % 2147483647
		t = int(i / 1000) % 3
		kind = seed % 5 == 0 ? "1:\"point\"" : depth[t] > 4 || (depth[t] && seed % 2) ? "3:\"end\"" : "2:\"begin\""
		if (kind ~ /begin/) { name[t, depth[t]++] = "r" seed % 7; which = name[t, depth[t] - 1] }
		else if (kind ~ /end/) which = seed % 97 ? name[t, --depth[t]] : "r0"
		else which = "p" seed % 3
		n = 1 + seed % 40
		print "srow n1 t" t " cycles=" n " instructions=" n
		cycle += n
		print "probe mark cycle=" cycle " | name=string:\"" which "\" kind=enum:" kind " number=1"
	}
	print "end end=power-off"
}
