# SPDX-License-Identifier: Apache-2.0
# How busy the harts of a machine of two are, what the program does, and which of them the
# interface interrupts: why two cores are as fast as they are. Files: the console with
# /proc/interrupts; folded stacks by hart with [idle]. Variable: title.
FNR == 1 { file++ }
file == 1 {
	sub(/\r$/, "")
	if ($1 ~ /^[0-9]+:$/ && $NF == "eth0") for (h = 0; h < 2; h++) taken[h] += $(h + 2)
	next
}
{
	cycles = $NF
	sub(/ [0-9]+$/, "")
	n = split($0, frame, ";")
	hart = frame[1]
	all[hart] += cycles
	for (i = 2; i <= n && i <= 3; i++) if (frame[i] == "[idle]") idle[hart] += cycles
	if (frame[2] == "iperf3") iperf[hart] += cycles
}
END {
	printf "  %-36s", title
	for (h = 0; h < 2; h++) {
		hart = "hart " h
		if (!all[hart] || !(taken[0] + taken[1])) {
			print "fireperf: " title ": no " (all[hart] ? "interrupts" : hart) > "/dev/stderr"
			exit 1
		}
		printf " %6.1f %% ( %5.1f %%) %9d", 100 * (1 - idle[hart] / all[hart]), 100 * iperf[hart] / all[hart], taken[h]
	}
	print ""
}
