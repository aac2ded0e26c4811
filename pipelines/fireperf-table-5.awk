# SPDX-License-Identifier: Apache-2.0
# The counterpart of FirePerf's table 5, a commercial board and a PC: another configuration
# of our hardware. The board's clock is 1 GHz, so a run's rates are divided by 3.2.
function mbits(run) { return value[run, "gbits"] == "" ? "-" : sprintf("%.0f", value[run, "gbits"] * 1000 / 3.2) }
function line(role, mtu, slow, quick, speedup,   a, b) {
	a = mbits("bytes-" mtu "-" role)
	b = mbits("shift-" mtu "-" role)
	printf "  %-50s %8s %8s %9s   %s\n", "board is the " role ", MTU " mtu, a, b, \
		a == "-" || b == "-" ? "-" : sprintf("%.2f", b / a), slow " " quick " " speedup
	note("slow copies", role " " mtu, a, slow)
	note("fast copies", role " " mtu, b, quick)
}
END {
	print "Table 5: not a commercial board, but another configuration of our hardware. The board: the same core and"
	print "L1 (16 KiB) at 1 GHz, L2 (1 MiB) after 14 cycles, DRAM after 60 more, a link of 1 Gbit/s (frames without"
	print "preamble and gap), checksums in the NIC, NAPI, the MTU given. Its peer: L2 and DRAM after 1 cycle each, and"
	print "fast copies. Timers of Linux count 3.2 GHz."
	printf "  %-50s %8s %8s %9s   %s\n", "Mbit/s in the steady state", "bytes", "shift", "speed-up", "FirePerf (HiFive, PC)"
	line("server", 1500, 572, 935, 1.63)
	line("server", 3000, 553, 771, 1.39)
	line("client", 1500, 719, 739, 1.03)
	line("client", 3000, 483, 829, 1.72)
	order()
}
