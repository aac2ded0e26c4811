# SPDX-License-Identifier: Apache-2.0
# The functions of one binary whose code ran, as lines "func BINARY ADDRESS SIZE NAME"; a
# function without a size extends to the next. Files: tr-text of a stream from tr-unwind,
# for the names that it prefers, unless they have blanks, as those of C++; nm -nS of the
# binary; sorted lines "code …". Names are made unique, as the assembler requires. After
# hex.awk; variable: binary.
FNR == 1 { file++ }
file == 1 && $1 == "func" && $3 == "kind=function" && $5 == "binary=\"" binary "\"" && $6 ~ /^name=".*"$/ {
	preferred[pad(substr($4, 9))] = substr($6, 7, length($6) - 7)
}
file == 2 {
	sized = NF == 4
	if (NF < 3 || $(NF - 1) !~ /[tTwWi]/ || $NF ~ /^[$.]/ || $1 "" == address[n] "" || (!sized && $1 "" < covered ""))
		next
	address[++n] = $1
	size[n] = sized ? low("00000000" substr($2, 9)) : 0
	name[n] = $1 in preferred ? preferred[$1] : $NF
	if (sized)
		covered = add($1, size[n])
}
file == 3 && $2 == binary {
	end = add($3, 0)
	for (i = 4; i <= NF; i++)
		end = add(end, length($i) / 2)
	while (at < n && address[at + 1] "" <= $3 "")
		at++
	for (; at < n && address[at] "" < end ""; at++)
		if (at && !(at in done)) {
			unique = name[at] (used[name[at]]++ ? "." used[name[at]] : "")
			print "func", binary, address[at], \
				size[at] ? size[at] : low(address[at + 1]) - low(address[at]), unique
			done[at] = 1
		}
	at--
}
