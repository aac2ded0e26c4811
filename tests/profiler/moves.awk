# SPDX-License-Identifier: Apache-2.0
# Where processes were when the injector came: awk -f moves.awk ENTRIES MOVES, from entries.sh and
# count-entries --moves. The injector makes a process do system calls; then it goes on where it
# was, or, if that is in replaced bytes, in the stub, outside of the program's code.
function hex(text,   i, value) {
	for (i = 3; i <= length(text); i++)
		value = value * 16 + index("0123456789abcdef", substr(text, i, 1)) - 1
	return value
}
FNR == 1 { file++ }
file == 1 { if ($1 == "code") { start = hex($2); end = start + hex($3) } next }
FNR == 1 { FS = ","; $0 = $0 }
{ from = hex($4); to = hex($5) }
from >= start && from < end && !(($1, $2) in seen) {
	seen[$1, $2]; processes++
	if (!($4 in places)) { places[$4]; distinct++ }
	within += (to < start || to >= end) && to < 2 ^ 32
}
END {
	printf "%d processes stopped, at %d places, %d of them within replaced bytes\n", processes, distinct, within
	exit !processes || within < least
}
