# SPDX-License-Identifier: Apache-2.0
# FirePerf's figure 5: how many requests to send the driver keeps queued. The mean over the
# transfer counts the cycles without a request, too: it says how busy the driver keeps the
# interface. That of the cycles with a request says whether requests wait for each other.
function over_time(run) { return value[run, "cycles"] > 0 ? value[run, "queued"] / value[run, "cycles"] : 0 }
function rises(core, n, runs, suffix,   i) {
	for (i = 2; i <= n; i++)
		if (value[runs[i] suffix, "cycles"] > 0 && over_time(runs[i] suffix) <= over_time(runs[i - 1] suffix))
			printf "  does not rise on %s from %s to %s (%s and %s Gbit/s)\n", core, runs[i - 1], runs[i], \
				gbits(runs[i - 1] suffix, "gbits"), gbits(runs[i] suffix, "gbits")
}
END {
	print "Figure 5: requests to send in the queue: mean over the transfer, and while there are any"
	printf "  %-50s %9s %9s %12s %12s %9s %9s\n", "", "one core", "any", "cycles: any", "one", "two cores", "any"
	n = split("bytes-base " fast "-csum " fast "-napi " fast "-jumbo", runs, " ")
	for (i = 1; i <= n; i++)
		printf "  %-50s %9.4f %9.2f %12.0f %12.0f %9.4f %9.2f\n", runs[i], over_time(runs[i]), value[runs[i], "occupancy"], \
			value[runs[i], "occupied"], value[runs[i], "one"], over_time(runs[i] "-dual"), value[runs[i] "-dual", "occupancy"]
	rises("one core", n, runs, "")
	rises("two cores", n, runs, "-dual")
	print "  FirePerf, figure 5: about 900,000 cycles with one in the baseline; the mean rises with each step"
}
