# SPDX-License-Identifier: Apache-2.0
# Checks that no frame is lost uncounted between two nodes, that all payload arrives
# unchanged, and that all checksums are right. Reads what soc-net said (net.txt) and of each
# node N the output of fireperf-frames and of tcpdump (N.frames.txt), its counters (N.csv),
# and its console with /proc/net/dev and /proc/net/softnet_stat (N.txt). Prints the way of the frames in each
# direction; status 1 if a sum is wrong.
#
#	driver = NIC + its drops; NIC = wire; wire = wire at the other end + the switch's drops;
#	wire = NIC + its drops; NIC = driver + its drops
FNR == 1 {
	name = FILENAME
	sub(/.*\//, "", name)
	node = name + 0
	kind = name == "net.txt" ? "net" : name ~ /frames/ ? "wire" : name ~ /csv$/ ? "nic" : "driver"
}
{ sub(/\r$/, "") }
kind == "net" && /the switch dropped/ { switch_[$3 + 0] = $7 }

# --- frames on the wire
kind == "wire" && $1 == "frames" { wire_sent[node] = $3; wire_received[node] = $5 }
kind == "wire" && $1 == "tcpdump" { tcpdump[node] = $3; bad[node] = $5 }
kind == "wire" && $1 == "flow" {
	hash = ""
	for (i = 5; i < NF; i += 2) if ($i == "bytes" || $i == "hash") hash = hash " " $(i + 1)
	flow[node, $2, $3 " to " $4] = hash
	flows[$3 " to " $4] = 1
}

# --- the NIC
kind == "nic" { split($0, cell, ",") }
kind == "nic" && cell[1] == "label" { for (i in cell) column[node, cell[i]] = i; columns = 1 }
kind == "nic" { for (i in cell) last[node, i] = cell[i] }
function nic(node, name) { return last[node, column[node, name]] }

# --- the driver, and the queue behind it
kind == "driver" && sub(/^ *eth0: */, "") {
	driver_received[node] = $2
	driver_drops[node] = $4
	driver_errors[node] = $3
	driver_sent[node] = $10
	driver_sent_drops[node] = $11
	seen[node]++
	next
}
kind == "driver" && NF >= 10 && /^[0-9a-f]+ [0-9a-f ]+$/ { backlog[node] += hex($2); softnet[node]++ }

function hex(text,   i, n) {
	for (i = 1; i <= length(text); i++) n = 16 * n + index("0123456789abcdef", substr(text, i, 1)) - 1
	return n
}
function equal(what, a, b) {
	if (a == b) return
	printf "fireperf: %s: %s: %d and %d\n", run, what, a, b > "/dev/stderr"
	wrong++
}
function check_node(n,   drops) {
	equal("node " n ": tcpdump reads every frame", wire_sent[n] + wire_received[n], tcpdump[n])
	equal("node " n ": tcpdump finds wrong checksums", 0, bad[n])
	equal("node " n ": driver sends, NIC sends and drops", driver_sent[n], nic(n, "nic_frames_sent") + nic(n, "nic_send_drops"))
	equal("node " n ": NIC sends, wire", nic(n, "nic_frames_sent"), wire_sent[n])
	equal("node " n ": wire, NIC", wire_received[n], nic(n, "nic_frames_in"))
	drops = nic(n, "nic_drops_full") + nic(n, "nic_drops_size") + nic(n, "nic_drops_off")
	equal("node " n ": NIC takes, writes and drops", nic(n, "nic_frames_in"), nic(n, "nic_frames_received") + drops)
	# The driver's drops are its own, those of the backlog, whose frames it has counted, and
	# the NIC's; its errors are the NIC's drops by size.
	equal("node " n ": NIC, driver receives and drops", nic(n, "nic_frames_in"), \
		driver_received[n] + driver_drops[n] + driver_errors[n] - backlog[n])
}
function print_way(a, b) {
	printf "node %d to node %d: driver %d, NIC %d + %d dropped, wire %d; switch %d dropped; wire %d, NIC %d + %d dropped, driver %d + %d dropped\n", \
		a, b, driver_sent[a], nic(a, "nic_frames_sent"), nic(a, "nic_send_drops"), wire_sent[a], switch_[b], \
		wire_received[b], nic(b, "nic_frames_received"), nic(b, "nic_frames_in") - nic(b, "nic_frames_received"), \
		driver_received[b], nic(b, "nic_frames_received") - driver_received[b]
}
END {
	run = FILENAME
	sub(/\/[^\/]*$/, "", run)
	for (n = 0; n < 2; n++) {
		if (!seen[n] || !softnet[n] || !((n, "nic_frames_in") in column) || tcpdump[n] == "" || wire_sent[n] == "") {
			printf "fireperf: %s: node %d has no counters\n", run, n > "/dev/stderr"
			exit 1
		}
		check_node(n)
		equal("wire from node " n " to the other", wire_sent[n], wire_received[1 - n] + switch_[1 - n])
		print_way(n, 1 - n)
	}
	for (f in flows) {
		compared++
		for (n = 0; n < 2; n++)
			if (((n, "sent", f) in flow) && flow[n, "sent", f] != flow[1 - n, "received", f]) {
				printf "fireperf: %s: %s: payload sent (bytes, hash)%s, received%s\n", run, f, \
					flow[n, "sent", f], flow[1 - n, "received", f] > "/dev/stderr"
				wrong++
			}
	}
	if (!compared) wrong++
	printf "payload of %d flows the same at both ends; checksums right in all frames, which tcpdump reads\n", compared
	exit wrong > 0
}
