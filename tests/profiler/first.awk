# SPDX-License-Identifier: Apache-2.0
# Fails if an instruction is not the first of a function with a near entry, and of one with a
# far entry:
#
#	first.awk LIST.CSV DISASSEMBLY
#
# Those that no entry can have are left out, and those that end a function.

NR == FNR { split($0, field, ","); if (field[4] ~ /^(near|far)$/) kind[field[1]] = field[4]; next }
/^[0-9a-f]+ <[a-z]+[0-9]*>:$/ { name = substr($2, 2, length($2) - 3); first = name in kind; next }
/^ *[0-9a-f]+:\t/ {
	split($0, part, "\t")
	insn = part[3]
	if (name in kind) all[insn] = 1
	if (first) seen[kind[name], insn] = 1
	first = 0
}
END {
	for (insn in all) {
		if (insn ~ /^(ecall|(c\.)?ebreak|(c\.)?jalr|c\.jr|\.2byte|sc\.d)$/) continue
		count++
		for (k = 1; k <= 2; k++) {
			entry = k == 1 ? "near" : "far"
			if ((entry, insn) in seen) continue
			print "first: no " entry " entry has " insn > "/dev/stderr"
			missing = 1
		}
	}
	print "first instructions: each of " count + 0
	exit missing || count < 180
}
