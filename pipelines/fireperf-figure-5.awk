# SPDX-License-Identifier: Apache-2.0
# FirePerf's figure 5: how many requests to send the driver keeps queued. The mean over the
# transfer counts the cycles without a request, too: it says how busy the driver keeps the
# interface. That of the cycles with a request says whether requests wait for each other.
function over_time(run) { return value[run, "cycles"] > 0 ? value[run, "queued"] / value[run, "cycles"] : 0 }
END {
	printf "Figure 5: requests to send in the queue: mean over the transfer, and while there are any\n  %-50s %9s %9s %12s %12s\n", \
		"", "transfer", "any", "cycles: any", "one"
	n = split("bytes-base " fast "-csum " fast "-napi " fast "-jumbo", runs, " ")
	for (i = 1; i <= n; i++)
		printf "  %-50s %9.4f %9.2f %12.0f %12.0f\n", runs[i], over_time(runs[i]), value[runs[i], "occupancy"], \
			value[runs[i], "occupied"], value[runs[i], "one"]
	for (i = 2; i <= n; i++)
		if (over_time(runs[i]) <= over_time(runs[i - 1])) print "  does not rise from " runs[i - 1] " to " runs[i]
	print "  FirePerf, figure 5: about 900,000 cycles with one in the baseline; the mean rises with each step"
}
