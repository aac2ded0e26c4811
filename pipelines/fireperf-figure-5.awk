# SPDX-License-Identifier: Apache-2.0
# FirePerf's figure 5: how many requests to send the driver keeps queued.
END {
	printf "Figure 5: requests to send in the queue while there are any\n  %-50s %8s %15s %12s\n", "", "mean", \
		"cycles with any", "with one"
	for (i = 1; i <= split("bytes-base " fast "-csum " fast "-napi " fast "-jumbo", runs, " "); i++)
		printf "  %-50s %8.2f %15.0f %12.0f\n", runs[i], value[runs[i], "occupancy"], value[runs[i], "occupied"], value[runs[i], "one"]
	print "  FirePerf, figure 5: about 900,000 cycles with one in the baseline; the mean rises with each step"
}
