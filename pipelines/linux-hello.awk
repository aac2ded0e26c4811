# SPDX-License-Identifier: Apache-2.0
# hello_world on Linux, from a table by process: foo and printf beside the paper's values.
# Columns: calls, self, self %, total, total %, min, median, max, away, instructions, IPC, process,
# binary, function.
$13 == "hello_world" && $NF == "foo" { foo_min = $6; foo_max = $8; seen++ }
$13 == "hello_world" && $NF == "printf" { printf_min = $6; printf_median = $7; printf_max = $8; seen++ }
END {
	if (seen != 2) {
		print "hello_world: foo or printf is not in the table" > "/dev/stderr"
		exit 1
	}
	printf "hello_world on Linux (userspace paper, figure 7), cycles per call, kernel included\n"
	printf "  %-12s %24s   %s\n", "", "measured", "paper"
	printf "  %-12s %24s   %s\n", "foo, 10^0", foo_min, "O(10^1)"
	printf "  %-12s %24s   %s\n", "foo, 10^5", foo_max, "O(10^6)"
	printf "  %-12s %24s   %s\n", "printf", printf_min " to " printf_max, "O(10^4) to O(10^5)"
}
