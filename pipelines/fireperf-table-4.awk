# SPDX-License-Identifier: Apache-2.0
# FirePerf's table 4: networked, one step added after the other; what was sent again, and
# Linux's own counters, which explain NAPI on one core (section 4.8).
function last_over_first(suffix,   a, b) {
	a = value["bytes-base" suffix, "gbits"]
	b = value[fast "-jumbo" suffix, "gbits"]
	return a == "" || b == "" ? "-" : sprintf("%.2f", b / a)
}
function counter(what, key,   i, run) {
	printf "  %-50s", what
	for (i = 1; i <= count; i++) {
		run = runs[i]
		printf " %8s", value[run, key] == "" ? "-" : value[run, key]
	}
	print ""
}
END {
	head("Table 4: networked, one step added after the other")
	row("baseline: Linux 6.1 with the byte loop", "bytes-base", 1.67, 2.12)
	row("+ fast copies " kind(fast), fast "-base", 2.82, 3.21)
	row("+ checksum offload", fast "-csum", 4.86, 4.24)
	row("+ interrupt mitigation (NAPI)", fast "-napi", 3.67, 6.73)
	row("+ jumbo frames", fast "-jumbo", 12.8, 17.5)
	printf "  %-50s %8s %8s %9s %8s %9s\n", "last over first", last_over_first(""), "", 7.7, last_over_first("-dual"), 8.3
	order()
	placement("bytes-base")
	if (value[fast "-napi-own-dual", "gbits"] != "") row("NAPI, interrupts where Linux leaves them: hart 0", fast "-napi-own", "-", "-")
	count = split("bytes-base " fast "-base " fast "-csum " fast "-napi " fast "-jumbo", runs, " ")
	printf "  %-50s", "One core, from the client's pcap:"
	for (i = 1; i <= count; i++) printf " %8s", substr(runs[i], index(runs[i], "-") + 1)
	print ""
	counter("segments with data", "segments")
	counter("sent again", "again")
	counter("acknowledgements with SACK (node 0)", "sacks")
	print "  Linux's counters:"
	counter("client: segments sent again (RetransSegs)", "1.Tcp.RetransSegs")
	counter("client: times out (TCPTimeouts)", "1.TcpExt.TCPTimeouts")
	counter("server: packets to IP, after GRO (InReceives)", "0.Ip.InReceives")
	counter("server: ACKs and data sent (OutSegs)", "0.Tcp.OutSegs")
	counter("server: dropped, backlog full (TCPBacklogDrop)", "0.TcpExt.TCPBacklogDrop")
	counter("server: dropped, buffer full (TCPRcvQDrop)", "0.TcpExt.TCPRcvQDrop")
	counter("server: receive buffer pruned (PruneCalled)", "0.TcpExt.PruneCalled")
}
