# SPDX-License-Identifier: Apache-2.0
# From a matched stream as text (after hex.awk): each executed instruction at its address
# in its file, one per line: BINARY ADDRESS BITS.
$1 == "header" && $2 ~ /^bin\.[0-9]+\.name=/ {
	split($2, part, /[.=]/)
	name[part[2]] = substr($2, index($2, "=") + 1)
}
$1 == "block" {
	code[$2] = $0
	sub(/.*pc=[^ ]* /, "", code[$2])
}
$1 == "note" && $4 ~ /^bin=[0-9]+$/ {
	at = pad(substr($5, 9))
	n = split(code[$3], word, " ")
	for (i = 1; i <= n; i++) {
		print name[substr($4, 5)], at, word[i]
		at = add(at, length(word[i]) / 2)
	}
}
