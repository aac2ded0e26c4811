# SPDX-License-Identifier: Apache-2.0
# FirePerf's table 2: loopback, with user copies of different speed.
END {
	head("Table 2: loopback")
	row("baseline: Linux 6.1 with the byte loop", "loopback-bytes", "4.80", "-")
	row("baseline, both sides under strace", "loopback-traced", 5.43, "-")
	row("copies by shifted words: Linux 6.1", "loopback-shift", 6.36, "-")
	row("copies by the copy unit", "loopback-copy", 16.1, "-")
	order()
}
