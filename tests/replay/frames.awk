# SPDX-License-Identifier: Apache-2.0
# Divides the frame of a trace, as text, into FRAMES ones of all harts. Events inside a row
# stand before it, and stay with it.
function first(h, f,  i) {
	i = int(n[h] * f / FRAMES)
	while (i > 0 && i < n[h] && line[h, i - 1] !~ /^row/) i++
	return i
}
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
			for (i = first(h, f); i < first(h, f + 1); i++)
				print line[h, i]
		}
	}
}
{ print }
