# SPDX-License-Identifier: Apache-2.0
# Reads what tr-text prints of stacks of iperf3 over loopback: throughput in the steady state,
# from the calls that send a block each. It begins when the first MiB has been sent and ends
# with the last call; afterwards iperf3 waits for its peer, and may do so by polling. Calls on
# several harts are counted together, in the order of time.
# Variables: block, the bytes of one; least, how many bytes are sent at least.
function value(word) { return substr(word, index(word, "=") + 1) }
$1 == "func" && $NF == "name=\"iperf_tcp_send\"" { is_send[$2] = 1 }
$1 == "node" && (value($4) in is_send) { is_entry[$2] = 1 }
function add(time,   i) {
	for (i = ++calls; i > 1 && begin[i - 1] > time; i--) begin[i] = begin[i - 1]
	begin[i] = time
}
$1 == "hart" {
	at[hart] = now
	hart = $2
	now = $3 ~ /^cycle=/ ? value($3) : at[hart]
}
$1 == "srow" {
	if ($NF == "fresh" && ($2 in is_entry)) add(now)
	now += value($4)
}
END {
	first = 1048576 / block + 1
	if (calls * block < least || calls <= first) {
		print "fireperf: " calls + 0 " blocks were sent over loopback" > "/dev/stderr"
		exit 1
	}
	cycles = begin[calls] - begin[first]
	printf "gbits %.4f\nwindow %.0f %.0f\n", (calls - first) * block * 8 / cycles * 3.2, begin[first], begin[calls]
}
