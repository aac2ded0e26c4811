# SPDX-License-Identifier: Apache-2.0
# A handler that returns behind the instruction that trapped, as one that emulates
# instructions does each time, is a handler, also if the source tells no traps. One that
# returns elsewhere is none.
run() { # BYTES: to skip
	awk -v skip="$1" '
	function put(pc, bits) { printf "core   0: 3 0x%016x (0x%s)\n", 2147483648 + pc, bits }
	BEGIN {
		for (i = 0; i < 100; i++) {
			put(0, "00000013") # the instruction at 4 traps
			put(512, "34011073"); put(516, "30200073")
			if (skip == 4) put(8, "ff9ff06f") # j 0
			else if (skip == 2) { put(6, "0001"); put(8, "ff9ff06f") }
			else { put(16, "00000013"); put(20, "fedff06f") }
		}
	}'
}
for skip in 2 4 12; do
	run $skip > $skip.log
	status=0
	tr-capture -o a.tr $skip.log || status=$?
	echo "$skip: status $status"
done
