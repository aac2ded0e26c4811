# SPDX-License-Identifier: Apache-2.0
# Divides the frame of a trace, as text, into FRAMES ones of all harts.
/^hart / { hart = $2; head[hart] = $0; next }
/^end / { ending = 1 }
hart == "" && !ending { print; next }
!ending { line[hart, n[hart]++] = $0; next }
ending && !done {
	done = 1
	for (f = 0; f < FRAMES; f++) {
		if (f) print "frame " f " generation=0"
		for (h = 0; h in head; h++) {
			print f ? "hart " h : head[h]
			for (i = int(n[h] * f / FRAMES); i < int(n[h] * (f + 1) / FRAMES); i++)
				print line[h, i]
		}
	}
}
{ print }
