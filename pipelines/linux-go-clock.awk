# SPDX-License-Identifier: Apache-2.0
# The program's own clock as a judge of the latencies: reads hits of linux-go-requests.probes,
# and what go-requests.go printed, lines of "request NUMBER BEGIN END", in ns. Each of its
# readings is within the call in which the probes see it: one offset between its clock and the
# cycles must hold for all of them. hits.awk precedes it.

# The clock said `ns` in a cycle from a to b.
function reading(ns, a, b,    low, high) {
	low = a - (ns + tick) * per_ns
	high = b - ns * per_ns
	if (!readings++ || low > least)
		least = low
	if (readings == 1 || high < most)
		most = high
}
function fail(text) {
	print "linux-go: " text > "/dev/stderr"
	exit 1
}

BEGIN { per_ns = 3.2; tick = 1000 } # SOC_CLOCK_HZ, SOC_TIMEBASE_HZ
FNR == 1 { file++ }
file == 1 && $4 == "sent" { sent[field("number")] = $1 + 0; sending[field("number")] = field("began") + 0 }
file == 1 && $4 == "received" { received[field("number")] = $1 + 0; receiving[field("number")] = field("began") + 0; count++ }
file == 2 && $1 == "request" && NF == 4 {
	sub(/\r$/, "")
	printed++
	unknown += !($2 in received)
	reading($3, sending[$2], sent[$2])
	reading($4, receiving[$2], received[$2])
}
END {
	if (!printed || printed != count || unknown)
		fail("the program printed times of " printed - unknown + 0 " requests, of " count + 0)
	if (least > most)
		fail("the latencies differ from the program's own clock")
	printf "%d latencies agree with the program's own clock, of %d cycles a tick\n", printed, tick * per_ns
}
