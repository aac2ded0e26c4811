# SPDX-License-Identifier: Apache-2.0
# How busy the harts of a machine of two are, from folded stacks by hart with [idle], and what
# the program does: why two cores are as fast as they are. Variable: title.
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
		if (!all[hart]) {
			print "fireperf: " title ": no " hart > "/dev/stderr"
			exit 1
		}
		printf " %6.1f %% ( %5.1f %%)", 100 * (1 - idle[hart] / all[hart]), 100 * iperf[hart] / all[hart]
	}
	print ""
}
