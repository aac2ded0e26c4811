# SPDX-License-Identifier: Apache-2.0
# Counts instructions by function: first the output of nm -n, then, as `folded=1`, folded
# stacks, as `rvfi=1`, addresses, or QEMU's log of -singlestep -d exec,nochain,int. Prints address and count of each
# function, so that functions with several names are the same.

function value(hex, i, sum) {
	for (i = sum = 0; i++ < length(hex);)
		sum = sum * 16 + index("0123456789abcdef", substr(hex, i, 1)) - 1
	return sum
}

FNR == NR {
	if ($2 ~ /^[tT]$/) {
		if ($1 != starts[n]) starts[++n] = $1
		address[$3] = $1
		sub(/\..*/, "", $3) # clones of functions, such as checksum.constprop.0
		address[$3] = $1
	}
	next
}
folded {
	count = $NF
	sub(/ [0-9]+$/, "")
	sub(/.*;/, "")
	if ($0 in address) sums[address[$0]] += count
	next
}
/^Trace/ || rvfi {
	split($0, part, "/")
	pc = rvfi ? $1 : part[2]
	if (!(pc in found)) {
		found[pc] = ""
		for (i = 1; i <= n && value(starts[i]) <= value(pc); i++) found[pc] = starts[i]
	}
	if (found[pc] != "") sums[found[pc]]++
}
# An instruction that traps is not counted.
/^riscv_cpu_do_interrupt/ && match($0, /epc:0x[0-9a-f]+/) {
	pc = substr($0, RSTART + 6, RLENGTH - 6)
	for (i = 1; i <= n && value(starts[i]) <= value(pc); i++) function_of = starts[i]
	sums[function_of]--
}
END { for (start in sums) print start, sums[start] | "LC_ALL=C sort" }
