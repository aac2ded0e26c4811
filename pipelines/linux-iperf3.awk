# SPDX-License-Identifier: Apache-2.0
# iperf3 over loopback: its own console (first file) and the table by process (second),
# beside the papers. One hart runs both sides, so the throughput it can sustain is bytes
# over the cycles of the client's sending and the server's receiving.
# Columns: calls, self, self %, total, total %, min, median, max, away, instructions, IPC, process,
# binary, function.
FNR == 1 { file++ }
file == 1 && /(sender|receiver)/ {
	line = sprintf("  %-44s %10s %s\n", "iperf3 reports, " $NF, $7, $8)
	if (!seen[line]++)
		own = own line
	if ($NF ~ /receiver/) bytes = $5 * ($6 == "KBytes" ? 1024 : $6 == "MBytes" ? 1048576 : 0)
}
file == 2 && $NF == "iperf_tcp_send" && $4 > send { send = $4 }
file == 2 && $NF == "iperf_tcp_recv" && $4 > receive { receive = $4 }
file == 2 && $NF == "iperf_run_server" { server = $12; run = $4 }
file == 2 && $NF == "Nread" { nread[$12] = $4 }
file == 2 && $NF == "read" && $13 == "iperf3" { read_[$12] = $4 }
file == 2 && $NF ~ /^__asm_copy_(to|from)_user$/ { copy += $2 }
file == 2 && $NF == "arch_cpu_idle" { idle += $2 }
file == 2 && $2 ~ /^[0-9]+$/ { all += $2 }
function row(what, value, paper) { printf "  %-44s %10s   %s\n", what, value, paper }
END {
	if (!run || !send || !receive || !bytes) {
		print "iperf3: the run did not transfer anything" > "/dev/stderr"
		exit 1
	}
	printf "iperf3 over loopback, one hart at 3.2 GHz: measured, and the papers\n%s", own
	row("Gbit/s over the cycles of both sides", sprintf("%.2f", bytes * 8 / ((send + receive) / 3.2e9) / 1e9), \
		"4.80 (FirePerf, table 1, Linux 5.3); 6.36 with the copy fixed (table 2)")
	row("copies from and to user, of busy cycles", sprintf("%.1f %%", 100 * copy / (all - idle)), \
		"most (FirePerf, figure 2)")
	row("Nread, of iperf_run_server", sprintf("%.1f %%", 100 * nread[server] / run), "96 % (two nodes; userspace, figure 10)")
	row("read, of iperf_run_server", sprintf("%.1f %%", 100 * read_[server] / run), "52 % (libc_read)")
}
