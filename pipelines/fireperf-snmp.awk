# SPDX-License-Identifier: Apache-2.0
# Reads the consoles of nodes 0 and 1: the counters of /proc/net/snmp and /proc/net/netstat,
# as lines such as "1.Tcp.RetransSegs 0". Each pair of lines has names, then values.
FNR == 1 { node = file++; names = "" }
/^(Ip|Tcp|TcpExt): / {
	sub(/\r$/, "")
	if (names == $1) {
		group = substr($1, 1, length($1) - 1)
		for (i = 2; i <= NF; i++) print node "." group "." name[i], $i
		found[node]++
		names = ""
		next
	}
	names = $1
	for (i = 2; i <= NF; i++) name[i] = $i
}
END {
	if (found[0] < 3 || found[1] < 3) {
		print "fireperf: a node printed no counters" > "/dev/stderr"
		exit 1
	}
}
