# SPDX-License-Identifier: Apache-2.0
# FirePerf's table 1: two kernels with slow user copies. 5.10 stands for 4.15, and 6.1 with
# 5.10's byte loop for 5.3.
END {
	head("Table 1: slow user copies")
	row("Linux 5.10 (4.15), networked", "5.10-base", 1.58, 1.74)
	row("Linux 5.10 (4.15), loopback", "loopback-5.10", 1.54, 2.95)
	row("Linux 6.1 with 5.10's byte loop (5.3), networked", "bytes-base", 1.67, 2.12)
	row("Linux 6.1 with 5.10's byte loop (5.3), loopback", "loopback-bytes", "4.80", 3.01)
	order()
	placement("bytes-base")
}
