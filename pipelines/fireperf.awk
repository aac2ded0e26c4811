# SPDX-License-Identifier: Apache-2.0
# Prints a table of FirePerf's case study beside the published one: -v table=1, 4 or 5.
FNR == 1 { n = split(FILENAME, part, "/"); run = part[n - 1] }
{ value[run, $1] = $2 }
function gbits(run) { return value[run, "gbits"] == "" ? "-" : sprintf("%.2f", value[run, "gbits"]) }
function row(what, run, paper) {
	printf "  %-52s %9s %9s   %s\n", what, gbits(run), value[run, "console"] == "" ? "-" : sprintf("%.2f", value[run, "console"]), paper
}
function head(title) { printf "%s\n  %-52s %9s %9s   %s\n", title, "Gbit/s, one hart at 3.2 GHz", "steady", "iperf3", "FirePerf, one core" }
END {
	if (table == 1) {
		head("Table 1: slow user copies")
		row("Linux 5.10, networked", "5.10-base", "1.58 (Linux 4.15)")
		row("Linux 5.10, loopback", "loopback-5.10", "1.54 (Linux 4.15)")
		row("Linux 6.1 with the byte loop of 5.10, networked", "bytes-base", "1.67 (Linux 5.3)")
		row("Linux 6.1 with the byte loop of 5.10, loopback", "loopback-bytes", "4.80 (Linux 5.3)")
	} else if (table == 4) {
		head("Table 4: networked, one step added after the other")
		row("baseline: Linux 6.1 with the byte loop", "bytes-base", "1.67")
		row("+ copies by shifted words, in software", "shift-base", "2.82 (by its accelerator)")
		row("+ checksum offload", "shift-csum", "4.86")
		row("+ interrupt mitigation (NAPI)", "shift-napi", "3.67")
		row("+ jumbo frames", "shift-jumbo", "12.8")
		printf "  %-52s %9.2f %9s   %s\n", "last over first", value["shift-jumbo", "gbits"] / value["bytes-base", "gbits"], "", "7.7"
		printf "  %-52s", "frames sent again"
		for (i = split("bytes-base shift-base shift-csum shift-napi shift-jumbo", runs, " "); i > 0; i--)
			again = sprintf(" %d", value[runs[i], "again"]) again
		print again
	} else {
		printf "Figure 5: requests to send in the queue while there are any\n  %-52s %9s %14s %14s\n", "", "mean", "cycles with any", "with one"
		for (i = 1; i <= split("bytes-base shift-csum shift-napi shift-jumbo", runs, " "); i++)
			printf "  %-52s %9.2f %14d %14d\n", runs[i], value[runs[i], "occupancy"], value[runs[i], "occupied"], value[runs[i], "one"]
	}
}
