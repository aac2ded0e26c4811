# SPDX-License-Identifier: Apache-2.0
# Stacks of each goroutine, folded, from intervals of linux-go.awk and the text of tr-unwind's
# stacks: what a hart does while the goroutine runs there. -v classes=FILE gets a table of
# the classes of these cycles. linux-go-rows.awk precedes it.

function take(label, node, hart, low, high,    group) {
	stacks[label path(node)] += high - low
	sum += high - low
	for (group in part)
		lost[label, group] += part[group]
}

file == 1 {
	split($0, field_of, "\t")
	if (field_of[1] == "name") {
		label_of[field_of[2]] = "goroutine " field_of[2] " " field_of[3]
		if (field_of[2] + 0 > most)
			most = field_of[2] + 0
	} else if (field_of[1] == "go" && field_of[3] == "running") {
		piece(field_of[6], field_of[4] + 0, field_of[5] + 0, label_of[field_of[2]])
		wanted += field_of[5] - field_of[4]
	}
}
END {
	if (failed)
		exit 1
	if (sum != wanted)
		fail(sprintf("goroutines run for %d cycles, and have stacks for %d", wanted, sum))
	for (stack in stacks)
		printf "%s %d\n", stack, stacks[stack]
	n = split("commit frontend badspec memory core", groups, " ")
	print "Running, in cycles by what the hart does: an instruction retires, or the class of the stall" > classes
	printf "%5s", "goid" > classes
	for (i = 1; i <= n; i++)
		printf "  %10s", groups[i] > classes
	print "  function" > classes
	for (id = 1; id <= most; id++)
		if ((label_of[id], "commit") in lost) {
			printf "%5d", id > classes
			for (i = 1; i <= n; i++)
				printf "  %10d", lost[label_of[id], groups[i]] > classes
			sub(/^goroutine [0-9]* /, "", label_of[id])
			print "  " label_of[id] > classes
		}
}
