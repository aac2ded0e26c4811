# SPDX-License-Identifier: Apache-2.0
# Rows for thesis-5.4.awk of a program that does not exist: the first of its functions has 40 %, each
# other 4 % less than the one before.
#     awk -v seed=N [-v samples=N] [-v biased=PERCENT] [-v lost=N] [-v functions=N] -f accuracy-rows.awk
# Each sample is drawn at random; the first function gets so many % more.
#     ... -v alternate=PART [-v samples=N]
# Two functions of equal shares, of which one gets this part of the samples.

function draw() { seed = seed * 16807 % 2147483647; return seed / 2147483647 }
BEGIN {
	if (!samples) samples = 3000
	if (!functions) functions = 120
	seed = seed * 7919 + 1
	for (i = 0; i < 10; i++) draw()
	if (alternate != "") {
		printf "other,0,0,0,1000000\nwork_early,1,500000,%d\nwork_late,1,500000,%d\n", samples * alternate, samples * (1 - alternate)
		exit
	}
	sum = truth[1] = 4e8; weight = 2.4e7
	for (i = 2; i <= functions; i++) { truth[i] = int(weight); weight *= 0.96; sum += truth[i] }
	for (i = 1; i <= functions; i++) { drawn_sum += truth[i] * (i == 1 ? 1 + biased / 100 : 1); edge[i] = drawn_sum }
	for (s = 0; s < samples; s++) {
		at = draw() * drawn_sum
		for (i = 1; edge[i] < at; i++) continue
		found[i]++
	}
	printf "other,0,0,%d,%.0f\n", lost, sum
	for (i = 1; i <= functions; i++) printf "f%d,1,%.0f,%d\n", i, truth[i], found[i]
}
