# SPDX-License-Identifier: Apache-2.0
# FirePerf's table 3: the baseline and its accelerator for user copies.
END {
	head("Table 3: baseline, and fast copies " kind(fast))
	row("baseline, networked", "bytes-base", 1.67, 2.12)
	row("baseline, loopback", "loopback-bytes", "4.80", 3.01)
	row("fast copies, networked", fast "-base", 2.82, 3.21)
	row("fast copies, loopback", "loopback-" fast, 16.1, 24.9)
	order()
	placement("bytes-base")
}
